// A guaranteed lower bound of the importance that a crawl has covered, whatever the rest of the Web looks
// like.
//
// Importance here is PageRank personalised to the seeds: r = (1-d) t + d (what arrives over links), where t
// is the seeds' weights over their sum; the mass of pages without links returns to the seeds. It sums to 1
// over the Web. Each crawled page holds mass that has arrived over links seen so far. Passing it on adds it
// to the page's account. The accounts never exceed the true values, so their sum over the crawled pages is a
// lower bound of their importance. It approaches the true value as mass is passed on and links become known.
// J. Cho and U. Schonfeld, RankMass crawler: a crawler with high personalized PageRank coverage guarantee,
// 2007.
//
// It works with any ordering: pass it the seeds and every crawled page with its links, as to the frontier.
// covered() may be called at any time and costs nothing. A crawl that should stop at 90 % of all importance
// calls it after each page.
//
// Cost: a crawled page passes on at once; all pages that hold much do so whenever the crawl has grown by a
// twentieth, which amounts to about five to ten passes over the final graph. Memory: the growing graph (4
// bytes per link, about 20 per page) and 8 bytes per known page. Threads: one owner.
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
  // weight >= 0; a page that is given twice has the sum of both weights. Seeds that are added after pages
  // were crawled change the importance: it is computed again with the next page.
  void seed(PageId page, double weight = 1);
  // `links`: all distinct links of the page; none for a page that failed for good. Call once per page.
  void crawled(PageId page, std::span<const PageId> links);

  // The lower bound for the crawled pages, between 0 and 1.
  double covered() const { return stale_ ? 0 : std::min(covered_, 1.0); }
  // An upper bound for how much refining can still raise covered().
  double slack() const { return stale_ ? 1 : (waiting_ + returned_) / (1 - kDamping); }

  // Crawled pages pass on what they hold, once, in the order of the crawl, except those that hold less than
  // half of the mean. covered() rises.
  void refine();
  // Refines until slack() is at most this, but at most `most` times.
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
  bool stale_ = false;   // some seeds have not received their mass yet
  double returned_ = 0;  // to be returned to the seeds
  double waiting_ = 0;   // held by crawled pages
  double covered_ = 0;
  std::uint64_t refine_at_ = 1;  // crawled pages
};

}  // namespace bowerbird
