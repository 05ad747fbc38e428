#include "export/near_duplicates.h"

#include <bit>

#include "parse/fingerprint.h"

namespace bowerbird {

static_assert(kNearBits == 3, "so many parts as bits, and one more");

namespace {

constexpr std::uint32_t kFirstSegment = 1 << 14;
constexpr std::uint32_t kMostSimhashes = 1u << 31;

}  // namespace

NearDuplicates::NearDuplicates() {
  for (auto& lists : lists_) lists.resize(0x10000);
}

// Segment k begins at kFirstSegment * (2^k - 1).
NearDuplicates::Entry& NearDuplicates::entry(std::uint32_t place) {
  const std::uint32_t above = place - 1 + kFirstSegment;
  const int width = std::bit_width(above);
  const auto segment = static_cast<std::size_t>(width - std::bit_width(kFirstSegment));
  return segments_[segment][above - (1u << (width - 1))];
}

Result<std::uint32_t> NearDuplicates::add(std::uint64_t simhash) {
  if (count_ == kMostSimhashes) return error("too many pages to compare them with each other");
  if (count_ == kFirstSegment * ((std::uint64_t{1} << segments_.size()) - 1)) {
    BB_TRY(ScratchArray<Entry> segment,
           ScratchArray<Entry>::sized(std::uint64_t{kFirstSegment} << segments_.size()));
    segments_.push_back(std::move(segment));
  }
  const std::uint32_t place = ++count_;
  entry(place) = {simhash, {}};
  for (std::size_t i = 0; i < kParts; ++i) {
    List& list = lists_[i][part(simhash, i)];
    (list.last == 0 ? list.first : entry(list.last).next[i]) = place;
    list.last = place;
  }
  return place;
}

Result<std::pair<std::uint32_t, bool>> NearDuplicates::place_of(std::uint64_t simhash) {
  for (std::size_t i = 0; i < kParts; ++i) {
    for (std::uint32_t place = lists_[i][part(simhash, i)].first; place != 0;) {
      const Entry& other = entry(place);
      if (hamming_distance(other.simhash, simhash) <= kNearBits) return std::pair(place - 1, true);
      place = other.next[i];
    }
  }
  BB_TRY(const std::uint32_t place, add(simhash));
  return std::pair(place - 1, false);
}

Result<bool> NearDuplicates::seen(std::uint64_t simhash) {
  BB_TRY(const auto found, place_of(simhash));
  return found.second;
}

}  // namespace bowerbird
