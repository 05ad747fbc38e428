// `bowerbird graph rank`: the most important pages of a graph, and the whole vector to a file.
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/graph_options.h"
#include "cmd/terminal.h"
#include "lab/ranking.h"

namespace bowerbird {

namespace {

struct RankCommand {
  GraphArgument graph;
  std::string by = "pagerank";
  std::string top = "10";
  std::string out;
  PageRankOptions pagerank;
};

using Json = nlohmann::ordered_json;

// Valid UTF-8, whatever the name contains.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void print_table(const Web& web, const std::vector<PageId>& top, const RankCommand& options,
                 const Ranking& ranking) {
  const bool colour = colour_on_stdout();
  fmt::print(
      "{}\n",
      bold(fmt::format("{:>5}  {:>12}  {:>10}  {}", "", options.by, "page", web.names ? "url" : ""), colour));
  for (std::size_t i = 0; i < top.size(); ++i) {
    const double value = ranking.value[top[i]];
    const std::string score =
        options.by == "pagerank" ? fmt::format("{:.6e}", value) : fmt::format("{:.6g}", value);
    fmt::print("{:>5}  {:>12}  {:>10}  {}\n", i + 1, score, top[i], page_name(web, top[i]));
  }
  if (ranking.iterations > 0) {
    fmt::print("{} iteration{}, last change {:.1e}{}\n", ranking.iterations,
               ranking.iterations == 1 ? "" : "s", ranking.change,
               ranking.converged ? "" : " (not converged; raise --iterations)");
  }
}

void print_json(const Web& web, const std::vector<PageId>& top, const RankCommand& options,
                const Ranking& ranking, double seconds) {
  Json report = {{"by", options.by}, {"pages", web.graph->pages()}, {"seconds", seconds}};
  if (ranking.iterations > 0) {
    report["iterations"] = ranking.iterations;
    report["change"] = ranking.change;
    report["converged"] = ranking.converged;
  }
  report["top"] = Json::array();
  for (const PageId page : top) {
    Json row = {{"page", page}, {"score", ranking.value[page]}};
    if (web.names) row["url"] = web.names->name(page);
    report["top"].push_back(std::move(row));
  }
  print_json_line(dumped(report));
}

Status run(const RankCommand& options, const CommonOptions& common, const CLI::App& app) {
  BB_TRY(const std::uint64_t count, parse_count(options.top));
  BB_TRY(const RankBy by, parse_rank_by(options.by));
  if (options.out == "-" && common.json) refuse("--out - and --json cannot both write to standard output");
  if (options.by != "pagerank") {
    refuse_options(app, {"--damping", "--tolerance", "--iterations", "--threads"}, "only for --by pagerank");
  }
  ProgressLine line(common.quiet);
  BB_TRY(const Web web, open_graph(options.graph, line.progress()));
  const auto start = std::chrono::steady_clock::now();
  BB_TRY(const Ranking ranking, rank_pages(web, by, options.pagerank, line.progress()));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::vector<PageId> top = top_pages(ranking.value, count);
  if (!options.out.empty()) BB_TRY_VOID(write_vector(options.out, web, ranking.value, line.progress()));
  line.clear();
  if (common.json) {
    print_json(web, top, options, ranking, seconds);
  } else if (options.out != "-") {
    print_table(web, top, options, ranking);
  }
  return {};
}

constexpr CommandText kText = {
    "show the most important pages of a graph",
    "Ranks all pages and shows the best. PageRank runs on all cores until the ranks change by less than the "
    "tolerance (L1 norm); the rank of pages without links is spread over all pages. `location` uses the URL "
    "alone: fewer slashes are better, and .com hosts and \"home\" in the URL get a bonus.\n\n--out writes "
    "the value of every page: as .csv (page, score, url), .json, or .f64, which is one little-endian double "
    "per page.",
    "# the 20 pages with the highest PageRank\nbowerbird graph rank cnr-2000 --top 20\n# the most linked "
    "pages, for a script\nbowerbird graph rank cnr-2000 --by in-degree --json\n# the rank of every page, as "
    "a vector for other software\nbowerbird graph rank cnr-2000 --top 0 --out rank.f64\n"};

}  // namespace

void add_graph_rank(App& app, CLI::App& graph) {
  auto options = std::make_shared<RankCommand>();
  auto self = std::make_shared<const CLI::App*>();
  CLI::App& command = app.add_command(graph, "rank", kText, [options, self](const CommonOptions& common) {
    return run(*options, common, **self);
  });
  *self = &command;
  add_graph_argument(command, options->graph);
  command.add_option("--by", options->by, "pagerank, in-degree, out-degree or location")
      ->type_name("METRIC")
      ->check(one_of({"pagerank", "in-degree", "out-degree", "location"}))
      ->capture_default_str();
  command.add_option("-k,--top", options->top, "Number of pages to show")
      ->type_name("N")
      ->check(is_count())
      ->capture_default_str();
  command
      .add_option(
          "-o,--out", options->out,
          "Write the value of every page to this .csv, .json or .f64 file (- is CSV on standard output)")
      ->type_name("FILE")
      ->check(parsed_by(vector_format));
  command.add_option("--damping", options->pagerank.damping, "PageRank: damping factor")
      ->type_name("D")
      ->check(between(0, 0.9999))
      ->capture_default_str();
  command.add_option("--tolerance", options->pagerank.tolerance, "PageRank: stop at this L1 change")
      ->type_name("X")
      ->check(between(1e-15, 1))
      ->capture_default_str();
  command
      .add_option("--iterations", options->pagerank.max_iterations, "PageRank: maximum number of iterations")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  command
      .add_option("--threads", options->pagerank.threads,
                  "Number of threads; the result does not depend on it. Default: all cores")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

}  // namespace bowerbird
