// Finds texts that are nearly the same as an earlier one, by their simhashes (parse/fingerprint.h).
//
// Two simhashes that differ in at most kNearBits = 3 bits agree in at least one of four 16-bit parts (Manku,
// Jain and Das Sarma, WWW 2007), so that only those are compared: each part has a list of the simhashes with
// it. Memory: 2 MiB. Simhashes and their places in the lists are in scratch files, 24 bytes each. Threads:
// one user.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sys/scratch_file.h"

namespace bowerbird {

class NearDuplicates {
 public:
  NearDuplicates();

  // Whether an earlier one is near; if not, this one is added.
  Result<bool> seen(std::uint64_t simhash);
  // Where the first that is near was added, counted from 0, and whether it was there before.
  Result<std::pair<std::uint32_t, bool>> place_of(std::uint64_t simhash);

 private:
  static constexpr std::size_t kParts = 4;
  // Positions are counted from 1 here; 0: none.
  struct Entry {
    std::uint64_t simhash = 0;
    std::array<std::uint32_t, kParts> next{};
  };
  struct List {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  static std::size_t part(std::uint64_t simhash, std::size_t i) { return simhash >> (16 * i) & 0xFFFF; }
  Entry& entry(std::uint32_t place);
  Result<std::uint32_t> add(std::uint64_t simhash);

  std::uint32_t count_ = 0;
  std::vector<ScratchArray<Entry>> segments_;  // each twice as long as the one before
  std::array<std::vector<List>, kParts> lists_;
};

}  // namespace bowerbird
