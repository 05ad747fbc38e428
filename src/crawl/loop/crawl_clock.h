// The time of a crawl: it never runs backwards.
//
// The wall clock is read once, at the start; after that a monotonic clock counts. A resumed crawl begins
// after the end of the last run. This is the only place that turns microseconds of the monotonic clock into
// a Time. Ownership: a clock passed in outlives it. Threads: one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/time.h"
#include "sys/clock.h"

namespace bowerbird {

class CrawlClock {
 public:
  // clock: monotonic; null: the system's.
  explicit CrawlClock(const Clock* clock)
      : clock_(clock == nullptr ? static_cast<const Clock&>(machine_) : *clock),
        start_us_(clock_.now_us()),
        wall_start_us_(WallClock().now_us()) {}

  Time now() const { return at(clock_.now_us()); }
  // The crawl's time at a moment of the monotonic clock. The latest moments, such as the largest int64, are
  // kNever.
  Time at(std::int64_t monotonic_us) const {
    if (monotonic_us > std::numeric_limits<std::int64_t>::max() - wall_start_us_) return kNever;
    return Time(Duration(wall_us(monotonic_us) / 1000));
  }
  std::int64_t wall_us(std::int64_t monotonic_us) const { return wall_start_us_ + monotonic_us - start_us_; }
  // A time after both `now` and the current time. Delays count from it, because a request is sent later than
  // `now`, the time at the start of the turn.
  Time after(Time now) const { return std::max(now, this->now()) + 1ms; }
  // The last run ended at this time.
  void begin_after(Time end) { wall_start_us_ = std::max(wall_start_us_, milliseconds_of(end) * 1000); }

 private:
  MonotonicClock machine_;
  const Clock& clock_;
  std::int64_t start_us_;
  std::int64_t wall_start_us_;
};

}  // namespace bowerbird
