#include "policy/refresh_rules.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/suggest.h"

namespace bowerbird {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// Newton's method doubles the number of correct digits with each step, so a step this small is the last one.
constexpr double kLastStep = 1e-5;

// A table of a function of positive numbers, for arguments from 2^-Least to 2^Most: 128 points per power of
// two, with linear interpolation. The relative error is below 1e-5 if the slope on a double logarithmic
// scale changes slowly.
template <int Least, int Most>
class LogTable {
 public:
  explicit LogTable(double (*function)(double)) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      points_[i] = static_cast<float>(function(std::bit_cast<double>((i + kFirst) << kShift)));
    }
  }
  static bool covers(double x) { return x >= kFrom && x < kTo; }
  double operator()(double x) const {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t at = (bits >> kShift) - kFirst;
    const double part = static_cast<double>(bits & kMask) * (1.0 / (std::uint64_t{1} << kShift));
    return points_[at] + part * (static_cast<double>(points_[at + 1]) - points_[at]);
  }

 private:
  static constexpr int kShift = 52 - 7;
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << kShift) - 1;
  static constexpr double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
  }
  static constexpr double kFrom = power_of_two(Least), kTo = power_of_two(Most);
  static constexpr std::uint64_t kFirst = std::bit_cast<std::uint64_t>(kFrom) >> kShift;
  std::array<float, std::size_t{Most - Least} * 128 + 1> points_;
};

double linear_days(double slope, double value) {
  return slope > 0 ? value / slope : kNever;
}

double linear_limit(double slope) {
  return slope > 0 ? kNever : 0;
}

// 1 - (1 + x) e^-x, which grows from 0 to 1.
double index_shape(double x) {
  if (x < 1e-4) return x * x * (0.5 - x / 3);
  return 1 - (1 + x) * std::exp(-x);
}

double index_value(double importance, double rate, double days) {
  return rate > 0 ? importance / rate * index_shape(rate * days) : 0;
}

double index_limit(double importance, double rate) {
  return rate > 0 ? importance / rate : 0;
}

// The solution of x - ln(1 + x) = level. The left side is convex, and level + sqrt(2 level) is beyond the
// solution since e^s >= 1 + s + s^2/2; so Newton's method comes down to it.
double solve_index(double level) {
  double x = level + std::sqrt(2 * level);
  for (int i = 0; i < 20; ++i) {
    const double step = (x - std::log1p(x) - level) * (1 + x) / x;
    x -= step;
    if (std::abs(step) <= kLastStep * x) break;
  }
  return x;
}

// index_shape(x) = y is x - ln(1 + x) = L with L = -ln(1 - y).
double index_days(double importance, double rate, double value) {
  if (!(value < index_limit(importance, rate))) return kNever;
  static const LogTable<-28, 6> kSolution(solve_index);
  const double level = -std::log1p(-value * rate / importance);
  if (level < 5e-9) return std::sqrt(2 * value / (importance * rate)) * (1 + std::sqrt(2 * level) / 3);
  return (kSolution.covers(level) ? kSolution(level) : solve_index(level)) / rate;
}

// x^2/2 + x e^-x - (1 - e^-x)
double age_shape(double x) {
  if (x < 1e-3) return x * x * x * (1.0 / 3 - x / 8);
  const double e = std::exp(-x);
  return x * x / 2 + x * e - (1 - e);
}

double age_value(double importance, double rate, double days) {
  return rate > 0 ? importance / (rate * rate) * age_shape(rate * days) : 0;
}

double age_limit(double importance, double rate) {
  return linear_limit(importance * rate);
}

// The solution of age_shape(x) = y. Newton's method on a convex function; it starts less than 20 % beyond it.
double solve_age(double y) {
  const double cube = std::cbrt(3 * y);
  double x = y < 2 ? std::sqrt(2 * y + cube * cube) : std::sqrt(2 * y + 2);
  for (int i = 0; i < 20; ++i) {
    const double e = std::exp(-x);
    const double step = (x * x / 2 + x * e - (1 - e) - y) / (x * (1 - e));
    x -= step;
    if (std::abs(step) <= kLastStep * x) break;
  }
  return x;
}

double age_days(double importance, double rate, double value) {
  if (!(importance * rate > 0)) return kNever;
  static const LogTable<-33, 24> kSolution(solve_age);
  const double y = value * rate * rate / importance;
  if (kSolution.covers(y)) return kSolution(y) / rate;
  if (y > 1) return solve_age(y) / rate;
  const double cube = std::cbrt(3 * y);
  return cube * (1 + cube / 8) / rate;
}

const std::array<RefreshRule, 6> kRules = {{
    {.name = "none",
     .summary = "no page is fetched again",
     .formula = "0",
     .value = [](double, double, double) { return 0.0; },
     .days_to = [](double, double, double) { return kNever; },
     .limit = [](double, double) { return 0.0; },
     .new_page = [](double importance, double) { return importance; }},
    {.name = "uniform",
     .summary = "all pages equally often",
     .formula = "τ",
     .value = [](double, double, double days) { return days; },
     .days_to = [](double, double, double value) { return value; },
     .limit = [](double, double) { return kNever; }},
    {.name = "importance",
     .summary = "as often as a page is important",
     .formula = "w·τ",
     .value = [](double importance, double, double days) { return importance * days; },
     .days_to = [](double importance, double, double value) { return linear_days(importance, value); },
     .limit = [](double importance, double) { return linear_limit(importance); }},
    {.name = "proportional",
     .summary = "as often as a page changes; worse than uniform, only for comparison",
     .formula = "Δ·τ",
     .uses_rates = true,
     .value = [](double, double rate, double days) { return rate * days; },
     .days_to = [](double, double rate, double value) { return linear_days(rate, value); },
     .limit = [](double, double rate) { return linear_limit(rate); }},
    {.name = "index",
     .summary = "most freshness per fetch; gives up pages that change too fast for their importance",
     .formula = "(w/Δ)·(1 − (1 + Δτ)·e^(−Δτ))",
     .uses_rates = true,
     .value = index_value,
     .days_to = index_days,
     .limit = index_limit,
     .new_page = index_limit},
    {.name = "index-age",
     .summary = "least age per fetch; never gives up a page",
     .formula = "w·(τ²/2 + τ·e^(−Δτ)/Δ − (1 − e^(−Δτ))/Δ²)",
     .uses_rates = true,
     .value = age_value,
     .days_to = age_days,
     .limit = age_limit},
}};

}  // namespace

std::span<const RefreshRule> refresh_rules() {
  return kRules;
}

Result<const RefreshRule*> find_refresh_rule(std::string_view name) {
  std::vector<std::string> names;
  std::string known;
  for (const RefreshRule& rule : kRules) {
    if (rule.name == name) return &rule;
    names.emplace_back(rule.name);
    known.append(known.empty() ? "" : ", ").append(rule.name);
  }
  const std::string meant = did_you_mean(name, names);
  return error("unknown refresh policy '{}'{}", name, meant.empty() ? "; choose from: " + known : meant);
}

}  // namespace bowerbird
