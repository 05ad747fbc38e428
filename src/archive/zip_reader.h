// Reads ZIP files, such as WACZ packages, from mapped memory.
//
// Problem: packages may be hostile. A ZIP is refused if an entry has a name that leads outside of the
// folder, is encrypted, overlaps another entry or the directory, or is not inside the file, or if its
// directory is inconsistent. No allocation is sized by a number in the file before it is checked against
// the file size, and decompression stops at a limit set by the caller. Stored and deflated entries,
// ZIP64. APPNOTE.TXT 6.3.9, section 4.3. Lifetime: the bytes outlive the reader. Threads: const.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

class ZipReader {
 public:
  struct Entry {
    std::string name;  // with / between folders; never absolute, never with ".."
    bool deflated = false;
    std::uint64_t size = 0;   // decompressed
    std::string_view stored;  // its bytes in the file
    std::uint32_t crc = 0;
  };

  static constexpr std::size_t kMostEntries = 1'000'000;

  // name: of the file, for error messages.
  static Result<ZipReader> open(std::string_view bytes, const std::string& name);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view name) const;
  // Passes the decompressed content on in pieces. The checksum is verified at the end.
  Status unpack(const Entry& entry, const std::function<Status(std::string_view)>& take) const;
  // The decompressed content, with verified checksum. An error: it is larger than `limit`.
  Result<std::string> read(const Entry& entry, std::uint64_t limit) const;

 private:
  std::string name_;
  std::vector<Entry> entries_;
};

}  // namespace bowerbird
