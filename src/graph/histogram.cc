#include "graph/histogram.h"

#include <algorithm>
#include <cmath>

namespace bowerbird {

namespace {

using Values = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

PowerLaw fit(const Values& values, std::uint64_t least) {
  PowerLaw law;
  law.least = least;
  const auto tail = std::lower_bound(values.begin(), values.end(), least,
                                     [](const auto& v, std::uint64_t x) { return v.first < x; });
  const double from = static_cast<double>(least) - 0.5;
  double logs = 0;
  for (auto v = tail; v != values.end(); ++v) {
    law.observations += v->second;
    logs += static_cast<double>(v->second) * std::log(static_cast<double>(v->first) / from);
  }
  if (logs <= 0) return law;
  const auto n = static_cast<double>(law.observations);
  law.exponent = 1 + n / logs;
  law.distance = 0;
  double above = n;
  for (auto v = tail; v != values.end(); ++v) {
    above -= static_cast<double>(v->second);
    const double fitted = std::pow((static_cast<double>(v->first) + 0.5) / from, 1 - law.exponent);
    law.distance = std::max(law.distance, std::abs(above / n - fitted));
  }
  return law;
}

}  // namespace

void Histogram::merge(const Histogram& other) {
  for (std::size_t i = 0; i < kSmall; ++i) small_[i] += other.small_[i];
  for (const auto& [value, times] : other.large_) large_[value] += times;
}

std::uint64_t Histogram::count() const {
  std::uint64_t n = 0;
  for (const std::uint64_t times : small_) n += times;
  for (const auto& [value, times] : large_) n += times;
  return n;
}

std::uint64_t Histogram::count(std::uint64_t value) const {
  if (value < kSmall) return small_[value];
  const auto found = large_.find(value);
  return found == large_.end() ? 0 : found->second;
}

std::uint64_t Histogram::largest() const {
  if (!large_.empty()) return large_.rbegin()->first;
  for (std::uint64_t value = kSmall; value-- > 0;) {
    if (small_[value] != 0) return value;
  }
  return 0;
}

double Histogram::mean() const {
  double sum = 0;
  double n = 0;
  for (const auto& [value, times] : values()) {
    sum += static_cast<double>(value) * static_cast<double>(times);
    n += static_cast<double>(times);
  }
  return n == 0 ? 0 : sum / n;
}

std::uint64_t Histogram::quantile(double share) const {
  const double wanted = share * static_cast<double>(count());
  double upto = 0;
  for (const auto& [value, times] : values()) {
    upto += static_cast<double>(times);
    if (upto >= wanted) return value;
  }
  return largest();
}

Values Histogram::values() const {
  Values list;
  for (std::uint64_t value = 0; value < kSmall; ++value) {
    if (small_[value] != 0) list.emplace_back(value, small_[value]);
  }
  list.insert(list.end(), large_.begin(), large_.end());
  return list;
}

std::vector<HistogramBin> log_bins(const Histogram& histogram, double ratio) {
  std::vector<HistogramBin> bins;
  const Values values = histogram.values();
  if (values.empty()) return bins;
  auto value = values.begin();
  for (std::uint64_t first = 0; first <= values.back().first;) {
    const auto width = static_cast<std::uint64_t>(static_cast<double>(first) * (ratio - 1));
    const std::uint64_t last = first + std::max<std::uint64_t>(width, 1) - 1;
    HistogramBin bin{first, last, 0};
    for (; value != values.end() && value->first <= last; ++value) bin.count += value->second;
    bins.push_back(bin);
    first = last + 1;
  }
  return bins;
}

PowerLaw fit_power_law_from(const Histogram& histogram, std::uint64_t least) {
  return fit(histogram.values(), std::max<std::uint64_t>(least, 1));
}

PowerLaw fit_power_law(const Histogram& histogram, std::uint64_t fewest) {
  const Values values = histogram.values();
  PowerLaw best;
  for (std::uint64_t least = 1; !values.empty() && least <= values.back().first;
       least = std::max(least + 1, least * 11 / 10)) {
    const PowerLaw law = fit(values, least);
    if (law.observations < fewest) break;
    if (law.exponent > 0 && law.distance < best.distance) best = law;
  }
  return best;
}

}  // namespace bowerbird
