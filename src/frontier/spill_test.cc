// A queue with a limit compared with one without: the same pages in the same order, wherever they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "base/spill_store.h"
#include "frontier/crawl_testing.h"
#include "frontier/score_queue.h"

namespace bowerbird {
namespace {

using namespace testing_web;

TEST(SpilledEntries, ComeBackAsTheyWere) {
  std::vector<QueueItem> items;
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    items.emplace_back(static_cast<PageId>(rng.below(kMaxPages)), static_cast<std::uint32_t>(rng.next()),
                       std::ldexp(rng.unit() - 0.5, static_cast<int>(rng.below(60)) - 30));
  }
  items.emplace_back(7, 1, std::numeric_limits<double>::infinity());
  items.emplace_back(8, 2, -std::numeric_limits<double>::infinity());
  std::sort(items.begin(), items.end(),
            [](const QueueItem& a, const QueueItem& b) { return a.better_than(b); });
  const std::string bytes = encode_entries(items);
  std::vector<QueueItem> back;
  ASSERT_TRUE(decode_entries(bytes, back).ok());
  ASSERT_EQ(back.size(), items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    EXPECT_EQ(back[i].page(), items[i].page());
    EXPECT_EQ(back[i].discovered(), items[i].discovered());
    EXPECT_EQ(back[i].score(), items[i].score());
  }
  for (std::size_t length = 0; length < bytes.size(); length += 7) {
    std::vector<QueueItem> none;
    EXPECT_FALSE(decode_entries(std::string_view(bytes).substr(0, length), none).ok());
  }
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    std::vector<QueueItem> any;
    (void)decode_entries(damaged, any).ok();
  }
}

// Random work on both. `score` draws a new score from an old one.
struct Twins {
  explicit Twins(std::uint64_t seed, std::uint64_t bytes) : rng(seed), limited(4), free(4) {
    limited.limit_to(bytes, store);
  }

  template <typename Draw>
  void step(const Draw& draw) {
    const auto page = static_cast<PageId>(rng.below(3000));
    const ScoreQueue::Mark mark = limited.mark(page);
    ASSERT_EQ(mark == ScoreQueue::kUndiscovered, free.mark(page) == ScoreQueue::kUndiscovered);
    if (rng.below(100) < 20 && !limited.empty()) {
      pop();
    } else if (mark == ScoreQueue::kUndiscovered) {
      const QueueItem item(page, discovered++, draw(0));
      limited.push(item);
      free.push(item);
    } else if (ScoreQueue::is_queued(mark)) {
      const Score change = draw(1);
      limited.update(page, mark, limited.item(page, mark).score() + change);
      const ScoreQueue::Mark other = free.mark(page);
      free.update(page, other, free.item(page, other).score() + change);
    }
    ASSERT_EQ(limited.size(), free.size());
  }
  void pop() {
    const QueueItem a = limited.top(), b = free.top();
    limited.pop();
    limited.set_mark(a.page(), ScoreQueue::kDone);
    const ScoreQueue::Mark mark = free.mark(a.page());
    ASSERT_TRUE(ScoreQueue::is_queued(mark));
    const Score same = free.item(a.page(), mark).score();
    worst = std::max(worst, (b.score() - same) / std::max(1.0, std::abs(b.score())));
    different += a.page() != b.page() ? 1 : 0;
    free.remove(a.page(), mark);
    free.set_mark(a.page(), ScoreQueue::kDone);
  }
  void drain() {
    while (!limited.empty()) pop();
    ASSERT_TRUE(free.empty());
  }

  Rng rng;
  MemorySpill store;
  ScoreQueue limited, free;
  std::uint32_t discovered = 0;
  std::uint64_t different = 0;
  double worst = 0;  // the largest distance of a page that was taken from the best one
};

TEST(SpillingQueue, HasTheSameOrderWhereScoresNeedNoRounding) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Twins twins(seed, 256u << (seed % 7));
    for (int step = 0; step < 8000; ++step) {
      twins.step([&](int) { return static_cast<double>(twins.rng.below(64)) / 8 - 3; });
      if (step % 1000 == 999) {
        const auto half = [](const QueueItem& item) { return std::round(-item.score() / 2); };
        twins.limited.rescore_all(half);
        twins.free.rescore_all(half);
      }
    }
    twins.drain();
    EXPECT_EQ(twins.different, 0u);
    EXPECT_GT(twins.limited.spilled().returned, 100u);
    EXPECT_EQ(twins.limited.spilled().rounding, 0);
    EXPECT_EQ(twins.limited.spilled().now, 0u);
    EXPECT_TRUE(twins.limited.take_troubles().empty());
    EXPECT_EQ(twins.store.bytes(), 0u) << "runs that are used up are removed";
  }
}

