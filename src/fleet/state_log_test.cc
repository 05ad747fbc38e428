// What a member appends to its log, and the folder that is made from it.
#include "fleet/state_log.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fleet/identity.h"
#include "fleet/rig_testing.h"
#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

const std::string kFleetId(32, 'f');
const std::string kMemberId(32, 'a');

struct LogRig : FleetRig {
  TemporaryFolder folder;
  MemberLog log = MemberLog::of({"crawl", {5, 6}}, kFleetId, "a", kMemberId);
  std::unique_ptr<CrawlStore> store;
  int tries = 0, most_tries = 10;
  std::unique_ptr<StateLog> state = begin();

  LogRig() {
    StoreOptions options;
    options.durable = false;
    store = std::move(CrawlStore::open(folder / "a", options)).value();
  }
  std::unique_ptr<StateLog> begin() {
    return std::make_unique<StateLog>(bus, log, "a", folder / "a", [this] { return ++tries < most_tries; });
  }
  // Commits a page with a payload of this size, and returns the number of the commit.
  std::uint64_t add_page(std::size_t bytes = 10) {
    store->add_url(fmt::format("http://h.test/{}", store->pages()));
    store->add_event(kFirstCrawlEvent, std::string(bytes, 'x'));
    store->commit(fmt::format("{} pages", store->pages()));
    EXPECT_TRUE(store->wait_for_commits().ok());
    return store->counts().commits;
  }
  std::vector<std::string>& messages() { return broker.logs[log.stream]; }
  LogTail tail() { return std::move(read_tail(bus, log)).value().value(); }
  // The state in a folder made from the log; empty if that fails.
  std::string restored() {
    std::filesystem::remove_all(folder / "copy");
    const Status made = restore_log(bus, log, tail(), folder / "copy");
    if (!made.ok()) return "";
    const auto reader = CrawlReader::open(folder / "copy");
    EXPECT_TRUE(reader.ok()) << reader.error().text;
    EXPECT_TRUE(is_folder_of(folder / "copy", kMemberId));
    return (*reader)->state();
  }
  void append(const LogRecord& record) { messages().push_back(write_log_record(record, log.key)); }
};

TEST(StateLog, EveryCommitIsAppendedOnce) {
  LogRig rig;
  const std::uint64_t first = rig.add_page();
  ASSERT_TRUE(rig.state->append_until(first).ok());
  EXPECT_EQ(rig.state->accepted(), first);
  EXPECT_EQ(rig.messages().size(), 2u) << "and the commit that made the folder";
  EXPECT_EQ(rig.restored(), "1 pages");
  rig.add_page();
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  EXPECT_EQ(rig.messages().size(), 4u);
  EXPECT_EQ(rig.restored(), "3 pages");
  EXPECT_EQ(rig.tail().commit->position.records[0], 3u);
}

TEST(StateLog, ALargeCommitIsInPieces) {
  LogRig rig;
  rig.add_page(3 * kPieceBytes + 7);
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  EXPECT_GE(rig.messages().size(), 6u);
  for (const std::string& one : rig.messages()) EXPECT_LT(one.size(), std::size_t{1} << 20);
  EXPECT_EQ(rig.restored(), "2 pages");
  rig.messages().resize(3);
  EXPECT_EQ(rig.tail().commit->position.commit, 1u) << "a commit without its last piece does not count";
}

TEST(StateLog, LostAnswersAreNoConflicts) {
  LogRig rig;
  rig.broker.lost_answers = 1;
  rig.broker.lost_appends = 2;
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  EXPECT_EQ(rig.messages().size(), 2u);
  EXPECT_EQ(rig.tries, 2);
  EXPECT_EQ(rig.restored(), "1 pages");
}

TEST(StateLog, ABrokerThatDoesNotAnswerIsTriedAgainUntilWeAreStopped) {
  LogRig rig;
  const std::uint64_t commit = rig.add_page();
  rig.broker.broken = error(ErrorKind::kRetry, "busy");
  const Status done = rig.state->append_until(commit);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().kind, ErrorKind::kRetry);
  EXPECT_EQ(rig.tries, rig.most_tries);
  EXPECT_EQ(rig.state->accepted(), 0u);
  rig.broker.broken.reset();
  EXPECT_TRUE(rig.state->append_until(commit).ok());
}

