// A web prepared for experiments: its seeds, the pages they reach, and the yardsticks that every crawl of it
// is measured by. Computed once and shared by all runs.
//
// If nothing is judged (importance none, for webs of a billion pages), nothing here grows with the web: the
// reachable pages and the links are then counted by the runs. Threads: read by many once made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "graph/stats.h"
#include "graph/web.h"
#include "lab/importance.h"
#include "lab/metrics/buffer.h"
#include "lab/metrics/points.h"
#include "lab/metrics/threshold.h"
#include "lab/metrics/yardstick.h"
#include "lab/seeds.h"

namespace bowerbird {

struct SettingOptions {
  std::string name;               // of the graph, for reports
  std::optional<SeedSpec> seeds;  // top:160; random:50 if nothing is judged, since it costs nothing
  Importance importance = Importance::kPageRank;
  // For a combined importance: IC of [004].
  std::vector<ImportanceWeight> weights = {{Importance::kSimilarity, 1}, {Importance::kBacklink, 1}};
  LocationOptions location;
  Threshold threshold;
  std::vector<BufferSize> buffers = default_buffers();
  std::uint64_t page_budget = 0;  // 0: no limit
  std::uint64_t random_seed = 1;
  unsigned threads = 1;

  static std::vector<BufferSize> default_buffers();  // the checkpoints
};

// How many of the most important pages are tracked individually.
inline constexpr std::size_t kFollowedPages = 12;

// What is known about the graph; empty if unknown before a run.
struct GraphFacts {
  PageId pages = 0;
  std::optional<std::uint64_t> links;
  std::optional<std::uint64_t> reachable;
  std::optional<HostId> hosts;
  std::optional<double> interhost;  // share of the links that lead to another host
};

struct Setting {
  std::string name;
  Web web;
  std::vector<SeedPage> seeds;
  SeedSpec seed_spec;
  GraphFacts facts;
  std::optional<GraphStats> stats;  // if the crawls are judged
  Importance importance = Importance::kNone;
  LocationOptions location;
  std::vector<Yardstick> yardsticks;  // the chosen importance first; empty if nothing is judged
  Points points;                      // over the judged pages, or over all if nothing is judged
  double threshold = 0;               // G of the first yardstick
  std::vector<PageId> followed;       // the most important judged pages except seeds, best first
  std::vector<BufferSize> buffers;
  std::uint64_t page_budget = 0;

  bool judged() const { return !yardsticks.empty(); }
  // How many pages an ordering may expect to crawl.
  std::uint64_t expected_pages() const;
};

// Fails if the importance or the seeds need something that the web does not have, if its file is corrupt, or
// if the progress callback asks to stop.
Result<Setting> prepare_setting(Web web, const SettingOptions& options, const Progress& progress = {});

// The same web and yardsticks with the seeds that `random_seed` draws, and the values that depend on them:
// the reachable pages, the points, the threshold and the followed pages.
Result<Setting> redraw_seeds(Setting setting, const SettingOptions& options, std::uint64_t random_seed);

}  // namespace bowerbird
