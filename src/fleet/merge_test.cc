#include "fleet/merge.h"

#include <gtest/gtest.h>

#include "crawl/config/kept_options.h"
#include "crawl/state/stopped_crawl_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(MergeCrawls, EveryUrlOnceEveryPageByTheFirstThatHasIt) {
  TemporaryFolder folder;
  // Both have fetched http://h.test/2; a knows /0 to /2, b knows /0 to /2 and two more.
  write_stopped_crawl(stopped_crawl_options(folder / "a"), "h.test", 3);
  write_stopped_crawl(stopped_crawl_options(folder / "b"), "h.test", 3,
                      {"http://h.test/x", "http://i.test/"});
  const auto merged = merge_crawls({folder / "a", folder / "b"}, folder / "both", Progress());
  ASSERT_TRUE(merged.ok()) << merged.error().text;
  EXPECT_EQ(merged->folders, 2u);
  EXPECT_EQ(merged->urls, 5u);
  EXPECT_EQ(merged->pages, 1u);
  EXPECT_EQ(merged->repeats, 1u);
  const auto both = std::move(RestoredCrawl::open_to_read(folder / "both")).value();
  ASSERT_TRUE(both->restore().ok());
  EXPECT_EQ(both->state().frontier().counts().primary, 4u) << "what is still to be fetched";
  EXPECT_EQ(both->state().fleet(), nullptr) << "one process has it all";
  EXPECT_EQ(both->moment().queued, 4u) << "what status shows";
  EXPECT_EQ(both->end(), CrawlEnd::kStopped);
}

// Each process was told to stop; together they have reached the budget, or fetched everything.
TEST(MergeCrawls, TheResultEndedAsTheFleetDid) {
  TemporaryFolder folder;
  write_stopped_crawl(stopped_crawl_options(folder / "a"), "h.test", 1);
  ASSERT_TRUE(merge_crawls({folder / "a"}, folder / "all", Progress()).ok());
  EXPECT_EQ(RestoredCrawl::open_to_read(folder / "all").value()->end(), CrawlEnd::kNothingLeft);

  CrawlOptions options = stopped_crawl_options(folder / "b");
  options.budget.pages = 600;
  write_stopped_crawl(options, "h.test", 3);
  ASSERT_TRUE(remember_options(options).ok());
  CrawlCounts counts;
  counts.pages = 601;
  counts.on_topic = 7;
  {
    const auto crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
    crawl->store().commit(counts_to_state(counts, CrawlEnd::kStopped));
    ASSERT_TRUE(crawl->store().wait_for_commits().ok());
  }
  ASSERT_TRUE(merge_crawls({folder / "b"}, folder / "budget", Progress()).ok());
  const auto merged = std::move(RestoredCrawl::open_to_read(folder / "budget")).value();
  EXPECT_EQ(merged->end(), CrawlEnd::kPages);
  EXPECT_EQ(merged->counts().on_topic, 7u);
}

TEST(MergeCrawls, NothingOrAFolderThatHoldsACrawlIsRefused) {
  TemporaryFolder folder;
  EXPECT_FALSE(merge_crawls({}, folder / "out", Progress()).ok());
  EXPECT_FALSE(merge_crawls({folder / "missing"}, folder / "out", Progress()).ok());
  write_stopped_crawl(stopped_crawl_options(folder / "a"), "h.test", 1);
  EXPECT_FALSE(merge_crawls({folder / "a"}, folder / "a", Progress()).ok());
}

}  // namespace
}  // namespace bowerbird
