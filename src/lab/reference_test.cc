// The lab compared with an independent implementation: the figures of the README next to the real graphs, if
// available. Deterministic figures must agree within 0.005; `random` and `sydney` draw at random, so their
// reference is another draw, which must be within four standard deviations of ours.
//
// The largest graph takes minutes and is run by ./test --full (its name contains "Full").
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "graph/io/io_test_data.h"
#include "graph/io/open.h"
#include "lab/experiment.h"
#include "lab/figures.h"

namespace bowerbird {
namespace {

constexpr double kTolerance = 0.005;
constexpr std::size_t kCompared[] = {2, 3, 5, 6, 7};  // checkpoints 5, 10, 20, 30, 45 %

struct ReferenceRow {
  std::string policy;
  std::string strategy = "all";
  bool random = false;
  std::vector<double> cumulative;
  std::vector<double> hot;
  double auc = 0;
  double peak_queue = 0;  // 0: not given
  double revisits = 0;
};

struct Reference {
  std::map<std::string, double> facts;  // of the heading: nodes, arcs, reachable, bfs_maxq, interhost, seeds
  std::vector<ReferenceRow> rows;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, '|');) {
    const auto first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos ? ""
                                               : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

std::vector<double> numbers_of(const std::string& cell) {
  std::vector<double> numbers;
  std::stringstream stream(cell);
  for (double number = 0; stream >> number;) numbers.push_back(number);
  return numbers;
}

// "word 0.12 word 3 ..." as a map.
std::map<std::string, double> facts_of(const std::string& text) {
  std::map<std::string, double> facts;
  std::stringstream stream(text);
  std::string word;
  double number = 0;
  while (stream >> word >> number) facts[word] = number;
  return facts;
}

ReferenceRow row_of(const std::vector<std::string>& cells) {
  static const std::map<std::string, std::string> kNames = {{"batch-pr", "batch-pagerank"},
                                                            {"partial-pr", "partial-pagerank"},
                                                            {"wrankmass5", "windowed-rankmass@5"}};
  ReferenceRow row;
  row.policy = cells[1];
  if (const auto name = kNames.find(row.policy); name != kNames.end()) row.policy = name->second;
  row.random = row.policy == "random" || row.policy.starts_with("sydney");
  if (row.policy.starts_with("sydney")) {
    row.strategy = "sydney@" + row.policy.substr(6);
    row.policy = "bfs";
  }
  row.cumulative = numbers_of(cells[2]);
  row.hot = numbers_of(cells[3]);
  row.auc = numbers_of(cells[4]).at(0);
  auto facts = facts_of(cells[5]);
  row.peak_queue = facts["maxq"];
  row.revisits = facts["revisit"];
  return row;
}

// The table under the heading that begins with **NAME.
Reference read_reference(const std::string& file, const std::string& name) {
  Reference reference;
  std::ifstream stream(file);
  bool inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("**")) {
      inside = line.starts_with("**" + name);
      const auto open = line.rfind('(');
      if (inside) reference.facts = facts_of(line.substr(open + 1, line.rfind(')') - open - 1));
    } else if (inside && line.starts_with("| ") && !line.starts_with("| policy")) {
      reference.rows.push_back(row_of(cells_of(line)));
    }
  }
  return reference;
}

class Comparison {
 public:
  Comparison(const LabReport& report, const ReferenceRow& row) : report_(report), row_(row) {
    for (const RunGroup& group : report.groups) {
      if (group.policy == row.policy && group.strategy == row.strategy) group_ = &group;
    }
  }

  void check() {
    ASSERT_NE(group_, nullptr) << row_.policy << " did not run";
    for (std::size_t i = 0; i < std::size(kCompared); ++i) {
      const std::size_t point = report_.points.of(kCompared[i]);
      const auto measured = [](const RunResult& run) -> const Measured& {
        return run.scores.measured.front();
      };
      compare("cumulative", row_.cumulative.at(i),
              [&](const RunResult& run) { return measured(run).cumulative[point]; });
      compare("hot", row_.hot.at(i), [&](const RunResult& run) { return measured(run).hot[point]; });
    }
    compare("auc", row_.auc, [](const RunResult& run) { return run.scores.measured.front().auc; });
    if (row_.peak_queue > 0) {
      for (const NamedFigure& figure : cost_figures()) {
        if (figure.name == "peak_queue") compare("peak queue", row_.peak_queue, figure.figure);
        if (figure.name == "revisits") compare("re-visits", row_.revisits, figure.figure);
      }
    }
  }

