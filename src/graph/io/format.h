// The formats that graphs come in, and how their files are named.
//
// A graph's *stem* is its path without what tells the format: "web/x.graph-txt.gz" -> "web/x". What is known
// beside the graph is found by it: "web/x.urls.gz".
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
  kEdges,      // one link a line
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

// Whether a file of that name is a graph, as far as the name tells.
bool looks_like_graph(std::string_view path);
// The files that `path` may stand for where it lacks its extension: path.graph, path.graph-txt.gz ...
std::vector<std::string> possible_files(const std::string& path);

// What a text is, by its first bytes: ours, ASCIIGraph or an edge list; kUnknown where it is none of them.
GraphFormat format_by_content(std::string_view head);

}  // namespace bowerbird
