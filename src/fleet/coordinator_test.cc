#include "fleet/coordinator.h"

#include <gtest/gtest.h>

#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

struct CoordinatorRig : FleetRig {
  CoordinatorOptions options = FleetRig::options("a", 4).coordinator;
  std::unique_ptr<Coordinator> made;

  Coordinator& coordinator() {
    if (!made) made = std::make_unique<Coordinator>(bus, *records, names, options);
    return *made;
  }
  void alive(const std::string& name, const Heartbeat& heartbeat = {}) {
    add_member(name, record_of(name), &heartbeat);
  }
  void work() { EXPECT_TRUE(coordinator().work(members(), now_ms()).ok()); }
  // All processes own what the plan says, and are quiet.
  void reach_plan(std::uint64_t activity = 1) {
    for (const auto& [name, one] : members()) {
      if (!one.heartbeat) continue;
      Heartbeat heartbeat = *one.heartbeat;
      heartbeat.held.clear();
      for (std::uint32_t p = 0; p < plan().owners.size(); ++p) {
        if (plan().owners[p] == name) heartbeat.held[p] = plan().epochs[p] + 1;
      }
      heartbeat.quiet = true;
      heartbeat.activity = activity;
      heartbeat.round = control().round;
      ASSERT_TRUE(leases->put(FleetNames::member(name), heartbeat.to_json()).ok());
    }
  }
};

TEST(Coordinator, WaitsForAllProcessesAndThenSendsEachPartitionToItsFirstHolder) {
  CoordinatorRig rig;
  rig.options.procs = 2;
  rig.options.settings = R"({"policy":["bfs"]})";
  rig.alive("a");
  rig.work();
  EXPECT_TRUE(rig.plan().owners.empty());
  rig.alive("b");
  rig.work();
  EXPECT_EQ(rig.plan().owners, (std::vector<std::string>{"a", "b", "a", "b"}));
  EXPECT_EQ(rig.plan().settings, rig.options.settings);
  EXPECT_EQ(rig.broker.kept.size(), 4u);
}

TEST(Coordinator, MakesNoPlanWhileTheBrokerRefusesThePartitions) {
  CoordinatorRig rig;
  rig.alive("a");
  rig.broker.full = true;
  const Status refused = rig.coordinator().work(rig.members(), rig.now_ms());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kRetry);
  EXPECT_TRUE(rig.plan().owners.empty());
}

TEST(Coordinator, ANewcomerGetsItsPartOnceNothingIsOnItsWay) {
  CoordinatorRig rig;
  rig.alive("a");
  rig.work();
  rig.alive("b");
  rig.work();
  EXPECT_EQ(rig.plan().owners, std::vector<std::string>(4, "a")) << "a does not hold its partitions yet";
  rig.reach_plan();
  rig.work();
  const auto owners = rig.plan().owners;
  EXPECT_EQ(std::count(owners.begin(), owners.end(), "b"), 2);
  for (std::uint32_t p = 0; p < 4; ++p) {
    EXPECT_EQ(rig.plan().epochs[p], owners[p] == "b" ? 2u : 0u) << "given under the epoch after a's";
  }
}

TEST(Coordinator, PartitionsOfAProcessThatWasTakenOverGoToOthers) {
  CoordinatorRig rig;
  rig.alive("a");
  rig.alive("b");
  rig.options.procs = 2;
  rig.work();
  rig.reach_plan();
  ASSERT_TRUE(rig.leases->remove(FleetNames::member("b")).ok());
  rig.work();
  EXPECT_EQ(rig.plan().owners[1], "b") << "it may only be silent";
  rig.set_record("b", MemberRecord::State::kAbsorbed, "a");
  rig.work();
  EXPECT_EQ(rig.plan().owners, std::vector<std::string>(4, "a"));
}

TEST(Coordinator, EndsTheFleetAfterTwoQuietRoundsWithoutActivity) {
  CoordinatorRig rig;
  rig.alive("a");
  rig.work();
  rig.reach_plan(1);
  rig.work();
  EXPECT_FALSE(rig.control().ended);
  EXPECT_EQ(rig.control().round, 1u);
  rig.work();
  EXPECT_EQ(rig.control().round, 1u) << "a has not answered for this round yet";
  rig.reach_plan(2);  // something was done in between
  rig.work();
  EXPECT_FALSE(rig.control().ended);
  rig.reach_plan(2);
  rig.work();
  EXPECT_TRUE(rig.control().ended);
}

TEST(Coordinator, AProcessThatIsLostKeepsTheFleetFromEnding) {
  CoordinatorRig rig;
  rig.alive("a");
  rig.work();
  rig.add_member("b", FleetRig::record_of("b"));
  for (int i = 0; i < 5; ++i) {
    rig.reach_plan(1);
    rig.work();
  }
  EXPECT_FALSE(rig.control().ended);
  rig.set_record("b", MemberRecord::State::kLeft);
  for (int i = 0; i < 3; ++i) {
    rig.reach_plan(1);
    rig.work();
  }
  EXPECT_TRUE(rig.control().ended);
}

TEST(Coordinator, ABudgetThatIsUsedUpStopsAllAndCountsTheLost) {
  CoordinatorRig rig;
  rig.options.pages = 100;
  Heartbeat heartbeat;
  heartbeat.pages = 40;
  rig.alive("a", heartbeat);
  MemberRecord gone = FleetRig::record_of("b");
  gone.state = MemberRecord::State::kAbsorbed;
  gone.pages = 50;
  rig.add_member("b", gone);
  ASSERT_TRUE(rig.coordinator().watch_budgets(rig.members()).ok());
  EXPECT_EQ(rig.coordinator().pages_left(), 10u);
  EXPECT_FALSE(rig.control().stop);
  heartbeat.pages = 50;
  rig.alive("a", heartbeat);
  ASSERT_TRUE(rig.coordinator().watch_budgets(rig.members()).ok());
  EXPECT_EQ(rig.coordinator().pages_left(), 0u);
  EXPECT_TRUE(rig.control().stop);
  EXPECT_NE(rig.control().reason.find("page budget"), std::string::npos);
}

TEST(Coordinator, AProcessThatStillReadsItsFolderCountsWithWhatItHad) {
  CoordinatorRig rig;
  rig.options.pages = 100;
  MemberRecord stopped = FleetRig::record_of("a");
  stopped.pages = 70;
  const Heartbeat restoring;
  rig.add_member("a", stopped, &restoring);
  Heartbeat heartbeat;
  heartbeat.pages = 20;
  rig.alive("b", heartbeat);
  ASSERT_TRUE(rig.coordinator().watch_budgets(rig.members()).ok());
  EXPECT_EQ(rig.coordinator().pages_left(), 10u) << "its record knows";
  rig.alive("b", Heartbeat());
  ASSERT_TRUE(rig.coordinator().watch_budgets(rig.members()).ok());
  EXPECT_EQ(rig.coordinator().pages_left(), 10u) << "it was reported before";
}

TEST(Coordinator, BytesAndTimeAreBudgetsToo) {
  for (const bool by_time : {false, true}) {
    CoordinatorRig rig;
    rig.options.time_s = by_time ? 60 : 0;
    rig.options.bytes = by_time ? 0 : 1000;
    Heartbeat heartbeat;
    heartbeat.bytes = 1000;
    heartbeat.seconds = 61;
    rig.alive("a", heartbeat);
    ASSERT_TRUE(rig.coordinator().watch_budgets(rig.members()).ok());
    EXPECT_TRUE(rig.control().stop);
  }
}

}  // namespace
}  // namespace bowerbird
