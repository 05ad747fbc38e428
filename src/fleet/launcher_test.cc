#include "fleet/launcher.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "fleet/rig_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

FleetMember member_in(MemberRecord::State state) {
  FleetMember member;
  member.record = FleetRig::record_of("");
  member.record->state = state;
  return member;
}

TEST(FleetLauncher, StartsItsOwnProcessesAndReplacesThoseThatWereTakenOver) {
  using State = MemberRecord::State;
  TemporaryFolder folder;
  Members members;
  EXPECT_EQ(processes_to_start(members, folder / "", 3), (std::vector<std::uint64_t>{0, 1, 2}));
  members["p0"] = member_in(State::kIn);
  members["p1"] = member_in(State::kAbsorbed);
  members["p2"] = member_in(State::kLeft);
  EXPECT_EQ(processes_to_start(members, folder / "", 3), (std::vector<std::uint64_t>{0, 3}))
      << "p1 is replaced, p2 stays away";
  members["p0"] = member_in(State::kLeft);
  EXPECT_EQ(processes_to_start(members, folder / "", 2), (std::vector<std::uint64_t>{0, 2}))
      << "somebody must be there";
  std::filesystem::create_directory_symlink("/", folder / "p0");  // a guest has this name
  members.clear();
  EXPECT_EQ(processes_to_start(members, folder / "", 2), (std::vector<std::uint64_t>{1, 2}));
}

TEST(FleetLauncher, FindsMembersWhoseFolderIsElsewhere) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "p0");
  FleetView view;
  view.members["p0"] = member_in(MemberRecord::State::kIn);
  view.members["far"] = member_in(MemberRecord::State::kIn);
  view.members["unknown"] = FleetMember();
  EXPECT_EQ(FleetLauncher::elsewhere(folder / "", view), std::vector<std::string>{"far"});
}

TEST(FleetLauncher, WhatDoesNotRunCannotBeStopped) {
  TemporaryFolder folder;
  EXPECT_EQ(fleet_runner(folder / ""), 0);
  FleetSetup setup;
  EXPECT_FALSE(stop_fleet(folder / "", setup, SIGUSR1).ok());
  setup.mode = Mode::kFirewall;
  EXPECT_FALSE(stop_fleet(folder / "", setup, SIGUSR1).ok());
  EXPECT_TRUE(check_name_free(setup).ok()) << "it has no server";
}

}  // namespace
}  // namespace bowerbird