TEST(SpillingQueue, IsAsFarFromTheBestAsRoundingMakesIt) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Twins twins(seed, 512u << (seed % 5));
    for (int step = 0; step < 8000; ++step) {
      twins.step([&](int again) { return again * 0.01 * twins.rng.unit() + (1 - again) * twins.rng.unit(); });
    }
    twins.drain();
    EXPECT_GT(twins.limited.spilled().returned, 100u);
    EXPECT_GT(twins.limited.spilled().rounding, 0);
    EXPECT_LT(twins.limited.spilled().rounding, std::ldexp(1, -18));
    // A page returned a few times at most, and was rounded each time.
    EXPECT_LT(twins.worst, 16 * std::ldexp(1, -18));
  }
}

TEST(SpillingQueue, DoesNotLoseManySmallGains) {
  MemorySpill store;
  ScoreQueue queue(4);
  queue.limit_to(512, store);
  constexpr PageId kPages = 400;
  for (PageId page = 0; page < kPages; ++page) queue.push({page, page, 1.0});
  constexpr double kGain = 1e-7;  // a fortieth of the last digit that is kept
  constexpr int kRounds = 2000;
  for (int i = 0; i < kRounds; ++i) {
    for (PageId page = 0; page < kPages; page += 3) {
      const ScoreQueue::Mark mark = queue.mark(page);
      queue.update(page, mark, queue.item(page, mark).score() + kGain);
    }
  }
  double sum = 0;
  for (PageId page = 0; page < kPages; page += 3) sum += queue.item(page, queue.mark(page)).score() - 1;
  EXPECT_NEAR(sum / 134 / (kGain * kRounds), 1, 0.05);
}

TEST(SpillingQueue, KeepsWithinItsLimit) {
  for (const std::uint64_t limit : {std::uint64_t{1} << 14, std::uint64_t{1} << 17}) {
    MemorySpill store;
    ScoreQueue queue;
    queue.limit_to(limit, store);
    Rng rng(3);
    constexpr PageId kPages = 100'000;
    std::uint64_t most = 0;
    for (PageId page = 0; page < kPages; ++page) {
      queue.push({page, page, rng.unit()});
      if (page % 3 == 0) {
        const PageId top = queue.top().page();
        queue.pop();
        queue.set_mark(top, ScoreQueue::kDone);
      }
      most = std::max<std::uint64_t>(most, queue.bytes() - 8ull * (page + 1));
    }
    EXPECT_LE(most, limit) << "besides marks and discovery numbers";
    EXPECT_GT(queue.spilled().now, kPages / 3);
    EXPECT_LT(store.bytes(), 16ull * kPages);
  }
}

TEST(SpillingQueue, PutsADamagedRunTogetherAgain) {
  for (const bool gone : {false, true}) {
    MemorySpill store;
    ScoreQueue queue(4);
    queue.limit_to(1024, store);
    for (PageId page = 0; page < 2000; ++page) queue.push({page, page, -static_cast<double>(page)});
    ASSERT_FALSE(store.runs().empty());
    if (gone) {
      store.runs().erase(store.runs().begin());
    } else {
      for (std::string& block : store.runs().begin()->second) block = "nonsense";
    }
    for (PageId page = 0; page < 2000; ++page) {
      ASSERT_EQ(queue.top().page(), page);
      queue.pop();
      queue.set_mark(page, ScoreQueue::kDone);
    }
    EXPECT_TRUE(queue.empty());
    const std::vector<std::string> troubles = queue.take_troubles();
    ASSERT_FALSE(troubles.empty());
    EXPECT_THAT(troubles.front(), testing::HasSubstr("entries of scores"));
  }
}

// Accepts nothing while the disk is full.
class FullSpill : public MemorySpill {
 public:
  Status append(RunId run, std::string_view block) override {
    if (full) return error(ErrorKind::kNeedsUser, "disk full");
    return MemorySpill::append(run, block);
  }
  bool full = true;
};

