// Adds priorities to an ordering: a page with a larger priority comes first, whatever its score; the
// ordering decides among pages of the same priority.
//
// Problem: crawlers such as Scrapy let their users give single URLs a priority. The frontier compares
// scores, which are doubles, so a priority other than 0 is encoded in the score. The encoding uses
// doubles larger than any that an ordering uses: 31 bits of priority, then sign, exponent and 13 fraction
// bits of the ordering's own score. The exact score is kept here and passed to the ordering. Pages of
// priority 0 keep the ordering's score and cost nothing. With a memory limit the queue rounds the scores
// of spilled pages, so large priorities may be confused there. Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "policy/policy.h"

namespace bowerbird {

class PriorityPolicy final : public Policy {
 public:
  explicit PriorityPolicy(std::unique_ptr<Policy> inner) : inner_(std::move(inner)) {}

  // The page must not be in the queue. Call before it is seeded or linked to.
  void set_priority(PageId page, std::int32_t priority);
  std::int32_t priority(PageId page) const;
  // The ordering's own score of an uncrawled page.
  Score own_score(PageId page, Score score) const;
  // Stores the ordering's score of a page and returns the score for the queue.
  Score put(PageId page, Score score) const;
  // The page was crawled or removed.
  void forget(PageId page) { entries_.erase(page); }

  bool judges() const override { return inner_->judges(); }
  bool wants_hints() const override { return inner_->wants_hints(); }
  bool wants_links() const override { return inner_->wants_links(); }
  bool travels() const override { return inner_->travels(); }
  Score seed(const Seed& seed) override { return put(seed.page, inner_->seed(seed)); }
  void crawled(const Visit& visit, std::span<const PageId> all) override { inner_->crawled(own(visit), all); }
  void give(const Visit& visit, std::span<OpenLink> links) const override;
  void given(const Visit& visit, std::span<const OpenLink> links, const Shares& shares) override;
  bool wants_rescore() override { return inner_->wants_rescore(); }
  Score rescore(PageId page, Score score) const override {
    return put(page, inner_->rescore(page, own_score(page, score)));
  }
  bool advance(PageId best, Score score, const Emit& emit) override;
  Score confirm(PageId page, Score stored) override;
  double merit(Score score) const override {
    return is_joined(score) ? (score > 0 ? 1e18 : 0) : inner_->merit(score);
  }
  bool has_ranks() const override { return inner_->has_ranks(); }
  double rank(PageId page) const override { return inner_->rank(page); }
  bool recompute_ranks() override { return inner_->recompute_ranks(); }
  std::vector<Account> accounts() const override { return inner_->accounts(); }
  std::uint64_t bytes() const override { return inner_->bytes() + entries_.size() * 48; }
  void limit_graph(std::uint64_t bytes) override { inner_->limit_graph(bytes); }
  GraphUse graph_use() const override { return inner_->graph_use(); }
  Status status() const override { return inner_->status(); }
  std::vector<std::string> take_troubles() override { return inner_->take_troubles(); }
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

  // The score of a page with this priority (not 0).
  static Score join(std::int32_t priority, Score score);

 private:
  struct Entry {
    std::int32_t priority = 0;
    Score score = 0;  // of the ordering
  };
  static bool is_joined(Score score);
  Visit own(const Visit& visit) const;

  std::unique_ptr<Policy> inner_;
  mutable std::unordered_map<PageId, Entry> entries_;  // pages with a priority
  mutable std::vector<Score> scores_;                  // of the links in the last give()
  std::vector<OpenLink> links_;
};

}  // namespace bowerbird
