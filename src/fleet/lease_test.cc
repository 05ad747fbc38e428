#include "fleet/lease.h"

#include <gtest/gtest.h>

#include "fleet/fleet_check.h"
#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

struct LeaseRig : FleetRig {
  FleetOptions options = FleetRig::options("a");
  Lease lease{*records, *leases, options, clock, std::make_shared<CommitFence>(clock)};
};

TEST(Lease, IsHeldForMostOfItsTimeAndLongerIfRenewed) {
  LeaseRig rig;
  EXPECT_FALSE(rig.lease.held());
  ASSERT_TRUE(rig.lease.renew({}).ok());
  EXPECT_TRUE(rig.lease.held());
  EXPECT_EQ(rig.record("a").folder, rig.options.folder);
  EXPECT_TRUE(rig.members().at("a").heartbeat);
  rig.pass_ms(7000);
  ASSERT_TRUE(rig.lease.renew({}).ok());
  rig.pass_ms(7900);
  EXPECT_TRUE(rig.lease.held());
  rig.pass_ms(200);
  EXPECT_FALSE(rig.lease.held()) << "8 s of 10 have passed";
}

TEST(Lease, ABrokerThatDoesNotAnswerCostsItOnlyWhenItsTimeIsOver) {
  LeaseRig rig;
  ASSERT_TRUE(rig.lease.renew({}).ok());
  rig.broker.broken = error(ErrorKind::kRetry, "timeout");
  rig.pass_ms(5000);
  EXPECT_EQ(rig.lease.renew({}).error().kind, ErrorKind::kRetry);
  EXPECT_TRUE(rig.lease.held());
  rig.pass_ms(6000);
  EXPECT_FALSE(rig.lease.held());
  rig.broker.broken.reset();
  EXPECT_FALSE(rig.lease.renew({}).ok()) << "the entry has vanished; the next call acquires it again";
  ASSERT_TRUE(rig.lease.renew({}).ok());
  EXPECT_TRUE(rig.lease.held());
}

TEST(Lease, IsLostForGoodOnceAnotherHasClaimedUs) {
  LeaseRig rig;
  ASSERT_TRUE(rig.lease.renew({}).ok());
  rig.pass_ms(11'000);
  rig.set_record("a", MemberRecord::State::kAbsorbing, "b");
  EXPECT_EQ(rig.lease.renew({}).error().kind, ErrorKind::kRetry);
  const Status claimed = rig.lease.renew({});
  ASSERT_FALSE(claimed.ok());
  EXPECT_EQ(claimed.error().kind, ErrorKind::kNeedsUser);
  EXPECT_NE(claimed.error().text.find("b has taken over"), std::string::npos);
  EXPECT_FALSE(rig.lease.held());
}

TEST(Lease, AProcessOfTheSameFolderTakesItsOldLeaseAndClearsItsProblem) {
  LeaseRig rig;
  MemberRecord record = FleetRig::record_of("a");
  record.state = MemberRecord::State::kLeft;
  record.problem = "damaged";
  record.given_up = true;
  const Heartbeat old;
  rig.add_member("a", record, &old);
  ASSERT_TRUE(rig.lease.renew({}).ok());
  EXPECT_EQ(rig.record("a").state, MemberRecord::State::kIn);
  EXPECT_EQ(rig.record("a").problem, "");
  EXPECT_FALSE(rig.record("a").given_up);
}

TEST(Lease, TwoProcessesCannotHaveOneName) {
  LeaseRig rig;
  MemberRecord other = FleetRig::record_of("a");
  other.id = "id of another folder";
  rig.add_member("a", other);
  const Status refused = rig.lease.renew({});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kNeedsUser);
  EXPECT_NE(refused.error().text.find("--member"), std::string::npos);
}

TEST(Lease, AFolderThatWasMovedIsTheSameProcessOnAnyMachine) {
  LeaseRig rig;
  MemberRecord record = FleetRig::record_of("a");
  record.folder = "/";  // exists
  record.machine = "another machine";
  rig.add_member("a", record);
  ASSERT_TRUE(rig.lease.renew({}).ok());
  EXPECT_EQ(rig.record("a").folder, rig.options.folder);
  EXPECT_EQ(rig.record("a").machine, rig.options.machine);
}

TEST(Lease, OfAMovedFolderMustExpireFirst) {
  LeaseRig rig;
  Heartbeat other;
  other.place = "another kernel, device or inode";
  rig.add_member("a", FleetRig::record_of("a"), &other);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(rig.lease.renew({}).error().kind, ErrorKind::kRetry);
    EXPECT_FALSE(rig.lease.held());
    rig.pass_ms(3000);
  }
  rig.pass_ms(2000);
  EXPECT_TRUE(rig.lease.renew({}).ok()) << "nobody has renewed it";
}

TEST(Lease, ACopyOfAFolderAtWorkIsRefused) {
  LeaseRig rig;
  Heartbeat other;
  other.place = "another kernel, device or inode";
  rig.add_member("a", FleetRig::record_of("a"), &other);
  EXPECT_EQ(rig.lease.renew({}).error().kind, ErrorKind::kRetry);
  rig.add_member("a", FleetRig::record_of("a"), &other);  // renewed
  const Status refused = rig.lease.renew({});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kNeedsUser);
  EXPECT_NE(refused.error().text.find("copy"), std::string::npos);
}

TEST(Lease, TheBrokerLearnsTheLastCommitAndTheFolderThatItHasJoined) {
  LeaseRig rig;
  int joined = 0;
  rig.options.on_joined = [&]() -> Status {
    ++joined;
    return {};
  };
  const auto known = [&] { return known_commit(*rig.records, "a").value(); };
  Heartbeat heartbeat;
  heartbeat.commit = 7;
  ASSERT_TRUE(rig.lease.renew(heartbeat).ok());
  EXPECT_EQ(known(), 7u);
  heartbeat.commit = 8;
  ASSERT_TRUE(rig.lease.renew(heartbeat).ok());
  EXPECT_EQ(known(), 8u);
  EXPECT_EQ(joined, 1);
  rig.lease.release(9);
  EXPECT_EQ(known(), 9u);
}

TEST(Lease, ABrokerThatLostItsDataEndsOurPart) {
  LeaseRig rig;
  ASSERT_TRUE(rig.lease.renew({}).ok());
  rig.broker.stores[rig.names.records()]->values.clear();
  rig.broker.stores[rig.names.leases()]->values.clear();
  EXPECT_EQ(rig.lease.renew({}).error().kind, ErrorKind::kRetry);
  rig.pass_ms(9000);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(rig.lease.renew({}).error().kind, ErrorKind::kRetry);
  const Status lost = rig.lease.renew({});
  ASSERT_EQ(lost.error().kind, ErrorKind::kNeedsUser);
  EXPECT_NE(lost.error().text.find("fleet recover"), std::string::npos);
}

TEST(Lease, IsGoneFromTheBrokerWhenReleased) {
  LeaseRig rig;
  ASSERT_TRUE(rig.lease.renew({}).ok());
  rig.lease.release(0);
  EXPECT_FALSE(rig.lease.held());
  EXPECT_FALSE(rig.members().at("a").heartbeat);
}

}  // namespace
}  // namespace bowerbird
