// Finds a hash in an ascending list.
//
// Hashes are spread evenly, so that the place of one can be guessed from its value: a few looks are enough
// where a binary search of a list that is not in memory would read many pages of its file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bowerbird {

// The place of the first that is not less.
inline std::size_t lower_hash(std::span<const std::uint64_t> hashes, std::uint64_t hash) {
  std::size_t low = 0, high = hashes.size();  // it is in [low, high]
  const auto guess =
      static_cast<std::size_t>(static_cast<double>(hash) * 0x1p-64 * static_cast<double>(hashes.size()));
  // From the guess outwards in growing steps, then by halves.
  for (std::size_t at = std::min(guess, high), step = 16; at < high && at >= low; step *= 4) {
    if (hashes[at] < hash) {
      low = at + 1;
      at = high - at > step ? at + step : high;
    } else {
      high = at;
      if (at == low) break;
      at = at - low > step ? at - step : low;
    }
  }
  return static_cast<std::size_t>(std::lower_bound(hashes.begin() + static_cast<std::ptrdiff_t>(low),
                                                   hashes.begin() + static_cast<std::ptrdiff_t>(high), hash) -
                                  hashes.begin());
}

// The place of a hash, or the size of the list.
inline std::size_t find_hash(std::span<const std::uint64_t> hashes, std::uint64_t hash) {
  const std::size_t at = lower_hash(hashes, hash);
  return at < hashes.size() && hashes[at] == hash ? at : hashes.size();
}

inline bool contains_hash(std::span<const std::uint64_t> hashes, std::uint64_t hash) {
  return find_hash(hashes, hash) < hashes.size();
}

}  // namespace bowerbird
