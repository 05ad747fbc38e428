#include "lab/run.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/lab_testing.h"

namespace bowerbird {
namespace {

RunResult run(const Setting& setting, const std::string& policy, const std::string& strategy = "all",
              bool stopped = false) {
  RunMonitor monitor;
  const std::atomic<bool> stop{stopped};
  RunRequest request;
  request.policy = policy;
  request.strategy = strategy;
  auto result = run_crawl(setting, request, monitor, stop);
  EXPECT_TRUE(result.ok()) << result.error().text;
  EXPECT_EQ(monitor.pages.load(), result->crawled);
  return std::move(result).value();
}

TEST(Run, CrawlsEveryReachablePageOnce) {
  const Setting setting = setting_of(random_web(500));
  const RunResult result = run(setting, "bfs");
  EXPECT_EQ(result.crawled, 500u);
  EXPECT_EQ(result.known, 500u);
  EXPECT_EQ(result.links, setting.facts.links);
  EXPECT_DOUBLE_EQ(static_cast<double>(result.other_host) / static_cast<double>(result.links),
                   setting.facts.interhost.value());
  EXPECT_FALSE(result.stopped);
  for (const Measured& measured : result.scores.measured) {
    EXPECT_NEAR(measured.cumulative.back(), 1, 1e-12) << measured.yardstick;
    EXPECT_EQ(measured.cumulative.size(), setting.points.size());
  }
  EXPECT_EQ(result.scores.measured.front().hot.back(), 1);
  EXPECT_EQ(result.scores.threshold.back(), 1);
  EXPECT_EQ(result.scores.buffer.back(), 1);
}

TEST(Run, BoundsTheImportanceOfCrawledPages) {
  const Setting setting = setting_of(random_web(500));
  const RunResult result = run(setting, "fpr");
  const std::vector<double>& guaranteed = result.scores.guaranteed;
  ASSERT_EQ(guaranteed.size(), setting.points.size());
  EXPECT_EQ(guaranteed.front(), 0);
  EXPECT_TRUE(std::is_sorted(guaranteed.begin(), guaranteed.end()));
  EXPECT_GT(guaranteed.back(), 0.99);
  EXPECT_LE(guaranteed.back(), 1);
  EXPECT_TRUE(run(setting_of(random_web(500), "ids:0", Importance::kNone), "fpr").scores.guaranteed.empty());
}

// Page 0 shows 1, 2, 3; page 3 shows 4: after K pages the queue holds 3, 2, 1, 1, 0.
TEST(Run, TheQueueIsSampledAtThePoints) {
  const RunResult result = run(setting_of(web_of({{1, 2, 3}, {}, {}, {4}, {}})), "bfs");
  std::vector<std::uint64_t> queue;
  for (const FrontierSample& sample : result.frontier) queue.push_back(sample.primary);
  EXPECT_EQ(queue, (std::vector<std::uint64_t>{1, 3, 2, 1, 1, 0}));
  EXPECT_EQ(result.peak_queue, 3u);
  EXPECT_GT(result.peak_bytes, 0u);
}

// Pages 1, 2, 3 are worth 3, 2 and 1 links, page 0 none: bfs has 0, 3, 5 and 6 of 6.
TEST(Run, WorkedExampleByBacklinks) {
  const Setting setting = setting_of(web_of({{1, 2, 3}, {2}, {1}, {1}}), "ids:0", Importance::kBacklink);
  const RunResult result = run(setting, "bfs");
  const Measured& measured = result.scores.measured.front();
  const std::vector<double> expected = {0, 0, 3.0 / 6, 5.0 / 6, 1};
  ASSERT_EQ(measured.cumulative.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(measured.cumulative[i], expected[i]);
  EXPECT_DOUBLE_EQ(measured.auc, (0 + 3 + 5 + 6) / 6.0 / 4);
  EXPECT_EQ(measured.hot, (std::vector<double>{0, 0, .5, 2.0 / 3, 1}));
}

TEST(Run, ABudgetEndsTheCrawlAndTheCurvesStayFlat) {
  const Setting setting = setting_of(random_web(500), "ids:0", Importance::kPageRank, 100);
  const RunResult result = run(setting, "bfs");
  EXPECT_EQ(result.crawled, 100u);
  EXPECT_FALSE(result.stopped);
  const auto& curve = result.scores.measured.front().cumulative;
  EXPECT_EQ(curve.back(), curve[setting.points.first_at_least(100)]);
  const Scores ideal = ideal_scores(setting);
  EXPECT_LT(ideal.measured.front().cumulative.back(), 1);
  EXPECT_GE(ideal.measured.front().cumulative.back(), curve.back());
}

TEST(Run, NoOrderIsBetterThanIdeal) {
  const Setting setting = setting_of(random_web(500));
  const Scores ideal = ideal_scores(setting);
  const Scores scores = run(setting, "backlink").scores;
  for (std::size_t y = 0; y < scores.measured.size(); ++y) {
    EXPECT_GE(ideal.measured[y].auc, scores.measured[y].auc);
    for (std::size_t i = 0; i < setting.points.size(); ++i) {
      EXPECT_GE(ideal.measured[y].cumulative[i] + 1e-12, scores.measured[y].cumulative[i]);
    }
  }
  EXPECT_TRUE(std::all_of(ideal.buffer.begin(), ideal.buffer.end(), [](double y) { return y == 1; }));
}

TEST(Run, AStopIsMarkedAndWhatWasNotReachedHasNoValue) {
  const Setting setting = setting_of(random_web(5000));
  const RunResult result = run(setting, "bfs", "all", true);
  EXPECT_TRUE(result.stopped);
  EXPECT_GT(result.crawled, 0u);
  EXPECT_LT(result.crawled, 5000u);
  const Measured& measured = result.scores.measured.front();
  EXPECT_TRUE(std::isnan(measured.auc));
  EXPECT_TRUE(std::isnan(measured.cumulative.back()));
  EXPECT_FALSE(std::isnan(measured.cumulative[1]));
  EXPECT_TRUE(std::isnan(result.scores.buffer.front()));
}

TEST(Run, WithoutImportanceOnlyTheCrawlIsReported) {
  const RunResult result = run(setting_of(random_web(500), "ids:0", Importance::kNone), "fpr@100");
  EXPECT_EQ(result.crawled, 500u);
  EXPECT_TRUE(result.scores.measured.empty());
  EXPECT_TRUE(result.scores.threshold.empty());
  EXPECT_TRUE(result.scores.buffer.empty());
  EXPECT_GE(result.frontier.size(), 200u);
  EXPECT_GT(result.seconds, 0);
  EXPECT_LE(result.seconds, result.wall_seconds);
}

TEST(Run, StrategiesRevisitAndStillCoverAll) {
  const RunResult result = run(setting_of(random_web(500)), "bfs", "sydney@1");
  EXPECT_EQ(result.crawled, 500u);
  EXPECT_GT(result.revisits, 0u);
}

TEST(Run, TheSameSeedGivesTheSameScores) {
  const Setting setting = setting_of(random_web(500));
  EXPECT_EQ(run(setting, "random").scores.measured.front().cumulative,
            run(setting, "random").scores.measured.front().cumulative);
}

TEST(Run, BadSpecsAreErrors) {
  const Setting setting = setting_of(random_web(50));
  RunMonitor monitor;
  const std::atomic<bool> stop{false};
  EXPECT_FALSE(run_crawl(setting, {"nonsense", "all", 1, 1}, monitor, stop).ok());
  EXPECT_FALSE(run_crawl(setting, {"bfs", "nonsense", 1, 1}, monitor, stop).ok());
}

}  // namespace
}  // namespace bowerbird
