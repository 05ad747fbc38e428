// What the commands that read a graph have in common: GRAPH and how to open it.
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
  std::string topic;  // `lab` alone: words
  // Of a crawl: only the links that it followed, these among them.
  std::optional<AdmittedLinks> followed;
};

// Declares GRAPH, --hosts, --names, --format, --relabel and --trust on a command.
void add_graph_argument(CLI::App& command, GraphArgument& argument);

// Whether there is such a graph at all.
Status check_graph(const GraphArgument& argument);
Result<Web> open_graph(const GraphArgument& argument, const Progress& progress);

// If the graph is a crawl folder: only the links that the crawl followed, and its seeds unless others are
// set.
Status use_own_crawl(GraphArgument& graph, std::optional<SeedSpec>& seeds);

// The name of a page, safe to print; empty where names are not known.
std::string page_name(const Web& web, PageId page);

}  // namespace bowerbird
