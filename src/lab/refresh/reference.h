// The reference set of refreshing: 1,000 pages with Zipf-like importance and lognormal change rates, seven
// policies at three budgets, means of 20 runs, together with the exact values. Two independent programs must
// agree on it, so every draw is fixed (docs/refresh.md has the definition and the figures).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "lab/refresh/optimum.h"
#include "lab/refresh/simulation.h"

namespace bowerbird {

RefreshWorld reference_world();

struct ReferenceRun {
  std::string policy;
  double budget = 0;  // fetches per day
  bool known_rates = true;
  std::optional<ExactRefresh> exact;  // if the rates are known
  RefreshMeans means;
  double changed = 0;
};

struct ReferenceOptions {
  std::uint64_t first_seed = 11;
  unsigned repeats = 20;
  unsigned threads = 1;
  std::vector<double> budgets = {20, 100, 500};
};

// Fails if the progress callback asks to stop.
Result<std::vector<ReferenceRun>> run_reference(const ReferenceOptions& options,
                                                const Progress& progress = {});

// One object on one line:
// {"runs":[{"policy","budget","rates","exact","exact_age","freshness","age","changed", "never"} ...]}
std::string reference_json(const std::vector<ReferenceRun>& runs);
std::string reference_table(const std::vector<ReferenceRun>& runs);

}  // namespace bowerbird
