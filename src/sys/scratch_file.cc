#include "sys/scratch_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace bowerbird {

namespace {

constexpr std::size_t kScratchBuffer = 1 << 16;

Error scratch_error(const char* what) {
  return error("a temporary file cannot be {}: {}; set TMPDIR to another folder", what, std::strerror(errno));
}

}  // namespace

Result<std::unique_ptr<ScratchFile>> ScratchFile::make() {
  std::error_code ignored;
  std::string path = (std::filesystem::temp_directory_path(ignored) / "bowerbird-XXXXXX").string();
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) return error("{}: cannot create: {}; set TMPDIR to another folder", path, std::strerror(errno));
  ::unlink(path.c_str());
  return std::unique_ptr<ScratchFile>(new ScratchFile(fd));
}

ScratchFile::~ScratchFile() {
  if (mapped_ != nullptr) ::munmap(mapped_, mapped_size_);
  ::close(fd_);
}

Status ScratchFile::append(std::string_view bytes) {
  buffer_.append(bytes);
  return buffer_.size() >= kScratchBuffer ? flush() : Status();
}

Status ScratchFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t done = ::pwrite(fd_, rest.data(), rest.size(), static_cast<off_t>(written_));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return scratch_error("written");
    written_ += static_cast<std::uint64_t>(done);
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
  buffer_.clear();
  return {};
}

Status ScratchFile::read(std::uint64_t offset, char* to, std::size_t size) {
  BB_TRY_VOID(flush());
  while (size > 0) {
    const ssize_t done = ::pread(fd_, to, size, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return scratch_error("read");
    offset += static_cast<std::uint64_t>(done);
    to += done;
    size -= static_cast<std::size_t>(done);
  }
  return {};
}

Status ScratchFile::resize(std::uint64_t size) {
  BB_TRY_VOID(flush());
  // Space is taken now: a mapped file that finds the disk full ends the process.
  const int code = size > written_ ? ::posix_fallocate(fd_, 0, static_cast<off_t>(size)) : 0;
  if (code != 0) {
    errno = code;
    return scratch_error("made so large");
  }
  written_ = std::max(written_, size);
  return {};
}

Result<std::span<char>> ScratchFile::map() {
  BB_TRY_VOID(flush());
  buffer_ = {};
  if (mapped_ == nullptr && written_ > 0) {
    void* const at = ::mmap(nullptr, written_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (at == MAP_FAILED) return scratch_error("mapped");
    mapped_ = at;
    mapped_size_ = written_;
  }
  return std::span<char>(static_cast<char*>(mapped_), mapped_size_);
}

}  // namespace bowerbird
