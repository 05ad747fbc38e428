// What a web looks like in numbers: degrees, hosts, how far its links reach, what can be reached.
//
// One pass over the links (on several threads), and a breadth-first walk if asked for. In-degrees cost 4
// bytes a page; where that is too much, or a pass over all pages takes too long, look at every k-th page
// only: then what is known of out-links is an estimate, and in-degrees are not known.
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
  std::uint64_t sample_every = 1;  // look at every k-th page
  bool in_degrees = true;          // ignored where pages are sampled
  unsigned largest_hosts = 5;
};

struct HostStats {
  HostId hosts = 0;
  Histogram sizes;                                        // pages per host
  std::vector<std::pair<HostId, std::uint32_t>> largest;  // with their pages, most first, ties by lower id
  std::uint64_t inter_links = 0;                          // between different hosts
  std::uint64_t pages_with_inter_links = 0;
};

struct GraphStats {
  PageId pages = 0;
  std::uint64_t sampled = 0;  // pages looked at: all of them, or every k-th
  std::uint64_t links = 0;    // of the pages looked at, as are all counts below
  std::uint64_t dangling = 0;
  std::uint64_t self_loops = 0;
  Histogram out;
  PageId max_out_page = kNoPage;  // the first of largest out-degree

  std::optional<Histogram> in;  // unknown where pages are sampled, or it was not asked for
  PageId max_in_page = kNoPage;

  std::optional<HostStats> hosts;  // unknown where the web has no hosts
  // Links by the number of bits of |target - source|: [0] are self-loops, [k] those of distance 2^(k-1) ...
  // 2^k - 1. Of a web with hosts, only links within a host: the others' distance says nothing.
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

// A breadth-first walk from `seeds`: what is reached, how deep, and how long the queue gets. Memory: 4 bytes
// for each page that is reached and a bit for each other.
struct Reach {
  std::uint64_t reached = 0;
  std::vector<std::uint64_t> levels;  // pages at each distance from the seeds
  std::uint64_t longest_queue = 0;
  std::vector<std::uint64_t> queue;  // its length at equal steps of the walk, from the seeds to the last page
  double mean_level() const;
};
Result<Reach> walk_from(const Graph& graph, const std::vector<PageId>& seeds, const Progress& progress = {},
                        unsigned steps = 200);

}  // namespace bowerbird
