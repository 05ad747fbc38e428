// Graphviz text of a small web: pages as nodes named by their URLs, each host a coloured cluster.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "graph/web.h"
#include "sys/file.h"

namespace bowerbird {

// Larger graphs take Graphviz very long, and the picture shows nothing.
struct DotOptions {
  std::uint64_t most_pages = 2000;
  std::uint64_t most_links = 20000;
};

// Does not finish the sink.
Status write_dot(const Web& web, ByteSink& out, const DotOptions& options = {});

}  // namespace bowerbird
