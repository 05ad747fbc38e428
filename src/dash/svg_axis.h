// Maps values to positions along an axis of a figure, and formats the labels of its ticks.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "dash/svg_plot.h"

namespace bowerbird {

class SvgScale {
 public:
  // `from` and `to` are pixels. An empty range is widened.
  SvgScale(const PlotAxis& axis, double least, double most, double from, double to);

  bool shows(double value) const { return std::isfinite(value) && (!log_ || value > 0); }
  double at(double value) const {
    const double share = (place(value) - place(least_)) / (place(most_) - place(least_));
    return from_ + std::clamp(share, -0.5, 1.5) * (to_ - from_);
  }
  double least() const { return least_; }
  double most() const { return most_; }
  std::vector<double> ticks() const { return axis_ticks(least_, most_, log_); }
  std::string text(double value) const;  // of a tick

 private:
  double place(double value) const { return log_ ? std::log10(value) : value; }

  bool log_;
  bool percent_;
  double least_;
  double most_;
  double from_;
  double to_;
};

}  // namespace bowerbird
