// Crawl & stop with threshold, P_ST(K): pages worth at least G are hot; the fraction of them that is crawled
// after K pages. [004]
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/metrics/points.h"
#include "lab/metrics/yardstick.h"

namespace bowerbird {

// G: a number in the units of the importance ("100" backlinks), or the worth of the page at a share of the
// ranking ("10%": the best tenth, and pages equal to its last one; if fewer have any importance, those).
struct Threshold {
  double number = 0.1;
  bool is_share = true;

  static Result<Threshold> parse(std::string_view text);
  double value(const Yardstick& yardstick) const;
};

class CrawlWithThreshold {
 public:
  // Both outlive the object.
  CrawlWithThreshold(const Yardstick& yardstick, const Points& points, double threshold);

  void page(PageId page) {
    if (yardstick_->value(page) >= threshold_) ++bins_[points_->first_at_least(crawled_ + 1)];
    ++crawled_;
  }

  std::uint64_t hot_pages() const { return hot_pages_; }
  // One value for each of the points.
  std::vector<double> curve() const;

 private:
  const Yardstick* yardstick_;
  const Points* points_;
  double threshold_;
  std::uint64_t hot_pages_ = 0;
  std::uint64_t crawled_ = 0;
  std::vector<std::uint64_t> bins_;  // hot pages crawled between the previous point and this one
};

}  // namespace bowerbird
