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
#include "graph/csr.h"
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
                  "The format, if the extension does not name it: bv, ascii, edges, native or dot")
      ->type_name("NAME")
      ->check(one_of({"bv", "ascii", "edges", "native", "dot"}));
  command.add_flag("--no-names", output.no_names, "Do not write the page names");
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

// Checks OUT and its options before anything is read.
Result<GraphFormat> check_output(const OutputArgument& output, const CommonOptions& common,
                                 const CLI::App& command) {
  if (output.path == "-" && common.json) refuse("OUT - and --json cannot both write to standard output");
  GraphFormat wanted = GraphFormat::kUnknown;
  if (!output.format.empty()) {
    BB_TRY(wanted, parse_format(output.format));
  }
  const Result<GraphFormat> format = output_format(output.path, wanted);
  if (!format.ok()) refuse(format.error().text);
  if (*format != GraphFormat::kBv) {
    refuse_options(
        command, {"--window", "--max-references", "--min-interval", "--zeta"},
        fmt::format("only for BVGraphs, and {} is written as {}", output.path, format_name(*format)));
  }
  return format;
}

// Warns about what the chosen format cannot store.
void warn_of_losses(const Web& web, GraphFormat format, bool numbered_hosts) {
  const auto* arrays = dynamic_cast<const CsrGraph*>(web.graph.get());
  const bool weighted = arrays != nullptr && !arrays->weights().empty();
  if (weighted && (format == GraphFormat::kBv || format == GraphFormat::kDot)) {
    warn(fmt::format("the weights of the links are lost: {} has none; .bbg, .graph-txt and .edges keep them",
                     format_name(format)));
  }
  if (web.hosts && (numbered_hosts || !web.names) && format != GraphFormat::kNative &&
      format != GraphFormat::kDot) {
    warn("the host numbers of the pages are lost: only the native format (.bbg) keeps them");
  }
}

// Wraps a graph and counts its links in a scan, if their number is not known before.
class CountedGraph final : public Graph {
 public:
  explicit CountedGraph(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}
  PageId pages() const override { return graph_->pages(); }
  std::optional<std::uint64_t> links() const override { return graph_->links(); }
  std::span<const PageId> out(PageId page, LinkBuffer& buffer) const override {
    return graph_->out(page, buffer);
  }
  Status status() const override { return graph_->status(); }
  void scan(PageId first, PageId last, const Visitor& visit) const override {
    graph_->scan(first, last, [&](PageId page, std::span<const PageId> links) {
      if (page == next_) {
        counted_ += links.size();
        ++next_;
      }
      return visit(page, links);
    });
  }
  // Available once all pages have been scanned.
  std::optional<std::uint64_t> counted() const {
    return next_ == pages() ? std::optional(counted_) : std::nullopt;
  }

 private:
  std::unique_ptr<Graph> graph_;
  mutable std::uint64_t next_ = 0;
  mutable std::uint64_t counted_ = 0;
};

Status write(Web web, GraphFormat format, const OutputArgument& output, const CommonOptions& common,
             const std::string& source) {
  SaveOptions options = output.save;
  options.format = format;
  options.with_names = !output.no_names;
  const CountedGraph* counter = nullptr;
  if (!web.graph->links()) {
    auto counted = std::make_unique<CountedGraph>(std::move(web.graph));
    counter = counted.get();
    web.graph = std::move(counted);
  }
  const auto start = std::chrono::steady_clock::now();
  {
    ProgressLine line(common.quiet);
    BB_TRY_VOID(save_web(web, output.path, options, line.progress()));
  }
  if (output.path == "-") return {};
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::uint64_t bytes = size_of(output.path, format);
  const std::optional<std::uint64_t> links = counter != nullptr ? counter->counted() : web.graph->links();
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
  std::string text = fmt::format("{}: {}", printable(output.path), plural(web.graph->pages(), "page"));
  if (links) text += ", " + plural(*links, "link");
  text += fmt::format(", {}", format_bytes(bytes));
  if (links && *links > 0) {
    text += fmt::format(" ({:.2f} bits per link)",
                        8.0 * static_cast<double>(bytes) / static_cast<double>(*links));
  }
  fmt::print("{}, {:.1f} s\n", text, seconds);
  return {};
}

