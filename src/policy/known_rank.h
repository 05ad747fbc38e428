// PageRank of what a crawl knows so far, computed anew every k crawled pages.
//
// The known graph has the crawled pages with all their links, and the pages that are only known, whose links
// are unknown: those are dangling, and dangling rank is spread over all known pages. Each computation starts
// from the last one and runs to an L1 change below 1e-6, or 40 iterations. Sums are taken in an order that
// depends on the graph alone, so the number of threads changes nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "graph/growing.h"
#include "policy/pace.h"
#include "policy/policy.h"

namespace bowerbird {

class KnownRank {
 public:
  KnownRank(Pace pace, unsigned threads) : pace_(pace), threads_(threads) {}

  void add_seed(PageId page) { graph_.add(page); }
  // v is crawled; computes when its time has come, and answers whether it did.
  bool crawled(const Visit& visit, std::span<const PageId> links);

  // As last computed; 0 for a page that was unknown then.
  double rank(PageId page) const {
    const GrowingGraph::Node node = graph_.node(page);
    return node < rank_.size() ? rank_[node] : 0;
  }
  // How many pages were crawled when it was last computed; 0 = never.
  std::uint64_t computed_at() const { return computed_at_; }

  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  void compute();
  void turn_round();
  double iterate();

  Pace pace_;
  unsigned threads_;
  GrowingGraph graph_;
  std::uint64_t computed_at_ = 0;
  std::vector<double> rank_;  // by node

  unsigned working_ = 1;  // threads of this computation
  // Scratch of compute(): the links turned round, and what each node passes on along a link.
  std::vector<std::uint64_t> in_start_;
  std::vector<GrowingGraph::Node> in_from_;
  std::vector<double> passed_;
  std::vector<double> next_;
};

}  // namespace bowerbird
