// Measures of importance: a number for every page of a web, the truth that crawls are judged by.
//
//   pagerank  over the whole graph    backlink  in-degree           forward  out-degree
//   location  IL, from the URL alone  home      1 for a home page   none     nothing is judged
//   similarity  IS: how much it has to do with the topic            on-topic  1 for a page about it
//   combined  IC: a weighted sum of others, each divided by the largest there is
// [004, 002]
#pragma once

#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "graph/csr.h"
#include "graph/web.h"
#include "lab/metrics/estimate.h"
#include "url/location.h"

namespace bowerbird {

enum class Importance {
  kPageRank,
  kBacklink,
  kForward,
  kLocation,
  kHome,
  kSimilarity,
  kOnTopic,
  kCombined,
  kNone,
};

// The parts of IC, k1 IS + k2 IB + ...
struct ImportanceWeight {
  Importance importance = Importance::kPageRank;
  double weight = 1;
};

Result<Importance> parse_importance(std::string_view text);
std::string_view name_of(Importance importance);
// How a crawl would estimate it.
EstimateKind estimate_of(Importance importance);
bool needs_urls(Importance importance);
// "similarity=1,backlink=0.5"
Result<std::vector<ImportanceWeight>> parse_weights(std::string_view text);

struct ImportanceOptions {
  LocationOptions location;
  std::vector<ImportanceWeight> weights;  // of kCombined
  unsigned threads = 1;
};

// One number per page. `graph` is web.graph as arrays; fails if required URLs or topic are unknown, or the
// progress callback asks to stop. Not for kNone.
Result<std::vector<double>> compute_importance(Importance importance, const CsrGraph& graph, const Web& web,
                                               const ImportanceOptions& options,
                                               const Progress& progress = {});

}  // namespace bowerbird
