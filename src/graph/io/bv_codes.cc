#include "graph/io/bv_codes.h"

namespace bowerbird::bv {

namespace {

std::uint64_t failed(BitReader& in) {
  in.fail();
  return 0;
}

void write_minimal_binary(BitWriter& out, std::uint64_t x, std::uint64_t bound) {
  const unsigned width = log2_floor(bound);
  const std::uint64_t short_ones = (std::uint64_t{2} << width) - bound;
  if (x < short_ones) {
    out.bits(x, width);
  } else {
    out.bits(x + short_ones, width + 1);
  }
}

unsigned minimal_binary_length(std::uint64_t x, std::uint64_t bound) {
  const unsigned width = log2_floor(bound);
  return width + (x >= (std::uint64_t{2} << width) - bound);
}

void write_zeta(BitWriter& out, std::uint64_t x, unsigned k) {
  const unsigned h = log2_floor(x + 1) / k;
  const std::uint64_t left = std::uint64_t{1} << (h * k);
  out.unary(h);
  const std::uint64_t place = x + 1 - left;
  if (place < left) {
    out.bits(place, h * k + k - 1);
  } else {
    out.bits(x + 1, h * k + k);
  }
}

// Which range of b, 2b, 4b ... numbers x is in.
unsigned skewed_range(std::uint64_t x, std::uint64_t modulus) {
  return log2_floor(x / modulus + 1);
}

std::uint64_t skewed_start(unsigned range, std::uint64_t modulus) {
  return ((std::uint64_t{1} << range) - 1) * modulus;
}

unsigned nibbles(std::uint64_t x) {
  return x == 0 ? 1 : log2_floor(x) / 3 + 1;
}

void write_nibble(BitWriter& out, std::uint64_t x) {
  for (unsigned group = nibbles(x); group-- > 0;) {
    out.bits(group == 0, 1);
    out.bits(x >> (3 * group), 3);
  }
}

}  // namespace

std::uint64_t long_gamma(BitReader& in) {
  const std::uint64_t width = in.unary();
  if (width >= kMaxBits) return failed(in);
  return (std::uint64_t{1} << width) + in.bits(static_cast<unsigned>(width)) - 1;
}

std::uint64_t long_zeta(BitReader& in, unsigned k) {
  const std::uint64_t h = in.unary();
  if (h >= 64 || h * k + k > 64) return failed(in);
  const unsigned width = static_cast<unsigned>(h) * k + k - 1;
  const std::uint64_t left = std::uint64_t{1} << (width + 1 - k);
  std::uint64_t next = in.wide_bits(width);  // x + 1
  next = next < left ? next + left : next << 1 | in.bits(1);
  return next >> kMaxBits == 0 ? next - 1 : failed(in);
}

std::uint64_t read_minimal_binary(BitReader& in, std::uint64_t bound) {
  const unsigned width = log2_floor(bound);
  if (width >= kMaxBits) return failed(in);
  const std::uint64_t short_ones = (std::uint64_t{2} << width) - bound;
  const std::uint64_t x = in.bits(width);
  if (x < short_ones) return x;
  return (x << 1 | in.bits(1)) - short_ones;
}

std::uint64_t read_golomb(BitReader& in, std::uint64_t modulus) {
  const std::uint64_t quotient = in.unary();
  if (quotient >> 32 != 0) return failed(in);
  return quotient * modulus + read_minimal_binary(in, modulus);
}

std::uint64_t read_skewed_golomb(BitReader& in, std::uint64_t modulus) {
  const std::uint64_t range = in.unary();
  if (range + log2_floor(modulus) >= kMaxBits) return failed(in);
  const unsigned shift = static_cast<unsigned>(range);
  return skewed_start(shift, modulus) + read_minimal_binary(in, modulus << shift);
}

std::uint64_t read_nibble(BitReader& in) {
  std::uint64_t x = 0;
  for (unsigned group = 0; group < kMaxBits / 3; ++group) {
    const std::uint64_t nibble = in.bits(4);
    x = x << 3 | (nibble & 7);
    if (nibble >= 8) return x;
  }
  return failed(in);
}

void write_code(BitWriter& out, BvCode code, std::uint32_t parameter, std::uint64_t x) {
  switch (code) {
    case BvCode::kUnary:
      return out.unary(x);
    case BvCode::kGamma: {
      const unsigned width = log2_floor(x + 1);
      out.unary(width);
      return out.bits(x + 1, width);
    }
    case BvCode::kDelta: {
      const unsigned width = log2_floor(x + 1);
      write_code(out, BvCode::kGamma, 0, width);
      return out.bits(x + 1, width);
    }
    case BvCode::kZeta:
      return write_zeta(out, x, parameter);
    case BvCode::kGolomb:
      out.unary(x / parameter);
      return write_minimal_binary(out, x % parameter, parameter);
    case BvCode::kSkewedGolomb: {
      const unsigned range = skewed_range(x, parameter);
      out.unary(range);
      return write_minimal_binary(out, x - skewed_start(range, parameter), std::uint64_t{parameter} << range);
    }
    case BvCode::kNibble:
      return write_nibble(out, x);
  }
}

std::uint64_t code_length(BvCode code, std::uint32_t parameter, std::uint64_t x) {
  switch (code) {
    case BvCode::kUnary:
      return x + 1;
    case BvCode::kGamma:
      return std::uint64_t{2} * log2_floor(x + 1) + 1;
    case BvCode::kDelta: {
      const unsigned width = log2_floor(x + 1);
      return width + code_length(BvCode::kGamma, 0, width);
    }
    case BvCode::kZeta: {
      const unsigned h = log2_floor(x + 1) / parameter;
      const std::uint64_t left = std::uint64_t{1} << (h * parameter);
      return (h + 1) + (h + 1) * parameter - (x + 1 - left < left);
    }
    case BvCode::kGolomb:
      return x / parameter + 1 + minimal_binary_length(x % parameter, parameter);
    case BvCode::kSkewedGolomb: {
      const unsigned range = skewed_range(x, parameter);
      return range + 1 +
             minimal_binary_length(x - skewed_start(range, parameter), std::uint64_t{parameter} << range);
    }
    case BvCode::kNibble:
      return std::uint64_t{4} * nibbles(x);
  }
  return 0;
}

}  // namespace bowerbird::bv
