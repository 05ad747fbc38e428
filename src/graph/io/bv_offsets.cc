#include "graph/io/bv_offsets.h"

namespace bowerbird {

void BvOffsets::push(std::uint64_t offset) {
  const std::uint64_t place = size_ % kGroup;
  if (place == 0) groups_.push_back({offset, {}});
  Group& group = groups_.back();
  if ((group.first & kWide) == 0 && offset - group.first > 0xffff) widen();
  if ((group.first & kWide) != 0) {
    wide_.push_back(offset);
  } else {
    group.distances[place] = static_cast<std::uint16_t>(offset - group.first);
  }
  ++size_;
}

// Moves the offsets of the last group, which is the only one that still grows, to wide_.
void BvOffsets::widen() {
  Group& group = groups_.back();
  const std::uint64_t start = wide_.size();
  for (std::uint64_t place = 0; place < size_ % kGroup; ++place) {
    wide_.push_back(group.first + group.distances[place]);
  }
  group.first = kWide | start;
}

}  // namespace bowerbird
