#include "fleet/log_orphans.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "crawl/state/stopped_crawl_testing.h"
#include "fleet/identity.h"
#include "fleet/rig_testing.h"
#include "fleet/state_log.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// "b" has a log and is lost; "a" reads it.
struct OrphansRig : FleetRig {
  TemporaryFolder folder;
  FleetOptions options = FleetRig::options("a", 2);
  LostMember lost{"b", random_id(), folder / "b", 0};
  MemberLog log;
  std::unique_ptr<LogOrphans> orphans;

  explicit OrphansRig(PageId pages = 5) {
    options.folder = folder / "a";
    std::filesystem::create_directories(options.folder);
    const std::string fleet = random_id();
    log = MemberLog::of(options.names(), fleet, "b", lost.id);
    orphans = std::make_unique<LogOrphans>(bus, fleet, options);
    if (pages == 0) return;
    write_stopped_crawl(stopped_crawl_options(folder / "b", "b"), "h.test", pages, {"http://h.test/new"});
    EXPECT_TRUE(write_identity(folder / "b", {fleet, lost.id, true}).ok());
    lost.commit = last_commit_in(folder / "b").value();
    const Status kept = member().append_until(lost.commit);
    EXPECT_TRUE(kept.ok()) << kept.error().text;
  }
  StateLog member() {
    return {bus, log, "b", folder / "b", [] { return false; }};
  }
  // The pages that the new owners have to fetch, and those that they have to fetch again.
  static std::pair<std::set<std::string>, std::set<std::string>> to_fetch(const ReadOrphan& found) {
    std::pair<std::set<std::string>, std::set<std::string>> urls;
    for (const Message& message : found.orphan.messages) {
      const auto body = std::move(unpack(*message.content)).value();
      for (const auto& page : std::get<PartitionTransfer>(body).pages) {
        if (!page.done) (page.url.again ? urls.second : urls.first).insert(page.url.url);
      }
    }
    return urls;
  }
};

TEST(LogOrphans, AStateIsReadFromTheLogWithoutTheFolder) {
  OrphansRig rig;
  std::filesystem::remove_all(rig.folder / "b");
  EXPECT_TRUE(rig.orphans->is_here(rig.lost).value());
  const auto found = rig.orphans->read(rig.lost);
  ASSERT_TRUE(found.ok()) << found.error().text;
  EXPECT_EQ(found->orphan.member, "b");
  EXPECT_EQ(found->given, (Epochs{{0, 2}, {1, 2}}));
  const auto [queued, again] = OrphansRig::to_fetch(*found);
  EXPECT_EQ(queued.size(), 5u) << "four seeds and the link";
  EXPECT_EQ(again, std::set<std::string>{"http://h.test/0"}) << "its archive is lost";
  EXPECT_FALSE(std::filesystem::exists(rig.folder / "a/takeover/b"));
}

TEST(LogOrphans, AnArchiveThatCanBeReadIsNotFetchedAgain) {
  OrphansRig rig;
  const auto found = rig.orphans->read(rig.lost);
  ASSERT_TRUE(found.ok()) << found.error().text;
  EXPECT_TRUE(OrphansRig::to_fetch(*found).second.empty());
}

TEST(LogOrphans, AClaimEndsTheLostProcessUntilItIsWithdrawn) {
  OrphansRig rig;
  StateLog member = rig.member();
  ASSERT_TRUE(member.append_until(rig.lost.commit).ok());
  ASSERT_TRUE(rig.orphans->read(rig.lost).ok());
  EXPECT_EQ(read_tail(rig.bus, rig.log).value()->claim->by, "a");
  const auto store = std::move(CrawlStore::open(rig.folder / "b", {})).value();
  store->commit("more");
  ASSERT_TRUE(store->wait_for_commits().ok());
  EXPECT_FALSE(member.append_until(rig.lost.commit + 1).ok());
  EXPECT_FALSE(rig.member().append_until(rig.lost.commit + 1).ok());
  rig.orphans->withdraw("b");
  EXPECT_FALSE(read_tail(rig.bus, rig.log).value()->claim);
  EXPECT_TRUE(rig.member().append_until(rig.lost.commit + 1).ok());
  rig.orphans->withdraw("b");  // there is no claim to withdraw
  EXPECT_FALSE(read_tail(rig.bus, rig.log).value()->claim);
}

TEST(LogOrphans, AProcessThatWasLostWithinATakeoverIsClaimedAgain) {
  OrphansRig rig;
  ASSERT_TRUE(rig.orphans->read(rig.lost).ok());
  FleetOptions other = rig.options;
  other.member = "c";
  LogOrphans again(rig.bus, rig.log.fleet, other);
  ASSERT_TRUE(again.read(rig.lost).ok());
  EXPECT_EQ(read_tail(rig.bus, rig.log).value()->claim->by, "c");
}

TEST(LogOrphans, ALogThatIsTooShortIsReplacedByTheFolderIfThatCanBeRead) {
  OrphansRig rig;
  rig.broker.logs[rig.log.stream].clear();  // the broker has lost its data
  EXPECT_TRUE(rig.orphans->read(rig.lost).ok());
  std::filesystem::remove_all(rig.folder / "b");
  const auto found = rig.orphans->read(rig.lost);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().kind, ErrorKind::kNeedsUser);
}

TEST(LogOrphans, AProcessThatHasReleasedNothingHasNoState) {
  OrphansRig rig(0);
  EXPECT_TRUE(rig.orphans->is_here(rig.lost).value());
  const auto found = rig.orphans->read(rig.lost);
  ASSERT_TRUE(found.ok()) << found.error().text;
  EXPECT_TRUE(found->orphan.messages.empty());
  EXPECT_EQ(found->orphan.member, "b");
  EXPECT_TRUE(read_tail(rig.bus, rig.log).value()->claim) << "and cannot continue its log";
}

TEST(LogOrphans, WithoutRoomItIsLeftToOthers) {
  OrphansRig rig(0);
  LogPiece huge;
  huge.commit = 1;
  huge.last = LoggedCommit{{1, 100, {5, 5, 5}}, std::uint64_t{1} << 60};
  ASSERT_TRUE(rig.bus.make_log(rig.log.stream, rig.log.subject).ok());
  auto& messages = rig.broker.logs[rig.log.stream];
  messages.push_back(write_log_record({rig.log.fleet, rig.log.member, huge}, rig.log.key));
  EXPECT_FALSE(rig.orphans->is_here(rig.lost).value());
  EXPECT_NE(rig.orphans->no_room().find("on disk"), std::string::npos) << rig.orphans->no_room();
  huge.last = LoggedCommit{{1, 100, {std::uint64_t{1} << 50, 5, 5}}, 100};
  messages = {write_log_record({rig.log.fleet, rig.log.member, huge}, rig.log.key)};
  EXPECT_FALSE(rig.orphans->is_here(rig.lost).value());
  EXPECT_NE(rig.orphans->no_room().find("of memory"), std::string::npos) << rig.orphans->no_room();
  messages.clear();
  EXPECT_TRUE(rig.orphans->is_here(rig.lost).value());
  EXPECT_EQ(rig.orphans->no_room(), "");
}

}  // namespace
}  // namespace bowerbird
