#include "web/site/faults.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "web/site/traps.h"

namespace bowerbird {
namespace {

TEST(Faults, TheTableIsInTheOrderOfTheEnumeration) {
  for (std::size_t i = 0; i < all_faults().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(all_faults()[i].fault), i + 1);
    EXPECT_EQ(fault_name(all_faults()[i].fault), all_faults()[i].name);
  }
  EXPECT_EQ(all_faults().back().fault, Fault::kUnaskedNotModified);
  EXPECT_EQ(fault_name(Fault::kNone), "-");
}

TEST(Faults, RulesAreReadWithTimesAndShares) {
  const auto rules = parse_faults("truncated=1%,unavailable:3=0.05,reset,too-many=0");
  ASSERT_FALSE(rules.ok());  // the default share is all pages, so the sum exceeds 1
  const auto good = parse_faults("truncated=1%,unavailable:3=0.05,unavailable=0,reset:0=0.9");
  ASSERT_TRUE(good.ok()) << good.error().text;
  ASSERT_EQ(good->size(), 4u);
  EXPECT_EQ((*good)[0].fault, Fault::kTruncated);
  EXPECT_DOUBLE_EQ((*good)[0].share, 0.01);
  EXPECT_EQ((*good)[0].times, 0u);
  EXPECT_EQ((*good)[1].times, 3u);
  EXPECT_EQ((*good)[2].times, 2u);  // the default of this fault
  EXPECT_TRUE(parse_faults("")->empty());
}

TEST(Faults, WrongRulesAreRefusedWithAReason) {
  EXPECT_NE(parse_faults("truncatd=1%").error().text.find("did you mean 'truncated'"), std::string::npos);
  EXPECT_FALSE(parse_faults("reset=2").ok());
  EXPECT_FALSE(parse_faults("reset=x").ok());
  EXPECT_FALSE(parse_faults("reset:=1%").ok());
  EXPECT_FALSE(parse_faults("reset:1x=1%").ok());
  EXPECT_FALSE(parse_faults("reset=60%,stall=60%").ok());
  EXPECT_FALSE(parse_faults(",").ok());
}

TEST(Faults, EachAffectsItsShare) {
  const FaultTable table(*parse_faults("reset=10%,stall=30%"));
  int resets = 0, stalls = 0;
  constexpr int kPages = 20'000;
  for (std::uint64_t page = 0; page < kPages; ++page) {
    const Fault fault = table.pick(draw(1, page)).fault;
    resets += fault == Fault::kReset ? 1 : 0;
    stalls += fault == Fault::kStall ? 1 : 0;
  }
  EXPECT_NEAR(resets, 0.1 * kPages, 0.01 * kPages);
  EXPECT_NEAR(stalls, 0.3 * kPages, 0.015 * kPages);
  EXPECT_EQ(FaultTable().pick(0).fault, Fault::kNone);
}

TEST(Traps, SharesAreRead) {
  const auto shares = parse_traps("calendar=5%,deep");
  ASSERT_TRUE(shares.ok());
  EXPECT_DOUBLE_EQ((*shares)[0], 0.05);
  EXPECT_DOUBLE_EQ((*shares)[2], 1);
  EXPECT_FALSE(parse_traps("calender=5%").ok());
  EXPECT_FALSE(parse_traps("deep:3=5%").ok());
}

TEST(Traps, ASessionIsTheLastParameter) {
  std::string without;
  std::string_view session;
  ASSERT_TRUE(Traps::strip_session("/a?sid=12", without, session));
  EXPECT_EQ(without, "/a");
  EXPECT_EQ(session, "12");
  ASSERT_TRUE(Traps::strip_session("/a?b=c&sid=", without, session));
  EXPECT_EQ(without, "/a?b=c");
  EXPECT_FALSE(Traps::strip_session("/a?ssid=1", without, session));
  EXPECT_FALSE(Traps::strip_session("/a?sid=1&b=2", without, session));
  EXPECT_FALSE(Traps::strip_session("sid=1", without, session));
}

}  // namespace
}  // namespace bowerbird
