// One crawl of a web by one ordering and one strategy: the frontier of the live crawler with its gates open,
// on a graph instead of the Web.
//
// Threads: runs of the same Setting may run in parallel; a RunMonitor is written by its run and read by its
// observer.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "frontier/score_queue.h"
#include "lab/evaluation.h"
#include "lab/parallel/team.h"
#include "lab/setting.h"

namespace bowerbird {

struct RunRequest {
  std::string policy = "bfs";
  std::string strategy = "all";
  std::uint64_t random_seed = 1;
  unsigned threads = 1;  // for orderings that compute in parallel
  TeamOptions team = {};
  std::uint64_t memory = 0;  // limit for frontier and ordering; 0: none
  // Called with each page as it is crawled, in a crawl by one process; not called by a team.
  std::function<void(PageId)> visited = {};
};

// The progress of a run.
struct RunMonitor {
  std::atomic<std::uint64_t> pages{0};
  std::atomic<std::uint64_t> links{0};
  std::atomic<std::uint64_t> bytes{0};
};

// The queues at one of the setting's points.
struct FrontierSample {
  std::uint64_t pages = 0;  // crawled
  std::uint64_t primary = 0;
  std::uint64_t secondary = 0;
  double seconds = 0;  // in frontier and ordering so far
};

struct RunResult {
  std::string policy;
  std::string strategy;
  std::uint64_t random_seed = 0;
  bool stopped = false;  // ended from outside: the values are those reached by then

  Scores scores;
  Points points;                // where the curves of the scores are sampled
  std::uint64_t reachable = 0;  // pages, from its seeds
  std::vector<FrontierSample> frontier;
  std::uint64_t crawled = 0;
  std::uint64_t known = 0;       // pages discovered
  std::uint64_t links = 0;       // of the crawled pages
  std::uint64_t other_host = 0;  // of those, to other hosts
  std::uint64_t peak_queue = 0;  // largest |P| + |S|
  std::uint64_t revisits = 0;
  std::uint64_t dropped = 0;
  double dropped_worth = 0;                              // in the ordering's own scores
  std::uint64_t memory = 0;                              // the budget, or 0
  ScoreQueue::SpillCounts spilled;                       // effects of the memory limit
  std::vector<std::string> troubles;                     // errors of spilled data
  std::uint64_t peak_bytes = 0;                          // of frontier and ordering
  std::vector<std::pair<std::string, double>> accounts;  // figures of the ordering itself
  std::optional<TeamFigures> team;                       // of a shared crawl
  double seconds = 0;                                    // in frontier and ordering: scheduling
  double wall_seconds = 0;                               // in total, including links and measurements
};

// Fails on a bad spec or a corrupt graph file. Ends early once `stop` is set.
Result<RunResult> run_crawl(const Setting& setting, const RunRequest& request, RunMonitor& monitor,
                            const std::atomic<bool>& stop);

}  // namespace bowerbird
