#include "export/near_duplicates.h"

#include "parse/fingerprint.h"

namespace bowerbird {

static_assert(kNearBits == 3, "so many parts as bits, and one more");

NearDuplicates::NearDuplicates() {
  for (auto& places : by_part_) places.resize(0x10000);
}

bool NearDuplicates::seen(std::uint64_t simhash) {
  for (std::size_t i = 0; i < kParts; ++i) {
    for (const std::uint32_t place : by_part_[i][part(simhash, i)]) {
      if (hamming_distance(simhashes_[place], simhash) <= kNearBits) return true;
    }
  }
  for (std::size_t i = 0; i < kParts; ++i)
    by_part_[i][part(simhash, i)].push_back(static_cast<std::uint32_t>(simhashes_.size()));
  simhashes_.push_back(simhash);
  return false;
}

}  // namespace bowerbird
