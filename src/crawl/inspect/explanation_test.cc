#include "crawl/inspect/explanation.h"

#include <gtest/gtest.h>

#include <fstream>

#include "crawl/config/kept_options.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// A seed that links to two pages, one of them out of scope.
class Explanation : public testing::Test {
 protected:
  void SetUp() override {
    CrawlOptions options;
    options.out = folder_ / "crawl";
    options.order.policy = "backlink";
    options.storage.durable = false;
    options.scope.exclude = {"/private/"};
    auto crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
    ASSERT_TRUE(crawl->restore().ok());
    ASSERT_TRUE(remember_options(options).ok());
    CrawlState& state = crawl->state();
    state.record_to(&crawl->store());
    const PageId seed = state.intern("http://a.test/");
    const PageId queued = state.intern("http://a.test/x");
    const PageId excluded = state.intern("http://a.test/private/");
    state.add_seeds({{seed, 1, false}});
    ASSERT_EQ(state.next(Time{1s}), seed);
    PageDone done;
    done.page = seed;
    const std::vector<StoredLink> links = {{queued, 0}, {excluded, kLinkOutOfScope}};
    done.links = links;
    state.complete(done);
    crawl->store().commit("");
    ASSERT_TRUE(crawl->store().wait_for_commits().ok());
  }

  nlohmann::json explain(const std::string& url) {
    auto crawl = std::move(RestoredCrawl::open_to_read(folder_ / "crawl")).value();
    auto json = explain_url(*crawl, url);
    EXPECT_TRUE(json.ok()) << json.error().text;
    return json.ok() ? *json : nlohmann::json();
  }

  TemporaryFolder folder_;
};

TEST_F(Explanation, OfAQueuedPageNamesTheLinksBehindItsScore) {
  const nlohmann::json json = explain("http://a.test/x");
  EXPECT_EQ(json["state"], "queued");
  EXPECT_EQ(json["scope"], "in scope");
  EXPECT_EQ(json["steps_from_seed"], 1);
  EXPECT_EQ(json["links_to_it"], 1);
  EXPECT_EQ(json["parents"][0]["url"], "http://a.test/");
  EXPECT_EQ(json["parents"][0]["gave"], json["worth"]);
}

TEST_F(Explanation, OfAnExcludedPageNamesTheRule) {
  const nlohmann::json json = explain("http://a.test/private/");
  EXPECT_EQ(json["state"], "known, but no link to it is followed");
  EXPECT_NE(json["scope"].get<std::string>().find("--exclude"), std::string::npos) << json;
  EXPECT_EQ(json["parents"][0]["how"], "out of scope: not followed");
}

TEST_F(Explanation, OfASeedAndOfAnUnknownPage) {
  const nlohmann::json seed = explain("http://a.test/");
  EXPECT_EQ(seed["state"], "done");
  EXPECT_FALSE(seed.contains("host_opens")) << "that was in the past: " << seed;
  EXPECT_EQ(explain("http://a.test/other")["state"], "unknown: no fetched page links to it");
  auto crawl = std::move(RestoredCrawl::open_to_read(folder_ / "crawl")).value();
  EXPECT_FALSE(explain_url(*crawl, "mailto:a@b").ok());
}

TEST_F(Explanation, IgnoresLogLinesAfterTheLastCommit) {
  std::ofstream(folder_ / "crawl/crawl.jsonl", std::ios::app)
      << R"({"url":"http://a.test/x","outcome":"not-found"})"
      << "\n";
  EXPECT_FALSE(explain("http://a.test/x").contains("outcome"));
}

}  // namespace
}  // namespace bowerbird
