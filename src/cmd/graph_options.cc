#include "cmd/graph_options.h"

#include "cmd/seen_crawl.h"
#include "cmd/terminal.h"
#include "crawl/inspect/completeness.h"
#include "crawl/inspect/crawl_history.h"
#include "graph/io/find.h"
#include "graph/synthetic.h"
#include "lab/crawl_graph.h"

namespace bowerbird {

void add_graph_argument(CLI::App& command, GraphArgument& argument) {
  command
      .add_option("GRAPH", argument.path,
                  "A graph file, a WebGraph basename, - for a text format on standard input, "
                  "synthetic:pages=1M,seed=7 for a web computed on the fly, or the folder of a crawl, even a "
                  "running one")
      ->required()
      ->check(parsed_by([](const std::string& path) -> Status {
        if (!is_synthetic(path)) return {};
        const auto options = parse_synthetic(path);
        return options.ok() ? Status() : Status(options.error());
      }));
  command
      .add_option(
          "--hosts", argument.open.hosts_file,
          "A file with one host number per line, one line per page. Default: the hosts of the page names")
      ->type_name("FILE");
  command
      .add_option("--names", argument.open.names_file,
                  "A file with one URL per line, one line per page. Default: X.urls next to the graph X")
      ->type_name("FILE");
  command
      .add_option("--format", argument.format,
                  "Format of the graph: bv, ascii, edges or native. Default: detected")
      ->type_name("NAME")
      ->check(one_of({"bv", "ascii", "edges", "native"}));
  command.add_flag("--relabel", argument.open.relabel,
                   "Edge lists: renumber sparse ids; the ids become the page names");
  command.add_flag("--trust", argument.open.trust,
                   "Native graphs: do not check all links when the file is opened");
}

Status check_graph(const GraphArgument& argument) {
  BB_TRY_VOID(check_no_fleet(argument.path));
  if (is_synthetic(argument.path)) {
    BB_TRY([[maybe_unused]] const auto web, parse_synthetic(argument.path));
  } else if (!is_crawl_folder(argument.path)) {
    BB_TRY([[maybe_unused]] const auto file, find_graph(argument.path));
  }
  return {};
}

Result<Web> open_graph(const GraphArgument& argument, const Progress& progress) {
  BB_TRY_VOID(check_no_fleet(argument.path));
  OpenOptions options = argument.open;
  if (is_synthetic(argument.path) && (options.relabel || options.trust || !argument.format.empty())) {
    refuse("--relabel, --trust and --format are for graph files, not for a synthetic web");
  }
  if (!argument.format.empty()) {
    BB_TRY(options.format, parse_format(argument.format));
  }
  if (is_crawl_folder(argument.path)) {
    if (!argument.format.empty() || !options.hosts_file.empty() || !options.names_file.empty()) {
      return error("{}: a crawl knows its hosts and names: --format, --hosts and --names are for files",
                   argument.path);
    }
    BB_TRY(std::vector<PageId> left_out, read_requisites_only(argument.path));
    return open_crawl_graph(argument.path,
                            {options.want_names, argument.topic, argument.followed, std::move(left_out)},
                            progress);
  }
  if (!argument.topic.empty()) {
    return error("{}: a topic needs the words of the pages, which only the folder of a crawl has",
                 argument.path);
  }
  return open_web(argument.path, options, progress);
}

Status use_own_crawl(GraphArgument& graph, std::optional<SeedSpec>& seeds) {
  if (!is_crawl_folder(graph.path)) return {};
  BB_TRY(CrawlEntries entries, read_crawl_entries(graph.path));
  graph.followed = std::move(entries.admitted);
  if (seeds || entries.seeds.empty()) return {};
  SeedSpec& spec = seeds.emplace();
  spec.kind = SeedSpec::Kind::kIds;
  spec.text = "the crawl's own";
  BB_TRY(const std::vector<PageId> left_out, read_requisites_only(graph.path));
  for (const SeedPage& seed : entries.seeds) {
    spec.ids.push_back(graph_page(seed.page, left_out));
    spec.weights.push_back(seed.weight);
  }
  return {};
}

std::string page_name(const Web& web, PageId page) {
  return web.names ? printable(web.names->name(page)) : std::string();
}

}  // namespace bowerbird
