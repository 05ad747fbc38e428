#include "fleet/recover.h"

#include <gtest/gtest.h>

#include "crawl/config/kept_options.h"
#include "crawl/state/stopped_crawl_testing.h"
#include "fleet/rig_testing.h"
#include "sys/disk.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr char kFleet[] = "0123456789abcdef0123456789abcdef";

// A process that owns the partitions of which `epochs` are positive; of the others it has seen -epoch.
StoppedMember stopped(const std::string& name, const std::vector<int>& epochs) {
  StoppedMember member;
  member.name = name;
  member.folder = "/" + name;
  member.identity = {kFleet, "id of " + name, true};
  member.commit = 5;
  member.settings = "{}";
  for (const int epoch : epochs) {
    member.held.push_back(epoch > 0);
    member.epochs.push_back(static_cast<std::uint64_t>(std::abs(epoch)));
  }
  return member;
}

RecoveredFleet recovered(const std::vector<StoppedMember>& members) {
  auto fleet = recovered_fleet(members);
  EXPECT_TRUE(fleet.ok()) << fleet.error().text;
  return fleet.ok() ? std::move(fleet).value() : RecoveredFleet();
}

using State = MemberRecord::State;

TEST(RecoverFleet, EveryPartitionBelongsToWhoeverHoldsItUnderTheHighestEpoch) {
  const RecoveredFleet fleet = recovered({stopped("a", {1, -2, 3}), stopped("b", {0, 2, -2})});
  EXPECT_EQ(fleet.fleet_id, kFleet);
  EXPECT_EQ(fleet.plan.owners, (std::vector<std::string>{"a", "b", "a"}));
  EXPECT_EQ(fleet.plan.epochs, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(fleet.records.at("a").state, State::kIn);
  EXPECT_EQ(fleet.records.at("a").id, "id of a");
  EXPECT_EQ(fleet.commits.at("b"), 5u);
  EXPECT_TRUE(fleet.fresh.empty());
}

TEST(RecoverFleet, APartitionOnItsWayGetsAnOwnerAndOneThatNobodyOwnedBeginsAgain) {
  StoppedMember a = stopped("a", {1, 1, -4, 0});
  a.moving[2] = 4;
  a.to_send = true;
  const RecoveredFleet fleet = recovered({a, stopped("b", {0, 0, 0, 0})});
  EXPECT_EQ(fleet.plan.owners, (std::vector<std::string>{"a", "a", "a", "a"})) << "b has left";
  EXPECT_EQ(fleet.plan.epochs[2], 4u);
  EXPECT_EQ(fleet.fresh, std::vector<std::uint32_t>{3});
  EXPECT_EQ(fleet.records.at("b").state, State::kLeft);
}

TEST(RecoverFleet, WhatWasTakenOverIsWhereItWentSince) {
  StoppedMember a = stopped("a", {1, 1});
  StoppedMember b = stopped("b", {2, 0});
  b.absorbed = {"a"};
  b.moving[1] = 2;
  b.to_send = true;
  const RecoveredFleet fleet = recovered({a, b});
  EXPECT_EQ(fleet.plan.owners, (std::vector<std::string>{"b", "b"}));
  EXPECT_EQ(fleet.plan.epochs, (std::vector<std::uint64_t>{2, 2}));
  EXPECT_EQ(fleet.records.at("a").state, State::kAbsorbed);
  EXPECT_EQ(fleet.records.at("a").by, "b");
  EXPECT_EQ(fleet.records.at("a").given, (Epochs{{0, 2}, {1, 2}}));
}

TEST(RecoverFleet, IfNobodyOwnsAnythingAllBeginAgain) {
  const RecoveredFleet fleet = recovered({stopped("a", {0, 0}), stopped("b", {0, 0})});
  EXPECT_EQ(fleet.plan.owners, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(fleet.fresh, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(fleet.records.at("b").state, State::kIn);
}

TEST(RecoverFleet, FoldersThatAreMissingOrDoNotBelongTogetherAreRefused) {
  const auto refused = [](const std::vector<StoppedMember>& members) {
    const auto fleet = recovered_fleet(members);
    EXPECT_FALSE(fleet.ok());
    return fleet.ok() ? "" : fleet.error().text;
  };
  EXPECT_NE(refused({}).find("no crawl folders"), std::string::npos);
  EXPECT_NE(refused({stopped("a", {1, -2})}).find("all processes"), std::string::npos)
      << "it gave a partition to a process whose folder is not here";
  StoppedMember other = stopped("b", {0, 1});
  other.identity.fleet = random_id();
  EXPECT_NE(refused({stopped("a", {1, 0}), other}).find("different fleets"), std::string::npos);
  other = stopped("b", {0, 1});
  other.settings = R"({"policy":["bfs"]})";
  EXPECT_NE(refused({stopped("a", {1, 0}), other}).find("options"), std::string::npos);
  EXPECT_NE(refused({stopped("a", {1}), stopped("b", {1})}).find("partition 0"), std::string::npos)
      << "one is a copy of the other";
  EXPECT_NE(refused({stopped("a", {1}), stopped("a", {1})}).find("both folders of a"), std::string::npos);
}

TEST(RecoverFleet, AFolderIsReadAsOfItsLastCommitUnlessAProcessWorksThere) {
  TemporaryFolder folder;
  const CrawlOptions options = stopped_crawl_options(folder / "a", "a");
  write_stopped_crawl(options, "h.test", 3);
  EXPECT_FALSE(read_stopped_member(folder / "a").ok()) << "it belongs to no fleet";
  ASSERT_TRUE(write_identity(folder / "a", {kFleet, random_id(), true}).ok());
  ASSERT_TRUE(remember_options(options).ok());
  const auto member = read_stopped_member(folder / "a");
  ASSERT_TRUE(member.ok()) << member.error().text;
  EXPECT_EQ(member->name, "a");
  EXPECT_EQ(member->held, (std::vector<bool>{true, true}));
  EXPECT_EQ(member->epochs, (std::vector<std::uint64_t>{1, 1}));
  EXPECT_GT(member->commit, 0u);
  EXPECT_NE(member->settings.find("opic"), std::string::npos);
  const auto lock = Disk::real().lock(folder / "a/lock");
  ASSERT_TRUE(lock.ok());
  EXPECT_FALSE(read_stopped_member(folder / "a").ok());
}

TEST(RecoverFleet, ABrokerThatKnowsTheFleetIsLeftAlone) {
  FleetRig rig;
  const RecoveredFleet fleet = recovered({stopped("a", {1, 0, 0, 0})});
  EXPECT_FALSE(write_fleet(rig.bus, rig.names, fleet).ok());
  ASSERT_TRUE(rig.records->remove(kFleetKey).ok());
  const Status written = write_fleet(rig.bus, rig.names, fleet);
  ASSERT_TRUE(written.ok()) << written.error().text;
  EXPECT_EQ(rig.plan().owners, std::vector<std::string>(4, "a"));
  EXPECT_EQ(rig.record("a").state, State::kIn);
  EXPECT_EQ(rig.broker.kept.size(), 3u) << "the partitions that nobody has ever owned";
  EXPECT_EQ(FleetRecord::from_json(rig.records->get(kFleetKey).value()->value).value().id, kFleet);
}

}  // namespace
}  // namespace bowerbird
