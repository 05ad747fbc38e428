#include "crawl/inspect/url_list.h"

#include <gtest/gtest.h>

#include "crawl/inspect/folder_status.h"
#include "crawl/state/stopped_crawl_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// Pages 0 to 3 of one host: 0 is done and links to 4; the log has two pages that failed,
// and a line that no crawl wrote.
class UrlList : public testing::Test {
 protected:
  void SetUp() override {
    const CrawlOptions options = stopped_crawl_options(folder_ / "crawl");
    write_stopped_crawl(options, "a.test", 4, {"http://a.test/4"});
    const auto crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
    ASSERT_TRUE(crawl->restore().ok());
    for (const char* const line : {R"({"page":0,"url":"http://a.test/0","outcome":"fetched"})",
                                   R"({"page":1,"url":"http://a.test/1","outcome":"not-found"})",
                                   R"({"page":2,"url":"http://a.test/2","outcome":"timed-out"})",
                                   R"({"page":"3","url":3,"outcome":3})"})
      crawl->store().add_log(line);
    crawl->store().commit(counts_to_state({}, CrawlEnd::kNotYet));
    ASSERT_TRUE(crawl->store().wait_for_commits().ok());
  }
  std::vector<ListedUrl> list(UrlState state, std::uint64_t most = 100) {
    const auto crawl = std::move(RestoredCrawl::open_to_read(folder_ / "crawl")).value();
    std::vector<ListedUrl> urls;
    EXPECT_TRUE(list_urls(*crawl, state, most, [&](const ListedUrl& one) { urls.push_back(one); }).ok());
    return urls;
  }

  TemporaryFolder folder_;
};

TEST_F(UrlList, QueuedUrlsComeBestFirst) {
  const auto urls = list(UrlState::kQueued);
  ASSERT_EQ(urls.size(), 4u);
  EXPECT_EQ(urls[0].url, "http://a.test/4") << "a link has raised its score";
  EXPECT_EQ(urls[1].url, "http://a.test/1");
  EXPECT_GT(urls[0].score->score, urls[1].score->score);
  EXPECT_EQ(urls[0].score->queue, "");
  EXPECT_EQ(list(UrlState::kQueued, 1).front().url, "http://a.test/4");
}

TEST_F(UrlList, EachStateListsItsOwnUrls) {
  ASSERT_EQ(list(UrlState::kDone).size(), 1u);
  EXPECT_EQ(list(UrlState::kDone)[0].url, "http://a.test/0");
  EXPECT_EQ(list(UrlState::kKnown).size(), 5u);
  EXPECT_EQ(list(UrlState::kKnown, 2).size(), 2u);
  const auto failed = list(UrlState::kFailed);
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_EQ(failed[0].outcome, "not-found");
  EXPECT_EQ(list(UrlState::kFailed, 1).size(), 1u);
}

TEST_F(UrlList, StatesHaveNames) {
  EXPECT_EQ(parse_url_state("failed").value(), UrlState::kFailed);
  EXPECT_FALSE(parse_url_state("lost").ok());
}

TEST_F(UrlList, TheStatusOfAFolderSaysHowTheCrawlEnded) {
  const auto crawl = std::move(RestoredCrawl::open_to_read(folder_ / "crawl")).value();
  const nlohmann::json json = folder_status(*crawl).value();
  EXPECT_EQ(json["known"], 5);
  EXPECT_EQ(json["stored"], 0);
  EXPECT_EQ(json["running"], false);
  EXPECT_FALSE(json.contains("pid"));
  EXPECT_EQ(json["end"], "killed, can be resumed");
  EXPECT_EQ(json["about"]["policy"], "opic");
}

}  // namespace
}  // namespace bowerbird
