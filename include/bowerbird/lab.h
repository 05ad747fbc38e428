// Crawls a graph with several orderings to compare them, like `bowerbird lab` (docs/lab.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bowerbird/graph.h"
#include "bowerbird/ordering.h"

BOWERBIRD_BEGIN

// Registers an ordering under a name, for run_lab() and Frontier. A later one of the same name replaces
// it. Throws Error if a built-in ordering has the name, or the name is invalid. Threads: any.
BOWERBIRD_API void add_ordering(const std::string& name, const std::string& summary,
                                std::function<std::unique_ptr<Ordering>(const OrderingContext&)> make);
// Loads a plug-in, adds its orderings and returns their names. Throws Error if it was built for another
// interface.
BOWERBIRD_API std::vector<std::string> load_plugin(const std::string& path);

struct OrderingInfo {
  std::string name, parameters, summary, paper;
};
// The built-in orderings and the added ones.
BOWERBIRD_API std::vector<OrderingInfo> orderings();

struct LabOptions {
  std::vector<std::string> policies = {"all"};
  std::string seeds = "top:160";  // top:K, random:K, ids:1,2, home, home:K, file:NAME
  std::string importance = "pagerank";
  std::string strategy = "all";
  std::uint64_t pages = 0;  // page budget; 0: none
  unsigned repeat = 1;
  std::uint64_t random_seed = 1;
  std::uint64_t memory = 0;  // limit for frontier and ordering of each run, in bytes; 0: none
  unsigned threads = 0;      // 0: all cores
  bool baselines = false;    // also run random, omniscient and ideal
  Progress progress = {};
};

// One run. The curves have one value for each element of `at`.
struct LabRow {
  std::string policy, strategy;
  std::uint64_t random_seed = 0;
  bool baseline = false;
  double auc = 0;  // NaN if there is nothing to judge
  std::uint64_t reachable = 0, crawled = 0, known = 0, links = 0, peak_queue = 0, peak_bytes = 0;
  double seconds = 0;              // CPU time in frontier and ordering
  double wall_seconds = 0;         // in total
  std::vector<double> at;          // shares of the reachable pages that are crawled
  std::vector<double> importance;  // share of the importance collected by then
  std::vector<double> hot;         // share of the most important pages among the crawled ones; may be empty
};

BOWERBIRD_API std::vector<LabRow> run_lab(const Graph& graph, const LabOptions& options);

BOWERBIRD_END
