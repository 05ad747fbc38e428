#include "lab/crawl_graph.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

class CrawlGraph : public testing::Test {
 protected:
  std::unique_ptr<CrawlStore> store() {
    StoreOptions options;
    options.durable = false;
    auto opened = CrawlStore::open(folder_, options);
    CHECK(opened.ok());
    return std::move(*opened);
  }
  std::vector<PageId> links(const Web& web, PageId page) {
    LinkBuffer buffer;
    const auto out = web.graph->out(page, buffer);
    return {out.begin(), out.end()};
  }

  const TemporaryFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

TEST_F(CrawlGraph, IsWhatTheCrawlFoundUpToItsLastCommitWhileItIsRunning) {
  EXPECT_FALSE(is_crawl_folder(folder_));
  const auto crawl = store();
  EXPECT_TRUE(is_crawl_folder(folder_));
  for (const char* url : {"http://a.example.org/", "http://a.example.org/x", "http://b.example.org/"})
    crawl->add_url(url);
  const StoredLink of_second[] = {{0, 0}, {2, kLinkOtherHost}};
  const StoredLink of_first[] = {{2, 0}, {1, 0}, {2, 0}, {0, kLinkNofollow}};
  crawl->add_links(1, of_second);
  crawl->add_links(0, of_first);
  crawl->commit("");
  ASSERT_TRUE(crawl->wait_for_commits().ok());
  crawl->add_url("http://not.committed.example.org/");

  const auto web = open_crawl_graph(folder_);
  ASSERT_TRUE(web.ok()) << web.error().text;
  ASSERT_EQ(web->graph->pages(), 3u);
  EXPECT_EQ(links(*web, 0), (std::vector<PageId>{1, 2}));
  EXPECT_EQ(links(*web, 1), (std::vector<PageId>{0, 2}));
  EXPECT_EQ(links(*web, 2), (std::vector<PageId>{}));
  EXPECT_EQ(web->names->name(1), "http://a.example.org/x");
  EXPECT_EQ(web->hosts->host(0), web->hosts->host(1));
  EXPECT_EQ(web->hosts->host_name(web->hosts->host(2)), "b.example.org");
}

TEST_F(CrawlGraph, KnowsWhatPagesAndLinksHaveToDoWithATopic) {
  const auto crawl = store();
  for (const char* url : {"http://example.org/", "http://example.org/rose", "http://example.org/x"})
    crawl->add_url(url);
  const StoredLink of_first[] = {{2, 0}, {1, kLinkNofollow}, {0, 0}};
  crawl->add_links(0, of_first);
  crawl->add_links(1, {});
  TermCounter counter;
  counter.begin();
  counter.add_text("of a rose, and of something else");
  counter.add_anchor(0, "a rose");
  counter.add_anchor(2, "something else");
  crawl->add_terms(0, counter.finish());
  counter.begin();
  counter.add_title("Rose");
  crawl->add_terms(1, counter.finish());
  ASSERT_TRUE(crawl->close("").ok());

  const auto web = open_crawl_graph(folder_, {.want_names = false, .topic = "rose tulip"});
  ASSERT_TRUE(web.ok()) << web.error().text;
  const WebTopic& topic = *web->topic;
  EXPECT_EQ(topic.on_topic, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(topic.named, (std::vector<bool>{false, true, false}));
  EXPECT_GT(topic.similarity[0], 0);
  EXPECT_GT(topic.similarity[1], topic.similarity[0]);
  EXPECT_EQ(topic.similarity[2], 0);
  LinkBuffer buffer;
  EXPECT_TRUE(std::ranges::equal(topic.anchors->out(0, buffer), std::vector<PageId>{2}));
  EXPECT_TRUE(topic.anchors->out(1, buffer).empty());
}

TEST_F(CrawlGraph, CanLeaveOutUrlsThatAreNoPages) {
  const auto crawl = store();
  for (const char* url :
       {"http://a.org/", "http://cdn.org/i.png", "http://a.org/x", "http://cdn.org/j.png", "http://b.org/"})
    crawl->add_url(url);
  const StoredLink of_first[] = {{2, 0}, {4, 0}};
  const StoredLink of_third[] = {{4, 0}, {0, 0}};
  crawl->add_links(0, of_first);
  crawl->add_links(2, of_third);
  ASSERT_TRUE(crawl->close("").ok());
  const std::vector<PageId> left_out = {1, 3};
  const auto web = open_crawl_graph(folder_, {.left_out = left_out});
  ASSERT_TRUE(web.ok()) << web.error().text;
  ASSERT_EQ(web->graph->pages(), 3u);
  EXPECT_EQ(links(*web, 0), (std::vector<PageId>{1, 2}));
  EXPECT_EQ(links(*web, 1), (std::vector<PageId>{0, 2}));
  EXPECT_EQ(links(*web, 2), (std::vector<PageId>{}));
  EXPECT_EQ(web->names->name(2), "http://b.org/");
  EXPECT_EQ(web->hosts->hosts(), 2u);
  EXPECT_EQ(graph_page(4, left_out), 2u);
  EXPECT_EQ(graph_page(3, left_out), kNoPage);
}

TEST_F(CrawlGraph, OfACrawlThatHasJustBegunIsEmpty) {
  const auto crawl = store();
  const auto web = open_crawl_graph(folder_);
  ASSERT_TRUE(web.ok()) << web.error().text;
  EXPECT_EQ(web->graph->pages(), 0u);
}

}  // namespace
}  // namespace bowerbird
