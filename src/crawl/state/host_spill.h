// Where the hosts that nothing happens to are: records in a file, 8 bytes of memory for each.
//
// Problem: a crawl comes to know millions of hosts and deals with a few thousand of them at a time. A record
// is what its owner makes of it. They are appended as they come, and the last one of a host counts; when most
// of the file is out of date, the others are written anew. The file is a matter of this process: it is
// removed at birth and at the end, and belongs to no commit. Errors of the disk are the caller's to report.
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
  // Its last record; an error where that cannot be read, or there is none.
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
  std::string buffer_;                // what comes behind that
  LazyArray<std::uint64_t> offsets_;  // by host: where its last record begins, and 1
  std::uint64_t live_ = 0;            // bytes of records that count
};

}  // namespace bowerbird
