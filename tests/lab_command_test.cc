// `bowerbird lab` as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "process.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

constexpr const char* kWeb = "synthetic:pages=2000";

const Json& run_of(const Json& report, const std::string& policy, const std::string& strategy = "all") {
  for (const Json& run : report.at("runs")) {
    if (run.at("policy") == policy && run.at("strategy") == strategy) return run;
  }
  ADD_FAILURE() << policy << " " << strategy << " is not among the runs";
  static const Json none;
  return none;
}

// [000] figure 2: A -> B, C; B -> D, E; C -> B, E: fpr takes A, B, C, E, D.
TEST(LabCommand, ComparesOrderings) {
  TemporaryFolder folder;
  write_text(folder / "toy.graph-txt", "5\n1 2\n3 4\n1 4\n\n\n");
  const Json report = json_of(run_bowerbird(
      {"lab", folder / "toy", "--seeds", "ids:0", "--policies", "fpr", "-i", "backlink", "--json"}));
  EXPECT_EQ(report.at("graph").at("pages"), 5);
  EXPECT_EQ(report.at("graph").at("links"), 6);
  EXPECT_EQ(report.at("graph").at("reachable"), 5);
  EXPECT_TRUE(report.at("graph").at("hosts").is_null());
  EXPECT_EQ(report.at("seeds"), 1);
  // In-degrees 0, 2, 1, 1, 2 in the order A, B, C, E, D: 0, 2, 3, 5 and 6 of 6.
  EXPECT_NEAR(run_of(report, "fpr").at("auc").get<double>(), (0 + 2 + 3 + 5 + 6) / 30.0, 1e-6);
  EXPECT_NEAR(run_of(report, "ideal").at("auc").get<double>(), (2 + 4 + 5 + 6 + 6) / 30.0, 1e-6);
}

