#include "lab/importance.h"

#include <algorithm>
#include <array>

#include "base/units.h"
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

constexpr std::array<Row, 9> kRows = {{{Importance::kPageRank, "pagerank", EstimateKind::kPageRank, false},
                                       {Importance::kBacklink, "backlink", EstimateKind::kBacklink, false},
                                       {Importance::kForward, "forward", EstimateKind::kExact, false},
                                       {Importance::kLocation, "location", EstimateKind::kExact, true},
                                       {Importance::kHome, "home", EstimateKind::kExact, true},
                                       {Importance::kSimilarity, "similarity", EstimateKind::kExact, false},
                                       {Importance::kOnTopic, "on-topic", EstimateKind::kExact, false},
                                       {Importance::kCombined, "combined", EstimateKind::kExact, false},
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

Result<std::vector<double>> combined(const CsrGraph& graph, const Web& web, const ImportanceOptions& options,
                                     const Progress& progress) {
  std::vector<double> sum(graph.pages(), 0);
  for (const ImportanceWeight& part : options.weights) {
    BB_TRY(const std::vector<double> value,
           compute_importance(part.importance, graph, web, options, progress));
    const double largest = value.empty() ? 0 : *std::max_element(value.begin(), value.end());
    if (largest <= 0) continue;
    for (std::size_t page = 0; page < sum.size(); ++page) sum[page] += part.weight * value[page] / largest;
  }
  return sum;
}

}  // namespace

Result<Importance> parse_importance(std::string_view text) {
  for (const Row& row : kRows) {
    if (row.name == text) return row.importance;
  }
  return error(
      "importance '{}': expected pagerank, backlink, forward, location, home, similarity, on-topic, "
      "combined or none",
      text);
}

Result<std::vector<ImportanceWeight>> parse_weights(std::string_view text) {
  std::vector<ImportanceWeight> weights;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), piece.size() + 1));
    const std::size_t equal = piece.find('=');
    if (equal == piece.npos) return error("'{}': a weight is written as importance=number", piece);
    BB_TRY(const Importance importance, parse_importance(piece.substr(0, equal)));
    BB_TRY(const double weight, parse_number(piece.substr(equal + 1)));
    if (importance == Importance::kCombined || importance == Importance::kNone) {
      return error("'{}' is not a part of a weighted sum", piece.substr(0, equal));
    }
    weights.push_back({importance, weight});
  }
  if (weights.empty()) return error("name at least one weight, as in similarity=1,backlink=1");
  return weights;
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
  if ((importance == Importance::kSimilarity || importance == Importance::kOnTopic) && !web.topic) {
    return error("importance '{}' needs a topic (--topic WORDS)", name_of(importance));
  }
  switch (importance) {
    case Importance::kSimilarity:
      return web.topic->similarity;
    case Importance::kOnTopic:
      return std::vector<double>(web.topic->on_topic.begin(), web.topic->on_topic.end());
    case Importance::kCombined:
      return combined(graph, web, options, progress);
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
