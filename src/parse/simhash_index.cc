#include "parse/simhash_index.h"

#include <algorithm>
#include <bit>

namespace bowerbird {

namespace {

// Moves block `table` to the front.
std::uint64_t rotated(std::uint64_t simhash, int table) {
  return std::rotl(simhash, 16 * table);
}

std::size_t row_of(std::uint64_t rotated) {
  return rotated >> 48;
}

constexpr std::uint64_t kRest = (std::uint64_t{1} << 48) - 1;

// Without a popcount, which not every x86-64 has.
bool at_most_three_bits(std::uint64_t x) {
  x &= x - 1;
  x &= x - 1;
  return (x & (x - 1)) == 0;
}

}  // namespace

SimhashIndex::SimhashIndex() {
  for (std::vector<Row>& table : tables_) table.resize(kRows);
  bytes_ = kTables * kRows * sizeof(Row);
}

SimhashIndex::Entry SimhashIndex::entry_of(std::uint64_t rotated, std::uint32_t id) {
  return {{static_cast<std::uint16_t>(rotated >> 32), static_cast<std::uint16_t>(rotated >> 16),
           static_cast<std::uint16_t>(rotated)},
          {static_cast<std::uint16_t>(id >> 16), static_cast<std::uint16_t>(id)}};
}

std::uint64_t SimhashIndex::rest_of(const Entry& entry) {
  return std::uint64_t{entry.blocks[0]} << 32 | std::uint64_t{entry.blocks[1]} << 16 | entry.blocks[2];
}

std::uint32_t SimhashIndex::add(std::uint64_t simhash, std::uint32_t id) {
  for (const Entry& entry : tables_[0][row_of(simhash)]) {
    if (rest_of(entry) == (simhash & kRest)) return std::uint32_t{entry.id[0]} << 16 | entry.id[1];
  }
  for (int table = 0; table < kTables; ++table) {
    const std::uint64_t turned = rotated(simhash, table);
    Row& row = tables_[static_cast<std::size_t>(table)][row_of(turned)];
    const std::size_t before = row.capacity();
    row.push_back(entry_of(turned, id));
    bytes_ += (row.capacity() - before) * sizeof(Entry);
  }
  ++size_;
  return id;
}

void SimhashIndex::find(std::uint64_t simhash, std::vector<Match>& matches) const {
  matches.clear();
  for (int table = 0; table < kTables; ++table) {
    const std::uint64_t turned = rotated(simhash, table);
    for (const Entry& entry : tables_[static_cast<std::size_t>(table)][row_of(turned)]) {
      const std::uint64_t differing = rest_of(entry) ^ (turned & kRest);
      if (!at_most_three_bits(differing)) continue;
      // Skips what an earlier table has found: then one of the blocks before this one is equal.
      const std::uint64_t found = simhash ^ std::rotr(differing, 16 * table);
      bool seen = false;
      for (int earlier = 0; earlier < table; ++earlier) {
        seen = seen || row_of(rotated(found, earlier)) == row_of(rotated(simhash, earlier));
      }
      if (seen) continue;
      matches.push_back({found, std::uint32_t{entry.id[0]} << 16 | entry.id[1], std::popcount(differing)});
    }
  }
  std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
    return a.distance != b.distance ? a.distance < b.distance
           : a.id != b.id           ? a.id < b.id
                                    : a.simhash < b.simhash;
  });
}

}  // namespace bowerbird