 private:
  void compare(const std::string& what, double expected, const Figure& figure) {
    const Spread ours = spread_of(*group_, figure);
    const double tolerance = kTolerance + (row_.random ? 4 * ours.deviation : 0);
    EXPECT_NEAR(ours.mean, expected, tolerance) << row_.policy << " " << row_.strategy << ": " << what;
  }

  const LabReport& report_;
  const ReferenceRow& row_;
  const RunGroup* group_ = nullptr;
};

LabReport run_rows(const Setting& setting, const std::vector<ReferenceRow>& rows, bool random,
                   unsigned repeat) {
  Plan plan;
  plan.repeat = repeat;
  for (const ReferenceRow& row : rows) {
    if (row.random == random) plan.groups.push_back({row.policy, row.strategy, false});
  }
  auto report = run_experiment(setting, plan, {});
  EXPECT_TRUE(report.ok()) << report.error().text;
  return std::move(report).value();
}

void expect_reference(const std::string& graph, const std::string& name, const std::string& seeds,
                      const std::string& hosts, unsigned repeat) {
  const std::string path = real_data(graph);
  const std::string readme = real_data("README.md");
  if (path.empty() || readme.empty()) GTEST_SKIP() << graph << " or its reference figures are not at hand";
  Reference reference = read_reference(readme, name);
  ASSERT_EQ(reference.rows.size(), 17u)
      << "the table of " << name << " in " << readme << " reads differently";

  OpenOptions open;
  if (!hosts.empty()) open.hosts_file = real_data(hosts);
  auto web = open_web(path, open);
  ASSERT_TRUE(web.ok()) << web.error().text;
  SettingOptions options;
  options.name = name;
  options.seeds = SeedSpec::parse(seeds).value();
  options.buffers.clear();
  auto setting = prepare_setting(std::move(web).value(), options);
  ASSERT_TRUE(setting.ok()) << setting.error().text;
  EXPECT_EQ(setting->facts.pages, reference.facts["nodes"]);
  EXPECT_EQ(setting->facts.links, reference.facts["arcs"]);
  EXPECT_EQ(setting->facts.reachable, reference.facts["reachable"]);
  EXPECT_EQ(static_cast<double>(setting->seeds.size()), reference.facts["seeds"]);
  EXPECT_NEAR(setting->facts.interhost.value(), reference.facts["interhost"], 0.00005);

  const LabReport determined = run_rows(*setting, reference.rows, false, 1);
  const LabReport drawn = run_rows(*setting, reference.rows, true, repeat);
  for (const ReferenceRow& row : reference.rows) Comparison(row.random ? drawn : determined, row).check();
  for (const RunGroup& group : determined.groups) {
    if (group.policy != "bfs") continue;
    const auto peak = static_cast<double>(group.repeats.front().peak_queue) / reference.facts["reachable"];
    EXPECT_NEAR(peak, reference.facts["bfs_maxq"], 0.00005);
  }
}

TEST(ReferenceFigures, Hollins) {
  expect_reference("hollins/hollins.graph-txt.gz", "hollins", "ids:1", "", 10);
}

TEST(ReferenceFigures, UciIcs) {
  expect_reference("uci-ics-2019/uci-ics-2019.graph-txt.gz", "uci-ics-2019", "top:20", "", 10);
}

TEST(ReferenceFigures, CnrFull) {
  expect_reference("cnr-2000-nat/cnr-2000-nat.graph", "cnr-2000-nat", "top:160",
                   "cnr-2000-nat/cnr-2000-nat.blocks.gz", 5);
}

}  // namespace
}  // namespace bowerbird
