// Where each list of a BVGraph begins, in bits: ascending numbers in a little over 4 bytes each.
//
// Every 64th offset is kept whole, the others as a distance from it. Should 64 lists ever take more than
// 2^32 bits, all offsets are kept whole. Threads: const members from any.
#pragma once

#include <cstdint>
#include <vector>

namespace bowerbird {

class BvOffsets {
 public:
  void reserve(std::uint64_t count) {
    bases_.reserve(count / kGroup + 1);
    distances_.reserve(count);
  }
  // Not below the one before.
  void push(std::uint64_t offset);
  std::uint64_t size() const { return whole_.empty() ? distances_.size() : whole_.size(); }
  std::uint64_t operator[](std::uint64_t i) const {
    return whole_.empty() ? bases_[i / kGroup] + distances_[i] : whole_[i];
  }

 private:
  static constexpr std::uint64_t kGroup = 64;

  std::vector<std::uint64_t> bases_;
  std::vector<std::uint32_t> distances_;
  std::vector<std::uint64_t> whole_;  // used instead of the others if it is not empty
};

inline void BvOffsets::push(std::uint64_t offset) {
  if (whole_.empty()) {
    if (distances_.size() % kGroup == 0) bases_.push_back(offset);
    const std::uint64_t distance = offset - bases_.back();
    if (distance >> 32 == 0) {
      distances_.push_back(static_cast<std::uint32_t>(distance));
      return;
    }
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 0; i < distances_.size(); ++i) all.push_back((*this)[i]);
    whole_ = std::move(all);
    bases_ = {};
    distances_ = {};
  }
  whole_.push_back(offset);
}

}  // namespace bowerbird
