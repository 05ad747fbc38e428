// Partial PageRank: as batch PageRank, but between computations an uncrawled page gains r(parent)/O(parent)
// from each page crawled that links to it, r as last computed. [003]
#include "policy/known_rank_policy.h"

namespace bowerbird {

namespace {

class PartialPageRank final : public KnownRankPolicy {
 public:
  using KnownRankPolicy::KnownRankPolicy;

  void give(const Visit& visit, std::span<OpenLink> links) const override {
    // A computation since the visit has counted these links already, held back or not.
    const bool counted = visit.crawled <= known().computed_at();
    const double gain = counted || visit.links == 0 ? 0 : known().rank(visit.page) / visit.links;
    for (OpenLink& link : links) link.score = (link.is_new ? known().rank(link.page) : link.score) + gain;
  }
};

}  // namespace

MadePolicy make_partial_pagerank(const Spec& spec, const PolicyContext& context) {
  return make_known_rank_policy<PartialPageRank>(spec, context);
}

}  // namespace bowerbird
