// Runs all planned crawls of one web, in parallel if threads and memory allow, and collects the results.
//
// After a stop, finished runs are kept; unfinished ones are kept as far as they got, and marked. Threads:
// run_experiment starts its own and joins them; the progress callback is called from the caller's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "lab/plan.h"
#include "lab/run.h"
#include "lab/setting.h"
#include "lab/statistics.h"

namespace bowerbird {

// One ordering with one strategy and one team; its repeats in the order of their random seeds.
struct RunGroup {
  std::string policy;
  std::string strategy;
  bool baseline = false;
  std::vector<RunResult> repeats;  // those that ran; at least one
  TeamOptions team = {};
  std::string summary = {};  // of the ordering, one line
  std::string paper = {};    // its source: "[000]"
};

// One of the most important pages, without the seeds.
struct BestPage {
  PageId page = 0;
  std::string name;  // its URL as it is in the graph, or empty
  double importance = 0;
};

// The result of an experiment on one web. It does not refer to the Setting. If every repeat drew its own
// seeds, the values that depend on them (facts.reachable, threshold, best, points) are those of the first.
struct LabReport {
  std::string name;
  GraphFacts facts;
  std::optional<GraphStats> stats;  // if the crawls are judged
  bool reachable_by_run = false;    // the reachable pages were counted by a run
  std::uint64_t seeds = 0;
  std::string seed_spec;
  bool redrawn = false;  // every repeat drew its own seeds
  std::string importance;
  double threshold = 0;
  std::uint64_t threshold_pages = 0;  // pages worth at least that
  std::vector<std::string> buffers;   // labels
  std::vector<BestPage> best;         // the setting's followed pages
  Points points;
  std::vector<RunGroup> groups;  // as planned, `ideal` last
  std::vector<std::string> notes;
  std::uint64_t planned = 0;  // runs
  std::uint64_t finished = 0;
  unsigned repeat = 1;
  std::uint64_t random_seed = 1;
  std::uint64_t page_budget = 0;  // 0: none
  std::uint64_t memory = 0;       // budget of each run; 0: none
  double seconds = 0;             // of all runs together
  std::uint64_t peak_memory = 0;  // of the whole process so far, in bytes

  bool complete() const { return finished == planned; }
};

struct ExperimentOptions {
  unsigned threads = default_threads();
};

// "fpr@100 sydney@8, 4 procs, exchange, site-hash"
std::string label_of(const RunGroup& group);

// Fails if a run does.
Result<LabReport> run_experiment(const Setting& setting, const Plan& plan, const ExperimentOptions& options,
                                 const Progress& progress = {});

// The same, with new seeds for each repeat if they are drawn at random: a repeat is then measured over the
// pages that its own seeds reach. `options` are those used to prepare the setting.
Result<LabReport> run_repeats(Setting setting, const SettingOptions& options, const Plan& plan,
                              const ExperimentOptions& experiment, const Progress& progress = {});

using Figure = std::function<double(const RunResult&)>;

// One figure over the repeats of a group that have it (a stopped run may lack it).
Spread spread_of(const RunGroup& group, const Figure& figure);

// One figure of `a` minus that of `b`, over the repeats that both have: those with the same random seed,
// which started with the same pages.
Spread paired_difference(const RunGroup& a, const RunGroup& b, const Figure& figure);

}  // namespace bowerbird
