// Clocks as parameters: code that needs the time gets a Clock, so that a test can set the time.
//
// Microseconds. A MonotonicClock counts from an arbitrary moment, never goes back, and continues while the
// machine is suspended (a lease must expire during that time); a WallClock counts from 1970-01-01 UTC; a
// ScaledClock runs faster or slower than the wall clock; a ManualClock changes only when it is set. Threads:
// any.
#pragma once

#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace bowerbird {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now_us() const = 0;
};

class MonotonicClock final : public Clock {
 public:
  std::int64_t now_us() const override {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
  }
};

class WallClock final : public Clock {
 public:
  std::int64_t now_us() const override {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
};

// Starts at the wall clock's time, and from then on runs `scale` times as fast.
class ScaledClock final : public Clock {
 public:
  explicit ScaledClock(double scale)
      : scale_(scale), wall_start_(WallClock().now_us()), start_(MonotonicClock().now_us()) {}
  std::int64_t now_us() const override {
    return wall_start_ +
           static_cast<std::int64_t>(static_cast<double>(MonotonicClock().now_us() - start_) * scale_);
  }

 private:
  double scale_;
  std::int64_t wall_start_;
  std::int64_t start_;
};

class ManualClock final : public Clock {
 public:
  explicit ManualClock(std::int64_t us = 0) : us_(us) {}
  std::int64_t now_us() const override { return us_.load(std::memory_order_relaxed); }
  void set(std::int64_t us) { us_.store(us, std::memory_order_relaxed); }
  void advance(std::int64_t us) { us_.fetch_add(us, std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> us_;
};

}  // namespace bowerbird
