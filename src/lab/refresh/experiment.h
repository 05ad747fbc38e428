// All planned simulations of one web: policies x budgets x known or learned rates x repeats, in parallel if
// there are threads, together with the exact optimum.
//
// A stop keeps what is finished. Threads: run_refresh_experiment starts its own and joins them; the progress
// callback is called by one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "lab/refresh/optimum.h"
#include "lab/refresh/rates.h"
#include "lab/refresh/simulation.h"
#include "lab/setting.h"
#include "lab/statistics.h"

namespace bowerbird {

// A budget: fetches per day, or a share of the pages per day.
struct RefreshBudget {
  double per_day = 0;
  bool share = false;

  double of(PageId pages) const { return share ? per_day * pages : per_day; }
};
Result<std::vector<RefreshBudget>> parse_budgets(std::string_view list);

struct RefreshPlan {
  std::vector<std::string> policies = {"all"};
  std::vector<RefreshBudget> budgets = {{1.0 / 30, true}};
  bool known = true, learned = true;  // which rates to use, in policies that use them
  RateSpec rates;
  RefreshRun run;  // everything else
  unsigned repeat = 1;
  std::uint64_t random_seed = 1;
  unsigned threads = 1;
};

// All errors of the policies at once.
Status check_refresh_policies(const std::vector<std::string>& policies);

// The pages that the seeds of a prepared web reach, with importances that sum to 1. The setting outlives the
// world. visits: of the crawl, if the web is a crawl folder.
Result<RefreshWorld> refresh_world(const Setting& setting, const RateSpec& rates, std::uint64_t random_seed,
                                   std::span<const PageVisit> visits = {});

// One policy at one budget; its repeats in the order of their random seeds.
struct RefreshGroup {
  std::string policy;
  std::string summary;  // of the policy, one line
  double per_day = 0;
  bool known_rates = false;
  bool uses_rates = false;
  std::optional<ExactRefresh> exact;   // its limit with known rates; none with discovery
  std::vector<RefreshResult> repeats;  // those that ran; at least one
};
// "known", "learned", or "-" for policies that use no rates.
std::string_view rates_word(const RefreshGroup& group);

// The exact optimum at a budget with known rates: one schedule for the most freshness, another for the least
// age.
struct RefreshOptimum {
  double per_day = 0;
  double freshness = 0;
  double age = 0;
};

struct RefreshReport {
  std::string name;
  PageId pages = 0;  // reachable
  HostId hosts = 0;  // 0: not known
  std::string importance;
  std::string rates;
  double mean_rate = 0;            // per day
  double important_mean_rate = 0;  // by importance
  RefreshRun run;
  unsigned repeat = 1;
  std::uint64_t random_seed = 1;
  std::vector<RefreshGroup> groups;     // as planned
  std::vector<RefreshOptimum> optimum;  // by budget; empty with discovery
  std::uint64_t planned = 0, finished = 0;
  double seconds = 0;
};

Result<RefreshReport> run_refresh_experiment(const Setting& setting, const RefreshWorld& world,
                                             const RefreshPlan& plan, const Progress& progress = {});

// The figures of a run, each with one name; table, CSV and JSON use these.
struct RefreshFigure {
  std::string_view name;
  std::string_view meaning;  // for the head of a column
  double (*of)(const RefreshResult& result);
};
std::span<const RefreshFigure> refresh_figures();
Spread spread_of(const RefreshGroup& group, double (*figure)(const RefreshResult&));

}  // namespace bowerbird
