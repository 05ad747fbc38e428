#include "fleet/fleet_check.h"

#include <gtest/gtest.h>

#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

struct CheckRig : FleetRig {
  FleetOptions options = FleetRig::options("a");
  std::string id() { return FleetRecord::from_json(records->get(kFleetKey).value()->value).value().id; }
  std::string refusal() {
    const auto checked = check_member(*records, options);
    EXPECT_FALSE(checked.ok());
    if (checked.ok()) return "";
    EXPECT_EQ(checked.error().kind, ErrorKind::kNeedsUser) << checked.error().text;
    return checked.error().text;
  }
};

TEST(CheckMember, TheFirstProcessBeginsTheFleetAndTheOthersFindItsId) {
  CheckRig rig;
  ASSERT_TRUE(rig.records->remove(kFleetKey).ok());
  const auto first = check_member(*rig.records, rig.options);
  ASSERT_TRUE(first.ok()) << first.error().text;
  EXPECT_EQ(rig.id(), *first);
  EXPECT_EQ(check_member(*rig.records, FleetRig::options("b")).value(), *first);
}

TEST(CheckMember, AFolderOfAnotherFleetIsRefused) {
  CheckRig rig;
  rig.options.identity.fleet = random_id();
  EXPECT_NE(rig.refusal().find("to another one"), std::string::npos);
  rig.options.identity.fleet = rig.id();
  EXPECT_TRUE(check_member(*rig.records, rig.options).ok());
}

TEST(CheckMember, AnotherFolderOfTheSameNameIsRefused) {
  CheckRig rig;
  MemberRecord other = FleetRig::record_of("a");
  other.id = random_id();
  rig.add_member("a", other);
  EXPECT_NE(rig.refusal().find("--member"), std::string::npos);
}

TEST(CheckMember, AnOlderCopyIsRefusedAndTheNewestIsNot) {
  CheckRig rig;
  rig.add_member("a", FleetRig::record_of("a"));
  ASSERT_TRUE(rig.records->put(FleetNames::commit("a"), "17").ok());
  rig.options.commit = 16;
  EXPECT_NE(rig.refusal().find("older copy"), std::string::npos);
  rig.options.commit = 17;
  EXPECT_TRUE(check_member(*rig.records, rig.options).ok());
}

TEST(CheckMember, ABrokerThatKnowsNothingOfTheFolderHasLostItsData) {
  CheckRig rig;
  rig.options.identity.fleet = rig.id();
  rig.options.identity.joined = true;
  EXPECT_NE(rig.refusal().find("fleet recover"), std::string::npos) << "the record of the process is gone";
  ASSERT_TRUE(rig.records->remove(kFleetKey).ok());
  EXPECT_NE(rig.refusal().find("fleet recover"), std::string::npos) << "everything is gone";
  EXPECT_FALSE(rig.records->get(kFleetKey).value()) << "no new fleet is begun";
}

}  // namespace
}  // namespace bowerbird
