// Partial PageRank: as batch PageRank, but between computations an uncrawled page gains r(parent)/O(parent)
// from each page crawled that links to it, r as last computed. [003]
#include "policy/graph_rows.h"
#include "policy/known_rank.h"
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class PartialPageRank final : public Policy {
 public:
  PartialPageRank(Pace pace, const PolicyContext& context)
      : known_(pace, context.threads, {context.spill, context.graph_bytes}, context.rows) {}

  bool wants_links() const override { return true; }
  Score seed(const Seed& seed) override {
    known_.add_seed(seed.page);
    return 0;
  }
  void crawled(const Visit& visit, std::span<const PageId> all) override {
    computed_ = known_.crawled(visit, all);
  }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    // A computation since the visit has counted these links already, held back or not.
    const bool counted = visit.crawled <= known_.computed_at();
    const double gain = counted || visit.links == 0 ? 0 : known_.rank(visit.page) / visit.links;
    for (OpenLink& link : links) link.score = (link.is_new ? known_.rank(link.page) : link.score) + gain;
  }
  bool wants_rescore() override { return std::exchange(computed_, false); }
  Score rescore(PageId page, Score) const override { return known_.rank(page); }

  std::uint64_t bytes() const override { return known_.bytes(); }
  void limit_graph(std::uint64_t bytes) override { known_.links().limit(bytes); }
  GraphUse graph_use() const override { return graph_use_of(known_.links()); }
  Status status() const override { return known_.links().status(); }
  std::vector<std::string> take_troubles() override { return known_.links().take_troubles(); }
  void save(ByteWriter& out) const override { known_.save(out); }
  void load(ByteReader& in) override { known_.load(in); }

 private:
  KnownRank known_;
  bool computed_ = false;
};

}  // namespace

MadePolicy make_partial_pagerank(const Spec& spec, const PolicyContext& context) {
  SpecReader reader(spec);
  const Pace pace = Pace::read(reader, context);
  BB_TRY_VOID(reader.finish());
  return made<PartialPageRank>(pace, context);
}

}  // namespace bowerbird
