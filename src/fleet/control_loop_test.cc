#include "fleet/control_loop.h"

#include <gtest/gtest.h>

#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

struct ControlRig : FleetRig {
  FleetOptions options;
  Mailbox mailbox;
  Lease lease;
  ControlLoop loop;

  explicit ControlRig(FleetOptions made = FleetRig::options("a"))
      : options(std::move(made)),
        lease(*records, *leases, options, clock, std::make_shared<CommitFence>(clock)),
        loop(bus, {*records, *leases}, options, lease, mailbox, clock,
             {[](const LostMember&) { return Result<bool>(true); },
              [](const LostMember& member) {
                ReadOrphan orphan;
                orphan.orphan.member = member.name;
                return Result<ReadOrphan>(orphan);
              }}) {}
  // Renews the lease and ticks, often enough for `ms`.
  void run(std::int64_t ms) {
    for (std::int64_t end = now_ms() + ms; now_ms() < end; pass_ms(ControlLoop::kTickMs)) {
      Heartbeat heartbeat = mailbox.heartbeat();
      heartbeat.round = loop.round();
      EXPECT_TRUE(lease.renew(std::move(heartbeat)).ok());
      loop.tick();
      loop.wait_for_takeover();
    }
  }
  FleetNews news() {
    FleetNews taken;
    mailbox.take(taken);
    return taken;
  }
};

TEST(ControlLoop, ALoneProcessLeadsAndHoldsAllPartitions) {
  ControlRig rig;
  EXPECT_EQ(rig.loop.granter_of("h.test"), "");
  rig.run(3000);
  const FleetNews news = rig.news();
  ASSERT_TRUE(news.plan);
  EXPECT_EQ(news.plan->ours, std::vector<bool>(4, true));
  EXPECT_EQ(rig.broker.queues.size(), 4u);
  EXPECT_EQ(rig.loop.granter_of("h.test"), "a");
  EXPECT_EQ(rig.leases->get(kCoordinatorKey).value()->value, "a");
  EXPECT_FALSE(rig.news().plan) << "told once";
  rig.loop.finish();
  EXPECT_FALSE(rig.leases->get(kCoordinatorKey).value());
}

TEST(ControlLoop, DoesNothingWithoutALease) {
  ControlRig rig;
  rig.loop.tick();
  EXPECT_EQ(rig.plan().owners.size(), 0u);
  EXPECT_FALSE(rig.leases->get(kCoordinatorKey).value());
}

