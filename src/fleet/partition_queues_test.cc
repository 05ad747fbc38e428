#include "fleet/partition_queues.h"

#include <gtest/gtest.h>

#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

struct QueuesRig : FleetRig {
  FleetOptions options = FleetRig::options("a");
  Lease lease{*records, *leases, options, clock, std::make_shared<CommitFence>(clock)};
  PartitionQueues queues{bus, names, "a", lease};
  int heard = 0;

  QueuesRig() {
    EXPECT_TRUE(lease.renew({}).ok());
    EXPECT_TRUE(bus.subscribe(names.to("in", "a"), [this](const BusMessage&) { ++heard; }).ok());
  }
  void send_to(std::uint32_t partition) { bus.publish_kept({{names.partition(partition), "x"}}); }
};

TEST(PartitionQueues, DeliverHereWhatIsOurs) {
  QueuesRig rig;
  EXPECT_TRUE(rig.queues.none());
  EXPECT_TRUE(rig.queues.follow({true, false, true}));
  EXPECT_FALSE(rig.queues.none());
  for (std::uint32_t p = 0; p < 3; ++p) rig.send_to(p);
  EXPECT_EQ(rig.heard, 2);
  EXPECT_EQ(rig.broker.queues.at("p2").to, rig.names.to("in", "a"));
  EXPECT_FALSE(rig.broker.queues.contains("p1"));
  EXPECT_TRUE(rig.queues.follow({false, false, false}));
  EXPECT_TRUE(rig.queues.none());
}

TEST(PartitionQueues, AreAskedForAgainUntilAllDeliver) {
  QueuesRig rig;
  rig.broker.deaf_queues = {"p1"};
  EXPECT_FALSE(rig.queues.follow({true, true}));
  rig.broker.deaf_queues.clear();
  EXPECT_TRUE(rig.queues.follow({true, true}));
  EXPECT_EQ(rig.broker.queues.size(), 2u);
}

TEST(PartitionQueues, AreNotTakenWithoutALease) {
  QueuesRig rig;
  rig.pass_ms(9000);
  EXPECT_FALSE(rig.queues.follow({true}));
  EXPECT_TRUE(rig.broker.queues.empty());
}

TEST(PartitionQueues, ThatAreGoneOrLeadElsewhereOrStallAreMadeAgain) {
  QueuesRig rig;
  ASSERT_TRUE(rig.queues.follow({true, true, true}));
  rig.broker.queues.erase("p0");
  rig.broker.queues["p1"].to = "elsewhere";
  ASSERT_TRUE(rig.queues.check().ok());
  EXPECT_EQ(rig.broker.queues.at("p0").to, rig.names.to("in", "a"));
  EXPECT_EQ(rig.broker.queues.at("p1").to, rig.names.to("in", "a"));

  rig.bus.stop_listening();  // as if deliveries were lost
  rig.send_to(2);
  ASSERT_TRUE(rig.queues.check().ok());
  ASSERT_TRUE(rig.bus.subscribe("other", [](const BusMessage&) {}).ok());
  rig.broker.subscribers[rig.names.to("in", "a")] = [&](const BusMessage&) { ++rig.heard; };
  ASSERT_TRUE(rig.queues.check().ok());
  EXPECT_EQ(rig.heard, 1) << "a message waited at two checks and nothing was delivered in between";
}

}  // namespace
}  // namespace bowerbird
