#include "fleet/names.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(FleetRecords, ComeBackFromTheirText) {
  MemberRecord record;
  record.state = MemberRecord::State::kAbsorbed;
  record.folder = "/some where/p1";
  record.by = "p0";
  record.given = {{3, 7}, {255, 1}};
  record.pages = 12;
  record.bytes = 34;
  const auto again = MemberRecord::from_json(record.to_json());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->to_json(), record.to_json());
  EXPECT_EQ(again->given, record.given);
  EXPECT_EQ(again->pages, 12u);

  Heartbeat heartbeat;
  heartbeat.held = {{0, 1}, {9, 2}};
  heartbeat.quiet = true;
  heartbeat.pages_per_second = 2.5;
  heartbeat.time = 1'700'000'000'000;
  const Heartbeat heard = Heartbeat::from_json(heartbeat.to_json());
  EXPECT_EQ(heard.to_json(), heartbeat.to_json());
  EXPECT_EQ(heard.held, heartbeat.held);
}

TEST(FleetRecords, WhatIsNotOneOfOursSaysNothing) {
  EXPECT_FALSE(MemberRecord::from_json("").ok());
  EXPECT_FALSE(MemberRecord::from_json(R"({"state":"happy"})").ok());
  const auto odd = MemberRecord::from_json(
      R"({"state":"in","given":[[1],[1,2,3],["1",2],[-1,2],[4294967296,2],[5,-1],7,[5,6]]})");
  ASSERT_TRUE(odd.ok());
  EXPECT_EQ(odd->given, (Epochs{{5, 6}}));
  EXPECT_TRUE(Heartbeat::from_json(R"({"held":{"1":2}})").held.empty());
  EXPECT_TRUE(Heartbeat::from_json("[]").held.empty());
}

TEST(FleetRecord, ComesBackFromItsText) {
  const FleetRecord record{"0123456789abcdef0123456789abcdef"};
  EXPECT_EQ(FleetRecord::from_json(record.to_json()).value().id, record.id);
  EXPECT_FALSE(FleetRecord::from_json("{}").ok());
  EXPECT_FALSE(FleetRecord::from_json("garbage").ok());
}

}  // namespace
}  // namespace bowerbird
