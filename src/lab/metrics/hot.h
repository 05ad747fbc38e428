// Crawl & stop, P_CS(K): of the K best pages, the fraction that is among the first K crawled. [004];
// "throughput" in [003], "quality" in [001].
//
// For all K in one pass and without sorting: the page crawled as number i (from 0) whose rank is r counts for
// every K > max(i, r), so it goes into the bin of the first point above that, and the bins are summed at the
// end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lab/metrics/points.h"
#include "lab/metrics/yardstick.h"

namespace bowerbird {

class CrawlAndStop {
 public:
  // Both outlive the object. most: the maximum number of hot pages, if the others are worth nothing and would
  // be hot only because of their ids.
  CrawlAndStop(const Yardstick& yardstick, const Points& points, std::uint64_t most = ~std::uint64_t{0})
      : yardstick_(&yardstick), points_(&points), most_(most), bins_(points.size() + 1, 0) {}

  void page(PageId page) {
    const std::uint64_t rank = yardstick_->rank(page);
    if (rank < most_) ++bins_[points_->first_at_least(std::max(crawled_, rank) + 1)];
    ++crawled_;
  }

  // One value for each of the points; 0 for K = 0.
  std::vector<double> curve() const;

 private:
  const Yardstick* yardstick_;
  const Points* points_;
  std::uint64_t most_;
  std::uint64_t crawled_ = 0;
  std::vector<std::uint64_t> bins_;  // the last one counts for no point
};

}  // namespace bowerbird
