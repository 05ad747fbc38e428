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
    Committer committer(*crawl, 1s, [] { return std::string("{}"); });
    committer.begin(Time(5s));
    EXPECT_FALSE(committer.is_due(Time(5999ms)));
    EXPECT_TRUE(committer.is_due(Time(6s)));
    EXPECT_FALSE(committer.snapshot_is_due(Time(6s)));
    EXPECT_TRUE(committer.snapshot_is_due(Time(5s) + Committer::kSnapshotEvery));
    crawl->state().add_seeds({{crawl->state().intern("http://a.test/"), 1, false}});
    crawl->state().hosts().back_off(0, Time(77s));
    committer.commit(Time(6s), true);
    EXPECT_FALSE(committer.is_due(Time(6999ms)));
    ASSERT_TRUE(crawl->store().wait_for_commits().ok());
    crawl->state().hosts().back_off(0, Time(99s));
    committer.add_warnings({"a file was damaged"});
    committer.log_warnings();
    EXPECT_EQ(committer.warnings_logged(), 1u);
    ASSERT_TRUE(committer.commit_and_wait().ok());
    EXPECT_TRUE(committer.idle());
  }
  const auto again = std::move(RestoredCrawl::open_to_read(options.out)).value();
  ASSERT_TRUE(again->restore().ok());
  EXPECT_EQ(again->state().hosts()[0].opens, Time(99s));
}

}  // namespace
}  // namespace bowerbird