TEST(SpillingQueue, TriesAgainAndThenSaysThatItsLimitCannotBeKept) {
  FullSpill store;
  ScoreQueue queue(4);
  queue.limit_to(1024, store);  // 32 items
  PageId page = 0;
  while (queue.status().ok() && page < 500) {
    queue.push({page, page, static_cast<double>(page % 7)});
    ++page;
  }
  ASSERT_FALSE(queue.status().ok());
  EXPECT_THAT(queue.status().error().text, testing::HasSubstr("the queue exceeds its memory limit"));
  EXPECT_THAT(queue.status().error().text, testing::HasSubstr("disk full"));
  EXPECT_EQ(queue.status().error().kind, ErrorKind::kNeedsUser);
  EXPECT_LE(page, 64u);  // not twice what it may hold
  EXPECT_EQ(queue.spilled().now, 0u);
  EXPECT_EQ(queue.size(), page);
  EXPECT_EQ(queue.take_troubles().size(), SpillRetry::kMostFailures);
}

TEST(SpillingQueue, KeepsItsLimitAgainOnceThereIsRoom) {
  FullSpill store;
  ScoreQueue queue(4);
  queue.limit_to(1024, store);
  for (PageId page = 0; page < 500; ++page) {
    queue.push({page, page, static_cast<double>(page % 7)});
    if (queue.take_troubles().size() == 1) store.full = false;
  }
  EXPECT_TRUE(queue.status().ok());
  EXPECT_GE(queue.spilled().now, 500u - 32);
  EXPECT_EQ(queue.size(), 500u);
}

// ---- the frontier

std::unique_ptr<Frontier> limited_frontier(const TestWeb& web, const std::string& policy, SpillStore& store,
                                           std::uint64_t bytes, const std::string& strategy = "all") {
  const std::uint64_t expected = web.reachable({0, 5}).size();
  auto made = make_policy(policy, {.expected_pages = expected,
                                   .hosts = [&web](PageId page) { return web.host_of(page); },
                                   .groups = [&web](PageId page) { return web.group_of(page); }});
  FrontierOptions options;
  options.strategy = strategy;
  options.expected_pages = expected;
  options.queue_bytes = bytes;
  options.spill = &store;
  return std::move(*Frontier::make(
      options, std::move(*made), [&web](PageId page) { return web.hints(page); },
      [&web](PageId page) { return web.host_of(page); }));
}

