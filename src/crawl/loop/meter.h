// The speed of a crawl, and its limit.
//
// RateMeter averages over about a second. BandwidthLimit is a token bucket that holds the bytes of one
// second. A body larger than what is left makes it negative, and the crawl waits until it is positive
// again. Threads: one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time.h"
#include "base/units.h"

namespace bowerbird {

class RateMeter {
 public:
  // pages, bytes: totals so far, of earlier runs.
  explicit RateMeter(Time now = {}, std::uint64_t pages = 0, std::uint64_t bytes = 0)
      : since_(now), pages_(pages), bytes_(bytes) {}

  // pages, bytes: totals so far.
  void update(Time now, std::uint64_t pages, std::uint64_t bytes) {
    const Duration span = now - since_;
    if (span < 1s) return;
    const double seconds = Seconds(span).count();
    pages_per_second_ = static_cast<double>(pages - pages_) / seconds;
    bytes_per_second_ = static_cast<double>(bytes - bytes_) / seconds;
    measured_ += seconds;
    const double part = std::max(seconds / measured_, seconds / (seconds + kSteadySeconds));
    steady_pages_ += part * (pages_per_second_ - steady_pages_);
    steady_bytes_ += part * (bytes_per_second_ - steady_bytes_);
    pages_ = pages;
    bytes_ = bytes;
    since_ = now;
  }
  double pages_per_second() const { return pages_per_second_; }
  double bytes_per_second() const { return bytes_per_second_; }
  // Over about the last minute: for predictions.
  double steady_pages_per_second() const { return steady_pages_; }
  double steady_bytes_per_second() const { return steady_bytes_; }

 private:
  static constexpr double kSteadySeconds = 60;

  Time since_;
  std::uint64_t pages_, bytes_;
  double pages_per_second_ = 0, bytes_per_second_ = 0;
  double measured_ = 0;  // seconds
  double steady_pages_ = 0, steady_bytes_ = 0;
};

class BandwidthLimit {
 public:
  // bytes_per_second: 0: no limit.
  explicit BandwidthLimit(std::uint64_t bytes_per_second, Time now = {})
      : rate_(static_cast<double>(bytes_per_second)), at_(now) {}

  void refill(Time now) {
    left_ = std::min(rate_, left_ + rate_ * Seconds(now - at_).count());
    at_ = now;
  }
  void spend(std::uint64_t bytes) { left_ -= static_cast<double>(bytes); }
  bool used_up() const { return rate_ > 0 && left_ <= 0; }
  // How long until it is positive again.
  Duration pause() const {
    return used_up() ? std::chrono::duration_cast<Duration>(Seconds(-left_ / rate_)) + 1ms : 0ms;
  }

 private:
  double rate_;
  double left_ = 0;
  Time at_;
};

}  // namespace bowerbird
