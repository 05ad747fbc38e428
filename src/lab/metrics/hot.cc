#include "lab/metrics/hot.h"

namespace bowerbird {

std::vector<double> CrawlAndStop::curve() const {
  std::vector<double> curve(points_->size(), 0);
  std::uint64_t hot = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    hot += bins_[i];
    const std::uint64_t k = std::min<std::uint64_t>((*points_)[i], most_);
    if (k > 0) curve[i] = static_cast<double>(hot) / static_cast<double>(k);
  }
  return curve;
}

}  // namespace bowerbird
