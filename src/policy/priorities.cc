#include "policy/priorities.h"

#include <utility>

namespace bowerbird {

namespace {

class WithPriorities final : public Policy {
 public:
  WithPriorities(std::unique_ptr<Policy> order, PriorityOf priority)
      : order_(std::move(order)), priority_(std::move(priority)) {}

  bool judges() const override { return order_->judges(); }
  bool wants_hints() const override { return order_->wants_hints(); }
  bool wants_links() const override { return order_->wants_links(); }
  bool travels() const override { return order_->travels(); }

  Score seed(const Seed& seed) override { return raised(seed.page, order_->seed(seed)); }
  void crawled(const Visit& visit, std::span<const PageId> all) override {
    order_->crawled(inside(visit), all);
  }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) {
      if (!link.is_new) link.score = plain(link.page, link.score);
    }
    order_->give(inside(visit), links);
    for (OpenLink& link : links) link.score = raised(link.page, link.score);
  }
  void given(const Visit& visit, std::span<const OpenLink> links, const Shares& shares) override {
    std::vector<OpenLink> own(links.begin(), links.end());
    for (OpenLink& link : own) link.score = plain(link.page, link.score);
    order_->given(inside(visit), own, shares);
  }

  bool wants_rescore() override { return order_->wants_rescore(); }
  Score rescore(PageId page, Score score) const override {
    return raised(page, order_->rescore(page, plain(page, score)));
  }
  bool advance(PageId best, Score score, const Emit& emit) override {
    return order_->advance(best, plain(best, score),
                           [&](PageId page, Score moved) { emit(page, raised(page, moved)); });
  }
  // Rounding must not return the page to the queue again and again.
  Score confirm(PageId page, Score stored) override {
    const Score own = plain(page, stored);
    const Score confirmed = order_->confirm(page, own);
    return confirmed == own ? stored : raised(page, confirmed);
  }

  double merit(Score score) const override { return order_->merit(score); }
  Score scaled(Score score, double factor) const override { return order_->scaled(score, factor); }
  Score plain(PageId page, Score score) const override {
    const double factor = priority_(page);
    return factor == 1 ? score : order_->scaled(score, 1 / factor);
  }
  bool has_ranks() const override { return order_->has_ranks(); }
  double rank(PageId page) const override { return order_->rank(page); }
  bool recompute_ranks() override { return order_->recompute_ranks(); }

  std::vector<Account> accounts() const override { return order_->accounts(); }
  std::uint64_t bytes() const override { return order_->bytes(); }
  void limit_graph(std::uint64_t bytes) override { order_->limit_graph(bytes); }
  GraphUse graph_use() const override { return order_->graph_use(); }
  Status status() const override { return order_->status(); }
  std::vector<std::string> take_troubles() override { return order_->take_troubles(); }
  void save(ByteWriter& out) const override { order_->save(out); }
  void load(ByteReader& in) override { order_->load(in); }

 private:
  Score raised(PageId page, Score score) const {
    const double factor = priority_(page);
    return factor == 1 ? score : order_->scaled(score, factor);
  }
  // The visit with the score that the inner ordering gave. The page of another process has no priority here.
  Visit inside(Visit visit) const {
    if (!visit.received) visit.score = plain(visit.page, visit.score);
    return visit;
  }

  std::unique_ptr<Policy> order_;
  PriorityOf priority_;
};

}  // namespace

std::unique_ptr<Policy> with_priorities(std::unique_ptr<Policy> order, PriorityOf priority) {
  return std::make_unique<WithPriorities>(std::move(order), std::move(priority));
}

}  // namespace bowerbird
