#include "lab/refresh/optimum.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "policy/refresh_rules.h"

namespace bowerbird {
namespace {

// Divides the budget in proportion to the weights.
std::vector<double> shared_out(std::vector<double> weights, double per_day) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight *= sum > 0 ? per_day / sum : 0;
  return weights;
}

// (1 - e^-x) / x, and 1/2 - 1/x + (1 - e^-x) / x²
double fresh_share(double x) {
  return x < 1e-8 ? 1 : -std::expm1(-x) / x;
}
double mean_age(double x) {
  return x < 1e-3 ? x / 6 - x * x / 24 : 0.5 - (1 - fresh_share(x)) / x;
}

}  // namespace

std::vector<double> uniform_frequencies(std::size_t pages, double per_day) {
  return shared_out(std::vector<double>(pages, 1), per_day);
}

std::vector<double> importance_frequencies(std::span<const double> importance, double per_day) {
  return shared_out({importance.begin(), importance.end()}, per_day);
}

std::vector<double> proportional_frequencies(std::span<const double> rates, double per_day) {
  return shared_out({rates.begin(), rates.end()}, per_day);
}

// The fetches per day fall as the price rises: bisection of its logarithm.
std::vector<double> best_frequencies(std::string_view policy, std::span<const double> importance,
                                     std::span<const double> rates, double per_day) {
  const auto rule = find_refresh_rule(policy);
  CHECK(rule.ok());
  std::vector<double> frequencies(importance.size());
  const auto fetches_at = [&](double log_price) {
    double sum = 0;
    for (std::size_t page = 0; page < importance.size(); ++page) {
      sum += frequencies[page] =
          1 / rule.value()->days_to(importance[page], rates[page], std::exp(log_price));
    }
    return sum;
  };
  double low = -100, high = 100;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (fetches_at(middle) > per_day ? low : high) = middle;
  }
  fetches_at(high);
  return frequencies;
}

ExactRefresh exact_refresh(std::span<const double> importance, std::span<const double> rates,
                           std::span<const double> frequencies) {
  ExactRefresh sum;
  const auto pages = static_cast<double>(importance.size());
  for (std::size_t page = 0; page < importance.size(); ++page) {
    double fresh = rates[page] > 0 ? 0 : 1;
    double age = rates[page] > 0 ? std::numeric_limits<double>::infinity() : 0;
    if (frequencies[page] > 0) {
      const double x = rates[page] / frequencies[page];
      fresh = fresh_share(x);
      age = mean_age(x) / frequencies[page];
    } else {
      ++sum.never;
    }
    sum.freshness += importance[page] * fresh;
    if (importance[page] > 0) sum.age += importance[page] * age;
    sum.freshness_equal += fresh;
    sum.age_equal += age;
  }
  if (pages > 0) {
    sum.freshness_equal /= pages;
    sum.age_equal /= pages;
  }
  return sum;
}

std::optional<ExactRefresh> exact_refresh(std::string_view policy, std::span<const double> importance,
                                          std::span<const double> rates, double per_day) {
  std::vector<double> frequencies;
  if (policy == "uniform") {
    frequencies = uniform_frequencies(importance.size(), per_day);
  } else if (policy == "importance") {
    frequencies = importance_frequencies(importance, per_day);
  } else if (policy == "proportional") {
    frequencies = proportional_frequencies(rates, per_day);
  } else if (policy == "index" || policy == "index-age") {
    frequencies = best_frequencies(policy, importance, rates, per_day);
  } else {
    return {};
  }
  return exact_refresh(importance, rates, frequencies);
}

}  // namespace bowerbird