TEST(ControlLoop, LeadsOnlyWhenNobodyElseDoes) {
  ControlRig rig;
  ASSERT_TRUE(rig.leases->put(kCoordinatorKey, "b").ok());
  rig.run(3000);
  EXPECT_EQ(rig.plan().owners.size(), 0u);
  rig.run(10'000);  // the lease of b expires
  EXPECT_EQ(rig.leases->get(kCoordinatorKey).value()->value, "a");
  EXPECT_EQ(rig.plan().owners.size(), 4u);
}

TEST(ControlLoop, PassesOnAStop) {
  ControlRig rig;
  rig.run(1000);
  EXPECT_FALSE(rig.news().stop);
  FleetControl control;
  control.stop = true;
  ASSERT_TRUE(rig.records->put(kControlKey, control.to_json()).ok());
  rig.run(300);
  EXPECT_TRUE(rig.news().stop);
}

TEST(ControlLoop, ABrokerThatDoesNotAnswerIsAskedAgain) {
  ControlRig rig;
  ASSERT_TRUE(rig.lease.renew({}).ok());
  rig.broker.broken = error(ErrorKind::kRetry, "timeout");
  rig.loop.tick();
  EXPECT_FALSE(rig.mailbox.lost());
  rig.broker.broken.reset();
  rig.run(3000);
  EXPECT_EQ(rig.plan().owners.size(), 4u);
}

TEST(ControlLoop, ABrokerThatRefusesUsEndsOurPart) {
  ControlRig rig;
  ASSERT_TRUE(rig.lease.renew({}).ok());
  rig.broker.broken = error(ErrorKind::kNeedsUser, "not permitted");
  rig.loop.tick();
  EXPECT_EQ(rig.news().lost, "not permitted");
}

TEST(ControlLoop, APlanThatCannotBeReadOrDoesNotFitEndsOurPart) {
  for (const std::string& plan : {std::string("nonsense"), first_plan(5, {"a"}).to_json()}) {
    ControlRig rig;
    ASSERT_TRUE(rig.records->put(kPlanKey, plan).ok());
    rig.run(600);
    EXPECT_TRUE(rig.mailbox.lost()) << plan;
  }
}

TEST(ControlLoop, APlanThatIsOverwrittenIsPutBack) {
  ControlRig rig;
  rig.run(3000);
  ASSERT_EQ(rig.plan().owners, std::vector<std::string>(4, "a"));
  for (const char* const garbage : {"garbage", "{}", R"({"owners":["x"],"epochs":[1],"settings":"{}"})"}) {
    ASSERT_TRUE(rig.records->put(kPlanKey, garbage).ok());
    rig.run(600);
    EXPECT_EQ(rig.plan().owners, std::vector<std::string>(4, "a")) << garbage;
    EXPECT_EQ(rig.news().lost, "");
  }
  FleetPlan nobodys = rig.plan();
  nobodys.owners.assign(4, "nobody");
  rig.put_plan(nobodys);
  rig.run(2000);
  EXPECT_EQ(rig.plan().owners, std::vector<std::string>(4, "a")) << "there is no such member";
}

TEST(ControlLoop, AfterARestartThePlanComesFromItsCopy) {
  ControlRig rig;
  ASSERT_TRUE(rig.records->put(kPlanCopyKey, first_plan(4, {"a"}).to_json()).ok());
  ASSERT_TRUE(rig.records->put(kPlanKey, "garbage").ok());
  rig.run(2000);
  EXPECT_EQ(rig.news().lost, "");
  EXPECT_EQ(rig.plan().owners, std::vector<std::string>(4, "a"));
}

TEST(ControlLoop, APlanWhoseQueuesDoNotDeliverYetIsFollowedAgain) {
  ControlRig rig;
  rig.put_plan(first_plan(4, {"a"}));
  rig.broker.deaf_queues = {"p3"};
  rig.run(600);
  EXPECT_EQ(rig.loop.granter_of("h.test"), "");
  rig.broker.deaf_queues.clear();
  rig.run(600);
  EXPECT_EQ(rig.loop.granter_of("h.test"), "a");
}

TEST(ControlLoop, TakesHalfOfItsPartOfThePageBudget) {
  FleetOptions options = FleetRig::options("a");
  options.coordinator.pages = 1000;
  ControlRig rig(options);
  MemberReport report;
  report.status.counts.pages = 100;
  rig.mailbox.report(report);
  const Heartbeat other;
  rig.add_member("b", FleetRig::record_of("b"), &other);
  rig.run(600);
  // 900 are left for two processes.
  EXPECT_EQ(rig.news().page_limit, 100u + 900 / 4);
  EXPECT_TRUE(rig.loop.near_budget());
  report.status.counts.pages = 1000;
  rig.mailbox.report(report);
  rig.run(1200);
  EXPECT_EQ(rig.news().page_limit, 1000u);
  EXPECT_TRUE(rig.control().stop);
}

TEST(ControlLoop, FollowsBudgetsThatACommandChanges) {
  FleetOptions options = FleetRig::options("a");
  options.coordinator.pages = 1000;
  ControlRig rig(options);
  rig.run(600);
  MemberReport report;
  report.status.counts.pages = 1100;
  report.budgets = RunBudgets{2000, 0, 0};
  rig.mailbox.report(report);
  rig.run(600);
  EXPECT_EQ(rig.news().page_limit, 1100u + 900 / 2);
  EXPECT_FALSE(rig.control().stop);
  report.budgets = RunBudgets{0, 0, 0};
  rig.mailbox.report(report);
  rig.run(600);
  EXPECT_EQ(rig.news().page_limit, std::nullopt);
  report.budgets = RunBudgets{1050, 0, 0};
  rig.mailbox.report(report);
  rig.run(1200);
  EXPECT_TRUE(rig.control().stop);
}

TEST(ControlLoop, TakesOverALostProcessUnlessItIsLeavingItself) {
  ControlRig rig;
  const Heartbeat alive;
  rig.add_member("b", FleetRig::record_of("b"), &alive);
  rig.run(1500);
  ASSERT_TRUE(rig.leases->remove(FleetNames::member("b")).ok());
  rig.set_record("a", MemberRecord::State::kLeaving);
  rig.run(6000);
  EXPECT_TRUE(rig.news().orphans.empty());
  rig.set_record("a", MemberRecord::State::kIn);
  rig.run(6000);
  EXPECT_EQ(rig.news().orphans.size(), 1u);
  rig.mailbox.absorbed("b");
  rig.run(600);
  EXPECT_EQ(rig.record("b").state, MemberRecord::State::kAbsorbed);
}

TEST(ControlLoop, AProcessThatIsStoppedSaysThatItWillBeBack) {
  ControlRig rig;
  rig.run(600);
  EXPECT_FALSE(rig.record("a").stopped);
  rig.loop.finish();
  EXPECT_TRUE(rig.record("a").stopped);
  rig.lease.release(0);
  EXPECT_TRUE(rig.lease.renew({}).ok());
  EXPECT_FALSE(rig.record("a").stopped) << "it is back";
}

TEST(ControlLoop, ALeavingProcessStaysIfAllOthersEnd) {
  ControlRig rig;
  rig.put_plan(first_plan(4, {"a", "b"}));
  const Heartbeat other;
  rig.add_member("b", FleetRig::record_of("b"), &other);
  rig.mailbox.report({});
  rig.run(1500);
  rig.set_record("a", MemberRecord::State::kLeaving);
  rig.run(5000);
  EXPECT_EQ(rig.record("a").state, MemberRecord::State::kLeaving);
  rig.run(25'000);  // the lease of b expires
  EXPECT_EQ(rig.record("a").state, MemberRecord::State::kIn);
  const FleetNews news = rig.news();
  EXPECT_FALSE(news.stop);
  ASSERT_EQ(news.orphans.size(), 1u) << "and takes over the last one";
  EXPECT_EQ(news.orphans.front().member, "b");
}

TEST(ControlLoop, ALeavingProcessWaitsForOthersThatWereStopped) {
  ControlRig rig;
  rig.put_plan(first_plan(4, {"a", "b"}));
  MemberRecord stopped = FleetRig::record_of("b");
  stopped.stopped = true;
  rig.add_member("b", stopped);
  rig.mailbox.report({});
  rig.run(600);
  rig.set_record("a", MemberRecord::State::kLeaving);
  rig.run(60'000);
  EXPECT_EQ(rig.record("a").state, MemberRecord::State::kLeaving);
}

TEST(ControlLoop, AnotherProcessGrantsTheSlotsOfALostOne) {
  ControlRig rig;
  rig.put_plan(first_plan(4, {"b"}));
  const Heartbeat other;
  rig.add_member("b", FleetRig::record_of("b"), &other);
  rig.run(1500);
  EXPECT_EQ(rig.loop.granter_of("h.test"), "b");
  EXPECT_EQ(rig.loop.granters_changed_ms(), 0);
  rig.run(10'000);
  EXPECT_EQ(rig.loop.granter_of("h.test"), "a") << "the lease of b has expired";
  EXPECT_GT(rig.loop.granters_changed_ms(), 0);
}

TEST(ControlLoop, AProcessThatHasGivenAllAwayStopsAndSaysThatItLeft) {
  ControlRig rig;
  rig.put_plan(first_plan(4, {"b"}));
  const Heartbeat other;
  rig.add_member("b", FleetRig::record_of("b"), &other);
  MemberReport report;
  report.status.counts.pages = 8;
  rig.mailbox.report(report);
  rig.run(600);
  rig.set_record("a", MemberRecord::State::kLeaving);
  rig.run(2000);
  EXPECT_TRUE(rig.news().stop);
  rig.loop.finish();
  EXPECT_EQ(rig.record("a").state, MemberRecord::State::kLeft);
  EXPECT_EQ(rig.record("a").pages, 8u);
}

}  // namespace
}  // namespace bowerbird
