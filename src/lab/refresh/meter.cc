#include "lab/refresh/meter.h"

#include <algorithm>

namespace bowerbird {

void RefreshMeans::add(const RefreshMeans& other, double times) {
  freshness += times * other.freshness;
  age += times * other.age;
  held += times * other.held;
  freshness_equal += times * other.freshness_equal;
  age_equal += times * other.age_equal;
  held_equal += times * other.held_equal;
}

RefreshMeter::RefreshMeter(std::span<const double> importance, double days, double warm_up,
                           std::size_t slices, std::span<const double> born)
    : importance_(importance),
      born_(born),
      days_(days),
      warm_up_(warm_up),
      share_(importance.empty() ? 0 : 1 / static_cast<double>(importance.size())),
      slices_(slices) {}

void RefreshMeter::copy(PageId page, double from, double to, double change) {
  if (to > warm_up_) add(page, std::max(from, warm_up_), to, change, sum_);
  if (slices_.empty()) return;
  const double width = days_ / static_cast<double>(slices_.size());
  for (auto i = static_cast<std::size_t>(from / width); i < slices_.size(); ++i) {
    const double begin = static_cast<double>(i) * width;
    if (begin >= to) return;
    add(page, std::max(from, begin), std::min(to, begin + width), change, slices_[i]);
  }
}

// The integrals over [from, to].
void RefreshMeter::add(PageId page, double from, double to, double change, RefreshMeans& sum) const {
  const double fresh = std::max(0.0, std::min(to, change) - from);
  double age = 0;
  if (change < to) {
    const double begin = std::max(change, from);
    age = ((to - change) * (to - change) - (begin - change) * (begin - change)) / 2;
  }
  const double weight = importance_[page];
  sum.freshness += weight * fresh;
  sum.age += weight * age;
  sum.held += weight * (to - from);
  sum.freshness_equal += share_ * fresh;
  sum.age_equal += share_ * age;
  sum.held_equal += share_ * (to - from);
}

// Divides the integrals over this time by the pages that exist in it.
RefreshMeans RefreshMeter::means_over(const RefreshMeans& sum, double from, double to) const {
  double weight = to - from, pages = to - from;
  if (!born_.empty()) {
    weight = pages = 0;
    for (std::size_t page = 0; page < born_.size(); ++page) {
      const double exists = std::max(0.0, to - std::max(from, born_[page]));
      weight += importance_[page] * exists;
      pages += share_ * exists;
    }
  }
  const auto part = [](double value, double of) { return of > 0 ? value / of : 0; };
  return {part(sum.freshness, weight),      part(sum.age, weight),      part(sum.held, weight),
          part(sum.freshness_equal, pages), part(sum.age_equal, pages), part(sum.held_equal, pages)};
}

RefreshMeans RefreshMeter::means() const {
  return means_over(sum_, warm_up_, days_);
}

std::vector<RefreshMeans> RefreshMeter::curve() const {
  std::vector<RefreshMeans> curve;
  const double width = days_ / static_cast<double>(slices_.size());
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    const double from = static_cast<double>(i) * width;
    curve.push_back(means_over(slices_[i], from, from + width));
  }
  return curve;
}

}  // namespace bowerbird
