// Statistics of a web: degrees, hosts, distances of links, reachable pages.
//
// One pass over the links (on several threads), and a breadth-first search if requested. In-degrees cost 4
// bytes per page. If that is too much, or a pass over all pages takes too long, sample every k-th page: then
// out-link figures are estimates, and in-degrees are unknown.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/histogram.h"
#include "graph/web.h"

namespace bowerbird {

struct StatsOptions {
  unsigned threads = default_threads();
  std::uint64_t sample_every = 1;  // sample every k-th page
  bool in_degrees = true;          // ignored if pages are sampled
  unsigned largest_hosts = 5;
};

struct HostStats {
  HostId hosts = 0;
  Histogram sizes;                                        // pages per host
  std::vector<std::pair<HostId, std::uint32_t>> largest;  // with their pages, most first, ties by lower id
  std::uint64_t inter_links = 0;                          // between different hosts
};

struct GraphStats {
  PageId pages = 0;
  std::uint64_t sampled = 0;  // pages counted: all of them, or every k-th
  std::uint64_t links = 0;    // of the pages counted, as are all counts below
  std::uint64_t dangling = 0;
  std::uint64_t self_loops = 0;
  Histogram out;
  PageId max_out_page = kNoPage;  // the first of largest out-degree

  std::optional<Histogram> in;  // none if pages are sampled, or it was not requested
  PageId max_in_page = kNoPage;

  std::optional<HostStats> hosts;  // none if the web has no hosts
  // Links by the number of bits of |target - source|: [0] are self-loops, [k] those of distance 2^(k-1) ...
  // 2^k - 1. If the web has hosts, only links within a host: distances between hosts are meaningless.
  std::array<std::uint64_t, 34> distance{};

  std::uint64_t no_in_links() const { return in ? in->count(0) : 0; }
  double inter_share() const;
  double mean_distance_bits() const;
  // The links of all pages: exact, or scaled up from the sample.
  std::uint64_t estimated_links() const;
};

// Fails with the graph's own error, or if the progress callback asked to stop.
Result<GraphStats> graph_stats(const Web& web, const StatsOptions& options = {},
                               const Progress& progress = {});

// A breadth-first search from `seeds`: which pages are reached, how deep, and how long the queue gets.
// Memory: 4 bytes per reached page and a bit for each other.
struct Reach {
  std::uint64_t reached = 0;
  std::vector<std::uint64_t> levels;  // pages at each distance from the seeds
  std::uint64_t longest_queue = 0;
  // its length at equal steps of the search, from the seeds to the last page
  std::vector<std::uint64_t> queue;
  double mean_level() const;
};
Result<Reach> walk_from(const Graph& graph, const std::vector<PageId>& seeds, const Progress& progress = {},
                        unsigned steps = 200);

}  // namespace bowerbird
