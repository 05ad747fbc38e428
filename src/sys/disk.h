// The disk as a crash-safe program sees it: files that only grow, what is on the platter only after sync(),
// names that last only after sync_folder().
//
// Problem: what survives a power failure can be tested only if the disk can be made to fail at any byte. The
// store therefore touches its folder through this interface alone: Disk::real() is the machine's, a test has
// its own (sys/simulated_disk.h). Errors name the path, and say "disk full" where that is what happened.
// Ownership: a DiskFile closes itself. Threads: one user of a file at a time; a Disk has any number.
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
  // At the end of the file. After an error any part of it may be there.
  virtual Status append(std::string_view bytes) = 0;
  // From `offset` on, at most `size` bytes: fewer only at the end of the file.
  virtual Result<std::string> read(std::uint64_t offset, std::size_t size) const = 0;
  // The same, as many bytes as `to` has room for; how many there were.
  virtual Result<std::size_t> read_into(std::uint64_t offset, std::span<char> to) const = 0;
  // All of them, if the system has them in memory; false: it does not, or there are fewer.
  virtual bool read_at_once(std::uint64_t /*offset*/, std::span<char> /*to*/) const { return false; }
  // These bytes are going to be read: the system may begin to fetch them.
  virtual void will_need(std::uint64_t /*offset*/, std::size_t /*size*/) const {}
  virtual Result<std::uint64_t> size() const = 0;
  // Cuts the file off; `size` is no more than its own.
  virtual Status truncate(std::uint64_t size) = 0;
  // Content and length are on disk when this returns.
  virtual Status sync() = 0;
};

// Held as long as it lives, and not beyond the process.
class DiskLock {
 public:
  virtual ~DiskLock() = default;
  // Leaves a line for whoever looks at the lock (look_at_lock), also when it is not held any more. The file
  // has its full size from the start, so that this works on a full disk.
  virtual void leave_note(std::string_view /*text*/) {}
};

struct LockView {
  pid_t holder = 0;  // the process that has it; 0: none
  std::string note;  // what its last holder left; empty: nothing
};
// Without taking it.
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
  // Replaces what is called `to`.
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  virtual Status remove(const std::string& path) = 0;
  // With its parents; no error where it exists.
  virtual Status make_folder(const std::string& path) = 0;
  // The names of the files in it, sorted; none where there is no such folder.
  virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;
  // Names that were made, changed or removed in it are so on disk when this returns.
  virtual Status sync_folder(const std::string& folder) = 0;
  // At most one process has the lock of a path, a file made for it. The error names the process that has it.
  virtual Result<std::unique_ptr<DiskLock>> lock(const std::string& path) = 0;
  // Bytes that a user may still write there; 0 where unknown.
  virtual std::uint64_t free_bytes(const std::string& folder) = 0;
};

}  // namespace bowerbird
