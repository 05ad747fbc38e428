// The monotonic clock in the fleet's unit. Any thread.
#pragma once

#include <cstdint>

#include "sys/clock.h"

namespace bowerbird {

inline std::int64_t now_ms() {
  return MonotonicClock().now_us() / 1000;
}

}  // namespace bowerbird