TEST(StateLog, ARestartContinuesWhereTheLogEnds) {
  LogRig rig;
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  rig.add_page(2 * kPieceBytes);
  const std::uint64_t last = rig.add_page();
  rig.state = rig.begin();
  ASSERT_TRUE(rig.state->append_until(last).ok());
  EXPECT_EQ(rig.restored(), "3 pages");
  // A process that ended while it appended a commit.
  rig.messages().resize(4);
  EXPECT_EQ(rig.restored(), "1 pages");
  rig.state = rig.begin();
  ASSERT_TRUE(rig.state->append_until(last).ok());
  EXPECT_EQ(rig.restored(), "3 pages");
}

TEST(StateLog, WhatTheBrokerHasLostIsAppendedAgain) {
  LogRig rig;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  rig.messages().resize(2);
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  EXPECT_EQ(rig.restored(), "5 pages");
  EXPECT_EQ(rig.messages().size(), 6u);
}

TEST(StateLog, AClaimEndsTheMember) {
  LogRig rig;
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  rig.append({kFleetId, kMemberId, LogClaim{"b", 2, false}});
  const std::uint64_t next = rig.add_page();
  for (int i = 0; i < 2; ++i) {
    const Status done = rig.state->append_until(next);
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().kind, ErrorKind::kNeedsUser);
    EXPECT_NE(done.error().text.find("b has taken over"), std::string::npos) << done.error().text;
    rig.state = rig.begin();  // and after a restart
  }
  EXPECT_EQ(rig.restored(), "1 pages");
  rig.append({kFleetId, kMemberId, LogClaim{"b", 2, true}});
  EXPECT_TRUE(rig.state->append_until(next).ok()) << "the claim was withdrawn";
  EXPECT_EQ(rig.restored(), "2 pages");
}

TEST(StateLog, TwoProcessesWithCopiesOfAFolderCannotBothContinue) {
  LogRig rig;
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  std::filesystem::copy(rig.folder / "a", rig.folder / "b", std::filesystem::copy_options::recursive);
  const auto store = std::move(CrawlStore::open(rig.folder / "b", {})).value();
  store->add_url("http://other.test/");
  store->commit("another page");
  ASSERT_TRUE(store->wait_for_commits().ok());
  StateLog other(rig.bus, rig.log, "a", rig.folder / "b", [] { return false; });
  ASSERT_TRUE(other.append_until(store->counts().commits).ok());
  const Status done = rig.state->append_until(rig.add_page());
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().kind, ErrorKind::kNeedsUser);
}

TEST(StateLog, AnOlderCopyOfTheFolderIsRefused) {
  LogRig rig;
  rig.add_page();
  std::filesystem::copy(rig.folder / "a", rig.folder / "old", std::filesystem::copy_options::recursive);
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  StateLog old(rig.bus, rig.log, "a", rig.folder / "old", [] { return false; });
  const Status done = old.append_until(9);
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().text.find("older copy"), std::string::npos) << done.error().text;
}

TEST(StateLog, StrayMessagesAreSkipped) {
  LogRig rig;
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  rig.messages().push_back("something else");
  rig.append({"another fleet", kMemberId, LogClaim{"b", 2, false}});
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  EXPECT_EQ(rig.restored(), "2 pages");
  rig.messages().push_back("something else");
  EXPECT_EQ(rig.tail().commit->position.commit, 3u);
  EXPECT_FALSE(rig.tail().claim);
}

TEST(StateLog, ADamagedLogIsRefused) {
  LogRig rig;
  rig.add_page();
  ASSERT_TRUE(rig.state->append_until(rig.add_page()).ok());
  rig.messages()[1] = "damaged";
  EXPECT_EQ(rig.restored(), "") << "a commit is missing";
  rig.messages() = {rig.messages()[0]};
  LogPiece piece;
  piece.commit = 2;
  piece.number = 1;
  piece.last = LoggedCommit{{2, 0, {}}, 0};
  rig.append({kFleetId, kMemberId, piece});
  EXPECT_EQ(rig.restored(), "") << "its first piece is missing";
}

}  // namespace
}  // namespace bowerbird
