#include "lab/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "lab/csv.h"
#include "lab/figures.h"
#include "lab/json.h"
#include "lab/lab_testing.h"
#include "lab/table.h"

namespace bowerbird {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

const ReportOrigin kOrigin = {"bowerbird lab test", "1.2.3", "2026-01-31T12:00:00Z"};

Plan plan_of(const Setting& setting, std::vector<std::string> policies,
             std::vector<std::string> strategies = {"all"}, unsigned repeat = 1) {
  PlanOptions options;
  options.policies = std::move(policies);
  options.strategies = std::move(strategies);
  options.repeat = repeat;
  auto plan = make_plan(options, setting);
  EXPECT_TRUE(plan.ok()) << plan.error().text;
  return std::move(plan).value();
}

LabReport report_of(const Setting& setting, const Plan& plan, unsigned threads = 2) {
  ExperimentOptions options;
  options.threads = threads;
  return run_experiment(setting, plan, options).value();
}

std::vector<std::string> names(const Plan& plan) {
  std::vector<std::string> all;
  for (const PlannedGroup& group : plan.groups) all.push_back(group.policy + " " + group.strategy);
  return all;
}

TEST(Plan, CrossesOrderingsWithStrategiesAndAddsTheBaselines) {
  const Plan plan = plan_of(setting_of(random_web(50)), {"bfs", "fpr@100"}, {"all", "sydney@2"});
  EXPECT_THAT(names(plan), testing::ElementsAre("bfs all", "fpr@100 all", "bfs sydney@2", "fpr@100 sydney@2",
                                                "random all", "omniscient all"));
  EXPECT_TRUE(plan.ideal);
  EXPECT_FALSE(plan.groups.front().baseline);
  EXPECT_TRUE(plan.groups.back().baseline);
}

TEST(Plan, AllSkipsOrderingsThatTheGraphDoesNotSupportAndReportsThem) {
  const Plan plan = plan_of(setting_of(web_of({{1}, {0}})), {"all"});
  EXPECT_THAT(names(plan), Contains("fpr all"));
  EXPECT_THAT(names(plan), Not(Contains("fpr@100 all")));
  EXPECT_THAT(plan.notes, Contains(HasSubstr("fpr@100 is omitted: hosts are not known")));
  EXPECT_THAT(names(plan_of(setting_of(random_web(50)), {"all"})), Contains("fpr@100 all"));
}

TEST(Plan, AnOrderingNamedTwiceRunsOnce) {
  const Plan plan = plan_of(setting_of(random_web(50)), {"all", "bfs", "random"});
  const auto all = names(plan);
  EXPECT_EQ(std::count(all.begin(), all.end(), "bfs all"), 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), "random all"), 1);
}

TEST(Plan, WithoutImportanceThereAreNoBaselines) {
  const Plan plan = plan_of(setting_of(random_web(50), "ids:0", Importance::kNone), {"bfs"});
  EXPECT_THAT(names(plan), testing::ElementsAre("bfs all"));
  EXPECT_FALSE(plan.ideal);
}

TEST(Plan, AllComplaintsComeAtOnce) {
  PlanOptions options;
  options.policies = {"bsf", "fpr@100", "fpr@x"};
  options.strategies = {"sidney@8", "shallow@8"};
  const auto plan = make_plan(options, setting_of(web_of({{1}, {0}})));
  ASSERT_FALSE(plan.ok());
  for (const char* part :
       {"'bsf'", "fpr@100 cannot run on test", "fpr@x", "sidney", "shallow@8 needs the depth"}) {
    EXPECT_THAT(plan.error().text, HasSubstr(part));
  }
  EXPECT_THAT(check_specs(options).error().text, Not(HasSubstr("fpr@100")));
}

TEST(Experiment, ResultsDoNotDependOnTheNumberOfThreads) {
  const Setting setting = setting_of(random_web(300));
  const Plan plan = plan_of(setting, {"all"}, {"all", "sydney@2"}, 2);
  const LabReport one = report_of(setting, plan, 1);
  const LabReport two = report_of(setting, plan, 4);
  ASSERT_EQ(one.groups.size(), two.groups.size());
  for (std::size_t g = 0; g < one.groups.size(); ++g) {
    ASSERT_EQ(one.groups[g].repeats.size(), two.groups[g].repeats.size());
    for (std::size_t r = 0; r < one.groups[g].repeats.size(); ++r) {
      EXPECT_EQ(one.groups[g].repeats[r].scores.measured.front().cumulative,
                two.groups[g].repeats[r].scores.measured.front().cumulative)
          << one.groups[g].policy;
    }
  }
}

