#include "frontier/frontier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontier/crawl_testing.h"

namespace bowerbird {
namespace {

using namespace testing_web;
using testing::ElementsAre;

TestWeb small_web() {
  return {.out = {{1, 2}, {2, 3}, {}, {0}}, .host = {}, .location = {}};
}

TEST(Frontier, APageGoesThroughItsStates) {
  const TestWeb web = small_web();
  const auto frontier = make_frontier(web, {.policy = "backlink"}, {});
  EXPECT_EQ(frontier->state(0), PageState::kUndiscovered);
  give_seeds(*frontier, {0});
  EXPECT_EQ(frontier->state(0), PageState::kQueued);
  ASSERT_EQ(frontier->next(Time{})->page, 0u);
  EXPECT_EQ(frontier->state(0), PageState::kInFlight);
  frontier->retry(0, Time(50ms));
  EXPECT_EQ(frontier->state(0), PageState::kWaiting);
  EXPECT_FALSE(frontier->next(Time(49ms)));
  EXPECT_EQ(frontier->next_opening(), Time(50ms));
  ASSERT_EQ(frontier->next(Time(50ms))->page, 0u);
  frontier->complete(0, web.links(0));
  EXPECT_EQ(frontier->state(0), PageState::kDone);
  EXPECT_EQ(frontier->state(1), PageState::kQueued);
  EXPECT_EQ(frontier->state(3), PageState::kUndiscovered);
}

TEST(Frontier, PagesInFlightGainUntilTheyAreCompleted) {
  const TestWeb web = {.out = {{1, 2}, {2}, {3}, {}}, .host = {}, .location = {}};
  const auto frontier = make_frontier(web, {.policy = "backlink"}, {});
  give_seeds(*frontier, {0});
  frontier->complete(frontier->next(Time{})->page, web.links(0));
  ASSERT_EQ(frontier->next(Time{})->page, 1u);
  ASSERT_EQ(frontier->next(Time{})->page, 2u);
  EXPECT_EQ(frontier->score(2), 1);
  frontier->complete(1, web.links(1));
  EXPECT_EQ(frontier->score(2), 2);
}

TEST(Frontier, KnownSeedsAreLeftAsTheyAre) {
  const TestWeb web = small_web();
  const auto frontier = make_frontier(web, {.policy = "bfs"}, {});
  give_seeds(*frontier, {2, 2, 0});
  give_seeds(*frontier, {0, 3});
  EXPECT_EQ(frontier->counts().discovered, 3u);
  std::vector<PageId> order;
  while (const auto job = frontier->next(Time{})) {
    order.push_back(job->page);
    frontier->complete(job->page, {});
  }
  EXPECT_THAT(order, ElementsAre(2, 0, 3));
}

TEST(Frontier, WeightedSeedsShareTheirImportance) {
  const TestWeb web = small_web();
  const auto frontier = make_frontier(web, {.policy = "fpr"}, {});
  frontier->seed(std::vector<SeedPage>{{0, 1}, {1, 3}});
  EXPECT_NEAR(frontier->policy().merit(*frontier->score(0)), 0.15 / 4, 1e-12);
  EXPECT_NEAR(frontier->policy().merit(*frontier->score(1)), 0.15 * 3 / 4, 1e-12);
}

TEST(Frontier, CountsWhatItHolds) {
  const TestWeb web = small_web();
  const auto frontier = make_frontier(web, {.policy = "bfs"}, {});
  give_seeds(*frontier, {0});
  frontier->complete(frontier->next(Time{})->page, web.links(0));
  frontier->next(Time{});
  const FrontierCounts& counts = frontier->counts();
  EXPECT_EQ(counts.discovered, 3u);
  EXPECT_EQ(counts.crawled, 1u);
  EXPECT_EQ(counts.primary, 1u);
  EXPECT_EQ(counts.in_flight, 1u);
  EXPECT_EQ(counts.peak, 2u);
}

TEST(Frontier, TakesIdsAsTheyComeAndInAnyOrder) {
  const TestWeb web;
  const auto frontier = make_frontier(web, {.policy = "bfs", .seeds = {}}, {});
  frontier->seed(std::vector<SeedPage>{{4'000'000'000u, 1}});
  frontier->complete(frontier->next(Time{})->page, std::vector<Link>{{17, false}, {3'999'999'999u, true}});
  EXPECT_EQ(frontier->next(Time{})->page, 17u);
  EXPECT_EQ(frontier->next(Time{})->page, 3'999'999'999u);
}

TEST(Frontier, RefusesADamagedSnapshot) {
  const TestWeb web = random_web(3, 40);
  for (const char* policy : {"opic", "rankmass", "batch-pagerank", "combined:fpr=1,rankmass=1"}) {
    const CrawlSetup setup = {.policy = policy, .strategy = "sydney@2"};
    const auto before = make_frontier(web, setup, {});
    give_seeds(*before, {0, 5});
    crawl_on(*before, web, 15);
    std::string bytes;
    ByteWriter writer(bytes);
    before->save(writer);
    for (std::size_t length = 0; length < bytes.size(); length += 5) {
      const auto after = make_frontier(web, setup, {});
      ByteReader reader(std::string_view(bytes).substr(0, length));
      ASSERT_FALSE(after->load(reader).ok()) << policy << " cut at " << length;
    }
    // Flipped bits may give another valid frontier; they must not crash it.
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
      const auto after = make_frontier(web, setup, {});
      ByteReader reader(damaged);
      (void)after->load(reader).ok();
    }
  }
}

TEST(Frontier, KeepsFourBytesAPageAndSixteenAQueuedOne) {
  TestWeb web;
  constexpr PageId kPages = 100'000;
  web.out.resize(kPages);
  for (PageId page = 1; page < kPages; ++page) web.out[0].push_back(page);
  const auto frontier = make_frontier(web, {.policy = "fpr"}, {});
  give_seeds(*frontier, {0});
  const std::uint64_t empty = frontier->bytes();
  const std::vector<PageId> order = crawl_on(*frontier, web);
  EXPECT_EQ(order.size(), kPages);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  const std::uint64_t scratch = web.out[0].size() * sizeof(OpenLink);
  EXPECT_LE(frontier->bytes() - empty - scratch, 20u * kPages + sizeof(OffQueuePage));
}

}  // namespace
}  // namespace bowerbird
