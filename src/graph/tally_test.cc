#include "graph/tally.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace bowerbird {
namespace {

Tally of(std::initializer_list<std::uint64_t> values) {
  Tally tally;
  for (const std::uint64_t value : values) tally.add(value);
  return tally;
}

// Values with P(X >= x) = ((x - 1/2) / (least - 1/2))^(1 - exponent), as the estimator assumes.
Tally power_law(double exponent, double least, int n) {
  Rng rng(1);
  Tally tally;
  for (int i = 0; i < n; ++i) {
    const double x = (least - 0.5) * std::pow(1 - rng.unit(), -1 / (exponent - 1)) + 0.5;
    tally.add(static_cast<std::uint64_t>(std::min(x, 1e15)));
  }
  return tally;
}

TEST(Tally, CountsSmallAndLargeValues) {
  Tally tally = of({0, 0, 3, 4095, 4096, 1'000'000'000'000});
  tally.merge(of({3, 4096}));
  EXPECT_EQ(tally.count(), 8u);
  EXPECT_EQ(tally.count(0), 2u);
  EXPECT_EQ(tally.count(4096), 2u);
  EXPECT_EQ(tally.count(5), 0u);
  EXPECT_EQ(tally.count(5000), 0u);
  EXPECT_EQ(tally.largest(), 1'000'000'000'000u);
  EXPECT_EQ(of({0, 7}).largest(), 7u);
}

TEST(Tally, KnowsMeanAndQuantiles) {
  const Tally tally = of({1, 1, 2, 4, 12});
  EXPECT_DOUBLE_EQ(tally.mean(), 4);
  EXPECT_EQ(tally.quantile(0), 1u);
  EXPECT_EQ(tally.quantile(0.5), 2u);
  EXPECT_EQ(tally.quantile(0.8), 4u);
  EXPECT_EQ(tally.quantile(1), 12u);
}

TEST(Tally, OfNothingIsNothing) {
  const Tally tally;
  EXPECT_EQ(tally.count(), 0u);
  EXPECT_EQ(tally.largest(), 0u);
  EXPECT_EQ(tally.mean(), 0);
  EXPECT_EQ(tally.quantile(0.5), 0u);
  EXPECT_TRUE(log_bins(tally).empty());
  EXPECT_EQ(fit_power_law(tally).exponent, 0);
}

TEST(Tally, BinsTileTheValuesAndLoseNone) {
  Tally tally;
  for (std::uint64_t i = 0; i < 1000; ++i) tally.add(i * i);
  std::uint64_t next = 0;
  std::uint64_t counted = 0;
  for (const TallyBin& bin : log_bins(tally)) {
    EXPECT_EQ(bin.first, next);
    EXPECT_GE(bin.last, bin.first);
    next = bin.last + 1;
    counted += bin.count;
  }
  EXPECT_GT(next, tally.largest());
  EXPECT_EQ(counted, tally.count());
}

TEST(PowerLaw, ItsExponentIsFound) {
  for (const double exponent : {1.6, 2.1, 3.0}) {
    const PowerLaw law = fit_power_law_from(power_law(exponent, 1, 20'000), 10);
    EXPECT_NEAR(law.exponent, exponent, 0.15) << exponent;
  }
}

TEST(PowerLaw, TheTailIsFoundBehindAnotherBeginning) {
  Tally tally = power_law(2.5, 30, 20'000);
  for (std::uint64_t value = 0; value < 30; ++value) tally.add(value, 1000);
  const PowerLaw law = fit_power_law(tally);
  EXPECT_NEAR(law.exponent, 2.5, 0.1);
  EXPECT_GE(law.least, 27u);
  EXPECT_LT(law.distance, 0.02);
}

TEST(PowerLaw, TooFewObservationsGiveNone) {
  EXPECT_EQ(fit_power_law(of({5, 6, 7})).exponent, 0);
}

}  // namespace
}  // namespace bowerbird
