#include "lab/metrics/threshold.h"

#include <algorithm>

#include "base/units.h"

namespace bowerbird {

Result<Threshold> Threshold::parse(std::string_view text) {
  const bool is_share = text.ends_with('%');
  const Result<double> number = is_share ? parse_share(text) : parse_number(text);
  if (!number.ok()) {
    return error(
        "threshold '{}': a number in the units of the importance (100), or a share of the pages (10%)", text);
  }
  return Threshold{*number, is_share};
}

double Threshold::value(const Yardstick& yardstick) const {
  if (!is_share || yardstick.pages() == 0) return number;
  const auto last = static_cast<std::uint64_t>(number * static_cast<double>(yardstick.pages()));
  const auto& best = yardstick.best_first();
  const double value = yardstick.value(best[std::clamp<std::uint64_t>(last, 1, yardstick.pages()) - 1]);
  if (value > 0) return value;
  const auto worthless =
      std::partition_point(best.begin(), best.end(), [&](PageId page) { return yardstick.value(page) > 0; });
  return worthless == best.begin() ? value : yardstick.value(*(worthless - 1));
}

CrawlWithThreshold::CrawlWithThreshold(const Yardstick& yardstick, const Points& points, double threshold)
    : yardstick_(&yardstick), points_(&points), threshold_(threshold), bins_(points.size() + 1, 0) {
  const auto& best = yardstick.best_first();
  hot_pages_ = static_cast<std::uint64_t>(
      std::partition_point(best.begin(), best.end(),
                           [&](PageId page) { return yardstick.value(page) >= threshold; }) -
      best.begin());
}

std::vector<double> CrawlWithThreshold::curve() const {
  std::vector<double> curve(points_->size(), 0);
  std::uint64_t crawled = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    crawled += bins_[i];
    if (hot_pages_ > 0) curve[i] = static_cast<double>(crawled) / static_cast<double>(hot_pages_);
  }
  return curve;
}

}  // namespace bowerbird
