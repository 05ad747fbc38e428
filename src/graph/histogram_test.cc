#include "graph/histogram.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace bowerbird {
namespace {

Histogram of(std::initializer_list<std::uint64_t> values) {
  Histogram histogram;
  for (const std::uint64_t value : values) histogram.add(value);
  return histogram;
}

// Values with P(X >= x) = ((x - 1/2) / (least - 1/2))^(1 - exponent), as the estimator assumes.
Histogram power_law(double exponent, double least, int n) {
  Rng rng(1);
  Histogram histogram;
  for (int i = 0; i < n; ++i) {
    const double x = (least - 0.5) * std::pow(1 - rng.unit(), -1 / (exponent - 1)) + 0.5;
    histogram.add(static_cast<std::uint64_t>(std::min(x, 1e15)));
  }
  return histogram;
}

TEST(Histogram, CountsSmallAndLargeValues) {
  Histogram histogram = of({0, 0, 3, 4095, 4096, 1'000'000'000'000});
  histogram.merge(of({3, 4096}));
  EXPECT_EQ(histogram.count(), 8u);
  EXPECT_EQ(histogram.count(0), 2u);
  EXPECT_EQ(histogram.count(4096), 2u);
  EXPECT_EQ(histogram.count(5), 0u);
  EXPECT_EQ(histogram.count(5000), 0u);
  EXPECT_EQ(histogram.largest(), 1'000'000'000'000u);
  EXPECT_EQ(of({0, 7}).largest(), 7u);
}

TEST(Histogram, KnowsMeanAndQuantiles) {
  const Histogram histogram = of({1, 1, 2, 4, 12});
  EXPECT_DOUBLE_EQ(histogram.mean(), 4);
  EXPECT_EQ(histogram.quantile(0), 1u);
  EXPECT_EQ(histogram.quantile(0.5), 2u);
  EXPECT_EQ(histogram.quantile(0.8), 4u);
  EXPECT_EQ(histogram.quantile(1), 12u);
}

TEST(Histogram, OfNothingIsNothing) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.largest(), 0u);
  EXPECT_EQ(histogram.mean(), 0);
  EXPECT_EQ(histogram.quantile(0.5), 0u);
  EXPECT_TRUE(log_bins(histogram).empty());
  EXPECT_EQ(fit_power_law(histogram).exponent, 0);
}

TEST(Histogram, BinsTileTheValuesAndLoseNone) {
  Histogram histogram;
  for (std::uint64_t i = 0; i < 1000; ++i) histogram.add(i * i);
  std::uint64_t next = 0;
  std::uint64_t counted = 0;
  for (const HistogramBin& bin : log_bins(histogram)) {
    EXPECT_EQ(bin.first, next);
    EXPECT_GE(bin.last, bin.first);
    next = bin.last + 1;
    counted += bin.count;
  }
  EXPECT_GT(next, histogram.largest());
  EXPECT_EQ(counted, histogram.count());
}

TEST(PowerLaw, ItsExponentIsFound) {
  for (const double exponent : {1.6, 2.1, 3.0}) {
    const PowerLaw law = fit_power_law_from(power_law(exponent, 1, 20'000), 10);
    EXPECT_NEAR(law.exponent, exponent, 0.15) << exponent;
  }
}

TEST(PowerLaw, TheTailIsFoundBehindAnotherBeginning) {
  Histogram histogram = power_law(2.5, 30, 20'000);
  for (std::uint64_t value = 0; value < 30; ++value) histogram.add(value, 1000);
  const PowerLaw law = fit_power_law(histogram);
  EXPECT_NEAR(law.exponent, 2.5, 0.1);
  EXPECT_GE(law.least, 27u);
  EXPECT_LT(law.distance, 0.02);
}

TEST(PowerLaw, TooFewObservationsGiveNone) {
  EXPECT_EQ(fit_power_law(of({5, 6, 7})).exponent, 0);
}

}  // namespace
}  // namespace bowerbird
