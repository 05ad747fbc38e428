#include "sys/disk.h"
#include "sys/error_kind.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

Error disk_error(const std::string& path, const char* what, int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return error(kind_of_errno(code), "{}: {}: the disk is full: free some space and start again", path,
                   what);
    case EFBIG:
      return error(kind_of_errno(code),
                   "{}: {}: the file has reached the largest size allowed here (ulimit -f)", path, what);
    default:
      return error(kind_of_errno(code), "{}: {}: {}", path, what, std::strerror(code));
  }
}

class RealFile final : public DiskFile {
 public:
  RealFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  ~RealFile() override { ::close(fd_); }
  RealFile(const RealFile&) = delete;
  RealFile& operator=(const RealFile&) = delete;

  Status append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return disk_error(path_, "cannot write", errno);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
  }

  Result<std::string> read(std::uint64_t offset, std::size_t size) const override {
    BB_TRY(const std::uint64_t whole, this->size());
    if (offset >= whole) return std::string();
    std::string bytes(std::min<std::uint64_t>(size, whole - offset), '\0');
    BB_TRY(const std::size_t got, read_into(offset, bytes));
    bytes.resize(got);
    return bytes;
  }

  Result<std::size_t> read_into(std::uint64_t offset, std::span<char> to) const override {
    std::size_t got = 0;
    while (got < to.size()) {
      const ssize_t n = ::pread(fd_, to.data() + got, to.size() - got, static_cast<off_t>(offset + got));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return disk_error(path_, "cannot read", errno);
      if (n == 0) break;
      got += static_cast<std::size_t>(n);
    }
    return got;
  }

  bool read_at_once(std::uint64_t offset, std::span<char> to) const override {
    const iovec piece{to.data(), to.size()};
    return ::preadv2(fd_, &piece, 1, static_cast<off_t>(offset), RWF_NOWAIT) ==
           static_cast<ssize_t>(to.size());
  }

  void will_need(std::uint64_t offset, std::size_t size) const override {
    ::posix_fadvise(fd_, static_cast<off_t>(offset), static_cast<off_t>(size), POSIX_FADV_WILLNEED);
  }

  Result<std::uint64_t> size() const override {
    struct stat info {};
    if (::fstat(fd_, &info) != 0) return disk_error(path_, "cannot read its attributes", errno);
    return static_cast<std::uint64_t>(info.st_size);
  }

  Status truncate(std::uint64_t size) override {
    if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) return disk_error(path_, "cannot truncate", errno);
    return {};
  }

  Status sync() override {
    if (::fdatasync(fd_) != 0) return disk_error(path_, "cannot write to disk", errno);
    return {};
  }

 private:
  std::string path_;
  int fd_;
};

// The kernel releases it when the process ends, however it ends. A lock file contains two lines, the holder's
// process id and its note, padded to this size.
constexpr std::size_t kLockFile = 512;

class RealLock final : public DiskLock {
 public:
  explicit RealLock(int fd) : fd_(fd) {}
  ~RealLock() override { ::close(fd_); }
  RealLock(const RealLock&) = delete;
  RealLock& operator=(const RealLock&) = delete;

  // The note is only informative; a failure to write it does no harm.
  void leave_note(std::string_view text) override {
    std::string content = fmt::format("{}\n{}", ::getpid(), text.substr(0, text.find('\n')));
    content.resize(kLockFile - 1, '\n');
    content += '\n';
    if (::pwrite(fd_, content.data(), content.size(), 0) < 0) errno = 0;
  }

 private:
  int fd_;
};

LockView read_lock(int fd) {
  char text[kLockFile];
  const ssize_t n = ::pread(fd, text, sizeof text, 0);
  const std::string_view content(text, n > 0 ? static_cast<std::size_t>(n) : 0);
  LockView view;
  const std::size_t line = std::min(content.find('\n'), content.size());
  std::from_chars(content.data(), content.data() + line, view.holder);
  const std::string_view rest = content.substr(std::min(line + 1, content.size()));
  view.note = std::string(rest.substr(0, rest.find('\n')));
  return view;
}

class RealDisk final : public Disk {
 public:
  Result<std::unique_ptr<DiskFile>> open(const std::string& path, Open how) override {
    int flags = O_CLOEXEC;
    if (how == Open::kRead) flags |= O_RDONLY;
    if (how == Open::kAppend) flags |= O_RDWR | O_APPEND | O_NOFOLLOW;
    if (how == Open::kCreate) flags |= O_RDWR | O_APPEND | O_CREAT | O_EXCL;
    const int fd = ::open(path.c_str(), flags, 0644);
    if (fd < 0) return disk_error(path, how == Open::kCreate ? "cannot create" : "cannot open", errno);
    return std::unique_ptr<DiskFile>(std::make_unique<RealFile>(path, fd));
  }

  bool exists(const std::string& path) override {
    struct stat info {};
    return ::lstat(path.c_str(), &info) == 0;
  }

  Status rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) return disk_error(from, "cannot rename", errno);
    return {};
  }

  Status remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return disk_error(path, "cannot remove", errno);
    return {};
  }

  Status make_folder(const std::string& path) override {
    std::error_code code;
    fs::create_directories(path, code);
    if (code) return disk_error(path, "cannot create the folder", code.value());
    if (!fs::is_directory(path, code)) return error("{}: this is a file, not a folder", path);
    return {};
  }

  Result<std::vector<std::string>> list(const std::string& folder) override {
    std::vector<std::string> names;
    std::error_code code;
    fs::directory_iterator at(folder, code);
    if (code.value() == ENOENT) return names;
    for (; !code && at != fs::directory_iterator(); at.increment(code)) {
      names.push_back(at->path().filename().string());
    }
    if (code) return disk_error(folder, "cannot list the folder", code.value());
    std::sort(names.begin(), names.end());
    return names;
  }

  Status sync_folder(const std::string& folder) override {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return disk_error(folder, "cannot open", errno);
    const bool synced = ::fsync(fd) == 0;
    const int code = errno;
    ::close(fd);
    // Some file systems have nothing to write for a folder and return an error.
    if (!synced && code != EINVAL) return disk_error(folder, "cannot write to disk", code);
    return {};
  }

  Result<std::unique_ptr<DiskLock>> lock(const std::string& path) override {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0 && errno == ELOOP) return error("{}: this is a symbolic link; remove it", path);
    if (fd < 0) return disk_error(path, "cannot open", errno);
    auto lock = std::make_unique<RealLock>(fd);
    struct flock whole {};
    whole.l_type = F_WRLCK;
    if (::fcntl(fd, F_OFD_SETLK, &whole) != 0) {
      if (errno != EAGAIN && errno != EACCES) return disk_error(path, "cannot lock", errno);
      return error(ErrorKind::kRetry, "{}: in use by another process (pid {}): wait for it, or stop it first",
                   path, read_lock(fd).holder);
    }
    lock->leave_note("");
    return std::unique_ptr<DiskLock>(std::move(lock));
  }

  std::uint64_t free_bytes(const std::string& folder) override {
    struct statvfs info {};
    if (::statvfs(folder.c_str(), &info) != 0) return 0;
    return std::uint64_t{info.f_bavail} * info.f_frsize;
  }
};

}  // namespace

LockView look_at_lock(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  LockView view = read_lock(fd);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  if (::fcntl(fd, F_OFD_GETLK, &whole) != 0 || whole.l_type == F_UNLCK) view.holder = 0;
  ::close(fd);
  return view;
}

Disk& Disk::real() {
  static RealDisk disk;
  return disk;
}

}  // namespace bowerbird
