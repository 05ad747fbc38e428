// Lists of links, one a line, as SNAP and many others publish them: two page ids and perhaps a weight,
// separated by blanks, tabs or a comma, in any order. Lines that begin with # or % are comments; "# Nodes: N"
// in one says that there are at least N pages (pages without links are not seen otherwise). One line of
// column names may stand first.
//
// Ids are taken as page numbers, so there are as many pages as the largest id tells. Where that is absurd for
// the number of links, the list is refused, since its ids are surely not dense: then `relabel` numbers the
// pages anew in ascending order of their ids, and gives the ids back. Duplicates become one link (weights are
// added).
#pragma once

#include <cstdint>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "graph/csr.h"
#include "graph/graph.h"
#include "sys/file.h"
#include "sys/stream.h"

namespace bowerbird {

struct EdgeListOptions {
  bool relabel = false;
};

struct EdgeList {
  CsrGraph graph;
  std::vector<std::uint64_t> original_ids;  // of each page, where relabelled
};

// More pages than this many, plus this many for each link, are absurd (the arrays would be mostly empty).
inline constexpr std::uint64_t kEdgeListFreePages = 1 << 22;
inline constexpr std::uint64_t kEdgeListPagesPerLink = 64;

Result<EdgeList> read_edge_list(InputStream& in, const EdgeListOptions& options = {},
                                const Progress& progress = {});
// Weights are written where the graph is a CsrGraph that has them. Does not finish the sink.
Status write_edge_list(const Graph& graph, ByteSink& out, const Progress& progress = {});

}  // namespace bowerbird
