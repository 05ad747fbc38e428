// Shared by the commands that read a graph: GRAPH and how to open it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cmd/app.h"
#include "graph/csr.h"
#include "graph/io/open.h"
#include "lab/seeds.h"
#include "store/links.h"

namespace bowerbird {

struct GraphArgument {
  std::string path;
  std::string format;
  OpenOptions open;
  std::string topic;  // only for `lab`: words
  // For a crawl: only the links that it followed, and these.
  std::optional<AdmittedLinks> followed;
};

// Declares GRAPH, --hosts, --names, --format, --relabel and --trust on a command.
void add_graph_argument(CLI::App& command, GraphArgument& argument);

// Whether such a graph exists.
Status check_graph(const GraphArgument& argument);
Result<Web> open_graph(const GraphArgument& argument, const Progress& progress);

// If the graph is a crawl folder: only the links that the crawl followed, and its seeds unless others are
// set.
Status use_own_crawl(GraphArgument& graph, std::optional<SeedSpec>& seeds);

// The name of a page, safe to print; empty if names are unknown.
std::string page_name(const Web& web, PageId page);

}  // namespace bowerbird
