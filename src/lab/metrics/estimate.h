// A crawl's estimate of a page's importance, from what it has seen so far. The limited buffer drops pages by
// it.
//
//   backlink  IB': links seen to the page
//   pagerank  IR': PageRank over the crawled pages with their links and the discovered ones without,
//             recomputed twenty times in a crawl; in between a page gains d*r(v)/O(v) from each page v
//             crawled that links to it
//   exact     a worth that is plain once the page is there (out-degree, location)
//
// Invariant: unless crawled() returns `true`, a page's estimate never falls. [004]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "lab/metrics/yardstick.h"
#include "lab/reach.h"

namespace bowerbird {

enum class EstimateKind { kBacklink, kPageRank, kExact };

class Estimate {
 public:
  // Graph and yardstick outlive the object; the yardstick is only used for kExact.
  Estimate(EstimateKind kind, const Graph& graph, const Yardstick& yardstick);

  // A page was crawled and has these links. True if all estimates were recomputed.
  bool crawled(PageId page, std::span<const PageId> links);
  double of(PageId page) const {
    return kind_ == EstimateKind::kExact ? yardstick_->value(page) : value_[page];
  }

 private:
  void know(PageId page);
  void recompute();
  double iterate();

  EstimateKind kind_;
  const Graph* graph_;
  const Yardstick* yardstick_;
  std::uint64_t period_;
  std::vector<double> value_;
  // Only for kPageRank.
  std::vector<double> rank_;    // at the last recomputation; 0 for pages unknown then
  std::vector<double> gained_;  // scratch of an iteration
  std::vector<PageId> order_;   // crawled pages
  std::vector<PageId> known_;   // pages crawled or linked from those
  PageSet is_known_;
  LinkBuffer buffer_;
};

}  // namespace bowerbird
