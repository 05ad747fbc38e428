// Cumulative importance: the sum over the pages crawled so far, as a share of all judged pages.
//
// auc = (1/N) * sum over i = 1 ... N of the curve, N = judged pages; the curve stays flat after the crawl's
// end. [002] figure 9, [000], [003].
#pragma once

#include <cstdint>
#include <vector>

#include "lab/metrics/points.h"
#include "lab/metrics/yardstick.h"

namespace bowerbird {

class CumulativeImportance {
 public:
  // Both outlive the object.
  CumulativeImportance(const Yardstick& yardstick, const Points& points);

  void page(PageId page) {
    sum_ += yardstick_->value(page);
    area_ += sum_;
    if (++crawled_ == next_at_) record();
  }

  // One value for each of the points.
  std::vector<double> curve() const;
  double auc() const;

 private:
  void record();

  const Yardstick* yardstick_;
  const Points* points_;
  std::uint64_t crawled_ = 0;
  std::uint64_t next_at_ = 0;  // points[sums_.size()], or more than can be crawled
  double sum_ = 0;
  double area_ = 0;
  std::vector<double> sums_;  // at the points passed so far
};

}  // namespace bowerbird
