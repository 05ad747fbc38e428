#include "crawl/loop/committer.h"

#include <gtest/gtest.h>

#include "crawl/state/stopped_crawl_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(Committer, CommitsInIntervalsAndRecordsChangedHosts) {
  TemporaryFolder folder;
  const CrawlOptions options = stopped_crawl_options(folder / "crawl");
  {
    const auto crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
    ASSERT_TRUE(crawl->restore().ok());
    crawl->state().record_to(&crawl->store());
    Committer committer(*crawl, 1000, [] { return std::string("{}"); });
    committer.begin(5000);
    EXPECT_FALSE(committer.is_due(5999));
    EXPECT_TRUE(committer.is_due(6000));
    EXPECT_FALSE(committer.snapshot_is_due(6000));
    EXPECT_TRUE(committer.snapshot_is_due(5000 + Committer::kSnapshotEvery));
    crawl->state().add_seeds({{crawl->state().intern("http://a.test/"), 1, false}});
    crawl->state().hosts().back_off(0, 77'000);
    committer.commit(6000, true);
    EXPECT_FALSE(committer.is_due(6999));
    ASSERT_TRUE(crawl->store().wait_for_commits().ok());
    crawl->state().hosts().back_off(0, 99'000);
    committer.add_warnings({"a file was damaged"});
    committer.log_warnings();
    EXPECT_EQ(committer.warnings_logged(), 1u);
    ASSERT_TRUE(committer.commit_and_wait().ok());
    EXPECT_TRUE(committer.idle());
  }
  const auto again = std::move(RestoredCrawl::open_to_read(options.out)).value();
  ASSERT_TRUE(again->restore().ok());
  EXPECT_EQ(again->state().hosts()[0].opens, 99'000);
}

}  // namespace
}  // namespace bowerbird
