// Two queues in one: a score that encodes the queue of a page first, then its score within it.
//
// Problem: the frontier orders pages by one double, and an ordering that serves one queue before another must
// not lose precision within a queue. Useful scores are zero or between 2^-255 and 2^255 in magnitude, a
// quarter of all doubles. Numbered by size they fit twice into the doubles between 2^-1022 and 1: negative
// ones for the second queue and positive ones for the first. Smaller magnitudes count as 2^-255, larger ones
// as infinite. Pure.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "policy/policy.h"

namespace bowerbird::two_queues {

inline constexpr std::int64_t kSmallest = std::int64_t{1023 - 255} << 52;  // the bits of 2^-255
inline constexpr std::int64_t kMost = (std::int64_t{510} << 52) + 1;       // the number of 2^255 and beyond
inline constexpr std::int64_t kMiddle =
    kMost + (std::int64_t{1} << 52);  // of either queue; larger than kMost

// outer(a, q) < outer(b, q) if a < b, and outer(a, false) < outer(b, true) for all a and b.
inline Score outer(Score score, bool first) {
  std::int64_t number = 0;
  if (score != 0) {
    const auto bits = std::bit_cast<std::int64_t>(std::fabs(score));
    number = std::clamp(bits - kSmallest + 1, std::int64_t{1}, kMost);
    if (score < 0) number = -number;
  }
  return first ? std::bit_cast<double>(kMiddle + number) : -std::bit_cast<double>(kMiddle - number);
}

inline bool first(Score score) {
  return score > 0;
}

// The score that outer() was given, if it was in range.
inline Score inner(Score score) {
  const auto bits = std::bit_cast<std::int64_t>(std::fabs(score));
  const std::int64_t number = first(score) ? bits - kMiddle : kMiddle - bits;
  if (number == 0) return 0;
  const std::int64_t size = std::abs(number);
  const double value =
      size >= kMost ? std::numeric_limits<double>::infinity() : std::bit_cast<double>(size - 1 + kSmallest);
  return number < 0 ? -value : value;
}

}  // namespace bowerbird::two_queues
