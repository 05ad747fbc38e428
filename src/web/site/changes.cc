#include "web/site/changes.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"

namespace bowerbird {

namespace {

constexpr double kDayUs = 86'400e6;
// Pages are created in the three years before this time, 2024-01-01.
constexpr std::int64_t kEpochUs = 1'704'067'200'000'000;
constexpr double kThreeYearsUs = 3 * 365 * kDayUs;

// Poisson with mean 1, from uniform bits.
int poisson_one(std::uint64_t bits) {
  const double u = to_unit(bits);
  double probability = 0.36787944117144233;  // of 0 events: 1/e
  double sum = probability;
  int events = 0;
  while (u >= sum && events < 20) {
    probability /= ++events;
    sum += probability;
  }
  return events;
}

}  // namespace

Changes::Changes(std::uint64_t seed, double mean_per_day)
    : seed_(mix64(seed ^ 0x6368616e676573u)), mean_per_day_(mean_per_day) {}

double Changes::rate_per_day(PageId page) const {
  if (mean_per_day_ <= 0) return 0;
  const double u = to_unit(draw(seed_, page));
  if (u < 0.4) return 0;
  if (u < 0.7) return 0.2 * mean_per_day_;
  return (u < 0.9 ? 1 : 7.4) * mean_per_day_;
}

PageVersion Changes::at(PageId page, std::int64_t time_us) const {
  const std::uint64_t key = draw(seed_ + 1, page);
  const double rate = rate_per_day(page);
  if (rate <= 0) return {key, kEpochUs - static_cast<std::int64_t>(to_unit(mix64(key)) * kThreeYearsUs)};
  const double cell_us = kDayUs / rate;
  const double now = static_cast<double>(time_us) / cell_us;
  // A cell is empty with probability 1/e: a thousand empty ones in a row are practically impossible.
  for (double cell = std::floor(now); cell > now - 1000; cell -= 1) {
    const std::uint64_t cell_key = draw(key, static_cast<std::uint64_t>(static_cast<std::int64_t>(cell)));
    const int events = poisson_one(cell_key);
    double last = -1;
    for (int i = 1; i <= events; ++i) {
      const double at = to_unit(draw(cell_key, static_cast<std::uint64_t>(i)));
      if (cell + at <= now && at > last) last = at;
    }
    if (last >= 0) {
      const auto since = static_cast<std::int64_t>((cell + last) * cell_us) + 1;  // never too early
      return {mix64(cell_key + static_cast<std::uint64_t>(last * 0x1.0p53)), std::min(since, time_us)};
    }
  }
  return {key, time_us - static_cast<std::int64_t>(1000 * cell_us)};
}

std::vector<std::int64_t> Changes::times(PageId page, std::int64_t from_us, std::int64_t to_us) const {
  std::vector<std::int64_t> found;
  if (rate_per_day(page) <= 0) return found;
  for (std::int64_t at = this->at(page, to_us).since_us; at > from_us;) {
    found.push_back(at);
    at = this->at(page, at - 2).since_us;  // beyond what rounding can hide
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace bowerbird