double auc(const RunResult& run) {
  return run.scores.measured.front().auc;
}

TEST(Experiment, RepeatsHaveTheirOwnSeedsAndASpread) {
  const Setting setting = setting_of(random_web(300));
  const LabReport report = report_of(setting, plan_of(setting, {"random", "bfs"}, {"all"}, 3));
  ASSERT_EQ(report.groups[0].repeats.size(), 3u);
  const Spread random = spread_of(report.groups[0], auc);
  EXPECT_LT(random.min, random.max);
  EXPECT_GT(random.deviation, 0);
  EXPECT_GT(random.mean, random.min);
  const Spread bfs = spread_of(report.groups[1], auc);
  EXPECT_EQ(bfs.min, bfs.max);
  EXPECT_NEAR(bfs.deviation, 0, 1e-12);
}

// On a web whose pages do not all reach each other, so that other seeds reach other pages.
Setting drawn_setting(SettingOptions& options, std::uint64_t random_seed) {
  std::vector<std::vector<PageId>> rows(400);
  for (PageId page = 0; page < 400; ++page) {
    if (page % 40 != 39) rows[page] = {page + 1, page * 7 % 40 + page / 40 * 40};
  }
  options.name = "test";
  options.seeds = SeedSpec::parse("random:5").value();
  options.random_seed = random_seed;
  return prepare_setting(web_of(std::move(rows)), options).value();
}

TEST(Experiment, EveryRepeatDrawsItsOwnRandomSeedPages) {
  SettingOptions options;
  Setting setting = drawn_setting(options, 1);
  const Plan plan = plan_of(setting, {"bfs", "opic"}, {"all"}, 3);
  const LabReport report = run_repeats(std::move(setting), options, plan, {}).value();
  EXPECT_TRUE(report.redrawn);
  EXPECT_EQ(report.finished, report.planned);
  ASSERT_EQ(report.groups.front().repeats.size(), 3u);
  ASSERT_EQ(report.groups.back().policy, "ideal");
  ASSERT_EQ(report.groups.back().repeats.size(), 3u);
  std::set<std::uint64_t> reachable;
  for (unsigned repeat = 0; repeat < 3; ++repeat) {
    Plan once = plan;
    once.repeat = 1;
    once.random_seed = 1 + repeat;
    const LabReport alone = report_of(drawn_setting(options, 1 + repeat), once);
    for (std::size_t group = 0; group < alone.groups.size(); ++group) {
      const RunResult& expected = alone.groups[group].repeats.front();
      const RunResult& run = report.groups[group].repeats[repeat];
      EXPECT_EQ(auc(run), auc(expected));
      EXPECT_EQ(run.reachable, expected.reachable);
      EXPECT_EQ(run.scores.threshold, expected.scores.threshold);
      EXPECT_EQ(run.scores.found, expected.scores.found);
    }
    reachable.insert(alone.facts.reachable.value());
  }
  EXPECT_GT(reachable.size(), 1u);
  EXPECT_THAT(report_table(report), HasSubstr("5 seeds (random:5), redrawn for each of 3 repeats; "));
  // Curves of crawls with different numbers of pages are compared at the same shares.
  const CurveFigure cumulative = curve_figures(report).front();
  for (const RunResult& run : report.groups.front().repeats) {
    EXPECT_NEAR(cumulative.at(run, report.points.size() - 1), 1, 1e-9);
  }
}

TEST(Experiment, SeedsThatAreNotDrawnStayTheSame) {
  SettingOptions options;
  options.seeds = SeedSpec::parse("ids:0").value();
  Setting setting = prepare_setting(random_web(300), options).value();
  const Plan plan = plan_of(setting, {"bfs"}, {"all"}, 2);
  const LabReport report = run_repeats(std::move(setting), options, plan, {}).value();
  EXPECT_FALSE(report.redrawn);
  EXPECT_EQ(auc(report.groups.front().repeats[0]), auc(report.groups.front().repeats[1]));
}

TEST(Experiment, DifferencesArePairedBySeed) {
  const auto group = [](const std::vector<std::pair<std::uint64_t, double>>& runs) {
    RunGroup made;
    for (const auto& [seed, seconds] : runs) {
      made.repeats.emplace_back().random_seed = seed;
      made.repeats.back().seconds = seconds;
    }
    return made;
  };
  // The second repeat of one was stopped and the third of the other.
  const Spread difference =
      paired_difference(group({{1, 10}, {3, 30}, {4, 40}}), group({{1, 9}, {2, 20}, {4, 37}}),
                        [](const RunResult& run) { return run.seconds; });
  EXPECT_DOUBLE_EQ(difference.mean, 2);
  EXPECT_DOUBLE_EQ(difference.min, 1);
  EXPECT_DOUBLE_EQ(difference.max, 3);
}

