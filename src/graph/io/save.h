// Writes a web in any of the formats, with its names inside or next to it.
//
// The format comes from the extension, unless it is given. Names go inside a native graph; for other formats
// they go to X.urls.gz (X.hosts.gz for a graph of hosts), where open_web finds them. A file that already
// contains these names is kept; one with other names is an error, since they would be read as the names of
// this graph. Each file appears complete or not at all.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "graph/io/bv_properties.h"
#include "graph/io/dot.h"
#include "graph/io/format.h"
#include "graph/web.h"

namespace bowerbird {

struct SaveOptions {
  GraphFormat format = GraphFormat::kUnknown;  // kUnknown: by the extension
  bool with_names = true;
  DotOptions dot = {};
  BvOptions bv = {};
};

// The format that `path` will have; an error if it is unclear or cannot be written.
Result<GraphFormat> output_format(const std::string& path, GraphFormat wanted = GraphFormat::kUnknown);

// "-" is standard output, for every format but bv, and without a names file.
Status save_web(const Web& web, const std::string& path, const SaveOptions& options = {},
                const Progress& progress = {});

}  // namespace bowerbird
