#include "crawl/inspect/resumable.h"

#include <gtest/gtest.h>

#include "crawl/config/kept_options.h"
#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(Resumable, TheDefaultFolderIsNamedAfterTheFirstSeed) {
  EXPECT_EQ(default_folder({"http://www.a.test:81/x", 1, false}), "www.a.test.crawl");
}

TEST(Resumable, SitemapsThatTheCrawlFoundDoNotMakeOtherSeeds) {
  const std::vector<CrawlSeed> given = {{"http://a.test/", 1, false}};
  EXPECT_TRUE(has_seeds({{"http://a.test/", 1, false}, {"http://a.test/s.xml", 1, true}}, given));
  EXPECT_FALSE(has_seeds({{"http://b.test/", 1, false}}, given));
}

TEST(Resumable, OptionsComeFromTheLastRunAndFromTheStartOfTheCrawl) {
  const TemporaryFolder folder;
  CrawlOptions options;
  options.out = folder.path();
  options.order.policy = "bfs";
  options.budget.pages = 7;
  StoreOptions store_options;
  store_options.durable = false;
  store_options.about = fixed_options(options);
  auto store = std::move(CrawlStore::open(folder.path(), store_options)).value();
  store->commit("");
  ASSERT_TRUE(store->wait_for_commits().ok());
  ASSERT_TRUE(remember_options(options).ok());

  CrawlOptions again;
  const auto last = read_last_options(folder.path(), again);
  ASSERT_TRUE(last.ok()) << last.error().text;
  EXPECT_EQ(last->fixed, fixed_options(options));
  EXPECT_EQ(again.budget.pages, 7u);
  EXPECT_EQ(again.order.policy, "bfs");
  EXPECT_EQ(last->origins, (OptionOrigins{{"pages", "last run"},
                                          {"policy", "start of the crawl"},
                                          {"expected-pages", "start of the crawl"}}));
}

}  // namespace
}  // namespace bowerbird
