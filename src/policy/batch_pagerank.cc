// Batch PageRank: every k crawled pages, PageRank over the known graph orders the queue; pages found in
// between have score 0, first come, first served. [004] (every 500 pages there), [003].
#include "policy/graph_rows.h"
#include "policy/known_rank.h"
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class BatchPageRank final : public Policy {
 public:
  BatchPageRank(Pace pace, const PolicyContext& context)
      : known_(pace, context.threads, {context.spill, context.graph_bytes}, context.rows) {}

  bool wants_links() const override { return true; }
  Score seed(const Seed& seed) override {
    known_.add_seed(seed.page);
    return 0;
  }
  void crawled(const Visit& visit, std::span<const PageId> all) override {
    computed_ = known_.crawled(visit, all);
  }
  void give(const Visit&, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) {
      if (link.is_new) link.score = known_.rank(link.page);
    }
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

MadePolicy make_batch_pagerank(const Spec& spec, const PolicyContext& context) {
  SpecReader reader(spec);
  const Pace pace = Pace::read(reader, context);
  BB_TRY_VOID(reader.finish());
  return made<BatchPageRank>(pace, context);
}

}  // namespace bowerbird
