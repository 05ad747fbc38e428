// PageRank of the graph that a crawl knows so far, recomputed every k crawled pages, or on request.
//
// The known graph has the crawled pages with all their links, and the discovered pages, whose links are
// unknown. Those are dangling, and dangling rank is spread over all known pages. Each computation starts from
// the previous result and runs to an L1 change below 1e-6, or 40 iterations, each one pass over the log of
// links. The order of summation depends on the graph alone, so neither the number of threads nor the part of
// the log that is on disk changes the result.
//
// Pages are numbered densely as they appear, as nodes. Memory: 32 bytes per page, plus the log.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "base/lazy_array.h"
#include "graph/link_log.h"
#include "policy/pace.h"
#include "policy/policy.h"
#include "policy/registry.h"

namespace bowerbird {

class KnownRank {
 public:
  KnownRank(Pace pace, unsigned threads, const LinkLogOptions& log = {}, CrawledRows rows = {})
      : pace_(pace), threads_(threads), log_(log), rows_(std::move(rows)) {}

  void add_seed(PageId page) { add(page); }
  // v has been crawled. Recomputes if it is time, and returns whether it did.
  bool crawled(const Visit& visit, std::span<const PageId> links);
  // The page has these links, besides those that it had before. Nothing is recomputed.
  void add_links(PageId page, std::span<const PageId> links);
  // Ranks of what is known now.
  void compute();

  // As of the last computation; 0 for a page that was unknown then.
  double rank(PageId page) const {
    const Node node = this->node(page);
    return node < rank_.size() ? rank_[node] : 0;
  }
  // How many pages were crawled at the last computation; 0 = never.
  std::uint64_t computed_at() const { return computed_at_; }

  // Links to each page, by page.
  std::vector<std::uint32_t> links_seen();
  // Rows of links since the last computation by its owner.
  std::uint64_t rows_since() const { return log_.rows() - rows_computed_; }

  LinkLog& links() { return log_; }
  const LinkLog& links() const { return log_; }

  std::uint64_t bytes() const;
  // About the same, by the graph alone: equal after a restart.
  std::uint64_t graph_bytes() const { return 36 * std::uint64_t{nodes()} + 2 * log_.links(); }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  using Node = LinkLog::Node;
  static constexpr Node kNoNode = 0xffffffffu;
  static constexpr unsigned kHalves = 2;

  Node node(PageId page) const { return page < node_of_.size() ? node_of_[page] - 1 : kNoNode; }
  Node add(PageId page);
  Node nodes() const { return static_cast<Node>(links_.size()); }
  void pass();
  double iterate();

  Pace pace_;
  unsigned threads_;
  LinkLog log_;
  CrawledRows rows_;
  LazyArray<std::uint32_t> node_of_;  // by page: node + 1, 0 = none
  LazyArray<std::uint32_t> links_;    // by node: its links plus 1; 0 = not crawled
  std::uint64_t computed_at_ = 0;
  std::uint64_t rows_computed_ = 0;
  LazyArray<double> rank_;  // by node, as far as computed
  std::vector<Node> row_;

  unsigned working_ = 1;  // threads of this computation
  // What each node receives in a pass, from each half of the log.
  std::array<LazyArray<double>, kHalves> received_;
};

}  // namespace bowerbird
