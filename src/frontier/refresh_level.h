// Levels: classes of values that a refresh queue need not distinguish, 5 % apart. Level i is above 1.05^(i -
// 3001) and at most 1.05^(i - 3000), its bound; level 0 is for values that count as none.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace bowerbird {

using RefreshLevel = std::uint16_t;

inline constexpr unsigned kRefreshLevels = 6000;
inline constexpr double kRefreshStep = 1.05;

inline double refresh_bound(unsigned level) {
  static const std::vector<double> kBounds = [] {
    std::vector<double> all(kRefreshLevels);
    for (unsigned i = 0; i < kRefreshLevels; ++i) {
      all[i] = std::pow(kRefreshStep, static_cast<double>(i) - kRefreshLevels / 2);
    }
    return all;
  }();
  return kBounds[level];
}

// The smallest level whose bound is above the value.
inline RefreshLevel refresh_level(double value) {
  static const double kPerLog = 1 / std::log2(kRefreshStep);
  if (!(value > refresh_bound(0))) return 0;
  if (!(value < refresh_bound(kRefreshLevels - 2))) return kRefreshLevels - 1;
  auto level = static_cast<unsigned>(std::log2(value) * kPerLog + kRefreshLevels / 2);
  while (refresh_bound(level) <= value) ++level;
  return static_cast<RefreshLevel>(level);
}

}  // namespace bowerbird
