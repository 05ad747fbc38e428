#include "graph/io/save.h"

#include "graph/io/ascii.h"
#include "graph/io/bv_writer.h"
#include "graph/io/edge_list.h"
#include "graph/io/names.h"
#include "graph/io/native.h"
#include "sys/file.h"
#include "sys/line_reader.h"
#include "sys/sink.h"
#include "sys/stream.h"

namespace bowerbird {

namespace {

Result<GraphFormat> choose_format(const std::string& path, GraphFormat wanted) {
  if (wanted != GraphFormat::kUnknown) return wanted;
  const GraphFormat format = format_by_name(path);
  if (format != GraphFormat::kUnknown) return format;
  if (without_compression(path).ends_with(".txt")) return GraphFormat::kEdges;
  return error(
      "{}: the format is not clear from the name: use an extension such as .bbg, .graph, .graph-txt, .edges, "
      ".tsv or .dot "
      "(add .gz or .zst to compress), or name the format with --to",
      path);
}

// Whether a file of names contains exactly those of the web.
Result<bool> holds_names_of(const NamesFile& file, const Web& web) {
  BB_TRY(const std::unique_ptr<InputStream> in, InputStream::open(file.path));
  LineReader lines(*in);
  std::string_view line;
  for (PageId page = 0; page < web.graph->pages(); ++page) {
    BB_TRY(const bool more, lines.next(line));
    if (!more || line.substr(0, file.of_hosts ? line.find('\t') : line.size()) != web.names->name(page)) {
      return false;
    }
  }
  BB_TRY(const bool more, lines.next(line));
  return !more;
}

// Where to write the names; empty if they are there already, or are not to be written. Names of another graph
// in that place are always an error: they would be read as this one's.
Result<std::string> path_for_names(const Web& web, const std::string& path, bool wanted) {
  const std::optional<NamesFile> there = find_names_file(path);
  if (!web.names || !wanted) {
    if (!there) return std::string();
    BB_TRY(const bool own, web.names ? holds_names_of(*there, web) : Result<bool>(false));
    if (own) return std::string();
    return error(
        "{}: would be read as the names of this graph: save it under another name, or move that file away",
        there->path);
  }
  const bool of_hosts = dynamic_cast<const HostPerPage*>(web.hosts.get()) != nullptr;
  if (!there) return graph_stem(path) + (of_hosts ? ".hosts.gz" : ".urls.gz");
  BB_TRY(const bool same, holds_names_of(*there, web));
  if (same && there->of_hosts == of_hosts) return std::string();
  return error(
      "{}: contains other names, and would be read as the names of this graph: "
      "save the graph under another name, or move that file away",
      there->path);
}

Status write_graph(const Web& web, ByteSink& out, GraphFormat format, const SaveOptions& options,
                   const Progress& progress) {
  switch (format) {
    case GraphFormat::kAscii:
      return write_ascii(*web.graph, out, progress);
    case GraphFormat::kEdges:
      return write_edge_list(*web.graph, out, progress);
    case GraphFormat::kNative:
      return write_native(web, out, progress, options.with_names);
    case GraphFormat::kDot:
      return write_dot(web, out, options.dot);
    default:
      return error("graphs cannot be written as '{}'", format_name(format));
  }
}

Status write_as_one_file(const Web& web, const std::string& path, GraphFormat format,
                         const SaveOptions& options, const Progress& progress) {
  BB_TRY(const std::unique_ptr<ByteSink> out, create_output(path));
  BB_TRY_VOID(write_graph(web, *out, format, options, progress));
  return out->finish();
}

Status write_as_bv(const Web& web, const std::string& path, const SaveOptions& options,
                   const Progress& progress) {
  const auto stats = write_bv(*web.graph, path, options.bv, progress);
  return stats.ok() ? Status() : Status(stats.error());
}

}  // namespace

Result<GraphFormat> output_format(const std::string& path, GraphFormat wanted) {
  BB_TRY(const GraphFormat format, choose_format(path, wanted));
  if (format == GraphFormat::kNative && compression_by_name(path) != Compression::kNone) {
    return error("{}: a native graph is mapped into memory, so it cannot be compressed", path);
  }
  if (format == GraphFormat::kBv && (path == "-" || is_special_file(path)))
    return error("{}: a BVGraph is three files: it needs a name", path);
  if (format == GraphFormat::kBv && compression_by_name(path) != Compression::kNone) {
    return error("{}: a BVGraph is already compressed: omit the extension", path);
  }
  return format;
}

Status save_web(const Web& web, const std::string& path, const SaveOptions& options,
                const Progress& progress) {
  BB_TRY(const GraphFormat format, output_format(path, options.format));
  const bool special = path == "-" || is_special_file(path);
  std::string names_path;
  if (!special &&
      (format == GraphFormat::kAscii || format == GraphFormat::kEdges || format == GraphFormat::kBv)) {
    BB_TRY(names_path, path_for_names(web, path, options.with_names));
  }
  BB_TRY_VOID(format == GraphFormat::kBv ? write_as_bv(web, path, options, progress)
                                         : write_as_one_file(web, path, format, options, progress));
  if (names_path.empty()) return {};
  BB_TRY(const std::unique_ptr<ByteSink> names, create_output(names_path));
  BB_TRY_VOID(write_names(*web.names, web.graph->pages(), *names, progress));
  return names->finish();
}

}  // namespace bowerbird
