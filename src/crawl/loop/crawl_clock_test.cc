#include "crawl/loop/crawl_clock.h"

#include <gtest/gtest.h>

#include <limits>

namespace bowerbird {
namespace {

TEST(CrawlClock, CountsFromTheWallClockAtItsStart) {
  ManualClock machine(5'000'000);
  const CrawlClock clock(&machine);
  const Time start = clock.now();
  machine.advance(2'000'000);
  EXPECT_EQ(clock.now() - start, 2s);
  EXPECT_EQ(clock.at(machine.now_us() - 1'000'000) - start, 1s);
}

TEST(CrawlClock, AResumedCrawlBeginsAfterTheLastRun) {
  ManualClock machine(5'000'000);
  CrawlClock clock(&machine);
  const Time end = clock.now() + 1min;  // the wall clock has been set back
  clock.begin_after(end);
  EXPECT_EQ(clock.now(), end);
  clock.begin_after(end - 1s);
  EXPECT_EQ(clock.now(), end);
}

TEST(CrawlClock, GatesCountFromATimeInTheFuture) {
  ManualClock machine(5'000'000);
  const CrawlClock clock(&machine);
  const Time before = clock.now();
  EXPECT_EQ(clock.after(before), before + 1ms);
  machine.advance(7000);
  EXPECT_EQ(clock.after(before), before + 8ms);
}

// The fetcher reports it as the end of an address that is part of the URL.
TEST(CrawlClock, TheLastMomentIsNever) {
  ManualClock machine(5'000'000);
  const CrawlClock clock(&machine);
  EXPECT_EQ(clock.at(std::numeric_limits<std::int64_t>::max()), kNever);
  EXPECT_EQ(clock.at(machine.now_us() + 3'600'000'000) - clock.now(), 1h);
}

}  // namespace
}  // namespace bowerbird
