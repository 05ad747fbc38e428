#include "sys/record_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace bowerbird {

Result<std::unique_ptr<RecordFile>> RecordFile::open(const std::string& path, std::size_t record_bytes) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return error("{}: {}", path, std::strerror(errno));
  return std::unique_ptr<RecordFile>(new RecordFile(file, path, record_bytes));
}

Result<std::unique_ptr<RecordFile>> RecordFile::open_to_read(const std::string& path,
                                                             std::size_t record_bytes) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return std::unique_ptr<RecordFile>();
  if (file < 0) return error("{}: {}", path, std::strerror(errno));
  return std::unique_ptr<RecordFile>(new RecordFile(file, path, record_bytes));
}

RecordFile::~RecordFile() {
  ::close(file_);
}

Result<bool> RecordFile::read(std::uint64_t number, std::span<char> record) const {
  CHECK(record.size() == record_bytes_);
  std::size_t done = 0;
  while (done < record.size()) {
    const ssize_t got = ::pread(file_, record.data() + done, record.size() - done,
                                static_cast<off_t>(number * record_bytes_ + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return error("{}: {}", path_, std::strerror(errno));
    if (got == 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

Status RecordFile::write(std::uint64_t number, std::span<const char> record) {
  CHECK(record.size() == record_bytes_);
  std::size_t done = 0;
  while (done < record.size()) {
    const ssize_t put = ::pwrite(file_, record.data() + done, record.size() - done,
                                 static_cast<off_t>(number * record_bytes_ + done));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return error("{}: {}", path_, std::strerror(errno));
    done += static_cast<std::size_t>(put);
  }
  return {};
}

Status RecordFile::sync() {
  if (::fdatasync(file_) != 0) return error("{}: {}", path_, std::strerror(errno));
  return {};
}

std::uint64_t RecordFile::bytes() const {
  struct stat found {};
  return ::fstat(file_, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
}

}  // namespace bowerbird
