// How often each value occurs (degrees, host sizes), and statistics of it: quantiles, log-binned histograms,
// and the exponent of a power-law tail.
//
// Exact for every value: small ones in an array, the few large ones sorted. Threads: one writer; merge()
// combines the histograms of several.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace bowerbird {

class Histogram {
 public:
  void add(std::uint64_t value, std::uint64_t times = 1) {
    if (value < kSmall) {
      small_[value] += times;
    } else {
      large_[value] += times;
    }
  }
  void merge(const Histogram& other);

  std::uint64_t count() const;  // of observations
  std::uint64_t count(std::uint64_t value) const;
  std::uint64_t largest() const;  // 0 if there are none
  double mean() const;
  std::uint64_t quantile(double share) const;  // smallest value that is not exceeded by at least this share
  // Every value that occurs with its count, ascending.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> values() const;

 private:
  static constexpr std::uint64_t kSmall = 4096;
  std::array<std::uint64_t, kSmall> small_{};
  std::map<std::uint64_t, std::uint64_t> large_;
};

struct HistogramBin {
  std::uint64_t first;
  std::uint64_t last;  // inclusive
  std::uint64_t count;
};
// Bins whose width grows with the value: 0, 1, 2, 3, 4, 5-6, 7-8 ... each at most `ratio` times as wide as
// low. Up to the largest value, including empty bins.
std::vector<HistogramBin> log_bins(const Histogram& histogram, double ratio = 1.3);

// p(x) ~ x^-exponent for x >= least. Maximum likelihood as in Clauset, Shalizi and Newman, Power-law
// distributions in empirical data, SIAM Review 51 (2009): exponent = 1 + n / sum ln(x / (least - 1/2)), with
// the `least` for which the Kolmogorov-Smirnov distance between data and fit is smallest, among those that
// leave at least `fewest` observations.
struct PowerLaw {
  double exponent = 0;  // 0: too few observations
  std::uint64_t least = 0;
  std::uint64_t observations = 0;  // x >= least
  double distance = 1;             // Kolmogorov-Smirnov
};
PowerLaw fit_power_law(const Histogram& histogram, std::uint64_t fewest = 100);
// The same with a given `least`.
PowerLaw fit_power_law_from(const Histogram& histogram, std::uint64_t least);

}  // namespace bowerbird
