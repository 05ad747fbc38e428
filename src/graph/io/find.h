// Finds the graph that a user means by a path, or lists the graphs nearby.
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

// How many bytes of a file are read to detect its format.
inline constexpr std::size_t kFormatHead = 4096;

// `path` may be a file, a path without extension, "-" or "synthetic:...". The format is `wanted`, or is
// detected from name and (for native graphs) content; if it is kUnknown, the reader of the text detects it. A
// missing file is an error that lists files with similar names; a folder is an error that lists the graphs in
// it.
Result<GraphFile> find_graph(const std::string& path, GraphFormat wanted = GraphFormat::kUnknown);

}  // namespace bowerbird
