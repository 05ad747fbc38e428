// Shared code of the orderings by PageRank of the known graph: everything except the scores of new links.
#pragma once

#include <utility>

#include "policy/graph_rows.h"
#include "policy/known_rank.h"
#include "policy/orderings.h"

namespace bowerbird {

class KnownRankPolicy : public Policy {
 public:
  KnownRankPolicy(Pace pace, const PolicyContext& context)
      : known_(pace, context.threads, {context.spill, context.graph_bytes}, context.rows) {}

  bool wants_links() const override { return true; }
  Score seed(const Seed& seed) override {
    known_.add_seed(seed.page);
    return 0;
  }
  void crawled(const Visit& visit, std::span<const PageId> all) override {
    computed_ = known_.crawled(visit, all);
  }
  bool wants_rescore() override { return std::exchange(computed_, false); }
  Score rescore(PageId page, Score) const override { return known_.rank(page); }

  bool has_ranks() const override { return true; }
  double rank(PageId page) const override { return known_.rank(page); }
  bool recompute_ranks() override {
    if (known_.rows_since() == 0) return false;
    known_.compute();
    computed_ = true;
    return true;
  }

  std::uint64_t bytes() const override { return known_.bytes(); }
  void limit_graph(std::uint64_t bytes) override { known_.links().limit(bytes); }
  GraphUse graph_use() const override { return graph_use_of(known_.links()); }
  Status status() const override { return known_.links().status(); }
  std::vector<std::string> take_troubles() override { return known_.links().take_troubles(); }
  void save(ByteWriter& out) const override { known_.save(out); }
  void load(ByteReader& in) override { known_.load(in); }

 protected:
  const KnownRank& known() const { return known_; }

 private:
  KnownRank known_;
  bool computed_ = false;
};

template <typename Order>
MadePolicy make_known_rank_policy(const Spec& spec, const PolicyContext& context) {
  SpecReader reader(spec);
  const Pace pace = Pace::read(reader, context);
  BB_TRY_VOID(reader.finish());
  return made<Order>(pace, context);
}

}  // namespace bowerbird
