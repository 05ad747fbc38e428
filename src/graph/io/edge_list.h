// Lists of links, one per line, as published by SNAP and many others: two page ids and an optional weight,
// separated by blanks, tabs or a comma, in any order. Lines that begin with # or % are comments; "# Nodes: N"
// in one gives the minimum number of pages (pages without links are not seen otherwise). The first line may
// have column names.
//
// Ids are used as page numbers, so the largest id determines the number of pages. If that is absurd for the
// number of links, the list is refused, since its ids are clearly not dense. `relabel` then renumbers the
// pages in ascending order of their ids, and returns the ids. Duplicates become one link (weights are added).
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
  std::vector<std::uint64_t> original_ids;  // by page, if relabelled
};

// A number of pages above this, plus this many per link, is absurd (the arrays would be mostly empty).
inline constexpr std::uint64_t kEdgeListFreePages = 1 << 22;
inline constexpr std::uint64_t kEdgeListPagesPerLink = 64;

Result<EdgeList> read_edge_list(InputStream& in, const EdgeListOptions& options = {},
                                const Progress& progress = {});
// Weights are written if the graph is a CsrGraph that has them. Does not finish the sink.
Status write_edge_list(const Graph& graph, ByteSink& out, const Progress& progress = {});

}  // namespace bowerbird