TEST(LabCommand, RunsEveryOrderingByDefaultAndMarksTheBest) {
  const Finished finished = run_bowerbird({"lab", kWeb, "-q"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  for (const char* name :
       {"bfs", "fpr@100", "rankmass", "location", "omniscient", "ideal", "Best by auc: "}) {
    EXPECT_THAT(finished.out, HasSubstr(name));
  }
  EXPECT_EQ(finished.err, "");
}

TEST(LabCommand, WritesTablesForOtherPrograms) {
  TemporaryFolder folder;
  const Finished finished =
      run_bowerbird({"lab", kWeb, "--policies", "bfs,opic", "--strategies", "all,sydney@4:budget=20%",
                     "--repeat", "2", "--out", folder / "new/results"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  for (const char* name : {"runs.csv", "curves.csv", "frontier.csv", "results.json", "table.tex",
                           "figures/importance.pgf", "figures/importance.svg"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / ("new/results/" + std::string(name)))) << name;
  }
  const Json report = Json::parse(read_text(folder / "new/results/results.json"));
  EXPECT_EQ(run_of(report, "opic", "sydney@4:budget=20%").at("repeats"), 2);
  EXPECT_THAT(report.at("command").get<std::string>(), HasSubstr("bowerbird lab synthetic:pages=2000 "));
  EXPECT_THAT(report.at("date").get<std::string>(), testing::MatchesRegex("[0-9-]+T[0-9:]+Z"));
  EXPECT_FALSE(report.at("version").get<std::string>().empty());
}

// The three values are those of `--seed 1`, 2 and 3 without --repeat.
TEST(LabCommand, RepeatsUseOtherRandomSeeds) {
  const Json report = json_of(run_bowerbird({"lab", "synthetic:pages=5k", "--policies", "bfs", "--seeds",
                                             "random:20", "--repeat", "3", "--buffer", "none", "--json"}));
  const Json& auc = run_of(report, "bfs").at("spread").at("auc");
  EXPECT_NEAR(auc.at("min").get<double>(), 0.5465, 5e-5);
  EXPECT_NEAR(auc.at("max").get<double>(), 0.5620, 5e-5);
  EXPECT_NEAR(run_of(report, "bfs").at("auc").get<double>(), (0.5465 + 0.5620 + 0.5484) / 3, 5e-5);
}

TEST(LabCommand, StaysWithinItsMemoryBudget) {
  const Json report =
      json_of(run_bowerbird({"lab", "synthetic:pages=30k", "--policies", "fpr,bfs", "--no-baselines",
                             "--memory", "400KiB", "--buffer", "none", "--json"}));
  EXPECT_EQ(report.at("memory_budget"), 400 * 1024);
  const Json& run = run_of(report, "fpr");
  EXPECT_EQ(run.at("coverage"), 1);
  EXPECT_LE(run.at("peak_bytes").get<double>(), 400 * 1024);
  EXPECT_GT(run.at("spill_entries").get<double>(), 0);
  EXPECT_LT(run.at("distance").get<double>(), 4e-6);
  const Finished table = run_bowerbird({"lab", "synthetic:pages=30k", "--policies", "fpr", "--no-baselines",
                                        "--memory", "400KiB", "--buffer", "none", "-q"});
  EXPECT_THAT(table.out, HasSubstr("within 400.0 KiB"));
  const Finished refused = run_bowerbird({"lab", kWeb, "--policies", "lipr", "--memory", "100KiB"});
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.err, HasSubstr("fits"));
}

TEST(LabCommand, AnExperimentFileNamesSeveralGraphs) {
  TemporaryFolder folder;
  write_text(folder / "toy.graph-txt", "3\n1\n2\n0\n");
  write_text(folder / "both.toml",
             "policies = [\"bfs\"]\n[[graph]]\npath = \"toy\"\n[[graph]]\npath = \"synthetic:pages=500\"\n"
             "importance = \"none\"\nout-of-place = 1\n");
  const Finished bad = run_bowerbird({"lab", folder / "both.toml", "--json"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("both.toml:7:1: unknown key 'out-of-place'"));
  write_text(folder / "both.toml",
             "policies = [\"bfs\"]\n[[graph]]\npath = \"toy\"\n[[graph]]\npath = \"synthetic:pages=500\"\n"
             "importance = \"none\"\n");
  const Json reports = json_of(run_bowerbird({"lab", folder / "both.toml", "--json", "-q"}));
  ASSERT_EQ(reports.at("experiments").size(), 2u);
  EXPECT_EQ(reports.at("experiments").at(0).at("graph").at("name"), "toy");
  EXPECT_EQ(reports.at("experiments").at(1).at("runs").size(), 1u);
  EXPECT_THAT(run_bowerbird({"lab", folder / "both.toml", "--seed", "3"}).err, HasSubstr("set `seed` in "));
}

TEST(LabCommand, AllMistakesOfAFileAreReportedWithTheirLines) {
  TemporaryFolder folder;
  write_text(folder / "bad.toml",
             "polices = [\"bfs\"]\nlocation-bonus = nan\nbatch = 4294967296\n[[graph]]\npath = \"toy\"\n");
  const Finished bad = run_bowerbird({"lab", folder / "bad.toml"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(std::count(bad.err.begin(), bad.err.end(), '\n'), 4) << bad.err;
  EXPECT_THAT(bad.err, HasSubstr("bad.toml:2:18: 'nan' is not a number\n"));
  EXPECT_THAT(bad.err, HasSubstr("bad.toml:3:9: '4294967296': expected a number from 1 to 1000000000\n"));
}

TEST(LabCommand, MissingFilesAndBadOptionsAreReportedAtTheStart) {
  TemporaryFolder folder;
  write_text(folder / "toy.graph-txt", "3\n1\n2\n0\n");
  write_text(folder / "both.toml", "[[graph]]\npath = \"toy\"\n[[graph]]\npath = \"nowhere\"\n");
  const Finished missing = run_bowerbird({"lab", folder / "both.toml"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_EQ(missing.out, "");
  const Finished no_folder = run_bowerbird({"lab", folder / "toy", "--out", folder / "toy.graph-txt"});
  EXPECT_EQ(no_folder.code, 1);
  EXPECT_EQ(no_folder.out, "");
  for (const auto& [option, value] : std::vector<std::pair<std::string, std::string>>{
           {"--seed", "-1"}, {"--location-bonus", "nan"}, {"--procs", "0"}, {"--pages", "-1"}}) {
    EXPECT_EQ(run_bowerbird({"lab", folder / "toy", option, value}).code, 2) << option;
  }
}

TEST(LabCommand, MistakesAreReportedBeforeAnythingRuns) {
  const Finished policy = run_bowerbird({"lab", kWeb, "--policies", "bfs,fprr"});
  EXPECT_EQ(policy.code, 2);
  EXPECT_EQ(policy.out, "");
  EXPECT_THAT(policy.err, HasSubstr("did you mean 'fpr'"));
  EXPECT_THAT(run_bowerbird({"lab", kWeb, "--seeds", "best:3"}).err, HasSubstr("seeds 'best:3'"));
  EXPECT_THAT(run_bowerbird({"lab", "nowhere.graph"}).err, HasSubstr("nowhere.graph"));
  EXPECT_EQ(run_bowerbird({"lab"}).code, 2);
  EXPECT_THAT(run_bowerbird({"lab", "synthetic:pages=4G"}).err, HasSubstr("--importance none"));
}

TEST(LabCommand, CtrlCKeepsFinishedRuns) {
  // A slow machine may not have installed its handler after a second.
  Finished finished;
  for (int ms = 1000; finished.err.empty() && ms < 20'000; ms *= 2) {
    finished = run_and_interrupt({"lab", kWeb, "--policies", "bfs", "--repeat", "10000", "--json", "-q"},
                                 std::chrono::milliseconds(ms));
    EXPECT_EQ(finished.code, 130);
  }
  EXPECT_THAT(finished.err, HasSubstr("stopped"));
  // On a very slow machine no run has begun, and there is nothing to keep.
  if (!finished.out.empty()) {
    EXPECT_FALSE(Json::parse(finished.out).at("complete").get<bool>());
  }
}

}  // namespace
}  // namespace bowerbird
