// Compresses a web graph into WebGraph's BVGraph format: BASE.graph, BASE.offsets and BASE.properties.
//
// Each list is compared with the lists of the pages before it, and stored as a difference from the one that
// makes it shortest, or by itself. The choice is greedy, page by page, among the lists whose own chain of
// references is short enough: as P. Boldi and S. Vigna describe it in The WebGraph framework I (WWW 2004).
// Bits are counted for every candidate and written for the best.
//
// Invariant: graph/io/bv_graph.h reads the same graph back. Files appear complete or not at all, the
// properties last. Memory: the lists of the window. Threads: one call each.
#pragma once

#include <cstdint>
#include <string>

#include "base/progress.h"
#include "graph/graph.h"
#include "graph/io/bv_properties.h"
#include "sys/file.h"

namespace bowerbird {

struct BvStats {
  std::uint64_t pages = 0;
  std::uint64_t links = 0;

  // Bits by purpose; the sum is the length of the graph.
  std::uint64_t outdegree_bits = 0;
  std::uint64_t reference_bits = 0;
  std::uint64_t block_bits = 0;  // counts and blocks
  std::uint64_t interval_bits = 0;
  std::uint64_t residual_bits = 0;

  // Links by how they are stored; the sum is the number of links.
  std::uint64_t copied_links = 0;
  std::uint64_t interval_links = 0;
  std::uint64_t residual_links = 0;

  std::uint64_t chain_total = 0;     // sum over all pages of the length of the chain of references
  std::uint64_t distance_total = 0;  // sum over all pages of the distance to the page referred to

  std::uint64_t graph_bits() const {
    return outdegree_bits + reference_bits + block_bits + interval_bits + residual_bits;
  }
  double bits_per_link() const { return links == 0 ? 0 : double(graph_bits()) / double(links); }
  double bits_per_page() const { return pages == 0 ? 0 : double(graph_bits()) / double(pages); }
};

// Writes the three files. `basename` may have one of their extensions.
Result<BvStats> write_bv(const Graph& graph, const std::string& basename, const BvOptions& options = {},
                         const Progress& progress = {});

// Only the lists and offsets; the sinks are not finished.
Result<BvStats> compress_bv(const Graph& graph, const BvOptions& options, ByteSink& lists, ByteSink& offsets,
                            const Progress& progress = {});

// The text of the properties file, with the keys that WebGraph writes.
std::string format_bv_properties(const BvStats& stats, const BvOptions& options);

}  // namespace bowerbird
