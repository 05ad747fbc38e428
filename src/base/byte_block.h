// Sixteen bytes of a text, and which of them are of a kind: a bit for each byte, the first byte the lowest
// bit.
//
// Problem: text has a word every few bytes, and a branch for each byte is guessed wrong at every end of a
// word. With bits, runs are found by counting zeros. Never reads past the end of the text: bytes past it are
// NUL. Threads: none needed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace bowerbird {

class ByteBlock {
 public:
  static constexpr std::size_t kSize = 16;

  ByteBlock(const char* at, const char* end) {
    if (end - at >= static_cast<std::ptrdiff_t>(kSize)) {
      load(at);
    } else {
      char bytes[kSize] = {};
      std::memcpy(bytes, at, static_cast<std::size_t>(end - at));
      load(bytes);
    }
  }

  // Writes all sixteen.
  void store(char* to) const { std::memcpy(to, &bytes_, kSize); }

  unsigned letters_and_digits() const { return letters() | between('0', '9'); }

#ifdef __SSE2__
  unsigned equal(char c) const {
    return bits(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c)));
  }
  // From `low` to `high`, which are ASCII.
  unsigned between(char low, char high) const {
    return bits(within(bytes_, low, high));
  }
  // Of ASCII.
  unsigned letters() const {
    return bits(within(_mm_or_si128(bytes_, _mm_set1_epi8(0x20)), 'a', 'z'));
  }
  // Outside ASCII; among them those that continue a character of UTF-8.
  unsigned high() const {
    return bits(bytes_);
  }
  unsigned continuing() const {
    return bits(_mm_cmplt_epi8(bytes_, _mm_set1_epi8(-64)));
  }

 private:
  static unsigned bits(__m128i bytes) {
    return static_cast<unsigned>(_mm_movemask_epi8(bytes));
  }
  // Bytes outside ASCII are negative.
  static __m128i within(__m128i bytes, char low, char high) {
    return _mm_andnot_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8(high)),
                            _mm_cmpgt_epi8(bytes, _mm_set1_epi8(static_cast<char>(low - 1))));
  }
  void load(const char* at) {
    bytes_ = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  }

  __m128i bytes_;
#else
  unsigned equal(char c) const {
    return bits([c](char byte) { return byte == c; });
  }
  unsigned between(char low, char high) const {
    return bits([=](char byte) { return byte >= low && byte <= high && (byte & 0x80) == 0; });
  }
  unsigned letters() const {
    return bits([](char byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z' && (byte & 0x80) == 0; });
  }
  unsigned high() const {
    return bits([](char byte) { return (byte & 0x80) != 0; });
  }
  unsigned continuing() const {
    return bits([](char byte) { return (byte & 0xC0) == 0x80; });
  }

 private:
  template <typename Is>
  unsigned bits(Is is) const {
    unsigned found = 0;
    for (std::size_t i = 0; i < kSize; ++i) found |= (is(bytes_[i]) ? 1u : 0u) << i;
    return found;
  }
  void load(const char* at) {
    std::memcpy(bytes_.data(), at, kSize);
  }

  std::array<char, kSize> bytes_;
#endif
};

// How many bits from the lowest on are set, at most kSize.
inline unsigned run_of(unsigned bits) {
  return static_cast<unsigned>(__builtin_ctz(~bits));
}

// How many bits of a block are set.
inline unsigned count_of(unsigned bits) {
  constexpr std::array<std::uint8_t, 256> kCounts = [] {
    std::array<std::uint8_t, 256> counts{};
    for (unsigned i = 1; i < 256; ++i) counts[i] = static_cast<std::uint8_t>(counts[i / 2] + i % 2);
    return counts;
  }();
  return kCounts[bits & 0xFF] + unsigned{kCounts[bits >> 8]};
}

// A part of a text.
struct ByteRun {
  const char* begin = nullptr;
  const char* end = nullptr;
};

// The first run of bytes in [at, end) for which `bits_of` gives the bits of a block, all of them ASCII. It
// ends before any other byte, and is empty where a byte outside ASCII comes first; it begins at `end` where
// there is neither.
template <typename BitsOf>
ByteRun find_run(const char* at, const char* end, BitsOf bits_of) {
  while (at < end) {
    const ByteBlock block(at, end);
    const unsigned bits = bits_of(block);
    const unsigned first = bits | block.high();
    if (first == 0) {
      at += std::min<std::ptrdiff_t>(ByteBlock::kSize, end - at);
      continue;
    }
    const auto skipped = static_cast<unsigned>(__builtin_ctz(first));
    unsigned size = run_of(bits >> skipped);
    ByteRun run = {at + skipped, at + skipped + size};
    // It may go on after the block.
    for (bool whole = skipped + size == ByteBlock::kSize; whole && run.end < end;
         whole = size == ByteBlock::kSize) {
      size = run_of(bits_of(ByteBlock(run.end, end)));
      run.end += size;
    }
    return run;
  }
  return {end, end};
}

}  // namespace bowerbird
