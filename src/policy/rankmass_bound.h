// How much importance a crawl holds for certain, whatever the rest of the Web looks like.
//
// The importance meant is PageRank personalised to the seeds: r = (1-d) t + d (what arrives over links), t
// the seeds' weights over their sum; the mass of pages without links returns to the seeds. It sums to 1 over
// the Web. Each crawled page holds mass that has arrived over links seen so far; passing it on adds it to the
// page's account. The accounts never exceed the true values, so their sum over the crawled pages is a lower
// bound of what they hold; it approaches the truth as mass is passed on and links become known.
// J. Cho and U. Schonfeld, RankMass crawler: a crawler with high personalized PageRank coverage guarantee,
// 2007.
//
// It stands beside any ordering: tell it the seeds and every crawled page with its links, as the frontier is
// told; covered() answers at any time and costs nothing. A crawl that is to stop once it has 90 % of all
// importance looks at it after each page.
//
// Cost: a crawled page passes on at once; all pages that hold much do whenever the crawl has grown by a
// twentieth, which comes to some five to ten passes over the final graph. Memory: the growing graph (4 bytes
// a link, about 20 a page) and 8 bytes per known page. Threads: one owner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "graph/growing.h"
#include "policy/policy.h"

namespace bowerbird {

class RankMassBound {
 public:
  // weight >= 0; a page that is given twice has both weights. Seeds that come when pages are crawled already
  // change what importance is: it is counted anew with the next page.
  void seed(PageId page, double weight = 1);
  // `links`: all distinct links of the page. Once per page; a page that failed for good has none.
  void crawled(PageId page, std::span<const PageId> links);

  // What the crawled pages hold at least, between 0 and 1.
  double covered() const { return stale_ ? 0 : std::min(covered_, 1.0); }
  // No refining raises covered() by more than this.
  double slack() const { return stale_ ? 1 : (waiting_ + returned_) / (1 - kDamping); }

  // Crawled pages pass on what they hold, once, in the order of the crawl, but for those that hold less than
  // half of the mean: covered() rises.
  void refine();
  // Refines until slack() is at most this, or `most` times.
  void tighten(double slack, int most);

  std::uint64_t bytes() const {
    return graph_.bytes() + held_.capacity() * sizeof(double) + seeds_.capacity() * sizeof(SeedMass);
  }
  // All state; an error rejects `in`.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  using Node = GrowingGraph::Node;
  struct SeedMass {
    Node node;
    double weight;
  };

  void start();
  void add_to_seeds(double mass);
  void pass(Node node);
  void receive(Node node, double mass);

  GrowingGraph graph_;
  std::vector<double> held_;  // by node
  std::vector<SeedMass> seeds_;
  bool stale_ = false;   // there are seeds that nothing was given to yet
  double returned_ = 0;  // on its way back to the seeds
  double waiting_ = 0;   // held by crawled pages
  double covered_ = 0;
  std::uint64_t refine_at_ = 1;  // crawled pages
};

}  // namespace bowerbird
