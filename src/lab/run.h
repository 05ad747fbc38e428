// One crawl of a web by one ordering and one strategy: the frontier of the live crawler with its gates open,
// fed from a graph instead of the Web.
//
// Threads: runs of the same Setting may go on side by side; a RunMonitor is written by its run and read by
// whoever watches.
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
  std::uint64_t memory = 0;  // what frontier and ordering may take; 0: whatever they take
  // Called with each page as it is crawled, by one process; not called by a team.
  std::function<void(PageId)> visited = {};
};

// How far a run is.
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
  bool stopped = false;  // ended from outside: what follows is what it had come to

  Scores scores;
  Points points;                // where the curves of the scores are read
  std::uint64_t reachable = 0;  // pages, from its seeds
  std::vector<FrontierSample> frontier;
  std::uint64_t crawled = 0;
  std::uint64_t known = 0;       // pages discovered
  std::uint64_t links = 0;       // of the crawled pages
  std::uint64_t other_host = 0;  // of those, to other hosts
  std::uint64_t peak_queue = 0;  // largest |P| + |S|
  std::uint64_t revisits = 0;
  std::uint64_t dropped = 0;
  double dropped_worth = 0;                              // by the ordering's own judgement
  std::uint64_t memory = 0;                              // the budget, or 0
  ScoreQueue::SpillCounts spilled;                       // what it took to keep within it
  std::vector<std::string> troubles;                     // with what was spilled
  std::uint64_t peak_bytes = 0;                          // of frontier and ordering
  std::vector<std::pair<std::string, double>> accounts;  // figures that the ordering itself keeps
  std::optional<TeamFigures> team;                       // of a crawl that several processes shared
  double seconds = 0;                                    // in frontier and ordering: scheduling
  double wall_seconds = 0;                               // all of it, links and measurements too
};

// Fails on a bad spec or a graph whose file turns out to be corrupt. Ends early once `stop` is set.
Result<RunResult> run_crawl(const Setting& setting, const RunRequest& request, RunMonitor& monitor,
                            const std::atomic<bool>& stop);

}  // namespace bowerbird
