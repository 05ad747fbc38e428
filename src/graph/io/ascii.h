// WebGraph's ASCIIGraph: the number of pages on the first line, then one line per page with the ids of the
// pages it links to, separated by blanks. Host graphs write each successor as id:weight; such a file gives a
// graph with weights().
//
// The links of a page need not be ascending or distinct: they are sorted (the weights of equal links are
// added). Ids out of range, a missing or surplus line and anything that is not a number are errors that name
// the line. Blank lines after the last page are ignored.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "graph/csr.h"
#include "graph/graph.h"
#include "sys/file.h"
#include "sys/stream.h"

namespace bowerbird {

Result<CsrGraph> read_ascii(InputStream& in, const Progress& progress = {});
// Weights are written if the graph is a CsrGraph that has them. Does not finish the sink.
Status write_ascii(const Graph& graph, ByteSink& out, const Progress& progress = {});

}  // namespace bowerbird
