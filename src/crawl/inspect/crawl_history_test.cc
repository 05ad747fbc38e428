#include "crawl/inspect/crawl_history.h"

#include <gtest/gtest.h>

#include "crawl/config/kept_options.h"
#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(CrawlHistory, ThinsLongCrawlsOutAndKeepsBothEnds) {
  const TemporaryFolder folder;
  StoreOptions options;
  options.durable = false;
  CrawlOptions crawl;
  options.about = fixed_options(crawl);
  auto store = std::move(CrawlStore::open(folder.path(), options)).value();
  constexpr std::uint64_t kCommits = 1501;
  for (std::uint64_t i = 1; i <= kCommits; ++i) {
    CrawlCounts counts;
    counts.run_ms = 1000 * i;
    counts.pages = 7 * i;
    counts.outcomes[static_cast<std::size_t>(Outcome::kNotFound)] = i;
    store->commit(
        counts_to_state(counts, CrawlEnd::kNotYet, {.queued = i, .memory = {}, .guaranteed = 0.25}));
  }
  ASSERT_TRUE(store->wait_for_commits().ok());
  const auto history = read_crawl_history(folder.path());
  ASSERT_TRUE(history.ok()) << history.error().text;
  ASSERT_GT(history->points.size(), 200u);
  ASSERT_LT(history->points.size(), 700u);
  EXPECT_EQ(history->points.back().seconds, 1501);
  EXPECT_LT(history->points.front().seconds, 10);
  for (std::size_t i = 1; i < history->points.size(); ++i) {
    const HistoryPoint& point = history->points[i];
    EXPECT_GT(point.seconds, history->points[i - 1].seconds);
    EXPECT_EQ(point.pages, static_cast<std::uint64_t>(7 * point.seconds));
    EXPECT_EQ(point.failed, static_cast<std::uint64_t>(point.seconds));
    EXPECT_EQ(point.moment.queued, static_cast<std::uint64_t>(point.seconds));
    EXPECT_EQ(point.moment.guaranteed, 0.25);
  }
}

}  // namespace
}  // namespace bowerbird