TEST(Experiment, AStopKeepsFinishedRuns) {
  const Setting setting = setting_of(random_web(2000));
  const Plan plan = plan_of(setting, {"bfs"}, {"all"}, 10'000);
  unsigned ticks = 0;
  const Progress stop([&](std::string_view what, std::uint64_t done, std::uint64_t total) {
    EXPECT_THAT(std::string(what), HasSubstr("crawling"));
    EXPECT_LE(done, total);
    return ++ticks < 2;
  });
  const LabReport report = run_experiment(setting, plan, {}, stop).value();
  EXPECT_FALSE(report.complete());
  EXPECT_GT(report.finished, 0u);
  EXPECT_LT(report.finished, report.planned);
  ASSERT_FALSE(report.groups.empty());
  EXPECT_FALSE(report.groups.front().repeats.front().stopped);
  EXPECT_THAT(report_table(report), HasSubstr("Stopped: "));
  EXPECT_FALSE(Json::parse(report_json({&report, 1}, kOrigin))["complete"].get<bool>());
}

TEST(Experiment, WithoutImportanceTheRunsCount) {
  const Setting setting = setting_of(random_web(300), "ids:0", Importance::kNone);
  const LabReport report = report_of(setting, plan_of(setting, {"bfs"}));
  EXPECT_EQ(report.facts.reachable, 300u);
  EXPECT_TRUE(report.reachable_by_run);
  EXPECT_GT(report.facts.interhost.value(), 0);
  const Json json = Json::parse(report_json({&report, 1}, kOrigin));
  EXPECT_TRUE(json["runs"][0]["cumulative"].empty());
  EXPECT_TRUE(json["runs"][0]["auc"].is_null());
  EXPECT_EQ(json["runs"][0]["coverage"], 1);
}

TEST(Json, HasTheShapeThatIsPromised) {
  const Setting setting = setting_of(random_web(300));
  const LabReport report = report_of(setting, plan_of(setting, {"bfs"}, {"all", "sydney@2"}));
  const std::string text = report_json({&report, 1}, kOrigin);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["version"], "1.2.3");
  EXPECT_EQ(json["command"], "bowerbird lab test");
  EXPECT_EQ(json["date"], "2026-01-31T12:00:00Z");
  EXPECT_TRUE(json["differences"].empty());
  EXPECT_EQ(json["graph"]["pages"], 300);
  EXPECT_EQ(json["graph"]["reachable"], 300);
  EXPECT_EQ(json["graph"]["hosts"], 30);
  EXPECT_EQ(json["graph"]["links"], *setting.facts.links);
  EXPECT_GT(json["graph"]["interhost"], 0.5);
  EXPECT_EQ(json["seeds"], 1);
  ASSERT_EQ(json["runs"].size(), 5u);  // two strategies, random, omniscient, ideal
  for (const Json& run : json["runs"]) {
    for (const char* key : {"policy", "strategy", "importance"}) EXPECT_TRUE(run[key].is_string()) << key;
    for (const char* key : {"auc", "seconds", "links_per_s", "peak_queue", "revisits", "coverage", "dropped",
                            "bytes_per_page"}) {
      EXPECT_TRUE(run[key].is_number()) << key;
    }
    for (const char* curve : {"cumulative", "hot", "threshold", "guaranteed", "buffer", "indegree", "home"}) {
      ASSERT_TRUE(run[curve].is_object()) << curve;
      for (const char* key :
           {"0.01", "0.02", "0.05", "0.1", "0.15", "0.2", "0.3", "0.45", "0.6", "0.8", "1"}) {
        EXPECT_TRUE(run[curve][key].is_number()) << curve << key;
      }
      EXPECT_EQ(run[curve].size(), 11u);
    }
    EXPECT_EQ(run["cumulative"]["1"], 1);
    EXPECT_EQ(run["importance"], "pagerank");
  }
  EXPECT_EQ(json["runs"][1]["strategy"], "sydney@2");
  EXPECT_GT(json["runs"][1]["revisits"], 0);
}

