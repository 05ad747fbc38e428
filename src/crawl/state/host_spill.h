// A file for idle hosts: one record per host, with 8 bytes of memory for each.
//
// Problem: a crawl knows millions of hosts but works on a few thousand of them at a time. The owner
// decides what a record contains. Records are appended, and the last one of a host is valid. When most of
// the file is outdated, the valid records are copied to a new one. The file belongs to this process: it
// is removed when opened and closed, and is not part of a commit. The caller reports disk errors.
// Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/lazy_array.h"
#include "base/result.h"
#include "sys/disk.h"

namespace bowerbird {

class HostSpill {
 public:
  explicit HostSpill(std::string path, Disk& disk = Disk::real());
  ~HostSpill();
  HostSpill(const HostSpill&) = delete;
  HostSpill& operator=(const HostSpill&) = delete;

  Status put(HostId host, std::string_view record);
  // The last record of the host; an error: it cannot be read, or there is none.
  Result<std::string> get(HostId host) const;
  // Each host's last record, in the order of the file.
  Status for_each(const std::function<Status(HostId, std::string_view)>& visit) const;

  std::uint64_t memory() const { return offsets_.size() * sizeof(std::uint64_t) + buffer_.capacity(); }
  std::uint64_t disk() const { return written_ + buffer_.size(); }

 private:
  struct Head {
    std::uint32_t host = 0;
    std::uint32_t bytes = 0;
    std::uint32_t crc = 0;
  };
  static std::uint32_t crc_of(HostId host, std::string_view record);
  Status flush();
  Status tidy();
  Result<std::string> read(std::uint64_t at, std::size_t size) const;

  std::string path_;
  Disk& disk_;
  std::unique_ptr<DiskFile> file_;
  std::uint64_t written_ = 0;
  std::string buffer_;                // bytes after written_
  LazyArray<std::uint64_t> offsets_;  // by host: offset of its last record + 1
  std::uint64_t live_ = 0;            // bytes of valid records
};

}  // namespace bowerbird
