// Importance that shrinks with every link, stored so that it neither underflows nor loses its order.
//
// On a chain of a million pages a mass falls to 0.85^1000000, far below the smallest double. It would become
// zero, and the order would silently be first come, first served. A Mass is one double s = e + m that
// represents the value 2^e * (1 + m), where e is an integer and 0 <= m < 1; minus infinity represents zero.
// That is a piecewise linear logarithm: larger values have larger s, so a Mass can be used as a Score, and
// adding and multiplying need no transcendental function. Precision: 53 bits minus those of |e|: about 48 at
// usual depths, 35 at the end of that chain.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace bowerbird {

namespace mass {

inline constexpr double kZero = -std::numeric_limits<double>::infinity();

// 2^e for -1022 <= e <= 1023.
inline double power_of_two(std::int64_t e) {
  return std::bit_cast<double>((e + 1023) << 52);
}

struct Parts {
  std::int64_t exponent;
  double significand;  // 1 <= significand < 2
};

// Beyond the mass of any crawl. A damaged folder may hold larger ones: they count as this one.
inline constexpr double kLimit = 0x1p52;

// s is not NaN.
inline Parts parts(double s) {
  s = std::clamp(s, -kLimit, kLimit);
  auto e = static_cast<std::int64_t>(s);  // towards zero
  if (static_cast<double>(e) > s) --e;
  return {e, 1 + (s - static_cast<double>(e))};
}

// significand in [1, 4).
inline double from_parts(std::int64_t exponent, double significand) {
  if (significand >= 2) {
    significand *= 0.5;
    ++exponent;
  }
  return static_cast<double>(exponent) + (significand - 1);
}

// value >= 0.
inline double from_value(double value) {
  if (value <= 0) return kZero;
  int e = 0;
  const double significand = std::frexp(value, &e);
  return from_parts(e - 1, significand * 2);
}

// Zero if the value is too small for a double, infinite if it is too large.
inline double to_value(double s) {
  if (s == kZero) return 0;
  const Parts p = parts(s);
  return p.exponent < -1100
             ? 0
             : std::ldexp(p.significand, static_cast<int>(std::min<std::int64_t>(p.exponent, 1100)));
}

// factor > 0.
inline double times(double s, double factor) {
  if (s == kZero) return kZero;
  const Parts p = parts(s);
  int e = 0;
  const double significand = std::frexp(factor, &e) * 2;
  return from_parts(p.exponent + e - 1, p.significand * significand);
}

inline double plus(double a, double b) {
  if (a < b) {
    const double larger = b;
    b = a;
    a = larger;
  }
  // Too small to change a; also true for zero.
  if (!(a - b < 64)) return a;
  const Parts p = parts(a);
  const Parts q = parts(b);
  return from_parts(p.exponent, p.significand + q.significand * power_of_two(q.exponent - p.exponent));
}

}  // namespace mass

}  // namespace bowerbird
