// Finds the graph that a user means by a path, or says what there is instead.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "graph/io/format.h"

namespace bowerbird {

struct GraphFile {
  std::string path;  // for a BVGraph without its extension
  GraphFormat format = GraphFormat::kUnknown;
};

// How many bytes of a file are looked at to tell its format.
inline constexpr std::size_t kFormatHead = 4096;

// `path` may be a file, a path that lacks its extension, "-" or "synthetic:...". The format is `wanted`, or
// what name and (for native graphs) content tell; kUnknown is left to whoever reads the text. A missing file
// is an error that names files of similar name; a folder one that names the graphs in it.
Result<GraphFile> find_graph(const std::string& path, GraphFormat wanted = GraphFormat::kUnknown);

}  // namespace bowerbird
