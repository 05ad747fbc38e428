#include "fleet/launcher.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

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

TEST(FleetSetup, ComesBackFromItsFile) {
  TemporaryFolder folder;
  EXPECT_FALSE(holds_fleet(folder / ""));
  EXPECT_FALSE(FleetSetup::load(folder / "").ok());
  FleetSetup setup;
  setup.procs = 7;
  setup.fleet = "x";
  setup.words = {"--policy", "bfs", "http://a.test/ \"quoted\""};
  ASSERT_TRUE(setup.save(folder / "").ok());
  EXPECT_TRUE(holds_fleet(folder / ""));
  const auto again = FleetSetup::load(folder / "");
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ(again->procs, 7u);
  EXPECT_EQ(again->words, setup.words);
  EXPECT_TRUE(again->exchanges());
}

TEST(FleetSetup, ADamagedFileIsRefused) {
  for (const char* const text :
       {"", "[]", "{}", R"({"procs":0,"mode":"exchange","url":"","fleet":"x","words":[]})",
        R"({"procs":70000,"mode":"exchange","url":"","fleet":"x","words":[]})",
        R"({"procs":1,"mode":"exchange","url":"","fleet":"x","words":[1]})"}) {
    TemporaryFolder folder;
    std::ofstream(folder / "fleet.json") << text;
    EXPECT_FALSE(FleetSetup::load(folder / "").ok()) << text;
  }
}

TEST(FleetUrl, IsTheOneGivenOrThatOfTheServerThatRuns) {
  TemporaryFolder folder;
  FleetSetup setup;
  const auto none = fleet_url(folder / "", setup);
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().text.find("fleet resume"), std::string::npos);
  std::ofstream(folder / "server") << "nats://127.0.0.1:4711";
  EXPECT_EQ(fleet_url(folder / "", setup).value(), "nats://127.0.0.1:4711");
  setup.url = "nats://other:4222";
  EXPECT_EQ(fleet_url(folder / "", setup).value(), "nats://other:4222");
  setup.mode = Mode::kFirewall;
  EXPECT_FALSE(fleet_url(folder / "", setup).ok());
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

TEST(FleetFolders, AreThoseThatHoldACrawl) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "p0");
  std::filesystem::create_directory(folder / "nats");
  std::ofstream(folder / "p0.log") << "x";
  EXPECT_TRUE(fleet_folders(folder / "").empty());
  EXPECT_TRUE(fleet_folders(folder / "missing").empty());
  EXPECT_EQ(fleet_runner(folder / ""), 0);
}

}  // namespace
}  // namespace bowerbird
