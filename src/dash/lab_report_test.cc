#include "dash/lab_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dash/lab_figures.h"
#include "dash/lab_series.h"
#include "dash/style.h"
#include "lab/json.h"
#include "lab/lab_testing.h"

namespace bowerbird {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using Json = nlohmann::json;

const ReportOrigin kOrigin = {"bowerbird lab test", "1.2.3", "2026-01-31T12:00:00Z"};

LabReport report_of(const std::vector<std::string>& policies,
                    const std::vector<std::string>& strategies = {"all"}, unsigned repeat = 1,
                    PageId pages = 200) {
  const Setting setting = setting_of(random_web(pages));
  PlanOptions options;
  options.policies = policies;
  options.strategies = strategies;
  options.repeat = repeat;
  ExperimentOptions one_thread;
  one_thread.threads = 1;
  return run_experiment(setting, make_plan(options, setting).value(), one_thread).value();
}

const Json& run_called(const Json& data, const std::string& label) {
  for (const Json& run : data.at("graphs").at(0).at("runs")) {
    if (data.at("series").at(run.at("series").get<std::size_t>()).at("label") == label) return run;
  }
  ADD_FAILURE() << label;
  static const Json none;
  return none;
}

std::vector<std::string> names(const std::vector<PlotFigure>& figures) {
  std::vector<std::string> list;
  for (const PlotFigure& figure : figures) list.push_back(figure.name);
  return list;
}

TEST(LabData, SaysWhatTheJsonSays) {
  const LabReport report = report_of({"bfs", "opic"}, {"all", "sydney@2"}, 3);
  const Json data = Json::parse(lab_data({&report, 1}, kOrigin));
  const Json results = Json::parse(report_json({&report, 1}, kOrigin));
  const Json& graph = data.at("graphs").at(0);
  for (const Json& run : results.at("runs")) {
    const std::string strategy = run.at("strategy");
    const Json& shown =
        run_called(data, run.at("policy").get<std::string>() + (strategy == "all" ? "" : " " + strategy));
    for (const char* name : {"auc", "seconds", "peak_queue", "coverage", "crawled"}) {
      EXPECT_EQ(shown.at("figures").at(name).at("mean"), run.at(name)) << name;
    }
    EXPECT_EQ(shown.at("found"), run.at("found"));
    for (const Json& checkpoint : graph.at("checkpoints")) {
      const std::size_t point = checkpoint.at("point");
      EXPECT_NEAR(shown.at("curves").at("cumulative").at("mean").at(point).get<double>(),
                  run.at("cumulative").at(checkpoint.at("key").get<std::string>()).get<double>(), 1e-9);
    }
    if (run.at("repeats") == 3) {
      EXPECT_NEAR(shown.at("figures").at("auc").at("mean").get<double>() +
                      shown.at("figures").at("auc").at("margin").get<double>(),
                  run.at("spread").at("auc").at("ci95").at(1).get<double>(), 2e-6);
    }
  }
  EXPECT_EQ(graph.at("best"), results.at("best_pages"));
}

TEST(LabData, FollowsTheBestPagesExceptSeeds) {
  const LabReport report = report_of({"bfs"});
  ASSERT_EQ(report.best.size(), kFollowedPages);
  for (const BestPage& best : report.best) EXPECT_NE(best.page, 0u);
  const RunGroup& ideal = report.groups.back();
  ASSERT_EQ(ideal.policy, "ideal");
  EXPECT_TRUE(std::is_sorted(ideal.repeats[0].scores.found.begin(), ideal.repeats[0].scores.found.end()));
  for (const std::uint64_t when : report.groups[0].repeats[0].scores.found) {
    EXPECT_GT(when, 1u);  // the seed is first
    EXPECT_LE(when, 200u);
  }
}

TEST(LabSeries, TheBestIsDrawnFirstAndBaselinesAreGrey) {
  const LabReport report = report_of({"dfs", "bfs", "ieca"});
  const auto series = lab_series({&report, 1});
  double last = 2;
  for (const LabSeries& one : series) {
    if (one.baseline) {
      EXPECT_LT(one.style, 0) << one.label;
      continue;
    }
    for (const RunGroup& group : report.groups) {
      if (group.policy != one.policy) continue;
      EXPECT_LE(group.repeats[0].scores.measured[0].auc, last);
      last = group.repeats[0].scores.measured[0].auc;
    }
  }
  EXPECT_EQ(series.front().style, 0);
  EXPECT_EQ(series.back().policy, "random");
}

TEST(LabFigures, ArePlainOnesAndThoseOfThePapersThatWereRun) {
  const LabReport few = report_of({"bfs"});
  EXPECT_THAT(
      names(lab_figures(few, {&few, 1})),
      ElementsAre("importance", "hot-pages", "queue", "scheduling-time", "002-figure-4", "002-figure-5"));
  const LabReport all = report_of({"all"},
                                  {"all", "sydney@8", "sydney@16", "truncated@8", "truncated@16",
                                   "sydney@8:budget=3%", "sydney@8:budget=5%", "sydney@8:budget=7%",
                                   "sydney@16:budget=3%", "sydney@16:budget=5%", "sydney@16:budget=7%"},
                                  1, 60);
  EXPECT_THAT(names(paper_figures(all)),
              IsSupersetOf({"000-figure-3", "000-figure-4", "002-figure-1", "002-figure-3", "002-figure-4",
                            "002-figure-5", "002-figure-6", "002-figure-7", "002-figure-8", "002-figure-9",
                            "003-figures-4-6", "003-figure-8", "004-pst", "004-pcs"}));
}

TEST(LabFigures, ACurveThatWasCutShortEndsThere) {
  const LabReport report = report_of({"bfs"}, {"all", "truncated@1"});
  for (const PlotFigure& figure : lab_figures(report, {&report, 1})) {
    if (figure.name != "queue") continue;
    for (const PlotSeries& series : figure.panels[0].series) {
      if (series.label == "bfs truncated@1") {
        EXPECT_LT(series.x.back(), 1);
      }
      if (series.label == "bfs") {
        EXPECT_EQ(series.x.back(), 1);
      }
    }
  }
}

TEST(LabPage, HostileNamesStayNames) {
  LabReport report = report_of({"bfs"});
  report.name = "</script><script>alert(1)</script>";
  report.best[0].name = "http://h/<img src=x onerror=alert(2)>\xff";
  report.notes.push_back("<!-- <script>");
  const std::string page = lab_page({&report, 1}, kOrigin);
  for (const char* bad : {"<script>alert", "<img src=x", "<!-- <script"})
    EXPECT_THAT(page, Not(HasSubstr(bad)));
}

TEST(LabPage, OfAnEmptyGraphCanBeMade) {
  SettingOptions options;
  options.name = "empty";
  const Setting setting = prepare_setting(web_of({}), options).value();
  const LabReport report = run_experiment(setting, make_plan({}, setting).value(), {}).value();
  const Json data = Json::parse(lab_data({&report, 1}, kOrigin));
  EXPECT_EQ(data.at("graphs").at(0).at("pages"), 0);
  EXPECT_THAT(lab_page({&report, 1}, kOrigin), HasSubstr("<html"));
}

TEST(FolderName, IsASafeNameForAnyGraph) {
  EXPECT_EQ(folder_name("cnr-2000"), "cnr-2000");
  EXPECT_EQ(folder_name("synthetic:pages=1M,seed=7"), "synthetic-pages-1m-seed-7");
  EXPECT_EQ(folder_name("../../etc/passwd"), "etc-passwd");
  EXPECT_EQ(folder_name("\xff<>"), "");
}

}  // namespace
}  // namespace bowerbird
