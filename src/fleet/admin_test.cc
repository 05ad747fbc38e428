#include "fleet/admin.h"

#include <gtest/gtest.h>

#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

struct AdminRig : FleetRig {
  std::unique_ptr<FleetAdmin> admin =
      std::move(FleetAdmin::open(std::make_unique<FakeBus>(broker), "crawl")).value();
  const Heartbeat heartbeat{};
};

TEST(FleetAdmin, AFleetThatIsNotThereCannotBeOpened) {
  FleetRig rig;
  EXPECT_FALSE(FleetAdmin::open(std::make_unique<FakeBus>(rig.broker), "other").ok());
}

TEST(FleetAdmin, ShowsMembersPlanAndControl) {
  AdminRig rig;
  FleetView view = std::move(rig.admin->look()).value();
  EXPECT_TRUE(view.members.empty());
  EXPECT_FALSE(view.plan);
  rig.add_member("a", FleetRig::record_of("a"), &rig.heartbeat);
  rig.put_plan(first_plan(4, {"a"}));
  view = std::move(rig.admin->look()).value();
  EXPECT_TRUE(view.members.at("a").heartbeat);
  ASSERT_TRUE(view.plan);
  EXPECT_EQ(view.plan->owners[3], "a");
}

TEST(FleetAdmin, AStopIsTakenBackWithTheEnd) {
  AdminRig rig;
  ASSERT_TRUE(rig.admin->set_stop(true).ok());
  EXPECT_TRUE(rig.control().stop);
  EXPECT_EQ(rig.control().reason, kAskedToStop);
  FleetControl ended = rig.control();
  ended.ended = true;
  ASSERT_TRUE(rig.records->put(kControlKey, ended.to_json()).ok());
  ASSERT_TRUE(rig.admin->set_stop(false).ok());
  EXPECT_FALSE(rig.control().stop);
  EXPECT_FALSE(rig.control().ended);
  EXPECT_EQ(rig.control().reason, "");
}

TEST(FleetAdmin, AProcessMayLeaveIfAnotherCanTakeOver) {
  AdminRig rig;
  EXPECT_FALSE(rig.admin->leave("a").ok()) << "there is no such process";
  rig.add_member("a", FleetRig::record_of("a"), &rig.heartbeat);
  EXPECT_FALSE(rig.admin->leave("a").ok()) << "it is alone";
  rig.add_member("b", FleetRig::record_of("b"));
  EXPECT_FALSE(rig.admin->leave("b").ok()) << "it is lost";
  rig.add_member("b", FleetRig::record_of("b"), &rig.heartbeat);
  ASSERT_TRUE(rig.admin->leave("a").ok());
  EXPECT_EQ(rig.record("a").state, MemberRecord::State::kLeaving);
  EXPECT_FALSE(rig.admin->leave("a").ok()) << "it leaves already";
  EXPECT_FALSE(rig.admin->leave("b").ok()) << "nobody would stay";
  ASSERT_TRUE(rig.admin->stay("a").ok());
  EXPECT_EQ(rig.record("a").state, MemberRecord::State::kIn);
  EXPECT_FALSE(rig.admin->stay("a").ok()) << "it is not leaving";
}

TEST(FleetAdmin, AProcessThatWasStoppedCanBeGivenUpAtOnce) {
  AdminRig rig;
  MemberRecord stopped = FleetRig::record_of("b");
  stopped.stopped = true;
  rig.add_member("b", stopped);
  ASSERT_TRUE(rig.admin->leave("b").ok());
  EXPECT_FALSE(rig.record("b").stopped) << "others take it over now";
  EXPECT_EQ(rig.record("b").state, MemberRecord::State::kIn);
}

}  // namespace
}  // namespace bowerbird
