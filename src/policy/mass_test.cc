#include "policy/mass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/rng.h"

namespace bowerbird {
namespace {

// The naive implementation: a long double significand with a separate 64-bit exponent.
struct Naive {
  long double significand = 0;  // in [1, 2), or 0
  std::int64_t exponent = 0;

  static Naive of(long double value) { return Naive{value, 0}.normal(); }
  Naive normal() const {
    if (significand == 0) return {};
    int e = 0;
    const long double m = std::frexp(significand, &e);
    return {m * 2, exponent + e - 1};
  }
  Naive times(long double factor) const { return Naive{significand * factor, exponent}.normal(); }
  Naive plus(const Naive& other) const {
    if (significand == 0) return other;
    if (other.significand == 0) return *this;
    if (other.exponent > exponent) return other.plus(*this);
    const std::int64_t gap = other.exponent - exponent;
    if (gap < -200) return *this;
    return Naive{significand + std::ldexp(other.significand, static_cast<int>(gap)), exponent}.normal();
  }
};

// The relative error of s.
double off(double s, const Naive& naive) {
  const mass::Parts p = mass::parts(s);
  const auto gap = static_cast<int>(p.exponent - naive.exponent);
  return static_cast<double>(
             std::fabs(std::ldexp(static_cast<long double>(p.significand), gap) - naive.significand)) /
         static_cast<double>(naive.significand);
}

TEST(Mass, GoesToAndFro) {
  for (const double value : {1.0, 0.15, 0.85, 3.0, 1e-300, 1e300, 5e-324, 2.0, 1.9999999999}) {
    EXPECT_NEAR(mass::to_value(mass::from_value(value)) / value, 1, 1e-12) << value;
  }
  EXPECT_EQ(mass::to_value(mass::from_value(0)), 0);
}

TEST(Mass, WholePowersOfTwoAreTheirExponents) {
  EXPECT_EQ(mass::from_value(1), 0);
  EXPECT_EQ(mass::from_value(0.125), -3);
  EXPECT_EQ(mass::from_value(12), 3.5);
}

// A damaged folder may hold any score.
TEST(Mass, AnyNumberIsCalculatedWith) {
  for (const double s : {1e300, -1e300, std::numeric_limits<double>::infinity(), -0x1p53, 0x1p53}) {
    EXPECT_FALSE(std::isnan(mass::times(s, 0.85))) << s;
    EXPECT_FALSE(std::isnan(mass::plus(s, s))) << s;
    EXPECT_FALSE(std::isnan(mass::plus(s, 0))) << s;
    EXPECT_GE(mass::to_value(s), 0) << s;
  }
  EXPECT_EQ(mass::to_value(1e300), std::numeric_limits<double>::infinity());
}

TEST(Mass, ZeroIsNothingToAddAndStaysNothing) {
  const double one = mass::from_value(1);
  EXPECT_EQ(mass::plus(mass::kZero, one), one);
  EXPECT_EQ(mass::plus(one, mass::kZero), one);
  EXPECT_EQ(mass::plus(mass::kZero, mass::kZero), mass::kZero);
  EXPECT_EQ(mass::times(mass::kZero, 0.85), mass::kZero);
}

TEST(Mass, AddsAndMultipliesAsItsTwin) {
  Rng rng(1);
  for (int run = 0; run < 200; ++run) {
    double s = mass::from_value(rng.unit());
    Naive naive = {mass::parts(s).significand, mass::parts(s).exponent};
    for (int step = 0; step < 300; ++step) {
      const double factor = std::exp(-12 * rng.unit());
      s = mass::times(s, factor);
      naive = naive.times(factor);
      const double other = mass::times(s, std::exp(30 * rng.unit() - 20));
      s = mass::plus(s, other);
      naive = naive.plus({mass::parts(other).significand, mass::parts(other).exponent});
      ASSERT_LT(off(s, naive), 1e-9) << "run " << run << " step " << step;
    }
  }
}

TEST(Mass, KeepsItsOrder) {
  Rng rng(2);
  for (int i = 0; i < 20'000; ++i) {
    const double a = rng.unit() * std::exp(20 * rng.unit());
    const double b = a * (1 + 1e-9 * rng.unit());
    EXPECT_LE(mass::from_value(a), mass::from_value(b));
    EXPECT_LT(mass::from_value(a), mass::from_value(a * 1.0000001));
  }
}

TEST(Mass, FallsForeverWithoutReachingZero) {
  double s = mass::from_value(0.15);
  for (int i = 0; i < 1'000'000; ++i) {
    const double next = mass::times(s, 0.85);
    ASSERT_LT(next, s);
    s = next;
  }
  EXPECT_NEAR(s, std::log2(0.15) + 1e6 * std::log2(0.85), 1);
}

TEST(Mass, NeverGrowsSmallerByAnAddition) {
  Rng rng(3);
  for (int i = 0; i < 20'000; ++i) {
    const double a = -300 * rng.unit(), b = -300 * rng.unit();
    EXPECT_GE(mass::plus(a, b), std::max(a, b));
    EXPECT_EQ(mass::plus(a, b), mass::plus(b, a));
  }
}

}  // namespace
}  // namespace bowerbird
