// Random numbers from a given seed, the same on every machine and in every build.
//
// mix64 / draw are stateless: draw(seed, i) is the i-th number of the stream `seed`, whatever was drawn
// before, so that lab and live crawl agree and a restored crawl continues as if it had never stopped. Rng is
// for long sequences.
#pragma once

#include <cstdint>

namespace bowerbird {

// A bijection on 64 bits whose output bits each depend on all input bits (the finaliser of SplitMix64, Steele
// et al. 2014, variant 13 of Stafford).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr std::uint64_t draw(std::uint64_t seed, std::uint64_t index) {
  return mix64(mix64(seed + 0x9e3779b97f4a7c15u) ^ (index * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du));
}

// Uniform in [0, 1).
constexpr double to_unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// Uniform in [0, n) from 64 random bits; n > 0.
constexpr std::uint64_t to_below(std::uint64_t bits, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits) * n) >> 64);
}

class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) : state_(mix64(seed + 0x9e3779b97f4a7c15u)) {}

  constexpr std::uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15u); }
  constexpr double unit() { return to_unit(next()); }
  constexpr std::uint64_t below(std::uint64_t n) { return to_below(next(), n); }

  // The whole state, for snapshots.
  constexpr std::uint64_t state() const { return state_; }
  constexpr void restore(std::uint64_t state) { state_ = state; }

 private:
  std::uint64_t state_;
};

}  // namespace bowerbird
