// `lipr` compared with the figures of its first, independent implementation on real graphs, if available. Its
// training samples of uncrawled pages are random, and small changes of order change auc by about .005 (.015
// on the smallest graph), so the mean of several draws must agree within that.
#include <gtest/gtest.h>

#include "graph/io/io_test_data.h"
#include "graph/io/open.h"
#include "lab/experiment.h"
#include "lab/figures.h"

namespace bowerbird {
namespace {

struct Figures {
  double auc;
  std::vector<double> hot;  // at 5, 10, 20, 30, 45 %
};
constexpr std::size_t kCompared[] = {2, 3, 5, 6, 7};

// As it was first defined, before the additions in docs/lipr.md.
constexpr const char* kAsDefined = "lipr:first=64,without=directories+taken+reveals";

struct Tolerance {
  double auc, hot;
};

void expect_figures(const std::string& graph, const std::string& hosts, const std::string& seeds,
                    const Figures& expected, const Tolerance& tolerance, unsigned repeat) {
  const std::string path = real_data(graph);
  if (path.empty()) GTEST_SKIP() << graph << " is not at hand";
  OpenOptions open;
  if (!hosts.empty()) open.hosts_file = real_data(hosts);
  auto web = open_web(path, open);
  ASSERT_TRUE(web.ok()) << web.error().text;
  SettingOptions options;
  options.seeds = SeedSpec::parse(seeds).value();
  options.buffers.clear();
  auto setting = prepare_setting(std::move(web).value(), options);
  ASSERT_TRUE(setting.ok()) << setting.error().text;
  Plan plan;
  plan.repeat = repeat;
  plan.groups.push_back({kAsDefined, "all", false});
  const auto report = run_experiment(*setting, plan, {});
  ASSERT_TRUE(report.ok()) << report.error().text;
  const RunGroup& group = report->groups.front();
  const auto mean = [&](auto&& figure) {
    return spread_of(group, [&](const RunResult& run) { return figure(run.scores.measured.front()); }).mean;
  };
  EXPECT_NEAR(mean([](const Measured& measured) { return measured.auc; }), expected.auc, tolerance.auc);
  for (std::size_t i = 0; i < std::size(kCompared); ++i) {
    const std::size_t point = report->points.of(kCompared[i]);
    EXPECT_NEAR(mean([&](const Measured& measured) { return measured.hot[point]; }), expected.hot[i],
                tolerance.hot)
        << "checkpoint " << kCompared[i];
  }
}

TEST(LiprFigures, Hollins) {
  expect_figures("hollins/hollins.graph-txt.gz", "", "ids:1", {0.6538, {.336, .362, .384, .436, .672}},
                 {0.015, 0.06}, 9);
}

TEST(LiprFigures, UciIcs) {
  expect_figures("uci-ics-2019/uci-ics-2019.graph-txt.gz", "", "top:20",
                 {0.7431, {.411, .410, .590, .732, .808}}, {0.006, 0.03}, 2);
}

TEST(LiprFigures, CnrFull) {
  expect_figures("cnr-2000-nat/cnr-2000-nat.graph", "cnr-2000-nat/cnr-2000-nat.blocks.gz", "top:160",
                 {0.7605, {.279, .333, .478, .607, .763}}, {0.006, 0.03}, 1);
}

}  // namespace
}  // namespace bowerbird
