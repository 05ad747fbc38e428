// Crawls whose scope changes between runs, and hosts that have reached their budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crawl/inspect/crawl_history.h"
#include "crawl_testing.h"
#include "lab/crawl_graph.h"

namespace bowerbird {
namespace {

TEST(CrawlScope, AWiderScopeAdmitsExcludedLinks) {
  for (const char* policy : {"bfs", "fpr@100", "lipr", "partial-pagerank:k=10"}) {
    SCOPED_TRACE(policy);
    CrawlBench bench(random_web(200, 20, 5));
    bench.options.order.policy = policy;
    bench.options.scope.mode = ScopeMode::kHost;
    bench.crawl();
    EXPECT_EQ(bench.last.counts.pages, 20u);
    bench.options.scope.mode = ScopeMode::kAny;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    EXPECT_EQ(bench.last.counts.pages, 200u);
    EXPECT_EQ(bench.stored().size(), 200u) << "each once";
  }
}

TEST(CrawlScope, RemovingAnExcludeAdmitsItsPages) {
  CrawlBench bench(random_web(200, 20, 5));
  bench.options.scope.exclude = {"host-[3-5]"};
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 140u);
  bench.options.scope.exclude.clear();
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 200u);
}

TEST(CrawlScope, AGreaterDepthContinuesWhereTheOldOneEnded) {
  CrawlBench bench(make_ring(100));
  bench.options.budget.depth = 0;
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 1u) << "the seeds alone";
  bench.options.budget.depth = 2;
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 7u);
  bench.options.budget.depth = kAnyDepth;
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 100u);
}

TEST(CrawlScope, ANewSeedAdmitsItsHost) {
  CrawlBench bench(random_web(200, 20, 5));
  bench.options.scope.mode = ScopeMode::kHost;
  bench.crawl();
  bench.options.start.seeds = {bench.page_url(199)};
  bench.crawl();
  CrawlBench at_once(random_web(200, 20, 5));
  at_once.options.scope.mode = ScopeMode::kHost;
  at_once.options.start.seeds = {at_once.page_url(0), at_once.page_url(199)};
  at_once.crawl();
  EXPECT_GT(at_once.last.counts.pages, 30u);
  EXPECT_EQ(bench.last.counts.pages, at_once.last.counts.pages);
}

TEST(CrawlScope, ANarrowerScopeExcludesQueuedPagesAndAWiderOneRestoresThem) {
  CrawlBench bench(random_web(200, 20, 5));
  bench.options.budget.pages = 30;
  bench.crawl();
  bench.options.budget.pages = 0;
  bench.options.scope.exclude = {"host-[1-9]"};
  bench.crawl();
  EXPECT_GT(bench.outcome(Outcome::kLeftOut), 0u);
  EXPECT_LT(bench.last.counts.pages, 60u);
  const std::uint64_t before = bench.last.counts.pages;
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, before) << "nothing has changed";
  bench.options.scope.exclude.clear();
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 200u);
  EXPECT_EQ(bench.stored().size(), 200u) << "each once";
  EXPECT_EQ(bench.outcome(Outcome::kLeftOut), 0u) << "all came back";
}

TEST(CrawlScope, LinksHeldBackByAStrategyAreNotExcluded) {
  for (const char* policy : {"bfs", "fpr@100"}) {
    SCOPED_TRACE(policy);
    CrawlBench bench(random_web(300, 20, 12));
    bench.options.order.policy = policy;
    bench.options.order.strategy = "sydney@2";
    bench.options.budget.pages = 40;
    bench.crawl();
    bench.options.budget.pages = 0;
    bench.options.scope.exclude = {"host-[1-9]"};
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    EXPECT_LT(bench.last.counts.pages, 100u);
    EXPECT_LT(bench.outcome(Outcome::kLeftOut), 300u) << "each page once";
    bench.options.scope.exclude.clear();
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    EXPECT_EQ(bench.last.counts.pages, 300u);
    EXPECT_EQ(bench.outcome(Outcome::kLeftOut), 0u) << "all came back";
    EXPECT_EQ(bench.stored().size(), 300u) << "each once";
  }
}

TEST(CrawlScope, AdmittedLinksSurviveAReplayOfTheWholeJournal) {
  CrawlBench bench(random_web(200, 20, 5));
  bench.options.scope.mode = ScopeMode::kHost;
  bench.crawl();
  bench.options.scope.mode = ScopeMode::kAny;
  bench.options.budget.pages = 50;
  bench.crawl();
  // Without its snapshots, a crawl only has its journal.
  for (const auto& entry : std::filesystem::directory_iterator(bench.options.out)) {
    if (entry.path().filename().string().find("snapshot") != std::string::npos)
      std::filesystem::remove(entry.path());
  }
  bench.options.budget.pages = 0;
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 200u);
  EXPECT_EQ(bench.stored().size(), 200u);
}

TEST(CrawlScope, TheLabFollowsAdmittedLinks) {
  CrawlBench bench(random_web(200, 20, 5));
  bench.options.scope.mode = ScopeMode::kHost;
  bench.crawl();
  const auto links = [&] {
    CrawlGraphOptions options;
    options.followed = std::move(read_crawl_entries(bench.options.out)).value().admitted;
    const Web web = std::move(open_crawl_graph(bench.options.out, options)).value();
    return std::pair(options.followed->size(), web.graph->links().value());
  };
  const auto [none, few] = links();
  EXPECT_EQ(none, 0u);
  bench.options.scope.mode = ScopeMode::kAny;
  bench.crawl();
  const auto [admitted, all] = links();
  EXPECT_GT(admitted, 0u);
  EXPECT_GT(all, few + admitted);
}

TEST(CrawlBound, DoesNotCountPagesThatFailed) {
  SiteOptions site;
  site.page_faults = {{Fault::kNotFound, 0.4, 0}};
  site.seed = 5;  // not the seed page
  CrawlBench bench(random_web(200, 20, 8), site);
  bench.options.budget.bound = true;
  bench.crawl();
  ASSERT_GT(bench.outcome(Outcome::kNotFound), 50u);
  EXPECT_GT(bench.last.guaranteed, 0.2);
  EXPECT_LT(bench.last.guaranteed, 0.75);
}

TEST(CrawlTraps, AreAbandonedEarly) {
  for (const char* trap : {"calendar", "deep", "facets", "session"}) {
    SCOPED_TRACE(trap);
    SiteOptions site;
    site.traps = std::move(parse_traps(std::string(trap) + "=100%")).value();
    CrawlBench bench(random_web(60, 20, 4), site);
    bench.options.selection.traps = true;
    bench.options.budget.pages = 5000;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    EXPECT_LT(bench.last.counts.pages, 1500u) << "of 3 hosts";
    std::size_t real = 0;
    for (const AccessEntry& entry : bench.log()) real += entry.page != kNoPage ? 1 : 0;
    EXPECT_GE(real, 50u) << "most of the pages outside are there";
  }
}

}  // namespace
}  // namespace bowerbird
