// Finds texts that are nearly the same as an earlier one, by their simhashes (parse/fingerprint.h).
//
// Two simhashes that differ in at most kNearBits = 3 bits agree in at least one of four 16-bit parts (Manku,
// Jain and Das Sarma, WWW 2007), so that only those are compared. Memory: 8 bytes per simhash and 16 for its
// four places. Threads: one user.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace bowerbird {

class NearDuplicates {
 public:
  NearDuplicates();

  // Whether an earlier one is near; if not, this one is added.
  bool seen(std::uint64_t simhash) { return place_of(simhash).second; }
  // Where the first that is near was added, counted from 0, and whether it was there before.
  std::pair<std::uint32_t, bool> place_of(std::uint64_t simhash);

 private:
  static constexpr std::size_t kParts = 4;
  static std::size_t part(std::uint64_t simhash, std::size_t i) { return simhash >> (16 * i) & 0xFFFF; }

  std::vector<std::uint64_t> simhashes_;
  std::array<std::vector<std::vector<std::uint32_t>>, kParts> by_part_;  // places in simhashes_
};

}  // namespace bowerbird
