#include "lab/refresh/experiment.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <mutex>

#include "base/parallel.h"
#include "base/units.h"

namespace bowerbird {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : kNone;
}
double share_of_fetches(std::uint64_t part, const RefreshResult& result) {
  return ratio(static_cast<double>(part), static_cast<double>(result.fetches));
}

const std::array<RefreshFigure, 13> kFigures = {{
    {"freshness", "freshness", [](const RefreshResult& r) { return r.means.freshness; }},
    {"age", "age, days", [](const RefreshResult& r) { return r.means.age; }},
    {"freshness_equal", "freshness, unweighted",
     [](const RefreshResult& r) { return r.means.freshness_equal; }},
    {"age_equal", "age, unweighted", [](const RefreshResult& r) { return r.means.age_equal; }},
    {"changed", "changed", [](const RefreshResult& r) { return r.changed; }},
    {"held", "held", [](const RefreshResult& r) { return r.means.held; }},
    {"freshness_held", "freshness of held",
     [](const RefreshResult& r) { return ratio(r.means.freshness, r.means.held); }},
    {"new", "new", [](const RefreshResult& r) { return share_of_fetches(r.new_fetches, r); }},
    {"overdue", "overdue", [](const RefreshResult& r) { return share_of_fetches(r.overdue_fetches, r); }},
    {"fetches", "fetches", [](const RefreshResult& r) { return static_cast<double>(r.fetches); }},
    {"rate_error", "rate error", [](const RefreshResult& r) { return r.rate_error; }},
    {"bytes", "bytes", [](const RefreshResult& r) { return static_cast<double>(r.bytes); }},
    {"seconds", "seconds", [](const RefreshResult& r) { return r.seconds; }},
}};

std::vector<const RefreshRule*> rules_of(const std::vector<std::string>& policies) {
  std::vector<const RefreshRule*> rules;
  const auto add = [&](const RefreshRule* rule) {
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
  };
  for (const std::string& name : policies) {
    if (name != "all") {
      add(find_refresh_rule(name).value());
      continue;
    }
    for (const RefreshRule& rule : refresh_rules()) add(&rule);
  }
  return rules;
}

std::vector<RefreshGroup> planned_groups(const RefreshWorld& world, const RefreshPlan& plan) {
  std::vector<RefreshGroup> groups;
  for (const RefreshBudget& budget : plan.budgets) {
    for (const RefreshRule* const rule : rules_of(plan.policies)) {
      for (const bool known : {true, false}) {
        if (rule->uses_rates ? !(known ? plan.known : plan.learned) : !known) continue;
        RefreshGroup& group = groups.emplace_back();
        group.policy = rule->name;
        group.summary = rule->summary;
        group.per_day = budget.of(world.pages());
        group.known_rates = known;
        group.uses_rates = rule->uses_rates;
        if (known && !plan.run.discovery) {
          group.exact = exact_refresh(rule->name, world.importance, world.rates, group.per_day);
        }
      }
    }
  }
  return groups;
}

std::vector<RefreshOptimum> optimum_of(const RefreshWorld& world, const RefreshPlan& plan) {
  std::vector<RefreshOptimum> all;
  if (plan.run.discovery) return all;
  for (const RefreshBudget& budget : plan.budgets) {
    const double per_day = budget.of(world.pages());
    all.push_back({per_day, exact_refresh("index", world.importance, world.rates, per_day)->freshness,
                   exact_refresh("index-age", world.importance, world.rates, per_day)->age});
  }
  return all;
}

RefreshReport described(const Setting& setting, const RefreshWorld& world, const RefreshPlan& plan) {
  RefreshReport report;
  report.name = setting.name;
  report.pages = world.pages();
  report.hosts = setting.facts.hosts.value_or(0);
  report.importance = std::string(name_of(setting.importance));
  report.rates = plan.rates.text;
  report.run = plan.run;
  report.repeat = plan.repeat;
  report.random_seed = plan.random_seed;
  report.optimum = optimum_of(world, plan);
  for (PageId page = 0; page < world.pages(); ++page) {
    report.mean_rate += world.rates[page] / world.pages();
    report.important_mean_rate += world.importance[page] * world.rates[page];
  }
  return report;
}

}  // namespace

