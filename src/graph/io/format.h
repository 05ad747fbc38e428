// Graph formats and their file names.
//
// A graph's *stem* is its path without the extensions of the format: "web/x.graph-txt.gz" -> "web/x". The
// names of its pages are found by it: "web/x.urls.gz".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

enum class GraphFormat {
  kUnknown,
  kBv,         // WebGraph's compressed graph: X.graph + X.properties
  kAscii,      // WebGraph's ASCIIGraph, also with weights
  kEdges,      // one link per line
  kNative,     // ours, mapped into memory
  kDot,        // Graphviz; written only
  kSynthetic,  // "synthetic:pages=1M,seed=7": computed, not stored
};

// "bv", "ascii", "edges", "native", "dot", "synthetic".
std::string_view format_name(GraphFormat format);
Result<GraphFormat> parse_format(std::string_view name);

// By the extension alone, without .gz and .zst; kUnknown for ".txt" too, which may be anything.
GraphFormat format_by_name(std::string_view path);
std::string graph_stem(std::string_view path);

// Whether the name is that of a graph file.
bool looks_like_graph(std::string_view path);
// The files that `path` may mean if its extension is missing: path.graph, path.graph-txt.gz ...
std::vector<std::string> possible_files(const std::string& path);

// The format of a text by its first bytes: native, ASCIIGraph or an edge list; otherwise kUnknown.
GraphFormat format_by_content(std::string_view head);

}  // namespace bowerbird
