// Finds, among the simhashes of all pages seen, those that differ in at most three bits.
//
// Idea (Manku, Jain and Das Sarma, WWW 2007): split the 64 bits into four blocks of 16; three differing bits
// leave at least one block unchanged. So each fingerprint is in four tables, one per block, in the row of
// that block's value, and a lookup reads four rows: about n/65,536 adjacent entries in each for n
// fingerprints. An entry takes 10 bytes; with four of them and the growth of the rows that is about 50 to 60
// bytes per fingerprint.
//
// A fingerprint is stored once, with its first id, so that a million copies of one page cost no more than
// one. Ownership: the index owns its tables. Threads: one writer or many readers.
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

  // Stores the fingerprint under `id` and returns `id`; if it is already stored, returns the id it has.
  std::uint32_t add(std::uint64_t simhash, std::uint32_t id);
  // Puts all stored fingerprints within three bits into `matches`, nearest first, then by id.
  void find(std::uint64_t simhash, std::vector<Match>& matches) const;
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return bytes_; }

 private:
  // The three blocks that the row does not determine, and the id; in halves, so that it takes 10 bytes.
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
