// The instantaneous codes for natural numbers that a BVGraph's compressionflags can name: reading, writing
// and counting bits.
//
//   unary      x zeros, a one
//   gamma      x+1 has k+1 bits: k in unary, then the k bits below the leading one
//   delta      the same with k in gamma
//   zeta(k)    x+1 in [2^(hk), 2^(hk+k)): h in unary, then the place in that range in minimal binary
//   golomb(b)  x / b in unary, x mod b in minimal binary
//   skewed golomb(b)  ranges of b, 2b, 4b ... numbers: which one in unary, the place in it in minimal binary
//   nibble     groups of three bits, leading group first, each after a bit that is one at the last group
//
// Minimal binary of x below b, with s = floor(log2 b) and m = 2^(s+1) - b: x in s bits if x < m, else x + m
// in s+1 bits.
//
// P. Boldi and S. Vigna, The WebGraph framework I (WWW 2004) and Codes for the World-Wide Web (Internet
// Mathematics 2(4), 2005). Threads: stateless.
#pragma once

#include <bit>
#include <cstdint>

#include "graph/io/bv_bits.h"

namespace bowerbird {

// The numbers are those of WebGraph's flag masks.
enum class BvCode : std::uint8_t {
  kDelta = 1,
  kGamma = 2,
  kGolomb = 3,
  kSkewedGolomb = 4,
  kUnary = 5,
  kZeta = 6,
  kNibble = 7,
};

namespace bv {

// No valid file contains a larger number: pages are below 2^32, and that many bits would be nine petabytes.
inline constexpr unsigned kMaxBits = 56;

// 0 for 0 and 1.
inline unsigned log2_floor(std::uint64_t x) {
  return 63 - static_cast<unsigned>(std::countl_zero(x | 1));
}

// --- reading; short codes inline, long or rare ones out of line ---

std::uint64_t long_gamma(BitReader& in);
std::uint64_t long_zeta(BitReader& in, unsigned k);
std::uint64_t read_minimal_binary(BitReader& in, std::uint64_t bound);
std::uint64_t read_golomb(BitReader& in, std::uint64_t modulus);
std::uint64_t read_skewed_golomb(BitReader& in, std::uint64_t modulus);
std::uint64_t read_nibble(BitReader& in);

inline std::uint64_t read_gamma(BitReader& in) {
  const std::uint64_t window = in.fill();
  // Up to 27 zeros: the whole code is in the window.
  if (window >> 36 == 0) [[unlikely]]
    return long_gamma(in);
  const unsigned zeros = static_cast<unsigned>(std::countl_zero(window));
  in.drop(2 * zeros + 1);
  return (window >> (63 - 2 * zeros)) - 1;
}

inline std::uint64_t read_delta(BitReader& in) {
  const std::uint64_t width = read_gamma(in);
  if (width >= kMaxBits) [[unlikely]] {
    in.fail();
    return 0;
  }
  return (std::uint64_t{1} << width) + in.bits(static_cast<unsigned>(width)) - 1;
}

// The two bits after the unary part determine the length of the code: 00 means that the position in the range
// is below 2^(3h) and one bit shorter.
inline std::uint64_t read_zeta3(BitReader& in) {
  const std::uint64_t window = in.fill();
  if (window >> 50 == 0) [[unlikely]]
    return long_zeta(in, 3);  // more than 13 zeros
  const unsigned zeros = static_cast<unsigned>(std::countl_zero(window));
  const std::uint64_t rest = window << (zeros + 1);
  const unsigned is_short = rest >> 62 == 0;
  in.drop(4 * zeros + 4 - is_short);
  const std::uint64_t place = rest >> (61 - 3 * zeros + is_short);
  return place + (std::uint64_t{is_short} << (3 * zeros)) - 1;
}

inline std::uint64_t read_zeta(BitReader& in, unsigned k) {
  return k == 3 ? read_zeta3(in) : long_zeta(in, k);
}

// parameter: k of zeta, modulus of the two Golomb codes; otherwise ignored.
inline std::uint64_t read_code(BitReader& in, BvCode code, std::uint32_t parameter) {
  switch (code) {
    case BvCode::kGamma:
      return read_gamma(in);
    case BvCode::kZeta:
      return read_zeta(in, parameter);
    case BvCode::kDelta:
      return read_delta(in);
    case BvCode::kUnary:
      return in.unary();
    case BvCode::kNibble:
      return read_nibble(in);
    case BvCode::kGolomb:
      return read_golomb(in, parameter);
    case BvCode::kSkewedGolomb:
      return read_skewed_golomb(in, parameter);
  }
  return 0;
}

// --- writing; x below 2^kMaxBits ---

void write_code(BitWriter& out, BvCode code, std::uint32_t parameter, std::uint64_t x);
// How many bits write_code() writes.
std::uint64_t code_length(BvCode code, std::uint32_t parameter, std::uint64_t x);

// --- numbers with a sign: 0, -1, 1, -2, 2 ... as 0, 1, 2, 3, 4 ... ---

inline std::uint64_t to_natural(std::int64_t x) {
  return (static_cast<std::uint64_t>(x) << 1) ^ static_cast<std::uint64_t>(x >> 63);
}
inline std::int64_t to_signed(std::uint64_t x) {
  return static_cast<std::int64_t>(x >> 1) ^ -static_cast<std::int64_t>(x & 1);
}

}  // namespace bv
}  // namespace bowerbird
