// The disk as a crash-safe program sees it: files that only grow, data that is on disk only after sync(),
// names that are permanent only after sync_folder().
//
// Problem: what survives a power failure can be tested only if the disk can fail at any byte. The store
// therefore accesses its folder only through this interface: Disk::real() is the machine's, a test has its
// own (sys/simulated_disk.h). Errors name the path, and say "disk full" if that is the cause. Ownership: a
// DiskFile closes itself. Threads: one user of a file at a time; a Disk has any number.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

class DiskFile {
 public:
  virtual ~DiskFile() = default;
  // Appends to the file. After an error any part of the bytes may have been written.
  virtual Status append(std::string_view bytes) = 0;
  // Reads at most `size` bytes from `offset`: fewer only at the end of the file.
  virtual Result<std::string> read(std::uint64_t offset, std::size_t size) const = 0;
  // The same, as many bytes as fit into `to`; returns their number.
  virtual Result<std::size_t> read_into(std::uint64_t offset, std::span<char> to) const = 0;
  // Reads all of them if they are in the page cache; false if they are not, or there are fewer.
  virtual bool read_at_once(std::uint64_t /*offset*/, std::span<char> /*to*/) const { return false; }
  // These bytes will be read soon: the system may prefetch them.
  virtual void will_need(std::uint64_t /*offset*/, std::size_t /*size*/) const {}
  virtual Result<std::uint64_t> size() const = 0;
  // Truncates the file; `size` must not exceed its own.
  virtual Status truncate(std::uint64_t size) = 0;
  // Content and length are on disk when this returns.
  virtual Status sync() = 0;
};

// Held during its lifetime; released when the process ends.
class DiskLock {
 public:
  virtual ~DiskLock() = default;
  // Writes a line into the lock file (see look_at_lock), which stays when the lock is released. The file has
  // its full size from the start, so that this works on a full disk.
  virtual void leave_note(std::string_view /*text*/) {}
};

struct LockView {
  pid_t holder = 0;  // the process that holds it; 0: none
  std::string note;  // of its last holder; empty: none
};
// Reads a lock without acquiring it.
LockView look_at_lock(const std::string& path);

class Disk {
 public:
  static Disk& real();
  virtual ~Disk() = default;

  enum class Open {
    kRead,    // must exist
    kAppend,  // must exist
    kCreate,  // must not exist
  };
  virtual Result<std::unique_ptr<DiskFile>> open(const std::string& path, Open how) = 0;
  virtual bool exists(const std::string& path) = 0;
  // Replaces `to`.
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  virtual Status remove(const std::string& path) = 0;
  // Creates parents too; no error if it exists.
  virtual Status make_folder(const std::string& path) = 0;
  // The names of the files in it, sorted; none if the folder does not exist.
  virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;
  // When this returns, all created, changed and removed names in it are on disk.
  virtual Status sync_folder(const std::string& folder) = 0;
  // At most one process holds the lock of a path, a file created for it. The error names the holder.
  virtual Result<std::unique_ptr<DiskLock>> lock(const std::string& path) = 0;
  // Bytes that the user may still write there; 0 if unknown.
  virtual std::uint64_t free_bytes(const std::string& folder) = 0;
};

}  // namespace bowerbird
