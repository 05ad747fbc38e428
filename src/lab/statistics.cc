#include "lab/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/check.h"

namespace bowerbird {

double t_quantile(std::size_t degrees_of_freedom) {
  CHECK(degrees_of_freedom > 0);
  static constexpr std::array<double, 30> kSmall = {
      12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
      2.2010,  2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
      2.0796,  2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
  if (degrees_of_freedom <= kSmall.size()) return kSmall[degrees_of_freedom - 1];
  // The expansion of the quantile around that of the normal distribution (Abramowitz and Stegun, 26.7.5).
  constexpr double z = 1.959964;
  const auto n = static_cast<double>(degrees_of_freedom);
  return z + (z * z * z + z) / (4 * n) + (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * n * n);
}

Spread spread_of(std::span<const double> all) {
  std::vector<double> values;
  std::copy_if(all.begin(), all.end(), std::back_inserter(values), [](double v) { return !std::isnan(v); });
  Spread spread;
  if (values.empty()) return spread;
  const auto n = static_cast<double>(values.size());
  spread.mean = 0;
  for (const double value : values) spread.mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.min = *std::min_element(values.begin(), values.end());
  spread.max = *std::max_element(values.begin(), values.end());
  spread.deviation = 0;
  if (values.size() < 2) return spread;
  spread.deviation = std::sqrt(squares / (n - 1));
  spread.margin = t_quantile(values.size() - 1) * spread.deviation / std::sqrt(n);
  return spread;
}

}  // namespace bowerbird
