// Finds, among the simhashes of all pages seen, those that differ in at most three bits.
//
// Idea (Manku, Jain and Das Sarma, WWW 2007): cut the 64 bits into four blocks of 16; three differing bits
// leave at least one block alone. So each fingerprint stands in four tables, one for each block, in the row
// of that block's value, and a look-up reads four rows: about n/65,536 entries in each for n fingerprints, in
// memory that lies together. An entry takes 10 bytes, four of them and the growth of the rows about 50 to 60
// bytes a fingerprint.
//
// A fingerprint is kept once, with the number first given for it, so that a million copies of one page cost
// no more than one. Ownership: the index owns its tables. Threads: one writer or many readers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace bowerbird {

class SimhashIndex {
 public:
  struct Match {
    std::uint64_t simhash;
    std::uint32_t id;
    int distance;
  };

  SimhashIndex();

  // Keeps the fingerprint under `id`, unless it is there already: then the answer is the id it has. Otherwise
  // `id`.
  std::uint32_t add(std::uint64_t simhash, std::uint32_t id);
  // Puts all kept fingerprints within three bits into `matches`, nearest first, then by id.
  void find(std::uint64_t simhash, std::vector<Match>& matches) const;
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return bytes_; }

 private:
  // The three blocks that the row does not tell, and the id; in halves, so that it takes 10 bytes.
  struct Entry {
    std::array<std::uint16_t, 3> blocks;
    std::array<std::uint16_t, 2> id;
  };
  using Row = std::vector<Entry>;
  static constexpr int kTables = 4;
  static constexpr std::uint32_t kRows = 1u << 16;

  static Entry entry_of(std::uint64_t rotated, std::uint32_t id);
  static std::uint64_t rest_of(const Entry& entry);

  std::array<std::vector<Row>, kTables> tables_;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace bowerbird
