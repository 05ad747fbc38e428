// Crawls with a topic, end to end on loopback: what they find first, how they resume, and how the lab reads
// them.
#include <gtest/gtest.h>

#include "crawl_testing.h"
#include "lab/crawl_graph.h"
#include "lab/importance.h"
#include "lab/run.h"
#include "lab/setting.h"

namespace bowerbird {
namespace {

// On the test Web one host in sixteen is about gardens.
constexpr char kTopic[] = "garden soil compost seed bulb hedge lawn rose";
constexpr PageId kTopicPages = 1200, kPerHost = 15;

// Hosts whose pages link to each other, and now and then elsewhere; all are reachable from page 0.
Web local_web() {
  Rng rng(7);
  std::vector<std::set<PageId>> links(kTopicPages);
  std::vector<HostId> hosts(kTopicPages);
  for (PageId page = 0; page < kTopicPages; ++page) {
    const PageId home = page / kPerHost * kPerHost;
    const auto of_host = [&](PageId below) { return home + static_cast<PageId>(rng.below(below)); };
    hosts[page] = page / kPerHost;
    if (page > home) {
      links[of_host(page - home)].insert(page);
    } else if (page > 0) {
      for (int i = 0; i < 4; ++i) links[rng.below(page)].insert(page);
    }
    for (int i = 0; i < 2; ++i) links[page].insert(of_host(kPerHost));
    if (rng.below(4) == 0) links[page].insert(static_cast<PageId>(rng.below(kTopicPages)));
  }
  std::vector<std::vector<PageId>> rows;
  for (const auto& row : links) rows.emplace_back(row.begin(), row.end());
  return make_web(std::move(rows), hosts);
}

class TopicBench : public CrawlBench {
 public:
  explicit TopicBench(const std::string& policy) : CrawlBench(local_web()) {
    options.order.policy = policy;
    options.order.topic = kTopic;
    options.politeness.connections = 1;
    options.politeness.connections_per_host = 1;
  }
  std::vector<std::string> order() const {
    std::vector<std::string> urls;
    const auto reader = std::move(CrawlReader::open(options.out)).value();
    std::vector<PageId> pages;
    EXPECT_TRUE(reader
                    ->for_each_links([&](const PageLinks& row) -> Status {
                      pages.push_back(row.page);
                      return {};
                    })
                    .ok());
    for (const PageId page : pages) urls.push_back(std::move(reader->url(page)).value());
    return urls;
  }
};

std::uint64_t found_early(const std::string& policy) {
  TopicBench bench(policy);
  bench.options.budget.pages = kTopicPages / 5;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
  return bench.last.counts.on_topic;
}

TEST(TopicCrawl, FindsPagesAboutItsTopicBeforeOthers) {
  const std::uint64_t blind = found_early("bfs");
  const std::uint64_t basic = found_early("similar:variant=basic");
  const std::uint64_t modified = found_early("similar");
  EXPECT_GT(blind, 0u);
  EXPECT_GT(basic, 3 * blind / 2) << blind;
  EXPECT_GT(modified, 3 * blind / 2) << blind;
}

TEST(TopicCrawl, ContinuesAfterAKillAsIfThereHadBeenNone) {
  TopicBench undisturbed("similar:by=backlink");
  undisturbed.options.order.topic_at = 0.1;
  undisturbed.options.budget.pages = 300;
  undisturbed.crawl();
  EXPECT_GT(undisturbed.last.counts.on_topic, 0u);

  TopicBench bench("similar:by=backlink");
  bench.options.order.topic_at = 0.1;
  bench.options.storage.commit = Seconds(0.001);
  for (const std::uint64_t pages : {40, 90, 150}) {
    bench.options.budget.pages = pages;
    // Like a crash: not closed
    auto crawler = std::move(Crawler::open(bench.options)).value();
    EXPECT_TRUE(crawler->run().ok());
  }
  bench.options.budget.pages = 300;
  bench.crawl();
  EXPECT_EQ(bench.last.counts.on_topic, undisturbed.last.counts.on_topic);
  EXPECT_EQ(bench.order(), undisturbed.order());
}

// The lab uses the same words of the crawl as the crawl itself.
TEST(TopicCrawl, TheLabFindsThemFirstToo) {
  TopicBench bench("bfs");
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  const auto open = [&](const std::string& topic) {
    return open_crawl_graph(bench.options.out, {.want_names = true, .topic = topic});
  };
  const auto auc_of = [&](Importance importance, const std::string& policy) {
    SettingOptions options;
    options.seeds = SeedSpec::parse("ids:0").value();
    options.importance = importance;
    const Setting setting = std::move(prepare_setting(std::move(open(kTopic)).value(), options)).value();
    if (importance == Importance::kOnTopic) {
      EXPECT_EQ(setting.threshold, 1);
      EXPECT_EQ(std::count(setting.web.topic->on_topic.begin(), setting.web.topic->on_topic.end(), true),
                static_cast<std::ptrdiff_t>(bench.last.counts.on_topic));
    }
    RunMonitor monitor;
    const auto result = run_crawl(setting, {.policy = policy}, monitor, std::atomic<bool>(false));
    EXPECT_TRUE(result.ok()) << result.error().text;
    return result->scores.measured.front().auc;
  };
  for (const Importance importance : {Importance::kOnTopic, Importance::kSimilarity, Importance::kCombined}) {
    const double bfs = auc_of(importance, "bfs");
    EXPECT_GT(auc_of(importance, "similar"), bfs + 0.05) << name_of(importance);
    EXPECT_GT(auc_of(importance, "similar:variant=basic"), bfs + 0.05) << name_of(importance);
    EXPECT_GT(auc_of(importance, "combined:similar=1,backlink=0.5"), bfs + 0.05) << name_of(importance);
  }
  EXPECT_FALSE(open(" ").ok());
}

TEST(TopicCrawl, WithoutTopicOrTermsNoWordsAreKept) {
  CrawlBench bench(random_web(40, 10, 3));
  bench.crawl();
  const auto opened = open_crawl_graph(bench.options.out, {.want_names = true, .topic = "garden"});
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().text.find("--terms"), std::string::npos) << opened.error().text;

  CrawlBench keeping(random_web(40, 10, 3));
  keeping.options.storage.terms = true;
  keeping.crawl();
  EXPECT_TRUE(open_crawl_graph(keeping.options.out, {.want_names = true, .topic = "garden"}).ok());
}

}  // namespace
}  // namespace bowerbird
