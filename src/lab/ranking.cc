#include "lab/ranking.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "graph/csr.h"
#include "sys/file.h"
#include "sys/memory.h"
#include "url/location.h"

namespace bowerbird {

namespace {

Result<Ranking> by_pagerank(const Web& web, const PageRankOptions& options, const Progress& progress) {
  // Ranks (three doubles per page) and the reversed graph; plus a copy if the graph is not in arrays.
  const std::uint64_t pages = web.graph->pages();
  const std::uint64_t links = estimated_links(*web.graph);
  const auto* graph = dynamic_cast<const CsrGraph*>(web.graph.get());
  std::uint64_t bytes = pages * 40 + links * sizeof(PageId);
  if (graph == nullptr) bytes += pages * sizeof(std::uint64_t) + links * sizeof(PageId);
  BB_TRY_VOID(check_memory("PageRank", bytes));
  CsrGraph copy;
  if (graph == nullptr) {
    BB_TRY(copy, to_csr(*web.graph));
    graph = &copy;
  }
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
  if (!web.names)
    return error("a ranking by location needs the URLs of the pages: give a file of them with --names");
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

std::string csv_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

Status write_values(OutputFile& file, const Web& web, const std::vector<double>& value, bool json,
                    const Progress& progress) {
  BB_TRY_VOID(file.write(json ? "[\n" : web.names ? "page,score,url\n" : "page,score\n"));
  for (PageId page = 0; page < value.size(); ++page) {
    std::string line;
    if (json) {
      nlohmann::ordered_json row = {{"page", page}, {"score", value[page]}};
      if (web.names) row["url"] = web.names->name(page);
      line = row.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
             (page + 1 < value.size() ? ",\n" : "\n");
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

}  // namespace

Result<RankBy> parse_rank_by(std::string_view name) {
  if (name == "pagerank") return RankBy::kPageRank;
  if (name == "in-degree") return RankBy::kInDegree;
  if (name == "out-degree") return RankBy::kOutDegree;
  if (name == "location") return RankBy::kLocation;
  return error("'{}' is not one of pagerank, in-degree, out-degree or location", name);
}

Result<Ranking> rank_pages(const Web& web, RankBy by, const PageRankOptions& pagerank,
                           const Progress& progress) {
  switch (by) {
    case RankBy::kPageRank:
      return by_pagerank(web, pagerank, progress);
    case RankBy::kInDegree:
      return by_degree(web, true, progress);
    case RankBy::kOutDegree:
      return by_degree(web, false, progress);
    case RankBy::kLocation:
      break;
  }
  return by_location(web, progress);
}

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
    BB_TRY_VOID(write_values(*file, web, value, format == VectorFormat::kJson, progress));
  }
  return file->finish();
}

}  // namespace bowerbird
