#include "fleet/fleet_overview.h"

#include <gtest/gtest.h>

#include "crawl/state/stopped_crawl_testing.h"
#include "fleet/identity.h"
#include "fleet/rig_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// A fleet of two that does not run: p0 has fetched one page, p1 has no folder.
struct StoppedFleet {
  StoppedFleet() {
    setup.mode = Mode::kFirewall;
    EXPECT_TRUE(setup.save(folder / "").ok());
    write_stopped_crawl(stopped_crawl_options(folder / "p0"), "a.test", 2, {"http://a.test/x"});
  }
  TemporaryFolder folder;
  FleetSetup setup;
};

TEST(FleetOverview, AFleetThatDoesNotRunIsSeenThroughItsFolders) {
  StoppedFleet fleet;
  const FolderSums sums = sum_folders(fleet.folder / "");
  EXPECT_EQ(sums.folders, 1u);
  EXPECT_EQ(sums.counts.pages, 1u);
  const FleetOverview seen = std::move(look_at_fleet(fleet.folder / "", fleet.setup, true)).value();
  EXPECT_FALSE(seen.running);
  EXPECT_FALSE(seen.view);
  ASSERT_TRUE(seen.check);
  EXPECT_EQ(seen.check->pages, 1u);
  const nlohmann::json json = to_json(seen, true);
  EXPECT_EQ(json["folders"], 1);
  EXPECT_EQ(json["running"], false);
  EXPECT_EQ(json["check"]["repeats"], 0);
  EXPECT_FALSE(json.contains("members"));
}

TEST(FleetOverview, FoldersOnAServerCannotBeChecked) {
  const FleetSetup setup = FleetSetup::of("nats://127.0.0.1:1", "crawl").value();
  EXPECT_FALSE(look_at_fleet("nats://127.0.0.1:1", setup, true).ok());
}

TEST(FleetOverview, MembersAreCountedByTheMostThatWasReported) {
  FleetView view;
  Heartbeat heartbeat;
  heartbeat.pages = 7;
  heartbeat.queued = 3;
  view.members["a"] = {FleetRig::record_of("a"), 0, heartbeat};
  view.members["lost"] = {FleetRig::record_of("lost"), 0, std::nullopt};
  std::map<std::string, std::uint64_t> pages = {{"lost", 5}};
  FleetTotals totals = add_up(view, pages);
  EXPECT_EQ(totals.processes, 1u);
  EXPECT_EQ(totals.pages, 12u);
  EXPECT_EQ(totals.queued, 3u);
  view.members["a"].heartbeat.reset();
  EXPECT_EQ(add_up(view, pages).pages, 12u) << "pages do not vanish with their process";
}

TEST(FleetOverview, AMemberHasAState) {
  FleetMember member;
  EXPECT_EQ(member_state(member), "unknown");
  member.record = FleetRig::record_of("a");
  EXPECT_EQ(member_state(member), "silent");
  member.record->stopped = true;
  EXPECT_EQ(member_state(member), "stopped");
  member.record->state = MemberRecord::State::kLeft;
  EXPECT_EQ(member_state(member), "left");
  member.heartbeat = Heartbeat();
  member.record->state = MemberRecord::State::kLeaving;
  EXPECT_EQ(member_state(member), "leaving");
  member.record->state = MemberRecord::State::kIn;
  EXPECT_EQ(member_state(member), "crawling");
  member.heartbeat->quiet = true;
  EXPECT_EQ(member_state(member), "quiet");
}

TEST(FleetOverview, AMemberThatIsSilentIsReadFromItsFolder) {
  StoppedFleet fleet;
  FleetMember member;
  EXPECT_EQ(last_heartbeat(member).pages, 0u);
  member.record = FleetRig::record_of("p0");
  member.record->pages = 4;
  EXPECT_EQ(last_heartbeat(member).pages, 4u) << "its folder is not there";
  member.record->folder = fleet.folder / "p0";
  EXPECT_EQ(last_heartbeat(member).pages, 4u) << "it is that of another process";
  const std::string id = random_id();
  ASSERT_TRUE(write_identity(fleet.folder / "p0", {"", id, true}).ok());
  member.record->id = id;
  EXPECT_EQ(last_heartbeat(member).pages, 1u);
  member.heartbeat = Heartbeat();
  member.heartbeat->pages = 9;
  EXPECT_EQ(last_heartbeat(member).pages, 9u);
}

}  // namespace
}  // namespace bowerbird
