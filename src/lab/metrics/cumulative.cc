#include "lab/metrics/cumulative.h"

#include <limits>

namespace bowerbird {

CumulativeImportance::CumulativeImportance(const Yardstick& yardstick, const Points& points)
    : yardstick_(&yardstick), points_(&points) {
  sums_.reserve(points.size());
  record();
}

// The first point is 0 pages.
void CumulativeImportance::record() {
  sums_.push_back(sum_);
  next_at_ =
      sums_.size() < points_->size() ? (*points_)[sums_.size()] : std::numeric_limits<std::uint64_t>::max();
}

std::vector<double> CumulativeImportance::curve() const {
  std::vector<double> curve = sums_;
  curve.resize(points_->size(), sum_);
  for (double& y : curve) y = yardstick_->share(y);
  return curve;
}

double CumulativeImportance::auc() const {
  const std::uint64_t pages = yardstick_->pages();
  if (pages == 0) return 0;
  const double after = static_cast<double>(pages - crawled_) * sum_;
  return yardstick_->share((area_ + after) / static_cast<double>(pages));
}

}  // namespace bowerbird
