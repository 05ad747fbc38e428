#include "fleet/merge.h"

#include <gtest/gtest.h>

#include "crawl/state/stopped_crawl_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(MergeCrawls, EveryUrlOnceEveryPageByTheFirstThatHasIt) {
  TemporaryFolder folder;
  // Both have done http://h.test/2; a knows /0 to /2, b knows /0 to /2 and two more.
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
