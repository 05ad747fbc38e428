#include "fleet/arrivals.h"

#include <gtest/gtest.h>

#include "fleet/names.h"
#include "fleet/seal.h"
#include "fleet/wire.h"

namespace bowerbird {
namespace {

BusMessage delivery(const std::string& carrier, const MessageId& id, const std::string& reply) {
  return {"", reply,
          sealed(write_envelope(carrier, {id, std::make_shared<const std::string>("x")}),
                 MessageKind::kEnvelope, {})};
}

TEST(Arrivals, BrokerAndCarrierHearOfACommitOnce) {
  Arrivals arrivals(4);
  const MessageId id{"b", 2, 1};
  const auto delivered = arrivals.add(delivery("b", id, "r1"));
  ASSERT_TRUE(delivered.message);
  EXPECT_EQ(delivered.message->id.number, 1u);
  EXPECT_TRUE(delivered.receipts.empty());
  const Receipts receipts = arrivals.committed({id, {"unknown", 1, 1}});
  EXPECT_EQ(receipts.replies, std::vector<std::string>{"r1"});
  ASSERT_TRUE(receipts.by_carrier.contains("b"));
  EXPECT_EQ(receipts.by_carrier.at("b").size(), 1u);
  EXPECT_TRUE(arrivals.committed({id}).empty());
}

TEST(Arrivals, ARepeatReplacesTheDeliveryBeforeItAndAddsItsCarrier) {
  Arrivals arrivals(4);
  const MessageId id{"b", 2, 1};
  arrivals.add(delivery("b", id, "r1"));
  const auto again = arrivals.add(delivery("c", id, "r2"));  // c took over b
  EXPECT_EQ(again.receipts.replies, std::vector<std::string>{"r1"});
  const Receipts receipts = arrivals.committed({id});
  EXPECT_EQ(receipts.replies, std::vector<std::string>{"r2"});
  EXPECT_EQ(receipts.by_carrier.size(), 2u);
}

TEST(Arrivals, AMessageOfTheCoordinatorHasOnlyTheBrokerToKeepIt) {
  Arrivals arrivals(4);
  const MessageId id{kOrigin, 0, 1};
  arrivals.add(delivery(kOrigin, id, "r1"));
  EXPECT_TRUE(arrivals.add(delivery(kOrigin, id, "r2")).receipts.empty());
  const Receipts receipts = arrivals.committed({id});
  EXPECT_EQ(receipts.replies.size(), 2u);
  EXPECT_TRUE(receipts.by_carrier.empty());
}

TEST(Arrivals, WhatNobodyCanReadIsAcknowledgedAtOnce) {
  Arrivals arrivals(4);
  for (const BusMessage& bad : {BusMessage{"", "r", "nonsense"}, delivery("b", {"b", 4, 1}, "r")}) {
    const auto delivered = arrivals.add(bad);
    EXPECT_FALSE(delivered.message);
    EXPECT_EQ(delivered.receipts.replies, std::vector<std::string>{"r"});
  }
}

TEST(Arrivals, AMessageWithoutTheSealOfTheFleetIsDropped) {
  Arrivals arrivals(4, HashKey{1, 2});
  const auto delivered = arrivals.add(delivery("b", {"b", 1, 1}, "ack 1"));
  EXPECT_FALSE(delivered.message) << "sealed with another key";
  EXPECT_EQ(delivered.receipts.replies, std::vector<std::string>{"ack 1"}) << "the broker forgets it";
}

}  // namespace
}  // namespace bowerbird
