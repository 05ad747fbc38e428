// Bits in a byte string, most significant bit of each byte first: the order of WebGraph's bit streams.
//
// BitReader keeps the next bits in a 64-bit window, so that one code costs a count of leading zeros and two
// shifts. It never reads a byte outside its span: past the end it returns zeros and position() goes beyond
// size_in_bits(), which its user checks once per list instead of once per bit. A number that no valid file
// contains (a prefix that does not end, a value of more than 56 bits) sets failed(); what is read after that
// is meaningless but harmless.
//
// BitWriter collects bits and passes whole bytes to a ByteSink. Ownership: the reader borrows the bytes, the
// writer the sink. Threads: one user each.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "base/result.h"
#include "sys/file.h"

namespace bowerbird {

class BitReader {
 public:
  // After fill() at least this many bits of the window are valid.
  static constexpr unsigned kFilled = 56;

  explicit BitReader(std::span<const std::uint8_t> bytes) : data_(bytes.data()), size_(bytes.size()) {}

  void seek(std::uint64_t bit) {
    next_ = bit >> 3;
    window_ = 0;
    count_ = 0;
    fill();
    drop(bit & 7);
  }
  std::uint64_t position() const { return next_ * 8 - count_; }
  std::uint64_t size_in_bits() const { return size_ * 8; }
  std::uint64_t left() const { return position() < size_in_bits() ? size_in_bits() - position() : 0; }
  bool failed() const { return failed_; }
  void fail() { failed_ = true; }

  // The next bits, the first one uppermost; at least kFilled of them are valid.
  std::uint64_t fill() {
    const std::uint64_t coming = next_ + 8 <= size_ ? load(data_ + next_) : load_tail();
    window_ |= coming >> count_;
    next_ += (63 - count_) >> 3;
    count_ |= 56;
    return window_;
  }
  // Moves past n <= kFilled bits that fill() has provided.
  void drop(unsigned n) {
    window_ <<= n;
    count_ -= n;
  }

  // The next n <= 56 bits as a number.
  std::uint64_t bits(unsigned n) {
    if (n == 0) return 0;
    const std::uint64_t value = fill() >> (64 - n);
    drop(n);
    return value;
  }

  // The same for n <= 64.
  std::uint64_t wide_bits(unsigned n) {
    if (n <= 32) return bits(n);
    const std::uint64_t upper = bits(n - 32);
    return upper << 32 | bits(32);
  }

  // The number of zeros before the next one; also skips that one.
  std::uint64_t unary() {
    const std::uint64_t window = fill();
    if ((window >> (64 - kFilled)) == 0) [[unlikely]]
      return long_unary();
    const unsigned zeros = static_cast<unsigned>(std::countl_zero(window));
    drop(zeros + 1);
    return zeros;
  }

 private:
  static std::uint64_t load(const std::uint8_t* from) {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    return word;
  }
  std::uint64_t load_tail() const;
  std::uint64_t long_unary();

  const std::uint8_t* data_;
  std::uint64_t size_;
  std::uint64_t next_ = 0;    // the byte that fill() loads from
  std::uint64_t window_ = 0;  // unread bits, uppermost first
  unsigned count_ = 0;        // how many of them are valid; below 64
  bool failed_ = false;
};

class BitWriter {
 public:
  explicit BitWriter(ByteSink& sink) : sink_(sink) {}

  std::uint64_t position() const { return written_ + used_; }

  // The lowest n <= 64 bits of value.
  void bits(std::uint64_t value, unsigned n) {
    if (n > 32) {
      put(value >> 32, n - 32);
      n = 32;
    }
    put(value, n);
  }
  // zeros zeros, then a one.
  void unary(std::uint64_t zeros) {
    for (; zeros >= 32; zeros -= 32) put(0, 32);
    put(1, static_cast<unsigned>(zeros) + 1);
  }
  // Pads the last byte with zeros and passes everything to the sink. The writer must not be used afterwards.
  Status finish();
  // The first error of passing bytes to the sink.
  const Status& status() const { return status_; }

 private:
  static constexpr std::size_t kChunk = 1 << 16;

  // n <= 32
  void put(std::uint64_t value, unsigned n) {
    pending_ = pending_ << n | (value & ((std::uint64_t{1} << n) - 1));
    used_ += n;
    if (used_ >= 32) spill();
  }
  void spill();
  void flush();

  ByteSink& sink_;
  std::string bytes_;
  std::uint64_t written_ = 0;  // bits in bytes_ and in the sink
  std::uint64_t pending_ = 0;  // bits not yet in bytes_, lowest last; fewer than 32 between calls
  unsigned used_ = 0;
  Status status_;
};

}  // namespace bowerbird
