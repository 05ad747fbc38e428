// Batch PageRank: every k crawled pages, PageRank over the known graph orders the queue; pages found in
// between have score 0, first come, first served. [004] (every 500 pages there), [003].
#include "policy/known_rank_policy.h"

namespace bowerbird {

namespace {

class BatchPageRank final : public KnownRankPolicy {
 public:
  using KnownRankPolicy::KnownRankPolicy;

  void give(const Visit&, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) {
      if (link.is_new) link.score = known().rank(link.page);
    }
  }
};

}  // namespace

MadePolicy make_batch_pagerank(const Spec& spec, const PolicyContext& context) {
  return make_known_rank_policy<BatchPageRank>(spec, context);
}

}  // namespace bowerbird
