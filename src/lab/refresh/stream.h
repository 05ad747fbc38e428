// SplitMix64 (Steele et al. 2014) from a given state, as in the definition of the reference figures of
// refreshing; base/rng.h hashes its seed first.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/rng.h"

namespace bowerbird {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t state) : state_(state) {}

  // Uniform in (0, 1).
  double unit() {
    state_ += 0x9e3779b97f4a7c15u;
    return (static_cast<double>(mix64(state_) >> 11) + 0.5) * 0x1.0p-53;
  }
  // Normal, by two uniforms (Box and Muller 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(unit()));
    return radius * std::cos(2 * std::numbers::pi * unit());
  }

 private:
  std::uint64_t state_;
};

}  // namespace bowerbird
