// Writes a web in any of the formats, with its names beside it or inside.
//
// The format comes from the extension, unless it is given. Names go inside a native graph; beside the others
// they go to X.urls.gz (X.hosts.gz for a graph of hosts), where open_web finds them. A file that already
// holds these names is left alone; one that holds others is an error, since it would be taken for the names
// of this graph. Each file appears whole or not at all.
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

// The format that `path` will have; an error where it does not tell, or cannot be written so.
Result<GraphFormat> output_format(const std::string& path, GraphFormat wanted = GraphFormat::kUnknown);

// "-" is standard output, for every format but bv, and without names beside it.
Status save_web(const Web& web, const std::string& path, const SaveOptions& options = {},
                const Progress& progress = {});

}  // namespace bowerbird
