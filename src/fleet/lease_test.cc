#include "fleet/lease.h"

#include <gtest/gtest.h>

#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

struct LeaseRig : FleetRig {
  FleetOptions options = FleetRig::options("a");
  Lease lease{*records, *leases, options, clock};
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
  other.machine = "elsewhere";
  rig.add_member("a", other);
  const Status refused = rig.lease.renew({});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kNeedsUser);
  EXPECT_NE(refused.error().text.find("--member"), std::string::npos);
}

TEST(Lease, AFolderThatWasMovedOnItsMachineIsTheSameProcess) {
  LeaseRig rig;
  MemberRecord record = FleetRig::record_of("a");
  record.folder = "/no/such/folder/before";
  EXPECT_TRUE(Lease::check_identity(record, rig.options).ok());
  record.folder = "/";  // exists
  EXPECT_FALSE(Lease::check_identity(record, rig.options).ok());
}

TEST(Lease, IsGoneFromTheBrokerWhenReleased) {
  LeaseRig rig;
  ASSERT_TRUE(rig.lease.renew({}).ok());
  rig.lease.release();
  EXPECT_FALSE(rig.lease.held());
  EXPECT_FALSE(rig.members().at("a").heartbeat);
}

}  // namespace
}  // namespace bowerbird
