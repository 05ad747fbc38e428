// `bowerbird graph rank`: the most important pages of a graph, and the whole vector to a file.
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/graph_options.h"
#include "cmd/terminal.h"
#include "graph/pagerank.h"
#include "sys/file.h"
#include "sys/memory.h"
#include "url/location.h"

namespace bowerbird {

namespace {

struct RankCommand {
  GraphArgument graph;
  std::string by = "pagerank";
  std::string top = "10";
  std::string out;
  PageRankOptions pagerank;
};

struct Ranking {
  std::vector<double> value;
  unsigned iterations = 0;  // 0 for what needs none
  double change = 0;
  bool converged = true;
};

Result<Ranking> by_pagerank(const Web& web, const PageRankOptions& options, const Progress& progress) {
  CsrGraph copy;
  // Ranks (three doubles a page) and the graph turned round.
  BB_TRY(const CsrGraph* graph, as_csr(web, copy, 40, sizeof(PageId), "PageRank"));
  BB_TRY(PageRank result, pagerank(*graph, options, progress));
  return Ranking{std::move(result.rank), result.iterations, result.change, result.converged};
}

Result<Ranking> by_degree(const Web& web, bool in, const Progress& progress) {
  const PageId n = web.graph->pages();
  BB_TRY_VOID(check_memory("this ranking", std::uint64_t{n} * 16));
  Ranking ranking;
  ranking.value.assign(n, 0);
  bool stopped = false;
  web.graph->scan(0, n, [&](PageId page, std::span<const PageId> links) {
    if (in) {
      for (const PageId target : links) ++ranking.value[target];
    } else {
      ranking.value[page] = static_cast<double>(links.size());
    }
    if (page % 65536 == 0) stopped = !progress.tick("counting links", page, n);
    return !stopped;
  });
  BB_TRY_VOID(web.graph->status());
  if (stopped) return error("stopped before all links were counted");
  return ranking;
}

Result<Ranking> by_location(const Web& web, const Progress& progress) {
  if (!web.names) return error("--by location needs the URLs of the pages: give a file of them with --names");
  BB_TRY_VOID(check_memory("this ranking", std::uint64_t{web.graph->pages()} * 16));
  Ranking ranking;
  ranking.value.reserve(web.graph->pages());
  for (PageId page = 0; page < web.graph->pages(); ++page) {
    ranking.value.push_back(location_score(web.names->name(page)));
    if (page % 65536 == 0 && !progress.tick("judging URLs", page, web.graph->pages())) {
      return error("stopped before all URLs were read");
    }
  }
  return ranking;
}

Result<Ranking> rank_pages(const Web& web, const RankCommand& options, const Progress& progress) {
  if (options.by == "pagerank") return by_pagerank(web, options.pagerank, progress);
  if (options.by == "in-degree") return by_degree(web, true, progress);
  if (options.by == "out-degree") return by_degree(web, false, progress);
  return by_location(web, progress);
}

using Json = nlohmann::ordered_json;

// Valid UTF-8 whatever the name holds.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string csv_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

Status write_text(OutputFile& file, const Web& web, const std::vector<double>& value, bool json,
                  const Progress& progress) {
  BB_TRY_VOID(file.write(json ? "[\n" : web.names ? "page,score,url\n" : "page,score\n"));
  for (PageId page = 0; page < value.size(); ++page) {
    std::string line;
    if (json) {
      Json row = {{"page", page}, {"score", value[page]}};
      if (web.names) row["url"] = web.names->name(page);
      line = dumped(row) + (page + 1 < value.size() ? ",\n" : "\n");
    } else {
      line = fmt::format("{},{}", page, value[page]);
      if (web.names) line += "," + csv_quoted(web.names->name(page));
      line += "\n";
    }
    BB_TRY_VOID(file.write(line));
    if (page % 65536 == 0 && !progress.tick("writing", page, value.size())) {
      return error("stopped before the file was complete; it was removed");
    }
  }
  return json ? file.write("]\n") : Status();
}

enum class VectorFormat { kCsv, kJson, kBinary };

Result<VectorFormat> vector_format(const std::string& path) {
  if (path.ends_with(".csv") || path == "-") return VectorFormat::kCsv;
  if (path.ends_with(".json")) return VectorFormat::kJson;
  if (path.ends_with(".f64")) return VectorFormat::kBinary;
  return error("{}: unknown extension; use .csv, .json, or .f64 (little-endian doubles)", path);
}

Status write_vector(const std::string& path, const Web& web, const std::vector<double>& value,
                    const Progress& progress) {
  BB_TRY(const VectorFormat format, vector_format(path));
  BB_TRY(const auto file, OutputFile::create(path));
  if (format == VectorFormat::kBinary) {
    BB_TRY_VOID(file->write({reinterpret_cast<const char*>(value.data()), value.size() * sizeof(double)}));
  } else {
    BB_TRY_VOID(write_text(*file, web, value, format == VectorFormat::kJson, progress));
  }
  return file->finish();
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
  if (options.out == "-" && common.json) refuse("--out - and --json cannot both write to standard output");
  if (options.by != "pagerank") {
    refuse_options(app, {"--damping", "--tolerance", "--iterations", "--threads"}, "only for --by pagerank");
  }
  ProgressLine line(common.quiet);
  BB_TRY(const Web web, open_graph(options.graph, line.progress()));
  const auto start = std::chrono::steady_clock::now();
  BB_TRY(const Ranking ranking, rank_pages(web, options, line.progress()));
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
