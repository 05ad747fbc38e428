// Exact results of fetching at fixed intervals: for given frequencies, and for the best ones.
//
// A page that changes `rate` times per day and is fetched every I days is fresh (1 - e^-x)/x of the time,
// with x = rate·I, and I·(1/2 - 1/x + (1 - e^-x)/x²) days old on average. The best frequencies for a budget R
// fetch each page when its value (policy/refresh_rules.h) reaches one price, the same for all pages:
// `index` for freshness, `index-age` for age. Cho and Garcia-Molina 2003. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

struct ExactRefresh {
  double freshness = 0;  // by importance
  double age = 0;        // by importance, in days; infinity if a page that changes is never fetched again
  double freshness_equal = 0;
  double age_equal = 0;
  std::uint64_t never = 0;  // pages that are never fetched again
};

// Fetches per day of each page. importance sums to 1.
std::vector<double> uniform_frequencies(std::size_t pages, double per_day);
std::vector<double> importance_frequencies(std::span<const double> importance, double per_day);
std::vector<double> proportional_frequencies(std::span<const double> rates, double per_day);
// policy: "index" or "index-age".
std::vector<double> best_frequencies(std::string_view policy, std::span<const double> importance,
                                     std::span<const double> rates, double per_day);

ExactRefresh exact_refresh(std::span<const double> importance, std::span<const double> rates,
                           std::span<const double> frequencies);

// The limit of a policy with known rates; nothing for `none`.
std::optional<ExactRefresh> exact_refresh(std::string_view policy, std::span<const double> importance,
                                          std::span<const double> rates, double per_day);

}  // namespace bowerbird
