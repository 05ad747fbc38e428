#include "graph/io/open.h"

#include <vector>

#include "graph/csr.h"
#include "graph/io/ascii.h"
#include "graph/io/bv_graph.h"
#include "graph/io/edge_list.h"
#include "graph/io/find.h"
#include "graph/io/names.h"
#include "graph/io/native.h"
#include "graph/synthetic.h"
#include "sys/stream.h"

namespace bowerbird {

namespace {

// The original ids of a relabelled edge list.
class NumberNames final : public PageNames {
 public:
  explicit NumberNames(std::vector<std::uint64_t> ids) : ids_(std::move(ids)) {}
  std::string name(PageId page) const override { return std::to_string(ids_[page]); }

 private:
  std::vector<std::uint64_t> ids_;
};

Result<Web> open_bv(const GraphFile& file, const Progress& progress) {
  Web web;
  BB_TRY(web.graph, BvGraph::open(file.path, progress));
  return web;
}

Result<Web> open_ascii(InputStream& in, const Progress& progress) {
  BB_TRY(CsrGraph graph, read_ascii(in, progress));
  Web web;
  web.graph = std::make_unique<CsrGraph>(std::move(graph));
  return web;
}

Result<Web> open_edges(InputStream& in, const OpenOptions& options, const Progress& progress) {
  BB_TRY(EdgeList list, read_edge_list(in, {.relabel = options.relabel}, progress));
  Web web;
  web.graph = std::make_unique<CsrGraph>(std::move(list.graph));
  if (options.relabel) web.names = std::make_unique<NumberNames>(std::move(list.original_ids));
  return web;
}

// Options that have no meaning for this format are an error.
Status check_options(const std::string& path, GraphFormat format, const OpenOptions& options) {
  if (options.relabel && format != GraphFormat::kEdges) {
    return error("{}: --relabel is only for edge lists", path);
  }
  if (options.trust && format != GraphFormat::kNative) {
    return error("{}: --trust is only for native graphs", path);
  }
  return {};
}

Result<Web> open_text(const GraphFile& file, const OpenOptions& options, const Progress& progress) {
  BB_TRY(const std::unique_ptr<InputStream> in, InputStream::open(file.path));
  GraphFormat format = file.format;
  if (format == GraphFormat::kUnknown || options.format == GraphFormat::kUnknown) {
    BB_TRY(const std::string_view head, in->peek(kFormatHead));
    const GraphFormat found = format_by_content(head);
    if (found != GraphFormat::kUnknown) format = found;
  }
  BB_TRY_VOID(check_options(in->name(), format, options));
  switch (format) {
    case GraphFormat::kAscii:
      return open_ascii(*in, progress);
    case GraphFormat::kEdges:
      return open_edges(*in, options, progress);
    case GraphFormat::kNative:
      return error("{}: a native graph is mapped into memory, so it must be a plain file: unpack it first",
                   in->name());
    default:
      return error(
          "{}: this does not look like a graph: neither an ASCIIGraph (a line with the number of pages "
          "first), "
          "nor an edge list (two ids per line), nor a native graph; use --format to name the format",
          in->name());
  }
}

Result<Web> open_graph(const GraphFile& file, const OpenOptions& options, const Progress& progress) {
  switch (file.format) {
    case GraphFormat::kSynthetic: {
      BB_TRY(const SyntheticOptions synthetic, parse_synthetic(file.path));
      return make_synthetic(synthetic);
    }
    case GraphFormat::kBv:
      BB_TRY_VOID(check_options(file.path, file.format, options));
      return open_bv(file, progress);
    case GraphFormat::kNative:
      BB_TRY_VOID(check_options(file.path, file.format, options));
      return open_native(file.path, options.trust, progress);
    case GraphFormat::kDot:
      return error("{}: Graphviz files are written, not read", file.path);
    default:
      return open_text(file, options, progress);
  }
}

// Adds names and hosts to those in the graph's own file.
Status add_names(Web& web, const GraphFile& file, const OpenOptions& options, const Progress& progress) {
  std::optional<NamesFile> names;
  if (!options.names_file.empty()) {
    names = names_file(options.names_file);
  } else if (options.find_names && !web.names && file.path != "-" && file.format != GraphFormat::kSynthetic) {
    names = find_names_file(file.path);
  }
  if (names) {
    BB_TRY(const std::unique_ptr<InputStream> in, InputStream::open(names->path));
    BB_TRY(KnownPages known,
           read_names(*in, names->of_hosts, web.graph->pages(), options.want_names, progress));
    if (options.want_names) web.names = std::move(known.names);
    if (known.hosts) web.hosts = std::move(known.hosts);
  }
  if (!options.hosts_file.empty()) {
    BB_TRY(const std::unique_ptr<InputStream> in, InputStream::open(options.hosts_file));
    BB_TRY(web.hosts, read_host_numbers(*in, web.graph->pages(), progress));
  }
  return {};
}

}  // namespace

Result<Web> open_web(const std::string& path, const OpenOptions& options, const Progress& progress) {
  BB_TRY(const GraphFile file, find_graph(path, options.format));
  BB_TRY(Web web, open_graph(file, options, progress));
  BB_TRY_VOID(add_names(web, file, options, progress));
  return web;
}

}  // namespace bowerbird