Result<std::vector<RefreshBudget>> parse_budgets(std::string_view list) {
  std::vector<RefreshBudget> budgets;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), word.size() + 1));
    RefreshBudget& budget = budgets.emplace_back();
    budget.share = word.ends_with('%');
    if (budget.share) {
      BB_TRY(budget.per_day, parse_share(word));
    } else {
      BB_TRY(const std::uint64_t count, parse_count(word));
      budget.per_day = static_cast<double>(count);
    }
    if (!(budget.per_day > 0)) return error("budget '{}': at least one fetch per day is needed", word);
  }
  if (budgets.empty()) return error("name at least one budget, as in 1000 or 3% (of the pages per day)");
  return budgets;
}

Status check_refresh_policies(const std::vector<std::string>& policies) {
  std::vector<std::string> complaints;
  for (const std::string& name : policies) {
    if (name == "all") continue;
    if (const auto rule = find_refresh_rule(name); !rule.ok()) complaints.push_back(rule.error().text);
  }
  if (policies.empty()) complaints.emplace_back("name at least one refresh policy");
  if (complaints.empty()) return {};
  return Error{fmt::format("{}", fmt::join(complaints, "\n"))};
}

Result<RefreshWorld> refresh_world(const Setting& setting, const RateSpec& rates, std::uint64_t random_seed,
                                   std::span<const PageVisit> visits) {
  const Yardstick& yardstick = setting.yardsticks.front();
  if (yardstick.pages() == 0) return error("{}: there are no pages to keep fresh", setting.name);
  if (!(yardstick.total() > 0)) {
    return error("{}: the importance '{}' of every page is 0", setting.name, name_of(setting.importance));
  }
  HostOf hosts;
  if (setting.web.hosts) hosts = [&](PageId page) { return setting.web.hosts->host(page); };
  BB_TRY(const std::vector<double> all_rates,
         choose_rates(rates, setting.facts.pages, hosts, random_seed, visits));
  RefreshWorld world;
  world.graph = setting.web.graph.get();
  world.of_graph.assign(setting.facts.pages, kNoPage);
  for (PageId page = 0; page < setting.facts.pages; ++page) {
    if (yardstick.rank(page) == kNoPage) continue;
    world.of_graph[page] = world.pages();
    world.in_graph.push_back(page);
    world.importance.push_back(yardstick.value(page) / yardstick.total());
    world.rates.push_back(all_rates[page]);
    if (hosts) world.hosts.push_back(hosts(page));
  }
  for (const SeedPage& seed : setting.seeds) world.seeds.push_back(world.of_graph[seed.page]);
  return world;
}

std::string_view rates_word(const RefreshGroup& group) {
  return !group.uses_rates ? "-" : group.known_rates ? "known" : "learned";
}

Result<RefreshReport> run_refresh_experiment(const Setting& setting, const RefreshWorld& world,
                                             const RefreshPlan& plan, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  RefreshReport report = described(setting, world, plan);
  std::vector<RefreshGroup> groups = planned_groups(world, plan);
  const std::size_t tasks = groups.size() * plan.repeat;
  std::vector<std::optional<RefreshResult>> results(tasks);
  std::mutex mutex;
  std::atomic<bool> stop{false};
  Status failure;
  const auto run_task = [&](unsigned, std::uint64_t task, std::uint64_t) {
    if (stop) return;
    const RefreshGroup& group = groups[task % groups.size()];
    RefreshRun run = plan.run;
    run.policy = group.policy;
    run.per_day = group.per_day;
    run.known_rates = group.known_rates;
    run.seed = plan.random_seed + task / groups.size();
    auto result = simulate_refresh(world, run, stop);
    const std::lock_guard lock(mutex);
    if (!result.ok()) {
      if (failure.ok()) failure = result.error();
      stop = true;
      return;
    }
    if (!result->stopped) {
      results[task] = std::move(result).value();
      ++report.finished;
    }
    if (!progress.tick("simulating", report.finished, tasks)) stop = true;
  };
  parallel_ranges(tasks, static_cast<unsigned>(tasks), plan.threads, run_task);
  BB_TRY_VOID(failure);
  for (std::size_t task = 0; task < tasks; ++task) {
    if (results[task]) groups[task % groups.size()].repeats.push_back(std::move(*results[task]));
  }
  std::erase_if(groups, [](const RefreshGroup& group) { return group.repeats.empty(); });
  report.groups = std::move(groups);
  report.planned = tasks;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

std::span<const RefreshFigure> refresh_figures() {
  return kFigures;
}

Spread spread_of(const RefreshGroup& group, double (*figure)(const RefreshResult&)) {
  std::vector<double> values;
  for (const RefreshResult& result : group.repeats) values.push_back(figure(result));
  return spread_of(values);
}

}  // namespace bowerbird
