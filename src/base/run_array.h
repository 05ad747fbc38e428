// Numbers by index in which adjacent ones are often equal: one bit each, and 4 bytes per run.
//
// Problem: the host of every known page must be in memory, and four bytes for each are too many; but new
// links come in runs to one host. A bit marks the beginning of a run. The number of runs before each 512th
// entry is stored, so that an entry is found by counting the bits of one cache line. Append only. Threads:
// one owner.
#pragma once

#include <bit>
#include <cstdint>

#include "base/lazy_array.h"

namespace bowerbird {

class RunArray {
 public:
  std::uint64_t size() const { return size_; }

  void push_back(std::uint32_t value) {
    const std::uint64_t word = size_ / 64;
    if (size_ % 64 == 0) starts_.grow_to(static_cast<std::size_t>(word) + 1);
    if (size_ % kLine == 0) before_.push_back(static_cast<std::uint32_t>(values_.size()));
    if (size_ == 0 || values_[values_.size() - 1] != value) {
      starts_[static_cast<std::size_t>(word)] |= std::uint64_t{1} << size_ % 64;
      values_.push_back(value);
    }
    ++size_;
  }

  std::uint32_t operator[](std::uint64_t i) const {
    std::uint64_t runs = before_[static_cast<std::size_t>(i / kLine)];
    const std::uint64_t* const line = starts_.data() + i / kLine * (kLine / 64);
    const std::uint64_t last = i % kLine / 64;
    for (std::uint64_t w = 0; w < last; ++w) runs += static_cast<std::uint64_t>(std::popcount(line[w]));
    runs += static_cast<std::uint64_t>(std::popcount(line[last] << (63 - i % 64)));
    return values_[static_cast<std::size_t>(runs - 1)];
  }

  std::uint64_t bytes() const {
    return starts_.size() * sizeof(std::uint64_t) + (before_.size() + values_.size()) * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint64_t kLine = 512;

  std::uint64_t size_ = 0;
  LazyArray<std::uint64_t> starts_;
  LazyArray<std::uint32_t> before_;  // number of runs that began before each line
  LazyArray<std::uint32_t> values_;
};

}  // namespace bowerbird