TEST(SpillingFrontier, CrawlsEveryPageOnceWithEveryOrdering) {
  for (const PolicyInfo& info : all_policies()) {
    if (has(info.needs, Need::kTruth)) continue;
    const TestWeb web = random_web(4, 600);
    MemorySpill store;
    const auto frontier = limited_frontier(web, std::string(info.example), store, 512);
    give_seeds(*frontier, {0, 5});
    std::vector<PageId> order = crawl_on(*frontier, web);
    EXPECT_GT(frontier->spilled().written, 50u) << info.name;
    std::vector<PageId> expected = web.reachable({0, 5});
    std::sort(order.begin(), order.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(order, expected) << info.name;
  }
}

TEST(SpillingFrontier, HasTheOrderOfOneWithoutALimit) {
  for (const char* policy : {"bfs", "dfs", "backlink", "location"}) {
    const TestWeb web = random_web(9, 800);
    MemorySpill store;
    const auto limited = limited_frontier(web, policy, store, 512);
    const auto free = make_frontier(web, {.policy = policy, .seeds = {0, 5}}, {});
    give_seeds(*limited, {0, 5});
    give_seeds(*free, {0, 5});
    EXPECT_EQ(crawl_on(*limited, web), crawl_on(*free, web)) << policy;
  }
}

TEST(SpillingFrontier, GoesOnFromASnapshotThatNamesItsRuns) {
  for (const char* policy : {"bfs", "fpr@100", "opic", "batch-pagerank"}) {
    for (const char* strategy : {"all", "sydney@4"}) {
      const TestWeb web = random_web(6, 700);
      MemorySpill store;
      const auto before = limited_frontier(web, policy, store, 1024, strategy);
      give_seeds(*before, {0, 5});
      crawl_on(*before, web, 60);
      std::string bytes;
      ByteWriter writer(bytes);
      before->save(writer);
      const std::map<RunId, std::vector<std::string>> runs = store.runs();
      const std::vector<PageId> expected = crawl_on(*before, web);

      MemorySpill restored;
      restored.runs() = runs;
      const auto after = limited_frontier(web, policy, restored, 1024, strategy);
      ByteReader reader(bytes);
      const Status loaded = after->load(reader);
      ASSERT_TRUE(loaded.ok()) << loaded.error().text;
      // What is in memory may differ, and so the last digits; a journal names the pages.
      std::vector<PageId> order;
      for (const PageId page : expected) {
        while (!after->take_page({page, false}, Time{})) {
          const auto job = after->next(Time{});
          ASSERT_TRUE(job && job->links_only);
          after->complete(job->page, web.links(job->page));
        }
        after->complete(page, web.links(page));
      }
      while (const auto job = after->next(Time{})) {
        EXPECT_TRUE(job->links_only);
        after->complete(job->page, web.links(job->page));
      }
    }
  }
}

// What was in memory no longer fits, and goes to new runs in addition to those of the snapshot.
TEST(SpillingFrontier, GoesOnWithLessMemoryThanItHad) {
  const TestWeb web = random_web(6, 700);
  MemorySpill store;
  const auto before = limited_frontier(web, "fpr@100", store, 2048);
  give_seeds(*before, {0, 5});
  crawl_on(*before, web, 60);
  ASSERT_GT(before->spilled().now, 0u);
  std::string bytes;
  ByteWriter writer(bytes);
  before->save(writer);
  const auto after = limited_frontier(web, "fpr@100", store, 512);
  ByteReader reader(bytes);
  ASSERT_TRUE(after->load(reader).ok());
  EXPECT_EQ(after->counts().primary, before->counts().primary);
  const std::size_t crawled = crawl_on(*after, web).size();
  EXPECT_EQ(crawled + before->counts().crawled, after->counts().discovered);
  EXPECT_TRUE(after->take_troubles().empty());
}

TEST(SpillingFrontier, SaysWhatAMissingRunHeld) {
  const TestWeb web = random_web(6, 700);
  MemorySpill store;
  const auto before = limited_frontier(web, "bfs", store, 512);
  give_seeds(*before, {0, 5});
  crawl_on(*before, web, 30);
  std::string bytes;
  ByteWriter writer(bytes);
  before->save(writer);
  ASSERT_FALSE(store.runs().empty());
  store.runs().erase(store.runs().begin());
  const auto after = limited_frontier(web, "bfs", store, 512);
  ByteReader reader(bytes);
  const Status loaded = after->load(reader);
  ASSERT_FALSE(loaded.ok());
  EXPECT_THAT(loaded.error().text, testing::HasSubstr("entries of scores"));
}

// One host has nearly all pages, and its gate is closed: what is parked stays bounded.
TEST(SpillingFrontier, DoesNotParkTheWholeQueue) {
  TestWeb web;
  constexpr PageId kPages = 5000;
  web.out.resize(kPages);
  web.host.assign(kPages, 1);
  web.host[0] = 0;
  for (PageId page = 1; page < kPages; ++page) web.out[0].push_back(page);
  MemorySpill store;
  const auto frontier = limited_frontier(web, "bfs", store, 8192);
  give_seeds(*frontier, {0});
  frontier->complete(frontier->next(Time{})->page, web.links(0));
  std::uint64_t taken = 0;
  for (Time now(1ms); taken + 1 < kPages; now += 1ms) {
    const auto job = frontier->next(now);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->page, ++taken);
    frontier->set_gate(1, now + 1ms);
    EXPECT_FALSE(frontier->next(now));
    if (taken + 1 < kPages) {
      EXPECT_EQ(frontier->next_opening(), now + 1ms);
    }
    frontier->complete(job->page, {});
  }
  EXPECT_FALSE(frontier->next(Time{Duration{kPages + 1}}));
}

TEST(Dropping, CountsWhatTheOrderingThoughtOfIt) {
  const TestWeb web = random_web(2, 300);
  const auto frontier = make_frontier(web, {.policy = "fpr", .strategy = "all:budget=20"}, {});
  give_seeds(*frontier, {0});
  crawl_on(*frontier, web);
  EXPECT_GT(frontier->counts().dropped, 0u);
  EXPECT_GT(frontier->counts().dropped_worth, 0);
  EXPECT_LT(frontier->counts().dropped_worth, 1) << "all mass there is";
}

}  // namespace
}  // namespace bowerbird
