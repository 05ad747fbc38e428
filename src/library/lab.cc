// Orderings and lab runs of the public interface.
#include <bowerbird/lab.h>

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "lab/experiment.h"
#include "lab/plan.h"
#include "lab/setting.h"
#include "library/library.h"
#include "plugin/ordering_policy.h"
#include "plugin/plugin.h"
#include "policy/registry.h"

namespace bowerbird::v1 {

void add_ordering(const std::string& name, const std::string& summary,
                  std::function<std::unique_ptr<Ordering>(const OrderingContext&)> make) {
  if (!make) throw Error("an ordering needs a function that makes it");
  check_or_throw(::bowerbird::add_ordering(name, summary, std::move(make)));
}

std::vector<std::string> load_plugin(const std::string& path) {
  return value_or_throw(::bowerbird::load_plugin(path));
}

std::vector<OrderingInfo> orderings() {
  std::vector<OrderingInfo> made;
  const auto add = [&](const PolicyInfo& info) {
    made.push_back({std::string(info.name), std::string(info.parameters), std::string(info.summary),
                    std::string(info.paper)});
  };
  for (const PolicyInfo& info : all_policies()) add(info);
  for (const PolicyInfo* const info : added_policies()) add(*info);
  return made;
}

namespace {

LabRow row_of(const RunGroup& group, const RunResult& run) {
  LabRow row;
  row.policy = group.policy;
  row.strategy = group.strategy;
  row.random_seed = run.random_seed;
  row.baseline = group.baseline;
  row.auc = std::numeric_limits<double>::quiet_NaN();
  row.reachable = run.reachable;
  row.crawled = run.crawled;
  row.known = run.known;
  row.links = run.links;
  row.peak_queue = run.peak_queue;
  row.peak_bytes = run.peak_bytes;
  row.seconds = run.seconds;
  row.wall_seconds = run.wall_seconds;
  const double pages = static_cast<double>(std::max<std::uint64_t>(1, run.points.pages()));
  for (const std::uint64_t at : run.points.at()) row.at.push_back(static_cast<double>(at) / pages);
  if (!run.scores.measured.empty()) {
    const Measured& first = run.scores.measured.front();
    row.auc = first.auc;
    row.importance = first.cumulative;
    row.hot = first.hot;
  }
  return row;
}

}  // namespace

std::vector<LabRow> run_lab(const Graph& graph, const LabOptions& options) {
  ProgressGuard guard(options.progress);
  SettingOptions setting_options;
  setting_options.name = "graph";
  setting_options.seeds = value_or_throw(SeedSpec::parse(options.seeds));
  setting_options.importance = value_or_throw(parse_importance(options.importance));
  setting_options.page_budget = options.pages;
  setting_options.random_seed = options.random_seed;
  const unsigned threads = options.threads > 0 ? options.threads : default_threads();
  setting_options.threads = threads;
  PlanOptions plan_options;
  plan_options.policies = options.policies;
  plan_options.strategies = {options.strategy};
  if (options.repeat == 0) throw Error("repeat must be at least 1");
  plan_options.repeat = options.repeat;
  plan_options.random_seed = options.random_seed;
  plan_options.memory = options.memory;
  plan_options.baselines = options.baselines;
  check_or_throw(check_specs(plan_options));
  Setting setting = guard.value(prepare_setting(shared_web(graph), setting_options, guard.progress()));
  const Plan plan = value_or_throw(make_plan(plan_options, setting));
  ExperimentOptions experiment;
  experiment.threads = threads;
  const LabReport report =
      guard.value(run_repeats(std::move(setting), setting_options, plan, experiment, guard.progress()));
  std::vector<LabRow> rows;
  for (const RunGroup& group : report.groups) {
    for (const RunResult& run : group.repeats) rows.push_back(row_of(group, run));
  }
  return rows;
}

}  // namespace bowerbird::v1
