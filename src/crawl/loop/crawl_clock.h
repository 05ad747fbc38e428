// The time of a crawl: milliseconds since 1970 that never run backwards.
//
// The wall clock is read once, at the start; from there on a monotonic clock counts. A resumed crawl does not
// begin before the end of the run before. Ownership: a given clock outlives it. Threads: one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "frontier/off_queue.h"
#include "sys/clock.h"

namespace bowerbird {

class CrawlClock {
 public:
  // clock: monotonic; null: the machine's.
  explicit CrawlClock(const Clock* clock)
      : clock_(clock == nullptr ? static_cast<const Clock&>(machine_) : *clock),
        start_us_(clock_.now_us()),
        wall_start_us_(WallClock().now_us()) {}

  Time now() const { return at(clock_.now_us()); }
  // The time of a moment of the monotonic clock.
  Time at(std::int64_t monotonic_us) const { return wall_us(monotonic_us) / 1000; }
  std::int64_t wall_us(std::int64_t monotonic_us) const { return wall_start_us_ + monotonic_us - start_us_; }
  // A time that has not come yet when a request that was begun at `now` has been started: what gates count
  // from.
  Time after(Time now) const { return std::max(now, this->now()) + 1; }
  // The run before ended then.
  void begin_after(Time end) { wall_start_us_ = std::max(wall_start_us_, end * 1000); }

 private:
  MonotonicClock machine_;
  const Clock& clock_;
  std::int64_t start_us_;
  std::int64_t wall_start_us_;
};

}  // namespace bowerbird
