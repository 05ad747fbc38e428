// What a crawler could vouch for while it crawls: the share of all importance, personalised to its seeds,
// that its pages hold for certain (policy/rankmass_bound.h). Unlike the other curves it needs no knowledge of
// the rest of the web: this is what --stop-at-importance goes by.
//
// Refined at the checkpoints, so that there the value says what the pages crawled prove rather than how far
// the account had come. Threads: one owner.
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
  // More links than this take longer to account for than to crawl.
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
