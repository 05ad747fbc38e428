// Statistics of repeated measurements: mean, spread, and the confidence interval of the mean.
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace bowerbird {

// All NaN if there are no values; margin also if there is only one.
struct Spread {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double min = mean;
  double max = mean;
  double deviation = mean;  // standard deviation of the sample; 0 for a single value
  // Half the width of the 95 % confidence interval of the mean: Student's t interval, which assumes that the
  // values are independent and their mean is normally distributed.
  double margin = mean;
};

// NaN values do not count.
Spread spread_of(std::span<const double> values);

// The value that Student's t distribution exceeds with probability 2.5 %, to four digits.
double t_quantile(std::size_t degrees_of_freedom);

}  // namespace bowerbird
