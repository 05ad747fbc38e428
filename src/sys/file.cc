#include "sys/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sys/error_kind.h"

namespace bowerbird {

namespace {

constexpr std::size_t kBufferSize = 1 << 18;

Error system_error(const std::string& path, const char* what) {
  return error(kind_of_errno(errno), "{}: {}: {}", path, what, std::strerror(errno));
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The target of a symbolic link, so that the link is kept; other paths are returned unchanged.
std::string where_it_leads(const std::string& path) {
  char* const real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string target(real);
  std::free(real);
  return target;
}

// Writes all of it, at `offset` or (offset < 0) at the current position.
bool write_fully(int fd, std::string_view bytes, off_t offset) {
  while (!bytes.empty()) {
    const ssize_t n = offset < 0 ? ::write(fd, bytes.data(), bytes.size())
                                 : ::pwrite(fd, bytes.data(), bytes.size(), offset);
    if (n < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
    if (offset >= 0) offset += n;
  }
  return true;
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return system_error(path, "cannot open");
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    Error e = system_error(path, "cannot read its attributes");
    ::close(fd);
    return e;
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(fd);
    return error("{}: not a regular file", path);
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  void* data = nullptr;
  if (size > 0) {
    data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED) {
      Error e = system_error(path, "cannot map");
      ::close(fd);
      return e;
    }
  }
  ::close(fd);
  return std::shared_ptr<const MappedFile>(
      new MappedFile(path, static_cast<const std::uint8_t*>(data), size));
}

MappedFile::~MappedFile() {
  if (size_ > 0) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

OutputFile::OutputFile(std::string path, std::string temporary, int fd)
    : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {
  buffer_.reserve(kBufferSize);
}

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path, mode_t mode) {
  if (path.empty()) return error("the name of the file to write is empty");
  if (path == "-") return std::unique_ptr<OutputFile>(new OutputFile("standard output", "", STDOUT_FILENO));
  if (is_special_file(path)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return system_error(path, "cannot open");
    return std::unique_ptr<OutputFile>(new OutputFile(path, "", fd));
  }
  return replace(where_it_leads(path), mode);
}

Result<std::unique_ptr<OutputFile>> OutputFile::replace(const std::string& path, mode_t mode) {
  std::string temporary = fmt::format("{}.tmp-{}", path, ::getpid());
  // An unnamed file disappears with the process, however it ends; not every file system supports them.
  int fd = ::open(folder_of(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  const bool named = fd < 0;
  if (named) {
    ::unlink(temporary.c_str());
    fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  }
  if (fd < 0) return system_error(path, "cannot create");
  auto file = std::unique_ptr<OutputFile>(new OutputFile(path, std::move(temporary), fd));
  file->named_ = named;
  return file;
}

OutputFile::~OutputFile() {
  if (fd_ < 0 || fd_ == STDOUT_FILENO) return;
  ::close(fd_);
  if (named_) ::unlink(temporary_.c_str());
}

Status OutputFile::flush() {
  if (!write_fully(fd_, buffer_, -1)) return system_error(path_, "cannot write");
  flushed_ += buffer_.size();
  buffer_.clear();
  return {};
}

Status OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferSize) BB_TRY_VOID(flush());
  if (bytes.size() >= kBufferSize) {
    if (!write_fully(fd_, bytes, -1)) return system_error(path_, "cannot write");
    flushed_ += bytes.size();
  } else {
    buffer_.append(bytes);
  }
  return {};
}

Status OutputFile::rewrite(std::uint64_t offset, std::string_view bytes) {
  CHECK(!temporary_.empty());
  CHECK(offset + bytes.size() <= size());
  BB_TRY_VOID(flush());
  if (!write_fully(fd_, bytes, static_cast<off_t>(offset))) return system_error(path_, "cannot write");
  return {};
}

Result<bool> OutputFile::link_to(const std::string& name) {
  const std::string self = fmt::format("/proc/self/fd/{}", fd_);
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
  if (errno == EEXIST) return false;
  return system_error(path_, "cannot move it into place");
}

Status OutputFile::finish() {
  BB_TRY_VOID(flush());
  if (temporary_.empty()) return {};
  if (::fsync(fd_) != 0) return system_error(path_, "cannot write to disk");
  bool placed = false;
  if (!named_) {
    // A new name needs no temporary one, which a kill at this moment would leave behind.
    BB_TRY(placed, link_to(path_));
    if (!placed) {
      // left by a process with the same pid, killed between its link and its rename
      ::unlink(temporary_.c_str());
      BB_TRY(named_, link_to(temporary_));
      if (!named_) return error("{}: cannot move it into place: {} exists", path_, temporary_);
    }
  }
  if (::close(fd_) != 0) {
    fd_ = -1;
    ::unlink(temporary_.c_str());
    return system_error(path_, "cannot close");
  }
  fd_ = -1;
  if (!placed && ::rename(temporary_.c_str(), path_.c_str()) != 0) {
    Error e = system_error(path_, "cannot move it into place");
    ::unlink(temporary_.c_str());
    return e;
  }
  // The new name is permanent once its folder is on disk too.
  if (const int folder = ::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
  return {};
}

bool is_special_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool file_exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

}  // namespace bowerbird
