#include "lab/crawl_order.h"

#include <gtest/gtest.h>

#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// Page 0 links to 1 and 2, both of these and 3 to 3; 4 was only discovered; 2 also links to 4 out of scope.
class CrawlOrderTest : public testing::Test {
 protected:
  void crawl(const std::vector<PageId>& order) {
    StoreOptions options;
    options.durable = false;
    auto store = std::move(CrawlStore::open(folder_, options)).value();
    for (const char* url :
         {"http://a.test/", "http://a.test/1", "http://b.test/2", "http://b.test/3", "http://c.test/"})
      store->add_url(url);
    const std::vector<std::vector<StoredLink>> links = {
        {{1, 0}, {2, kLinkOtherHost}}, {{3, 0}}, {{3, 0}, {4, kLinkOutOfScope}}, {{3, 0}}};
    for (const PageId page : order) store->add_links(page, links[page]);
    ASSERT_TRUE(store->close("").ok());
  }
  CrawlOrder judged() {
    CrawlOrderOptions options;
    options.policy = "bfs";
    options.seeds = {{0, 1}};
    auto order = judge_crawl_order(folder_, options);
    EXPECT_TRUE(order.ok()) << order.error().text;
    return std::move(order).value();
  }
  const TemporaryFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

TEST_F(CrawlOrderTest, ThatWasKeptCostNothing) {
  crawl({0, 1, 2, 3});
  const CrawlOrder order = judged();
  EXPECT_EQ(order.pages, 4u);
  EXPECT_EQ(order.links, 5u) << "those that were followed, between pages that are done";
  EXPECT_DOUBLE_EQ(order.real.auc, order.unconstrained.auc);
  EXPECT_EQ(order.real.curve, order.unconstrained.curve);
  EXPECT_GE(order.ideal.auc, order.real.auc);
  ASSERT_EQ(order.best.size(), 4u);
  EXPECT_EQ(order.best[0].url, "http://b.test/3") << "two pages link to it, and it to itself";
  EXPECT_EQ(order.best[0].in_links, 2u);
  EXPECT_EQ(order.best[0].done_as, 4u);
  ASSERT_EQ(order.collected.size(), 5u);
  EXPECT_FLOAT_EQ(order.collected[4], 1);
}

TEST_F(CrawlOrderTest, ThatTookTheBestPageEarlierIsWorthMore) {
  crawl({0, 2, 3, 1});
  const CrawlOrder order = judged();
  EXPECT_GT(order.real.auc, order.unconstrained.auc);
  EXPECT_EQ(order.best[0].done_as, 3u);
}

TEST_F(CrawlOrderTest, OfNothingIsNotJudged) {
  crawl({});
  const CrawlOrder order = judged();
  EXPECT_FALSE(order.problem.empty());
  EXPECT_TRUE(order.points.empty());
}

}  // namespace
}  // namespace bowerbird