constexpr CommandText kConvertText = {
    "write a graph in another format",
    "Reads any graph and writes it in the format given by the extension of OUT. Page names are written too: "
    "into the file for native graphs, otherwise to X.urls.gz next to it. A file gets its name only when it "
    "is complete.\n"
    "\n"
    "  .bbg           Bowerbird's own format: memory-mapped, opens at once (docs/formats/native.md)\n"
    "  .graph         WebGraph's BVGraph: 2 to 5 bits per link (docs/formats/bvgraph.md)\n"
    "  .graph-txt     WebGraph's ASCIIGraph; weighted graphs keep their weights\n"
    "  .edges, .tsv   one link per line\n"
    "  .dot           Graphviz, for small graphs",
    "# a graph of the Laboratory for Web Algorithmics, ready to be mapped\n"
    "bowerbird graph convert cnr-2000 cnr-2000.bbg\n"
    "# an edge list with sparse ids, compressed\n"
    "bowerbird graph convert edges.txt.gz web.graph --relabel\n"
    "# a picture of a small one\n"
    "bowerbird graph convert small.graph-txt - --to dot | dot -Tsvg > small.svg\n"};

constexpr CommandText kGenerateText = {
    "generate a synthetic web",
    "Writes a web of any size. The same seed gives the same web. Hosts, degrees, the share of links between "
    "hosts, template links, depth and URL names resemble those of real crawls (docs/synthetic-web.md "
    "compares them).\n"
    "\n"
    "You can use the same web without a file: every command that reads a graph accepts "
    "`synthetic:pages=1G,seed=7`, which computes the links of a page on request. Every option below from "
    "--pages on can be set there, by its name without the dashes: "
    "`synthetic:pages=1G,inter=10%,host-exponent=1.8`.",
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
  std::vector<SyntheticField> fields = synthetic_fields();
  std::vector<std::string> values = std::vector<std::string>(fields.size());
};

Status generate(const GenerateCommand& command, const CommonOptions& common, const CLI::App& app) {
  BB_TRY(const GraphFormat format, check_output(command.output, common, app));
  SyntheticOptions options;
  for (std::size_t i = 0; i < command.fields.size(); ++i) {
    if (!command.values[i].empty()) {
      BB_TRY_VOID(set_synthetic(options, command.fields[i].name, command.values[i]));
    }
  }
  return write(make_synthetic(options), format, command.output, common, format_synthetic(options));
}

Status convert(const ConvertCommand& command, const CommonOptions& common, const CLI::App& app) {
  BB_TRY(const GraphFormat format, check_output(command.output, common, app));
  ProgressLine line(common.quiet);
  BB_TRY(Web web, open_graph(command.graph, line.progress()));
  line.clear();
  warn_of_losses(web, format, !command.graph.open.hosts_file.empty());
  return write(std::move(web), format, command.output, common, command.graph.path);
}

}  // namespace

void add_graph_convert(App& app, CLI::App& graph) {
  auto options = std::make_shared<ConvertCommand>();
  auto self = std::make_shared<const CLI::App*>();
  CLI::App& command = app.add_command(
      graph, "convert", kConvertText,
      [options, self](const CommonOptions& common) { return convert(*options, common, **self); });
  *self = &command;
  add_graph_argument(command, options->graph);
  add_output_argument(command, options->output);
}

void add_graph_generate(App& app, CLI::App& graph) {
  auto options = std::make_shared<GenerateCommand>();
  auto self = std::make_shared<const CLI::App*>();
  CLI::App& command = app.add_command(
      graph, "generate", kGenerateText,
      [options, self](const CommonOptions& common) { return generate(*options, common, **self); });
  *self = &command;
  add_output_argument(command, options->output);
  for (std::size_t i = 0; i < options->fields.size(); ++i) {
    const SyntheticField& field = options->fields[i];
    command.add_option("--" + field.name, options->values[i], field.about)
        ->type_name("X")
        ->default_str(field.fallback)
        ->check(parsed_by([name = field.name](const std::string& value) {
          SyntheticOptions unused;
          return set_synthetic(unused, name, value);
        }));
  }
}

}  // namespace bowerbird
