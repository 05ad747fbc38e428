// A file of records of one size, read and written by number, in any order.
//
// For facts that do not fit into memory and change in place. It says nothing about crashes: a record that was
// being written may be torn, and what was written may be lost until sync(). Its owner sees to both
// (checksums, a journal). Ownership: closes itself. Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"

namespace bowerbird {

class RecordFile {
 public:
  // Made if it does not exist.
  static Result<std::unique_ptr<RecordFile>> open(const std::string& path, std::size_t record_bytes);
  // Null: it does not exist.
  static Result<std::unique_ptr<RecordFile>> open_to_read(const std::string& path, std::size_t record_bytes);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  // False: it was never written.
  Result<bool> read(std::uint64_t number, std::span<char> record) const;
  Status write(std::uint64_t number, std::span<const char> record);
  Status sync();
  std::uint64_t bytes() const;

 private:
  RecordFile(int file, std::string path, std::size_t record_bytes)
      : file_(file), path_(std::move(path)), record_bytes_(record_bytes) {}

  int file_;
  std::string path_;
  std::size_t record_bytes_;
};

}  // namespace bowerbird
