#include "fleet/members.h"

#include <gtest/gtest.h>

#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

TEST(Members, AreTheRecordsAndTheLeasesThatHaveNotExpired) {
  FleetRig rig;
  const Heartbeat heartbeat;
  rig.add_member("a", FleetRig::record_of("a"), &heartbeat);
  rig.add_member("b", FleetRig::record_of("b"));
  ASSERT_TRUE(rig.leases->put(FleetNames::member("c"), heartbeat.to_json()).ok());
  ASSERT_TRUE(rig.leases->put(kCoordinatorKey, "a").ok());
  ASSERT_TRUE(rig.records->put(FleetNames::member("bad"), "nonsense").ok());
  Members members = rig.members();
  ASSERT_EQ(members.size(), 3u);
  EXPECT_TRUE(members["a"].record && members["a"].heartbeat);
  EXPECT_TRUE(members["b"].record && !members["b"].heartbeat);
  EXPECT_TRUE(!members["c"].record && members["c"].heartbeat);
  EXPECT_GT(members["a"].revision, 0u);
  rig.pass_ms(11'000);
  EXPECT_FALSE(rig.members()["a"].heartbeat);
}

TEST(Members, CannotBeReadFromABrokerThatIsGone) {
  FleetRig rig;
  rig.broker.broken = error(ErrorKind::kRetry, "timeout");
  EXPECT_EQ(read_members(*rig.records, *rig.leases).error().kind, ErrorKind::kRetry);
}

}  // namespace
}  // namespace bowerbird
