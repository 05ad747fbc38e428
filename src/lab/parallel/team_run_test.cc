#include "lab/parallel/team_run.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/lab_testing.h"
#include "policy/registry.h"

namespace bowerbird {
namespace {

RunResult run(const Setting& setting, const TeamOptions& team, const std::string& policy = "bfs",
              const std::string& strategy = "all") {
  RunRequest request;
  request.policy = policy;
  request.strategy = strategy;
  request.team = team;
  return run_whole(setting, request);
}

TeamOptions team(unsigned procs, Mode mode = Mode::kExchange) {
  TeamOptions options;
  options.procs = procs;
  options.mode = mode;
  options.batch = 1;
  return options;
}

// [001] figure 2: S1 = {a,b,c,d,e} and S2 = {f,g,h,i}, one process each, seeds a and f.
Setting figure_2() {
  enum { a, b, c, d, e, f, g, h, i };
  Web web = web_of({{b, c, g}, {c}, {g}, {e}, {}, {g, i}, {h}, {d}, {}});
  auto names = std::make_unique<StoredNames>();
  for (int page = a; page <= i; ++page) names->add(page < f ? "http://s.one/" : "http://s.two/");
  web.hosts = std::make_unique<StoredHosts>(std::vector<HostId>{0, 0, 0, 0, 0, 1, 1, 1, 1},
                                            std::vector<std::string>{"s.one", "s.two"});
  web.names = std::move(names);
  return setting_of(std::move(web), "ids:0,5");
}

TeamOptions of_two(Mode mode) {
  TeamOptions options = team(2, mode);
  options.partitioning = Partitioning::kHierarchical;
  options.rules = "one=0;two=1";
  return options;
}

TEST(TeamRun, AFirewallLosesTwoOfTheNinePagesOfFigure2) {
  const RunResult result = run(figure_2(), of_two(Mode::kFirewall));
  EXPECT_EQ(result.crawled, 7u);
  EXPECT_EQ(result.team->downloads, 7u);
  EXPECT_EQ(result.team->overlap(), 0);
  EXPECT_EQ(result.team->exchanged, 0u);
  EXPECT_EQ(result.team->pages, (std::vector<std::uint64_t>{3, 4}));
}

TEST(TeamRun, AnExchangeFindsAllPagesOfFigure2Once) {
  const RunResult result = run(figure_2(), of_two(Mode::kExchange));
  EXPECT_EQ(result.crawled, 9u);
  EXPECT_EQ(result.team->overlap(), 0);
  EXPECT_EQ(result.team->exchanged, 3u);  // g from a, g from c, d from h
  EXPECT_GT(result.team->exchanged_bytes, 0u);
}

TEST(TeamRun, CrossingOverFindsAllPagesOfFigure2SomeOfThemTwice) {
  const RunResult result = run(figure_2(), of_two(Mode::kCrossOver));
  EXPECT_EQ(result.crawled, 9u);
  EXPECT_GT(result.team->overlap(), 0);
  EXPECT_EQ(result.team->exchanged, 0u);
}

TEST(TeamRun, ALargerBatchSendsAUrlOnce) {
  TeamOptions options = of_two(Mode::kExchange);
  options.batch = 100;
  const RunResult result = run(figure_2(), options);
  EXPECT_EQ(result.crawled, 9u);
  EXPECT_EQ(result.team->exchanged, 2u);  // g, linked from a and c, and d
}

TEST(TeamRun, ReplicatedUrlsAreNotSentAndStillCrawled) {
  TeamOptions options = of_two(Mode::kExchange);
  options.replicate = 1;  // g, to which three pages link
  const RunResult result = run(figure_2(), options);
  EXPECT_EQ(result.crawled, 9u);
  EXPECT_EQ(result.team->exchanged, 1u);
}

TEST(TeamRun, UrlsLearnedToBePopularAreSentOnce) {
  // Pages 0, 2, 4 ... belong to one process; each links to the next of them and to page 1, which belongs to
  // the other.
  std::vector<std::vector<PageId>> rows(41);
  std::vector<HostId> host(41, 0);
  for (PageId page = 0; page < 41; ++page) {
    host[page] = page == 1 ? 1 : 0;
    if (page == 1) continue;
    rows[page].push_back(1);
    if (page + 1 < 41) rows[page].push_back(page == 0 ? 2 : page + 1);
  }
  Web web = web_of(std::move(rows));
  web.hosts = std::make_unique<StoredHosts>(host, std::vector<std::string>{"s.one", "s.two"});
  const Setting setting = setting_of(std::move(web));
  TeamOptions options = of_two(Mode::kExchange);
  const RunResult plain = run(setting, options);
  EXPECT_EQ(plain.team->exchanged, 40u);
  options.replicate = 1;
  options.learn = true;
  const RunResult learned = run(setting, options);
  EXPECT_EQ(learned.crawled, 41u);
  EXPECT_EQ(learned.team->exchanged, 1u);
}

TEST(TeamRun, OneProcessIsAPlainCrawl) {
  const Setting setting = setting_of(random_web(400));
  for (const char* policy : {"bfs", "fpr@100", "opic", "ieca", "batch-pagerank"}) {
    const RunResult plain = run(setting, TeamOptions(), policy);
    const RunResult one = run(setting, team(1), policy);
    EXPECT_EQ(one.scores.measured[0].cumulative, plain.scores.measured[0].cumulative) << policy;
    EXPECT_EQ(one.known, plain.known);
  }
}

// Every ordering of the registry, in every mode: in exchange mode nothing is fetched twice, and everything is
// found.
TEST(TeamRun, EveryOrderingCrawlsEverythingOnceInAnExchange) {
  const Setting setting = setting_of(random_web(300), "ids:0,100,200");
  for (const PolicyInfo& info : all_policies()) {
    for (const std::string_view spec : info.in_all) {
      for (const unsigned procs : {2u, 7u}) {
        TeamOptions options = team(procs);
        options.batch = 10;
        const RunResult result = run(setting, options, std::string(spec));
        EXPECT_EQ(result.crawled, 300u) << spec;
        EXPECT_EQ(result.team->downloads, 300u) << spec;
        options.scores = false;
        EXPECT_EQ(run(setting, options, std::string(spec)).team->downloads, 300u) << spec;
      }
      const RunResult crossed = run(setting, team(3, Mode::kCrossOver), std::string(spec));
      EXPECT_EQ(crossed.crawled, 300u) << spec;
    }
  }
}

TEST(TeamRun, DynamicCoordinationCrawlsEverythingOnceAndBalances) {
  const Setting setting = setting_of(random_web(600), "ids:0,100,200");
  TeamOptions options = team(4);
  options.coordination = Coordination::kDynamic;
  for (const Partitioning partitioning : {Partitioning::kSiteHash, Partitioning::kUrlHash}) {
    options.partitioning = partitioning;
    const RunResult result = run(setting, options, "fpr");
    EXPECT_EQ(result.team->downloads, 600u);
    EXPECT_LT(result.team->balance(), 1.25);
  }
}

TEST(TeamRun, IndependentProcessesCrawlEverythingTheyFind) {
  const Setting setting = setting_of(web_of({{1}, {2}, {}, {2}}), "ids:0,3");
  TeamOptions options = team(2);
  options.coordination = Coordination::kIndependent;
  const RunResult result = run(setting, options);
  EXPECT_EQ(result.crawled, 4u);
  EXPECT_EQ(result.team->downloads, 5u);  // page 2 twice
  EXPECT_DOUBLE_EQ(result.team->overlap(), 0.25);
}

TEST(TeamRun, CashIsConservedOverTheTeam) {
  const Setting setting = setting_of(random_web(500), "ids:0,100,200", Importance::kPageRank, 250);
  for (const char* strategy : {"all", "sydney@2", "truncated@3"}) {
    TeamOptions options = team(5);
    options.batch = 1;
    const RunResult result = run(setting, options, "opic", strategy);
    const auto account = [&](const std::string& name) {
      for (const auto& [other, value] : result.accounts) {
        if (other == name) return value;
      }
      return std::nan("");
    };
    // With a batch of one page nothing is in transit when the crawl stops at the end of a tick.
    EXPECT_NEAR(account("sent"), account("received"), 1e-9) << strategy;
    EXPECT_GT(account("sent"), 0) << strategy;
  }
}

TEST(TeamRun, ScoresKeepTheQualityOfOneProcess) {
  const Setting setting = setting_of(random_web(2000), "ids:0");
  const double one = run(setting, team(1), "fpr").scores.measured[0].auc;
  const double sent = run(setting, team(8), "fpr").scores.measured[0].auc;
  TeamOptions without = team(8);
  without.scores = false;
  const double plain = run(setting, without, "fpr").scores.measured[0].auc;
  EXPECT_GT(sent, plain);
  EXPECT_NEAR(sent, one, 0.03);
}

TEST(TeamRun, ABudgetCountsDownloads) {
  const Setting setting = setting_of(random_web(500), "ids:0", Importance::kPageRank, 100);
  EXPECT_EQ(run(setting, team(3)).team->downloads, 100u);
}

TEST(TeamRun, PartitioningsThatAreImpossibleAreErrors) {
  const Setting setting = setting_of(web_of({{1}, {0}}));
  RunMonitor monitor;
  const std::atomic<bool> stop{false};
  RunRequest request;
  request.team = team(2);
  EXPECT_FALSE(run_crawl(setting, request, monitor, stop).ok());
  request.team.partitioning = Partitioning::kUrlHash;
  EXPECT_TRUE(run_crawl(setting, request, monitor, stop).ok());
}

TEST(Team, ConflictingOptionsAreErrors) {
  TeamOptions options = team(2);
  EXPECT_TRUE(check_team(options).ok());
  options.rules = "de=1";
  EXPECT_FALSE(check_team(options).ok());
  options.partitioning = Partitioning::kHierarchical;
  EXPECT_TRUE(check_team(options).ok());
  for (const char* bad : {"de", "de=2", "=1", "de=x"}) {
    options.rules = bad;
    EXPECT_FALSE(check_team(options).ok()) << bad;
  }
  options = team(2);
  options.coordination = Coordination::kDynamic;
  options.mode = Mode::kFirewall;
  EXPECT_FALSE(check_team(options).ok());
  EXPECT_FALSE(parse_mode("exchnge").ok());
}

}  // namespace
}  // namespace bowerbird
