// A Bloom filter for the fingerprints of a run on disk. "No" is always right.
//
// Problem: most URLs that are not in memory are new, and finding that out on disk would cost a read each.
// The filter has blocks of one cache line (Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient
// Bloom Filters, 2007): ten bits per fingerprint, six bits of one block set for each, about 1 % false
// positives. Blocks are in the order of the fingerprints, so filling it from a sorted run goes through
// memory once. All fingerprints of a filter are in one range (FingerprintRange). Threads: one writer,
// then any number of readers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/lazy_array.h"
#include "base/rng.h"

namespace bowerbird {

// Ranges of fingerprints by their first bits. Each range has its own runs on disk.
struct FingerprintRange {
  static constexpr unsigned kBits = 3;
  static constexpr std::size_t kCount = std::size_t{1} << kBits;
  static std::size_t of(std::uint64_t fingerprint) {
    return static_cast<std::size_t>(fingerprint >> (64 - kBits));
  }
  // The position of the fingerprint in its range, if that has `places` intervals of equal width.
  static std::size_t place(std::uint64_t fingerprint, std::uint64_t places) {
    return static_cast<std::size_t>(to_below(fingerprint << kBits, places));
  }
};

class FingerprintFilter {
 public:
  FingerprintFilter() = default;
  explicit FingerprintFilter(std::uint64_t fingerprints)
      : blocks_(fingerprints * kBits / 512 + 1), words_(static_cast<std::size_t>(blocks_) * 8) {}

  void add(std::uint64_t fingerprint) {
    std::uint64_t* const block = words_.data() + place(fingerprint);
    std::uint64_t bits = mix64(fingerprint);
    for (int i = 0; i < kProbes; ++i, bits >>= 9) block[bits >> 6 & 7] |= std::uint64_t{1} << (bits & 63);
  }
  bool may_hold(std::uint64_t fingerprint) const {
    const std::uint64_t* const block = words_.data() + place(fingerprint);
    std::uint64_t bits = mix64(fingerprint), missing = 0;
    for (int i = 0; i < kProbes; ++i, bits >>= 9)
      missing |= ~block[bits >> 6 & 7] & std::uint64_t{1} << (bits & 63);
    return missing == 0;
  }
  void prefetch(std::uint64_t fingerprint) const { __builtin_prefetch(words_.data() + place(fingerprint)); }
  std::uint64_t bytes() const { return blocks_ * 64; }

 private:
  static constexpr std::uint64_t kBits = 10;
  static constexpr int kProbes = 6;

  std::size_t place(std::uint64_t fingerprint) const {
    return FingerprintRange::place(fingerprint, blocks_) * 8;
  }

  std::uint64_t blocks_ = 0;
  LazyArray<std::uint64_t> words_;
};

}  // namespace bowerbird
