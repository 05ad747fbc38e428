// The figures of a run, each with one name; text, CSV and JSON reports all use these.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lab/experiment.h"

namespace bowerbird {

// The index of the report's i-th point among those of a run, which may have started with other seeds: the
// same share of its own pages.
std::size_t point_of(const LabReport& report, const RunResult& run, std::size_t i);

// A curve over the report's points: "cumulative", "hot", "threshold", "guaranteed", and for further
// yardsticks their name ("indegree", "home": cumulative) and "hot_indegree". The report outlives it.
struct CurveFigure {
  std::string name;
  std::function<double(const RunResult&, std::size_t point)> at;
};
std::vector<CurveFigure> curve_figures(const LabReport& report);

// "auc", and "auc_indegree" ... for further yardsticks; empty where nothing is judged.
struct NamedFigure {
  std::string name;
  Figure figure;
};
std::vector<NamedFigure> auc_figures(const LabReport& report);

// The cost of a run: "seconds", "wall_seconds", "links_per_s", "peak_queue", "revisits", "coverage",
// "dropped", "dropped_worth", "bytes_per_page", "peak_bytes"; the shares are of the reachable pages.
std::vector<NamedFigure> cost_figures();

// The effect of a memory budget: "spilled" (the maximum number of pages that were not in memory, as a share
// of the reachable ones), "spill_entries" (written in total), "returned" (pages whose score changed while
// they were spilled), "distance" (the largest relative change of a score by rounding: how far a page that was
// taken may be from the best one). Empty without a budget.
std::vector<NamedFigure> budget_figures(const LabReport& report);

// The figures of a shared crawl: "overlap", "exchanged" and "exchanged_bytes" per downloaded page, "balance"
// (pages of the busiest process over the mean). Empty if no run was shared; NaN for runs that were not.
std::vector<NamedFigure> team_figures(const LabReport& report);

}  // namespace bowerbird
