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
