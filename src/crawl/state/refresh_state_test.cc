#include "crawl/state/refresh_state.h"

#include <gtest/gtest.h>

#include <array>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// The refresh state of one process.
class Refreshed {
 public:
  Refreshed() : state([](PageId) { return HostId{0}; }) {
    EXPECT_TRUE(state.visits().open(folder / "visits.bin", false).ok());
  }
  void start() {
    RefreshStarted event;
    event.policy = "index-age";
    state.start(event);
  }

  TemporaryFolder folder;
  RefreshState state;
};

VisitRecord visited_once() {
  VisitRecord record;
  record.digest = 17;
  record.visited = RefreshTime(3 * kDay);
  record.modified = 1000;
  record.bytes = 50;
  record.crawled = 2;
  record.known = 9;
  record.set_etag("\"v1\"");
  record.add_link(4);
  return record;
}

TEST(RefreshState, WhatIsKnownOfVisitsMovesWithAPage) {
  Refreshed from, to;
  from.state.visits().put(7, visited_once());
  from.start();
  to.start();
  from.state.hold(7, RefreshTime(3 * kDay));
  from.state.visited(7, {RefreshTime(5 * kDay), RefreshOutcome::kChanged}, false);
  from.state.visited(7, {RefreshTime(9 * kDay), RefreshOutcome::kUnchanged}, false);
  const RefreshFacts before = from.state.queue()->facts(7);
  const std::string moved = from.state.give(7);
  EXPECT_FALSE(from.state.knows(7));
  EXPECT_FALSE(from.state.visits().get(7).was_visited());
  EXPECT_EQ(from.state.give(7), "") << "nothing is known any more";

  to.state.adopt(21, moved);
  const VisitRecord record = to.state.visits().get(21);
  EXPECT_EQ(record.digest, 17u);
  EXPECT_EQ(record.etag(), "\"v1\"");
  EXPECT_EQ(record.known, 9u);
  EXPECT_TRUE(record.has_link(4) && record.has_link(5)) << "which links are new is not known there";
  ASSERT_TRUE(to.state.knows(21));
  const RefreshFacts after = to.state.queue()->facts(21);
  EXPECT_EQ(after.since, before.since);
  EXPECT_EQ(after.history.changes, 1);
  EXPECT_NEAR(after.history.days, 6, 0.01);
  EXPECT_EQ(after.importance, before.importance);
}

TEST(RefreshState, WithoutRefreshingTheLastVisitMovesAlone) {
  Refreshed from, to;
  from.state.visits().put(7, visited_once());
  to.state.adopt(1, from.state.give(7));
  EXPECT_EQ(to.state.visits().get(1).digest, 17u);
  EXPECT_FALSE(to.state.knows(1));
}

// Pages were not refreshed when the snapshot was written.
TEST(RefreshState, ASnapshotWithoutRefreshingKeepsTheOptionsOfTheQueue) {
  Refreshed live, restored;
  live.start();
  for (PageId page = 0; page < 20; ++page) live.state.hold(page, RefreshTime(page * kHour));
  for (Time now(3 * kDay); now < Time(40 * kDay); now += kDay) {
    const auto best = live.state.best(now, RefreshWant::kAny);
    ASSERT_TRUE(best);
    live.state.take(*best);
    live.state.visited(best->page, {live.state.time(now), RefreshOutcome::kUnchanged}, false);
  }
  RefreshStarted off;
  off.policy = "none";
  off.now = Time(40 * kDay);
  live.state.start(off);
  std::string bytes;
  ByteWriter out(bytes);
  live.state.save(out);
  ByteReader in(bytes);
  ASSERT_TRUE(restored.state.load(in, 20, 1).ok());
  std::array<std::string, 2> after;
  for (RefreshState* const state : {&live.state, &restored.state}) {
    EXPECT_FALSE(state->is_on());
    RefreshStarted on;
    on.policy = "index-age";
    on.now = Time(50 * kDay);
    state->start(on);
    ByteWriter writer(after[state == &live.state ? 0 : 1]);
    state->queue()->save(writer);
  }
  EXPECT_TRUE(after[0] == after[1]);
}

TEST(RefreshState, ForgedVisitsAreIgnored) {
  Refreshed from, to;
  from.state.visits().put(7, visited_once());
  const std::string good = from.state.give(7);
  ASSERT_FALSE(good.empty());
  to.start();
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, good.size() - 1}) {
    to.state.adopt(1, good.substr(0, size));
    EXPECT_FALSE(to.state.visits().get(1).was_visited());
  }
  std::string bad = good;
  bad[3] = static_cast<char>(bad[3] ^ 1);
  to.state.adopt(1, bad);
  EXPECT_FALSE(to.state.knows(1));
  bad = good;
  for (std::size_t i = sizeof(VisitRecord); i < bad.size(); ++i) bad[i] = static_cast<char>(0xff);
  to.state.adopt(1, bad);  // not a number
  ASSERT_TRUE(to.state.knows(1));
  EXPECT_EQ(to.state.queue()->facts(1).since, RefreshTime(3 * kDay));
  EXPECT_EQ(to.state.queue()->facts(1).history.days, 0);
}

}  // namespace
}  // namespace bowerbird