TEST(Json, RepeatsHaveIntervalsAndPairedDifferences) {
  const Setting setting = setting_of(random_web(300));
  const LabReport report = report_of(setting, plan_of(setting, {"random", "bfs"}, {"all"}, 3));
  const Json json = Json::parse(report_json({&report, 1}, kOrigin));
  const Spread random = spread_of(report.groups[0], auc);
  EXPECT_NEAR(json["runs"][0]["spread"]["auc"]["ci95"][0].get<double>(), random.mean - random.margin, 1e-6);
  EXPECT_NEAR(json["runs"][0]["spread"]["auc"]["ci95"][1].get<double>(), random.mean + random.margin, 1e-6);
  ASSERT_EQ(json["differences"].size(), 6u);  // of random, bfs, omniscient and ideal
  EXPECT_EQ(json["differences"][0]["ordering"], "random");
  EXPECT_EQ(json["differences"][0]["minus"], "bfs");
  const Spread difference = paired_difference(report.groups[0], report.groups[1], auc);
  EXPECT_NEAR(json["differences"][0]["auc"].get<double>(), difference.mean, 1e-6);
  EXPECT_NEAR(json["differences"][0]["ci95"][1].get<double>(), difference.mean + difference.margin, 1e-6);
}

TEST(Json, SeveralGraphsAreOneObject) {
  const Setting setting = setting_of(random_web(30));
  const LabReport report = report_of(setting, plan_of(setting, {"bfs"}));
  const std::vector<LabReport> two = {report, report};
  EXPECT_EQ(Json::parse(report_json(two, kOrigin))["experiments"].size(), 2u);
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(Csv, EveryLineHasEveryColumnAndCurvesAreFineEnough) {
  const Setting setting = setting_of(random_web(300));
  const LabReport report = report_of(setting, plan_of(setting, {"bfs"}));
  const Setting bare = setting_of(web_of({{1}, {0}}));
  const std::vector<LabReport> reports = {report, report_of(bare, plan_of(bare, {"bfs"}))};
  const std::string folder = testing::TempDir() + std::to_string(::getpid()) + "_lab_csv/deeper";
  ASSERT_TRUE(write_reports(folder, reports, kOrigin).ok());
  for (const char* name : {"runs.csv", "curves.csv", "frontier.csv"}) {
    const auto lines = lines_of(folder + "/" + name);
    ASSERT_GT(lines.size(), 1u) << name;
    const auto commas = std::count(lines[0].begin(), lines[0].end(), ',');
    for (const std::string& line : lines)
      EXPECT_EQ(std::count(line.begin(), line.end(), ','), commas) << line;
  }
  const auto curves = lines_of(folder + "/curves.csv");
  EXPECT_GE(
      std::count_if(curves.begin(), curves.end(),
                    [](const std::string& line) { return line.starts_with("test,bfs,all,,pagerank,0,"); }),
      200);
  EXPECT_EQ(lines_of(folder + "/runs.csv").size(), 1u + 2 * 4);
  EXPECT_EQ(lines_of(folder + "/results.json").size(), 1u);
  std::filesystem::remove_all(testing::TempDir() + std::to_string(::getpid()) + "_lab_csv");
}

TEST(Csv, AFolderThatCannotBeMadeIsAnError) {
  EXPECT_FALSE(write_reports("/dev/null/results", {}, kOrigin).ok());
}

RunGroup group_of(const std::string& policy, double auc, bool baseline) {
  RunResult run;
  run.scores.measured.push_back({"pagerank", {0, auc}, {0, auc}, auc});
  run.scores.threshold = {0, auc};
  run.crawled = 1;
  run.points = Points(1);
  return {policy, "all", baseline, {run}};
}

TEST(Table, MarksTheBestAndKeepsBaselinesBelow) {
  LabReport report;
  report.name = "g";
  report.facts.reachable = 1;
  report.points = Points(1);
  report.groups = {group_of("worse", .5, false), group_of("better", .75, false), group_of("ideal", 1, true)};
  const std::string table = report_table(report);
  EXPECT_LT(table.find("better"), table.find("worse"));
  EXPECT_LT(table.find("worse"), table.find("ideal"));
  EXPECT_THAT(table, HasSubstr("0.7500*"));
  EXPECT_THAT(table, Not(HasSubstr("0.5000*")));
  EXPECT_THAT(table, Not(HasSubstr("1.0000*")));
  EXPECT_THAT(table, HasSubstr("Best by auc: better 0.7500; compared with ideal 1.0000"));
}

TEST(Table, DetailsShowTheOtherModels) {
  const Setting setting = setting_of(random_web(300));
  const LabReport report = report_of(setting, plan_of(setting, {"bfs"}));
  TableOptions options;
  options.details = true;
  const std::string table = report_table(report, options);
  for (const char* part :
       {"pages worth >=", "in a buffer of", "indegree crawled after", "home crawled after"}) {
    EXPECT_THAT(table, HasSubstr(part));
    EXPECT_THAT(report_table(report), Not(HasSubstr(part)));
  }
}

}  // namespace
}  // namespace bowerbird
