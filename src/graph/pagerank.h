// PageRank, the importance that the lab measures against.
//
//   r(j) = (1-d)/n + d * ( sum over links i->j of r(i)/O(i)  +  rank of the pages without links / n )
//
// iterated until the L1 change falls below the tolerance. Pulled along the reversed graph, so that every sum
// is taken in the same order and the result does not depend on the number of threads. Memory: a second copy
// of the links (4 bytes each) and 36 bytes per page while it runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/csr.h"

namespace bowerbird {

struct PageRankOptions {
  double damping = 0.85;
  double tolerance = 1e-10;  // L1 change of an iteration at which it stops
  unsigned max_iterations = 1000;
  unsigned threads = default_threads();
};

struct PageRank {
  std::vector<double> rank;  // sums to 1
  unsigned iterations = 0;
  double change = 0;  // L1, of the last iteration
  bool converged = false;
};

// An error only if the progress callback asked to stop.
Result<PageRank> pagerank(const CsrGraph& graph, const PageRankOptions& options = {},
                          const Progress& progress = {});

// The arrays that PageRank works in, with a number per page each. They may be of a mapped file.
struct RankArrays {
  std::span<double> rank;  // the result
  std::span<double> given;
  std::span<double> next_given;
};

// The same where the reversed graph is at hand, such as that of a mapped file: `sources` has the links to
// each page, and out_degrees the number of links of each. Takes no memory of its own; `rank` of the result is
// empty, that of the arrays is filled.
Result<PageRank> pagerank_of_sources(const CsrGraph& sources, std::span<const std::uint32_t> out_degrees,
                                     const RankArrays& arrays, const PageRankOptions& options = {},
                                     const Progress& progress = {});

std::vector<std::uint32_t> in_degrees(const CsrGraph& graph);

// The k pages of largest value, best first, ties by lower id.
std::vector<PageId> top_pages(const std::vector<double>& value, std::uint64_t k);

}  // namespace bowerbird
