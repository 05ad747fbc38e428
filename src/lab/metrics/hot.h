// Crawl & stop, P_CS(K): of the K best pages, the fraction that is among the first K crawled. [004];
// "throughput" in [003], "quality" in [001].
//
// For all K in one pass and without sorting: the page crawled as number i (from 0) whose rank is r counts for
// every K > max(i, r), so it goes into the bin of the first point above that, and the bins are added up at
// the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lab/metrics/points.h"
#include "lab/metrics/yardstick.h"

namespace bowerbird {

class CrawlAndStop {
 public:
  // Both outlive the object.
  CrawlAndStop(const Yardstick& yardstick, const Points& points)
      : yardstick_(&yardstick), points_(&points), bins_(points.size() + 1, 0) {}

  void page(PageId page) {
    const std::uint64_t rank = yardstick_->rank(page);
    ++bins_[points_->first_at_least(std::max(crawled_++, rank) + 1)];
  }

  // One value for each of the points; 0 for K = 0.
  std::vector<double> curve() const;

 private:
  const Yardstick* yardstick_;
  const Points* points_;
  std::uint64_t crawled_ = 0;
  std::vector<std::uint64_t> bins_;  // the last one: counts for no point
};

}  // namespace bowerbird
