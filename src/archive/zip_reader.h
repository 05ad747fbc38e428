// Reads ZIP files, such as WACZ packages, in memory that somebody else maps.
//
// Problem: packages come from strangers. A ZIP is refused if an entry has a name that leads outside, is
// encrypted, overlaps another or the directory, or lies outside of the file; so is one whose directory is
// inconsistent. Nothing is allocated by a number in the file before it is checked against the size of the
// file, and unpacking stops at a limit given by the caller. Stored and deflated entries, ZIP64.
// APPNOTE.TXT 6.3.9, section 4.3. Lifetime: the bytes outlive the reader. Threads: const.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

class ZipReader {
 public:
  struct Entry {
    std::string name;  // with / between folders; never absolute, never with a ".."
    bool deflated = false;
    std::uint64_t size = 0;   // unpacked
    std::string_view stored;  // its bytes as they stand in the file
    std::uint32_t crc = 0;
  };

  static constexpr std::size_t kMostEntries = 1'000'000;

  // name: of the file, for errors.
  static Result<ZipReader> open(std::string_view bytes, const std::string& name);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view name) const;
  // Its bytes, unpacked and checked; an error where there are more than `limit`.
  Result<std::string> read(const Entry& entry, std::uint64_t limit) const;

 private:
  std::string name_;
  std::vector<Entry> entries_;
};

}  // namespace bowerbird
