// Opens web graphs of any format, with the names and hosts next to them.
//
// The format is detected by content and by extension; a path may lack its extension, as WebGraph's basenames
// do. Names come from X.urls or X.hosts next to the graph (graph/io/names.h), hosts from the names.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "graph/io/format.h"
#include "graph/web.h"

namespace bowerbird {

struct OpenOptions {
  GraphFormat format = GraphFormat::kUnknown;  // kUnknown: detect it
  std::string names_file = {};                 // instead of the one next to the graph
  std::string hosts_file = {};                 // a host number per page, instead of the hosts of the names
  bool find_names = true;                      // look for names next to the graph
  bool want_names = true;                      // keep them; otherwise only the hosts are determined
  bool relabel = false;                        // edge lists with sparse ids; the ids become the names
  bool trust = false;                          // native graphs: skip the pass that checks every link
};

// `path`: a file, a basename, "-" (text formats from standard input) or "synthetic:pages=1M,seed=7".
Result<Web> open_web(const std::string& path, const OpenOptions& options = {}, const Progress& progress = {});

}  // namespace bowerbird
