#include "crawl/loop/meter.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(RateMeter, AveragesOverAboutASecond) {
  RateMeter meter(Time(1s));
  meter.update(Time(1500ms), 100, 5000);
  EXPECT_EQ(meter.pages_per_second(), 0);
  meter.update(Time(3s), 100, 5000);
  EXPECT_EQ(meter.pages_per_second(), 50);
  EXPECT_EQ(meter.bytes_per_second(), 2500);
  meter.update(Time(4s), 100, 5000);
  EXPECT_EQ(meter.pages_per_second(), 0);
}

TEST(RateMeter, PagesOfEarlierRunsHaveNoRate) {
  RateMeter meter(Time(1s), 40'000, 9'000'000);
  meter.update(Time(2s), 40'010, 9'000'500);
  EXPECT_EQ(meter.pages_per_second(), 10);
  EXPECT_EQ(meter.bytes_per_second(), 500);
}

TEST(RateMeter, TheSteadyRateFollowsSlowly) {
  RateMeter meter;
  std::uint64_t pages = 0;
  for (int s = 1; s <= 100; ++s) meter.update(Time(s * 1s), pages += s % 2 == 0 ? 200 : 0, 0);
  EXPECT_NEAR(meter.steady_pages_per_second(), 100, 3);
  meter.update(Time(101s), pages, 0);
  EXPECT_EQ(meter.pages_per_second(), 0);
  EXPECT_NEAR(meter.steady_pages_per_second(), 100, 5);
  for (int s = 102; s <= 400; ++s) meter.update(Time(s * 1s), pages, 0);
  EXPECT_LT(meter.steady_pages_per_second(), 2);
}

TEST(BandwidthLimit, WaitsUntilALargeBodyIsPaidFor) {
  BandwidthLimit limit(1000);
  EXPECT_TRUE(limit.used_up());  // the bucket starts empty
  limit.refill(Time(500ms));
  EXPECT_FALSE(limit.used_up());
  limit.spend(2500);
  EXPECT_TRUE(limit.used_up());
  EXPECT_EQ(limit.pause(), 2001ms);
  limit.refill(Time(500ms + 2001ms));
  EXPECT_FALSE(limit.used_up());
}

TEST(BandwidthLimit, HoldsAtMostOneSecond) {
  BandwidthLimit limit(1000);
  limit.refill(Time(1h));
  limit.spend(1001);
  EXPECT_TRUE(limit.used_up());
}

TEST(BandwidthLimit, NoLimitIsNeverUsedUp) {
  BandwidthLimit limit(0);
  limit.spend(1'000'000);
  EXPECT_FALSE(limit.used_up());
  EXPECT_EQ(limit.pause(), 0ms);
}

}  // namespace
}  // namespace bowerbird
