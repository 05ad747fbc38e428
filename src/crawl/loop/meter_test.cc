#include "crawl/loop/meter.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(RateMeter, AveragesOverAboutASecond) {
  RateMeter meter(1000);
  meter.update(1500, 100, 5000);
  EXPECT_EQ(meter.pages_per_second(), 0);
  meter.update(3000, 100, 5000);
  EXPECT_EQ(meter.pages_per_second(), 50);
  EXPECT_EQ(meter.bytes_per_second(), 2500);
  meter.update(4000, 100, 5000);
  EXPECT_EQ(meter.pages_per_second(), 0);
}

TEST(RateMeter, PagesOfEarlierRunsHaveNoRate) {
  RateMeter meter(1000, 40'000, 9'000'000);
  meter.update(2000, 40'010, 9'000'500);
  EXPECT_EQ(meter.pages_per_second(), 10);
  EXPECT_EQ(meter.bytes_per_second(), 500);
}

TEST(RateMeter, TheSteadyRateFollowsSlowly) {
  RateMeter meter;
  std::uint64_t pages = 0;
  for (Time s = 1; s <= 100; ++s) meter.update(1000 * s, pages += s % 2 == 0 ? 200 : 0, 0);
  EXPECT_NEAR(meter.steady_pages_per_second(), 100, 3);
  meter.update(101'000, pages, 0);
  EXPECT_EQ(meter.pages_per_second(), 0);
  EXPECT_NEAR(meter.steady_pages_per_second(), 100, 5);
  for (Time s = 102; s <= 400; ++s) meter.update(1000 * s, pages, 0);
  EXPECT_LT(meter.steady_pages_per_second(), 2);
}

TEST(BandwidthLimit, WaitsUntilALargeBodyIsPaidFor) {
  BandwidthLimit limit(1000);
  EXPECT_TRUE(limit.used_up());  // the bucket starts empty
  limit.refill(500);
  EXPECT_FALSE(limit.used_up());
  limit.spend(2500);
  EXPECT_TRUE(limit.used_up());
  EXPECT_EQ(limit.pause(), 2001);
  limit.refill(500 + 2001);
  EXPECT_FALSE(limit.used_up());
}

TEST(BandwidthLimit, HoldsAtMostOneSecond) {
  BandwidthLimit limit(1000);
  limit.refill(3'600'000);
  limit.spend(1001);
  EXPECT_TRUE(limit.used_up());
}

TEST(BandwidthLimit, NoLimitIsNeverUsedUp) {
  BandwidthLimit limit(0);
  limit.spend(1'000'000);
  EXPECT_FALSE(limit.used_up());
  EXPECT_EQ(limit.pause(), 0);
}

}  // namespace
}  // namespace bowerbird
