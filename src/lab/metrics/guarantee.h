// The share of importance that a crawler can guarantee while it crawls: a lower bound, personalised to its
// seeds, for the pages crawled (policy/rankmass_bound.h). Unlike the other curves it needs no knowledge of
// the rest of the web: --stop-at-importance uses it.
//
// Refined at the checkpoints, so that the value there depends on the crawled pages and not on the progress of
// the computation. Threads: one owner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontier/frontier.h"
#include "lab/metrics/points.h"
#include "policy/rankmass_bound.h"

namespace bowerbird {

class GuaranteedImportance {
 public:
  // Above this number of links the bound takes longer than the crawl.
  static constexpr std::uint64_t kMostLinks = 64'000'000;

  // points outlives the object.
  GuaranteedImportance(std::span<const SeedPage> seeds, const Points& points);

  void page(PageId page, std::span<const PageId> links) {
    bound_.crawled(page, links);
    if (++crawled_ == next_at_) record();
  }

  // One value for each of the points.
  std::vector<double> curve() const;

 private:
  void record();

  const Points* points_;
  RankMassBound bound_;
  std::uint64_t crawled_ = 0;
  std::uint64_t next_at_ = 0;
  std::vector<double> values_;  // at the points passed so far
};

}  // namespace bowerbird
