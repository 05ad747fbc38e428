// Writes a ZIP file with stored (uncompressed) entries, as used by WACZ.
//
// The size of an entry is unknown until it ends, so its local header is then rewritten. Every entry has
// 64-bit sizes (ZIP64), so files of any size can be written. The file gets its name in finish().
// APPNOTE.TXT 6.3.9, sections 4.3 and 4.5.3. Threads: one user.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/sha256.h"
#include "base/result.h"
#include "sys/file.h"

namespace bowerbird {

class ZipWriter {
 public:
  struct Entry {
    std::string name;
    std::uint64_t size = 0;
    std::string sha256;  // "sha256:..."
  };

  // time_us: the time of all entries, in UTC; 1980 or later.
  static Result<std::unique_ptr<ZipWriter>> create(const std::string& path, std::int64_t time_us);

  // name: UTF-8, with / between folders.
  Status begin(const std::string& name);
  Status write(std::string_view bytes);
  Status end();
  // begin(), write() and end().
  Status add(const std::string& name, std::string_view bytes);
  // Bytes of the current entry so far.
  std::uint64_t entry_size() const { return size_; }
  // The finished entries.
  const std::vector<Entry>& entries() const { return entries_; }
  // Writes the directory and renames the file to its final name.
  Status finish();

 private:
  ZipWriter(std::unique_ptr<OutputFile> file, std::int64_t time_us);
  std::string local_header() const;
  std::string directory_entry(std::size_t i) const;

  struct Written {
    std::uint64_t offset = 0;
    std::uint32_t crc = 0;
  };

  std::unique_ptr<OutputFile> file_;
  std::uint32_t dos_time_;
  std::vector<Entry> entries_;
  std::vector<Written> written_;  // by entry
  std::string name_;              // of the current entry
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
  std::uint32_t crc_ = 0;
  std::unique_ptr<Sha256> digest_;
};

}  // namespace bowerbird
