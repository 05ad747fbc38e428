// Writes a ZIP file whose entries are stored, not compressed: what a WACZ is made of.
//
// Entries come in pieces of unknown number, so each local header is written again when the size of its entry
// is known. Every entry has room for 64-bit sizes (ZIP64), so files of any size can be written. Nothing is
// visible under the file's name before finish(). APPNOTE.TXT 6.3.9, sections 4.3 and 4.5.3. Threads: one
// user.
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

  // time_us: of all entries, in UTC. From 1980 on.
  static Result<std::unique_ptr<ZipWriter>> create(const std::string& path, std::int64_t time_us);

  // name: UTF-8, with / between folders.
  Status begin(const std::string& name);
  Status write(std::string_view bytes);
  Status end();
  // begin, write, end.
  Status add(const std::string& name, std::string_view bytes);
  // Of the entry that is being written.
  std::uint64_t entry_size() const { return size_; }
  // The entries that have ended.
  const std::vector<Entry>& entries() const { return entries_; }
  // Writes the directory and gives the file its name.
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
  std::string name_;              // of the entry that is being written
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
  std::uint32_t crc_ = 0;
  std::unique_ptr<Sha256> digest_;
};

}  // namespace bowerbird
