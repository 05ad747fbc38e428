// How long the crawl's thread is busy without a break.
//
// Problem: while the loop works on one response, nothing else is fetched, committed or shown. So the
// longest step is measured and shown: the work on one response, or one round of handing out pages, in CPU
// time of the thread, so that other load on the machine does not count. A step in which the ordering
// recomputed its ranks counts as a rank refresh instead. The caller measures snapshots. Both are
// wall-clock times, since the loop waits for other threads or the disk. Threads: one, the crawl's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>

#include "crawl/state/crawl_status.h"
#include "sys/clock.h"

namespace bowerbird {

class StepMeter {
 public:
  // recomputations: the number so far (Frontier::recomputations()).
  void begin(std::uint64_t recomputations) {
    recomputations_ = recomputations;
    wall_ = MonotonicClock().now_us();
    cpu_ = thread_us();
  }
  // A step ends, and the next one begins.
  void end_step(std::uint64_t recomputations, LoopTimes& longest) {
    const StepMeter before = *this;
    begin(recomputations);
    if (recomputations == before.recomputations_) {
      longest.step_us = std::max(longest.step_us, taken(before.cpu_, cpu_));
    } else {
      longest.refresh_us = std::max(longest.refresh_us, taken(before.wall_, wall_));
    }
  }
  void end_snapshot(LoopTimes& longest) const {
    longest.snapshot_us = std::max(longest.snapshot_us, taken(wall_, MonotonicClock().now_us()));
  }

 private:
  static std::uint64_t taken(std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, to - from));
  }
  static std::int64_t thread_us() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
  }

  std::int64_t wall_ = 0;
  std::int64_t cpu_ = 0;
  std::uint64_t recomputations_ = 0;
};

}  // namespace bowerbird
