// `bowerbird graph convert` and `bowerbird graph generate`: a web written to a file.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/graph_options.h"
#include "cmd/terminal.h"
#include "graph/io/save.h"
#include "graph/synthetic.h"

namespace bowerbird {

namespace {

struct OutputArgument {
  std::string path;
  std::string format;
  bool no_names = false;
  SaveOptions save;
};

void add_output_argument(CLI::App& command, OutputArgument& output) {
  command
      .add_option(
          "OUT", output.path,
          "The file to write; its extension names the format: .bbg (native), .graph (BVGraph), "
          ".graph-txt, .edges, .tsv, .dot, the text formats also with .gz or .zst; - is standard output")
      ->required();
  command
      .add_option("--to", output.format,
                  "The format, where the extension does not say: bv, ascii, edges, native or dot")
      ->type_name("NAME")
      ->check(one_of({"bv", "ascii", "edges", "native", "dot"}));
  command.add_flag("--no-names", output.no_names, "Leave the page names out");
  command.add_option("--window", output.save.bv.window, "BVGraph: how many pages back a list may refer to")
      ->type_name("N")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command
      .add_option("--max-references", output.save.bv.max_ref_count, "BVGraph: longest chain of references")
      ->type_name("N")
      ->check(CLI::Range(0, 1 << 30))
      ->capture_default_str();
  command
      .add_option("--min-interval", output.save.bv.min_interval,
                  "BVGraph: shortest run of links kept as an interval; 0 is none")
      ->type_name("N")
      ->check(CLI::Range(0, 1 << 30))
      ->capture_default_str();
  command.add_option("--zeta", output.save.bv.zeta_k, "BVGraph: k of the zeta code of the residuals")
      ->type_name("K")
      ->check(CLI::Range(1, 32))
      ->capture_default_str();
}

// The main file of what was written, in bytes.
std::uint64_t size_of(const std::string& path, GraphFormat format) {
  std::error_code code;
  const std::string file = format == GraphFormat::kBv && !path.ends_with(".graph") ? path + ".graph" : path;
  const auto size = std::filesystem::file_size(file, code);
  return code ? 0 : size;
}

Status write(const Web& web, const OutputArgument& output, const CommonOptions& common,
             const std::string& source) {
  SaveOptions options = output.save;
  if (!output.format.empty()) {
    BB_TRY(options.format, parse_format(output.format));
  }
  options.with_names = !output.no_names;
  if (output.path == "-" && common.json) return error("OUT - and --json both want standard output");
  const auto start = std::chrono::steady_clock::now();
  {
    ProgressLine line(common.quiet);
    BB_TRY_VOID(save_web(web, output.path, options, line.progress()));
  }
  if (output.path == "-") return {};
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const GraphFormat format =
      options.format == GraphFormat::kUnknown ? format_by_name(output.path) : options.format;
  const std::uint64_t bytes = size_of(output.path, format);
  const std::optional<std::uint64_t> links = web.graph->links();
  if (common.json) {
    nlohmann::ordered_json report = {
        {"from", source}, {"to", output.path}, {"format", format_name(format)}, {"pages", web.graph->pages()},
        {"bytes", bytes}, {"seconds", seconds}};
    if (links) {
      report["links"] = *links;
      if (*links > 0)
        report["bits_per_link"] = 8.0 * static_cast<double>(bytes) / static_cast<double>(*links);
    }
    print_json_line(report.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return {};
  }
  std::string text = fmt::format("{}: {} pages", printable(output.path), format_count(web.graph->pages()));
  if (links) text += fmt::format(", {} links", format_count(*links));
  text += fmt::format(", {}", format_bytes(bytes));
  if (links && *links > 0) {
    text +=
        fmt::format(" ({:.2f} bits a link)", 8.0 * static_cast<double>(bytes) / static_cast<double>(*links));
  }
  fmt::print("{}, {:.1f} s\n", text, seconds);
  return {};
}

constexpr CommandText kConvertText = {
    "write a graph in another format",
    "Reads any graph and writes it as the extension of OUT says. Page names go along: inside a native graph, "
    "beside the "
    "others as X.urls.gz. The file appears whole or not at all.\n"
    "\n"
    "  .bbg           our own format: mapped into memory, opens at once (docs/formats/native.md)\n"
    "  .graph         WebGraph's BVGraph: 2 to 5 bits a link (docs/formats/bvgraph.md)\n"
    "  .graph-txt     WebGraph's ASCIIGraph; weighted graphs keep their weights\n"
    "  .edges, .tsv   one link a line\n"
    "  .dot           Graphviz, for small graphs",
    "# a graph of the Laboratory for Web Algorithmics, ready to be mapped\n"
    "bowerbird graph convert cnr-2000 cnr-2000.bbg\n"
    "# an edge list with sparse ids, compressed\n"
    "bowerbird graph convert edges.txt.gz web.graph --relabel\n"
    "# a picture of a small one\n"
    "bowerbird graph convert small.graph-txt - --to dot | dot -Tsvg > small.svg\n"};

constexpr CommandText kGenerateText = {"make a synthetic web that behaves like the real one",
                                       "Writes a web of any size, the same for the same seed. Hosts, "
                                       "degrees, the share of links between hosts, template "
                                       "links, depth and URL names resemble those of real crawls "
                                       "(docs/synthetic-web.md shows them side by side).\n"
                                       "\n"
                                       "The same web needs no file at all: every command that reads a graph "
                                       "takes `synthetic:pages=1G,seed=7`, which "
                                       "computes the links of a page when they are asked for.",
                                       "# ten million pages to a file that opens at once\n"
                                       "bowerbird graph generate web.bbg --pages 10M\n"
                                       "# a small one to look at\n"
                                       "bowerbird graph generate small.graph-txt --pages 200 --seed 7\n"
                                       "# a billion pages, computed on the fly\n"
                                       "bowerbird graph info synthetic:pages=1G\n"};

struct ConvertCommand {
  GraphArgument graph;
  OutputArgument output;
};

struct GenerateCommand {
  OutputArgument output;
  std::string pages = "1M";
  SyntheticOptions web;
};

Status generate(const GenerateCommand& command, const CommonOptions& common) {
  SyntheticOptions options = command.web;
  BB_TRY(options.pages, parse_count(command.pages));
  // Through its own text form, which refuses what is out of range.
  BB_TRY(options, parse_synthetic(format_synthetic(options)));
  const Web web = make_synthetic(options);
  return write(web, command.output, common, format_synthetic(options));
}

}  // namespace

void add_graph_convert(App& app, CLI::App& graph) {
  auto options = std::make_shared<ConvertCommand>();
  CLI::App& command =
      app.add_command(graph, "convert", kConvertText, [options](const CommonOptions& common) -> Status {
        ProgressLine line(common.quiet);
        BB_TRY(const Web web, open_graph(options->graph, line.progress()));
        line.clear();
        return write(web, options->output, common, options->graph.path);
      });
  add_graph_argument(command, options->graph);
  add_output_argument(command, options->output);
}

void add_graph_generate(App& app, CLI::App& graph) {
  auto options = std::make_shared<GenerateCommand>();
  CLI::App& command =
      app.add_command(graph, "generate", kGenerateText,
                      [options](const CommonOptions& common) { return generate(*options, common); });
  add_output_argument(command, options->output);
  SyntheticOptions& web = options->web;
  command.add_option("--pages", options->pages, "How many pages: 200, 10k, 1.5M, 1G")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--seed", web.seed, "Another seed, another web of the same kind")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--degree", web.degree, "Mean number of links of a page")
      ->type_name("X")
      ->capture_default_str();
  command.add_option("--inter", web.inter, "Share of the links that leave their host")
      ->type_name("SHARE")
      ->capture_default_str();
  command.add_option("--dangling", web.dangling, "Share of the pages without links")
      ->type_name("SHARE")
      ->capture_default_str();
}

}  // namespace bowerbird
