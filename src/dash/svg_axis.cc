#include "dash/svg_axis.h"

#include <fmt/format.h>

namespace bowerbird {
namespace {

std::vector<double> log_ticks(double least, double most) {
  const int first = static_cast<int>(std::floor(std::log10(least)));
  const int last = static_cast<int>(std::ceil(std::log10(most)));
  const int every = std::max(1, (last - first) / 8);
  const bool few = last - first <= 2;
  std::vector<double> ticks;
  for (int power = first; power <= last; power += every) {
    for (const double step : {1.0, 2.0, 5.0}) {
      const double tick = step * std::pow(10.0, power);
      if (step > 1 && !few) break;
      if (tick >= least * (1 - 1e-9) && tick <= most * (1 + 1e-9)) ticks.push_back(tick);
    }
  }
  return ticks;
}

// 1200000 is "1.2 M".
std::string short_number(double value) {
  for (const auto& [unit, name] : {std::pair(1e9, " G"), std::pair(1e6, " M"), std::pair(1e3, " k")}) {
    if (std::abs(value) >= unit * 0.9999999) return fmt::format("{:.4g}{}", value / unit, name);
  }
  return fmt::format("{:.4g}", value);
}

}  // namespace

std::vector<double> axis_ticks(double least, double most, bool log) {
  if (log) return log_ticks(least, most);
  const double rough = (most - least) / 6;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 5.0}) {
    if (nice * power >= rough * 0.999) {
      step = nice * power;
      break;
    }
  }
  std::vector<double> ticks;
  for (double i = std::ceil(least / step - 1e-9); i * step <= most + step * 1e-9; ++i)
    ticks.push_back(i * step);
  return ticks;
}

SvgScale::SvgScale(const PlotAxis& axis, double least, double most, double from, double to)
    : log_(axis.log),
      percent_(axis.percent),
      least_(axis.least.value_or(least)),
      most_(axis.most.value_or(most)),
      from_(from),
      to_(to) {
  if (log_ && !(least_ > 0)) least_ = most_ > 0 ? most_ / 10 : 0.1;
  if (!(most_ > least_)) most_ = log_ ? least_ * 10 : least_ + 1;
}

std::string SvgScale::text(double value) const {
  if (std::abs(value) < 1e-12) return percent_ ? "0 %" : "0";
  if (percent_) return fmt::format("{:.4g} %", value * 100);
  if (log_ && (value < 1e-3)) return fmt::format("{:.0e}", value);
  return short_number(value);
}

}  // namespace bowerbird
