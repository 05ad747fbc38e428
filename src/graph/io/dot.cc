#include "graph/io/dot.h"

#include <string>
#include <vector>

#include "base/units.h"

namespace bowerbird {

namespace {

// In double quotes; controls become blanks, and a backslash never begins one of Graphviz's escapes.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? ' ' : c;
  }
  return result + '"';
}

Status check_size(const Graph& graph, const DotOptions& options) {
  std::uint64_t links = 0;
  if (graph.pages() <= options.most_pages) {
    graph.scan(0, graph.pages(), [&](PageId, std::span<const PageId> row) {
      links += row.size();
      return links <= options.most_links;
    });
    BB_TRY_VOID(graph.status());
    if (links <= options.most_links) return {};
  }
  return error(
      "the graph is too large for Graphviz: at most {} pages and {} links can be drawn, and it has {} "
      "pages{}",
      format_count(options.most_pages), format_count(options.most_links), format_count(graph.pages()),
      links > options.most_links ? " and more links than that" : "");
}

std::string node(const Web& web, PageId page) {
  const std::string label = web.names ? web.names->name(page) : std::to_string(page);
  return fmt::format("p{} [label={}]\n", page, quoted(label));
}

void add_clusters(const Web& web, std::string& text) {
  constexpr HostId kColours = 12;  // of Graphviz's scheme set312
  std::vector<std::vector<PageId>> pages_of(web.hosts->hosts());
  for (PageId page = 0; page < web.graph->pages(); ++page) pages_of[web.hosts->host(page)].push_back(page);
  for (HostId host = 0; host < pages_of.size(); ++host) {
    if (pages_of[host].empty()) continue;
    text += fmt::format("  subgraph cluster_{} {{\n    label={}\n    node [fillcolor=\"/set312/{}\"]\n", host,
                        quoted(web.hosts->host_name(host)), host % kColours + 1);
    for (const PageId page : pages_of[host]) text += "    " + node(web, page);
    text += "  }\n";
  }
}

}  // namespace

Status write_dot(const Web& web, ByteSink& out, const DotOptions& options) {
  const Graph& graph = *web.graph;
  BB_TRY_VOID(check_size(graph, options));
  std::string text = "digraph web {\n  node [shape=box style=\"rounded,filled\" fillcolor=white]\n";
  if (web.hosts && web.hosts->hosts() <= options.most_pages) {
    add_clusters(web, text);
  } else {
    for (PageId page = 0; page < graph.pages(); ++page) text += "  " + node(web, page);
  }
  graph.scan(0, graph.pages(), [&](PageId page, std::span<const PageId> links) {
    for (const PageId target : links) text += fmt::format("  p{} -> p{}\n", page, target);
    return true;
  });
  BB_TRY_VOID(graph.status());
  return out.write(text + "}\n");
}

}  // namespace bowerbird
