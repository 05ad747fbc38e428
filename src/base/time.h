// Moments and durations of a crawl.
//
// A Time is a moment of the crawl's clock (crawl/loop/crawl_clock.h): milliseconds since 1970 that never run
// backwards. A RefreshTime is a moment of the clock by which pages are refreshed, which may run faster
// (--time-scale). They are different types, so that one cannot be taken for the other. The core (frontier,
// policy) gets both as parameters and reads no clock. Threads: any.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <ratio>

namespace bowerbird {

using namespace std::chrono_literals;

using Duration = std::chrono::duration<std::int64_t, std::milli>;

using Days = std::chrono::duration<double, std::ratio<86400>>;  // for rates and reports

struct CrawlTimeline {};
struct RefreshTimeline {};
using Time = std::chrono::time_point<CrawlTimeline, Duration>;
using RefreshTime = std::chrono::time_point<RefreshTimeline, Duration>;

// Later than any moment that occurs: never.
inline constexpr Time kNever{Duration{std::int64_t{1} << 62}};
inline constexpr RefreshTime kNeverRefreshed{kNever.time_since_epoch()};

// As in the journal and in JSON.
template <typename Timeline>
constexpr std::int64_t milliseconds_of(std::chrono::time_point<Timeline, Duration> time) {
  return time.time_since_epoch().count();
}

// The nearest one; halves away from zero.
template <typename Period>
Duration rounded(std::chrono::duration<double, Period> time) {
  return Duration{std::llround(std::chrono::duration<double, std::milli>(time).count())};
}

}  // namespace bowerbird
