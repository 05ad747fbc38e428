#include "lab/experiment_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<ExperimentFile> parse(std::string_view text) {
  return parse_experiment(text, "e.toml", "folder");
}

TEST(ExperimentFile, NamesTeamsOfProcesses) {
  const auto file = parse_experiment(R"(
procs = [1, 4]
mode = ["exchange", "firewall"]
partition = "host-hash"
batch = 10
scores = false

[[graph]]
path = "a"

[[graph]]
path = "b"
procs = 2
mode = "cross-over"
)",
                                     "x.toml", "");
  ASSERT_TRUE(file.ok()) << file.error().text;
  const std::vector<TeamOptions>& teams = file->graphs[0].options.plan.teams;
  ASSERT_EQ(teams.size(), 3u);  // 1 once, 4 in both modes
  EXPECT_EQ(teams[0].procs, 1u);
  EXPECT_EQ(label_of(teams[2]), "4 procs, firewall, host-hash");
  EXPECT_EQ(teams[2].batch, 10u);
  EXPECT_FALSE(teams[2].scores);
  EXPECT_EQ(label_of(file->graphs[1].options.plan.teams.at(0)), "2 procs, cross-over, host-hash");
  EXPECT_FALSE(parse_experiment("procs = 0\n[[graph]]\npath = \"a\"\n", "x.toml", "").ok());
}

TEST(ExperimentFile, NamesGraphsThatShareSettings) {
  const auto file = parse(R"(
policies = ["fpr@100", "ieca:k=10,expected=2"]
strategies = "all,sydney@8:budget=5%"
seeds = "top:50"
repeat = 3
seed = 7
threads = 2
out = "results"
buffer = ["5%", 1000]
threshold = 0.001
pages = "1M"

[[graph]]
path = "cnr-2000"
hosts = "cnr.blocks"

[[graph]]
name = "big"
path = "synthetic:pages=1M"
seeds = "ids:0"
importance = "none"
topic = "rose garden"
weights = "similarity=3,location=1"
)");
  ASSERT_TRUE(file.ok()) << file.error().text;
  EXPECT_EQ(file->common.out, "folder/results");
  EXPECT_EQ(file->common.threads, 2u);
  ASSERT_EQ(file->graphs.size(), 2u);
  const GraphExperiment& first = file->graphs[0];
  EXPECT_EQ(first.path, "folder/cnr-2000");
  EXPECT_EQ(first.hosts, "folder/cnr.blocks");
  EXPECT_EQ(first.options.setting.seeds->text, "top:50");
  EXPECT_EQ(first.options.plan.policies, (std::vector<std::string>{"fpr@100", "ieca:k=10,expected=2"}));
  EXPECT_EQ(first.options.plan.strategies, (std::vector<std::string>{"all", "sydney@8:budget=5%"}));
  EXPECT_EQ(first.options.plan.repeat, 3u);
  EXPECT_EQ(first.options.plan.random_seed, 7u);
  EXPECT_EQ(first.options.setting.page_budget, 1'000'000u);
  EXPECT_EQ(first.options.setting.buffers.size(), 2u);
  EXPECT_FALSE(first.options.setting.threshold.is_share);
  const GraphExperiment& second = file->graphs[1];
  EXPECT_EQ(second.path, "synthetic:pages=1M");
  EXPECT_EQ(second.options.setting.name, "big");
  EXPECT_EQ(second.options.setting.seeds->text, "ids:0");
  EXPECT_EQ(second.options.setting.importance, Importance::kNone);
  EXPECT_EQ(second.options.topic, "rose garden");
  ASSERT_EQ(second.options.setting.weights.size(), 2u);
  EXPECT_EQ(second.options.setting.weights[0].weight, 3);
  EXPECT_EQ(second.options.setting.weights[1].importance, Importance::kLocation);
}

TEST(ExperimentFile, TellsAllComplaintsAtOnceWithTheirPositions) {
  const auto file = parse(R"(polices = ["fpr"]
seeds = "best:3"
repeat = 0
[[graph]]
hosts = 3
importance = "beauty"
out = "x"
)");
  ASSERT_FALSE(file.ok());
  const std::string& text = file.error().text;
  EXPECT_THAT(text, HasSubstr("e.toml:1:1: unknown key 'polices'; did you mean 'policies'"));
  EXPECT_THAT(text, HasSubstr("e.toml:2:9: seeds 'best:3'"));
  EXPECT_THAT(text, HasSubstr("e.toml:3:10: '0': expected a number from 1"));
  EXPECT_THAT(text, HasSubstr("e.toml:4:1: this [[graph]] has no path"));
  EXPECT_THAT(text, HasSubstr("e.toml:5:9: expected a text"));
  EXPECT_THAT(text, HasSubstr("e.toml:6:14: importance 'beauty'"));
  EXPECT_THAT(text, HasSubstr("e.toml:7:1: unknown key 'out' in [[graph]]"));
}

TEST(ExperimentFile, WithoutAGraphThereIsNothingToDo) {
  EXPECT_THAT(parse("policies = \"all\"").error().text, HasSubstr("no [[graph]]"));
  EXPECT_THAT(parse("graph = 3").error().text, HasSubstr("e.toml:1:9: graph must be a list of tables"));
}

TEST(ExperimentFile, BrokenTomlIsReportedWithLineAndColumn) {
  EXPECT_THAT(parse("policies = [").error().text, HasSubstr("e.toml:1:"));
}

}  // namespace
}  // namespace bowerbird
