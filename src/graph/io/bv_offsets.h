// Where each list of a BVGraph begins, in bits: ascending numbers in 2.3 bytes each.
//
// A group of 28 offsets fills one cache line: the first one in full, and for each its distance from the
// first. A group that is too long for that, with lists of kilobytes, has its full offsets elsewhere. Threads:
// const members from any.
#pragma once

#include <cstdint>
#include <vector>

namespace bowerbird {

class BvOffsets {
 public:
  void reserve(std::uint64_t count) { groups_.reserve(count / kGroup + 1); }
  // Not below the one before, and below 2^63.
  void push(std::uint64_t offset);
  std::uint64_t size() const { return size_; }
  std::uint64_t operator[](std::uint64_t i) const {
    const Group& group = groups_[i / kGroup];
    const std::uint64_t place = i % kGroup;
    if ((group.first & kWide) != 0) [[unlikely]]
      return wide_[(group.first & ~kWide) + place];
    return group.first + group.distances[place];
  }

 private:
  static constexpr std::uint64_t kGroup = 28;
  static constexpr std::uint64_t kWide = std::uint64_t{1} << 63;

  struct alignas(64) Group {
    std::uint64_t first = 0;  // or kWide and the index of the group's offsets in wide_
    std::uint16_t distances[kGroup] = {};
  };

  void widen();

  std::vector<Group> groups_;
  std::vector<std::uint64_t> wide_;
  std::uint64_t size_ = 0;
};

}  // namespace bowerbird
