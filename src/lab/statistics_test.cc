#include "lab/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bowerbird {
namespace {

TEST(Statistics, TheSpreadIsThatOfTheValuesThereAre) {
  const Spread spread = spread_of(std::vector<double>{1, 3, std::nan("")});
  EXPECT_DOUBLE_EQ(spread.mean, 2);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(2));
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.max, 3);
  EXPECT_NEAR(spread.margin, 12.7062, 1e-9);  // t * sqrt(2) / sqrt(2)
}

TEST(Statistics, ASingleValueHasNoConfidenceInterval) {
  const Spread spread = spread_of(std::vector<double>{0.5});
  EXPECT_EQ(spread.mean, 0.5);
  EXPECT_EQ(spread.deviation, 0);
  EXPECT_TRUE(std::isnan(spread.margin));
  EXPECT_TRUE(std::isnan(spread_of({}).mean));
}

// From a printed table of the t distribution, two-sided 95 %.
TEST(Statistics, TheQuantilesAreThoseOfStudentsDistribution) {
  EXPECT_NEAR(t_quantile(1), 12.706, 5e-4);
  EXPECT_NEAR(t_quantile(9), 2.262, 5e-4);
  EXPECT_NEAR(t_quantile(30), 2.042, 5e-4);
  EXPECT_NEAR(t_quantile(31), 2.0395, 1e-4);
  EXPECT_NEAR(t_quantile(40), 2.0211, 1e-4);
  EXPECT_NEAR(t_quantile(120), 1.9799, 1e-4);
  EXPECT_NEAR(t_quantile(10'000), 1.9602, 1e-4);
}

}  // namespace
}  // namespace bowerbird
