#include "crawl/loop/step_meter.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

// Keeps the thread busy for about this long.
void work(std::int64_t us) {
  const std::clock_t end = std::clock() + static_cast<std::clock_t>(us * CLOCKS_PER_SEC / 1'000'000);
  while (std::clock() < end) {
  }
}

TEST(StepMeter, MeasuresStepsRefreshesAndSnapshotsSeparately) {
  StepMeter meter;
  LoopTimes longest;
  meter.begin(0);
  work(2000);
  meter.end_step(0, longest);
  EXPECT_GT(longest.step_us, 0u);
  EXPECT_EQ(longest.refresh_us, 0u);
  const std::uint64_t step = longest.step_us;
  work(2000);
  meter.end_step(1, longest);  // ranks were recomputed in this step
  EXPECT_EQ(longest.step_us, step);
  EXPECT_GT(longest.refresh_us, 0u);
  meter.begin(1);
  work(2000);
  meter.end_snapshot(longest);
  EXPECT_GT(longest.snapshot_us, 0u);
}

}  // namespace
}  // namespace bowerbird
