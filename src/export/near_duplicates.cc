#include "export/near_duplicates.h"

#include "parse/fingerprint.h"

namespace bowerbird {

static_assert(kNearBits == 3, "so many parts as bits, and one more");

NearDuplicates::NearDuplicates() {
  for (auto& places : by_part_) places.resize(0x10000);
}

std::pair<std::uint32_t, bool> NearDuplicates::place_of(std::uint64_t simhash) {
  for (std::size_t i = 0; i < kParts; ++i) {
    for (const std::uint32_t place : by_part_[i][part(simhash, i)]) {
      if (hamming_distance(simhashes_[place], simhash) <= kNearBits) return {place, true};
    }
  }
  const auto place = static_cast<std::uint32_t>(simhashes_.size());
  for (std::size_t i = 0; i < kParts; ++i) by_part_[i][part(simhash, i)].push_back(place);
  simhashes_.push_back(simhash);
  return {place, false};
}

}  // namespace bowerbird
