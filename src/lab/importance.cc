#include "lab/importance.h"

#include <array>

#include "graph/pagerank.h"
#include "url/host.h"

namespace bowerbird {
namespace {

struct Row {
  Importance importance;
  std::string_view name;
  EstimateKind estimate;
  bool needs_urls;
};

constexpr std::array<Row, 6> kRows = {{{Importance::kPageRank, "pagerank", EstimateKind::kPageRank, false},
                                       {Importance::kBacklink, "backlink", EstimateKind::kBacklink, false},
                                       {Importance::kForward, "forward", EstimateKind::kExact, false},
                                       {Importance::kLocation, "location", EstimateKind::kExact, true},
                                       {Importance::kHome, "home", EstimateKind::kExact, true},
                                       {Importance::kNone, "none", EstimateKind::kExact, false}}};

const Row& row_of(Importance importance) {
  return kRows[static_cast<std::size_t>(importance)];
}

template <typename Worth>
std::vector<double> from_names(const Web& web, const Worth& worth) {
  std::vector<double> value(web.graph->pages());
  for (PageId page = 0; page < value.size(); ++page) value[page] = worth(web.names->name(page));
  return value;
}

}  // namespace

Result<Importance> parse_importance(std::string_view text) {
  for (const Row& row : kRows) {
    if (row.name == text) return row.importance;
  }
  return error("importance '{}': expected pagerank, backlink, forward, location, home or none", text);
}

std::string_view name_of(Importance importance) {
  return row_of(importance).name;
}
EstimateKind estimate_of(Importance importance) {
  return row_of(importance).estimate;
}
bool needs_urls(Importance importance) {
  return row_of(importance).needs_urls;
}

Result<std::vector<double>> compute_importance(Importance importance, const CsrGraph& graph, const Web& web,
                                               const ImportanceOptions& options, const Progress& progress) {
  if (needs_urls(importance) && !web.names) {
    return error("importance '{}' needs the pages' URLs, which this graph does not have",
                 name_of(importance));
  }
  switch (importance) {
    case Importance::kPageRank: {
      PageRankOptions rank_options;
      rank_options.threads = options.threads;
      BB_TRY(PageRank result, pagerank(graph, rank_options, progress));
      return std::move(result.rank);
    }
    case Importance::kBacklink: {
      const auto degrees = in_degrees(graph);
      return std::vector<double>(degrees.begin(), degrees.end());
    }
    case Importance::kForward: {
      std::vector<double> value(graph.pages());
      for (PageId page = 0; page < graph.pages(); ++page)
        value[page] = static_cast<double>(graph.degree(page));
      return value;
    }
    case Importance::kLocation:
      return from_names(web, [&](const std::string& url) { return location_score(url, options.location); });
    case Importance::kHome:
      return from_names(web, [](const std::string& url) { return is_home_page(url) ? 1.0 : 0.0; });
    case Importance::kNone:
      break;
  }
  return std::vector<double>();
}

}  // namespace bowerbird
