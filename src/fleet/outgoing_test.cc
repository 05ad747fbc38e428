#include "fleet/outgoing.h"

#include <gtest/gtest.h>

#include "fleet/rig_testing.h"
#include "fleet/seal.h"
#include "fleet/wire.h"

namespace bowerbird {
namespace {

struct OutgoingRig : FleetRig {
  bool leased = true;
  std::vector<std::string> warnings;
  Outgoing outgoing{
      bus,  names, "a", [this] { return leased; }, [this](std::string text) { warnings.push_back(text); },
      clock};
  std::vector<std::uint64_t> numbers;  // as the receiver sees them

  OutgoingRig() {
    bus.take_over("", {{"p0", names.partition(0)}, {"p1", names.partition(1)}}, "in");
    EXPECT_TRUE(bus.subscribe("in",
                              [this](const BusMessage& message) {
                                const auto envelope =
                                    read_envelope(unsealed(message.data, MessageKind::kEnvelope, {}).value());
                                ASSERT_TRUE(envelope);
                                EXPECT_EQ(envelope->carrier, "a");
                                numbers.push_back(envelope->message.id.number);
                              })
                    .ok());
  }
  void add(std::uint64_t first, std::uint64_t count, const std::string& body = "x") {
    std::vector<Message> messages;
    for (std::uint64_t i = 0; i < count; ++i) {
      messages.push_back({{"a", 0, first + i}, std::make_shared<const std::string>(body)});
    }
    outgoing.add(std::move(messages));
  }
  void run() {
    while (outgoing.step()) {
    }
  }
};

TEST(Outgoing, SendsInOrderWithAWindow) {
  OutgoingRig rig;
  rig.add(1, 100);
  EXPECT_FALSE(rig.outgoing.all_sent());
  rig.run();
  ASSERT_EQ(rig.numbers.size(), 64u);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(rig.numbers[i], i + 1);
  EXPECT_TRUE(rig.outgoing.all_sent()) << "the rest waits for confirmations";
  rig.outgoing.confirm({{"a", 0, 50}});
  rig.run();
  EXPECT_EQ(rig.numbers.size(), 100u);
  rig.outgoing.confirm({{"a", 0, 100}, {"nobody", 3, 1}});
  EXPECT_FALSE(rig.outgoing.step());
}

TEST(Outgoing, PiecesOfAMovingPartitionAreNotHeldBackByTheWindow) {
  OutgoingRig rig;
  PartitionTransfer piece;
  rig.add(1, 100, pack(piece));
  rig.run();
  EXPECT_EQ(rig.numbers.size(), 100u);
}

TEST(Outgoing, SendsAgainWhenNothingIsHeard) {
  OutgoingRig rig;
  rig.add(1, 2);
  rig.run();
  rig.pass_ms(14'000);
  EXPECT_FALSE(rig.outgoing.step());
  rig.pass_ms(2000);
  rig.run();
  EXPECT_EQ(rig.numbers, (std::vector<std::uint64_t>{1, 2, 1, 2}));
}

TEST(Outgoing, NothingIsSentAgainIntoAQueueThatNobodyReads) {
  OutgoingRig rig;
  rig.broker.subscribers.erase("in");
  rig.add(1, 2);
  rig.run();
  for (int i = 0; i < 10; ++i) {
    rig.pass_ms(16'000);
    rig.run();
  }
  EXPECT_EQ(rig.broker.kept.size(), 2u) << "the two first copies";
  ASSERT_EQ(rig.warnings.size(), 1u);
  EXPECT_NE(rig.warnings[0].find("1 of the partitions (the first is 0)"), std::string::npos)
      << rig.warnings[0];

  rig.broker.queues.clear();  // lost with the partition's owner
  rig.pass_ms(16'000);
  rig.run();
  EXPECT_EQ(rig.broker.kept.size(), 2u);
}

TEST(Outgoing, AFullBrokerIsAskedAgainLater) {
  OutgoingRig rig;
  rig.broker.full = true;
  rig.add(1, 1);
  EXPECT_TRUE(rig.outgoing.step());
  EXPECT_FALSE(rig.outgoing.step());
  EXPECT_FALSE(rig.outgoing.all_sent());
  rig.broker.full = false;
  rig.pass_ms(500);
  EXPECT_FALSE(rig.outgoing.step());
  rig.pass_ms(600);
  rig.run();
  EXPECT_EQ(rig.numbers, std::vector<std::uint64_t>{1});
}

TEST(Outgoing, WithoutALeaseNothingIsSent) {
  OutgoingRig rig;
  rig.leased = false;
  rig.add(1, 1);
  rig.outgoing.acknowledge({{"ack.1"}, {}});
  EXPECT_FALSE(rig.outgoing.step());
  EXPECT_EQ(rig.broker.lost, 0u);
  rig.leased = true;
  rig.run();
  EXPECT_EQ(rig.numbers.size(), 1u);
}

TEST(Outgoing, ReceiptsGoToCarriersAndToTheBroker) {
  OutgoingRig rig;
  std::vector<MessageId> confirmed;
  ASSERT_TRUE(rig.bus
                  .subscribe(rig.names.to("ok", "b"),
                             [&](const BusMessage& message) {
                               confirmed =
                                   *read_receipts(unsealed(message.data, MessageKind::kReceipts, {}).value());
                             })
                  .ok());
  rig.bus.publish_kept({{rig.names.partition(1),
                         sealed(write_envelope("a", {{"b", 1, 1}, std::make_shared<const std::string>()}),
                                MessageKind::kEnvelope, {})}});
  ASSERT_EQ(rig.broker.kept.size(), 1u);
  Receipts receipts;
  receipts.replies = {rig.broker.kept.begin()->first};
  receipts.by_carrier["b"] = {{"b", 1, 1}};
  rig.outgoing.acknowledge(receipts);
  EXPECT_FALSE(rig.outgoing.all_sent());
  rig.run();
  EXPECT_TRUE(rig.broker.kept.empty());
  ASSERT_EQ(confirmed.size(), 1u);
  EXPECT_EQ(confirmed[0].sender, "b");
}

}  // namespace
}  // namespace bowerbird
