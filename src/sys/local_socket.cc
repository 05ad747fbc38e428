#include "sys/local_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace bowerbird {

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct LocalName {
  std::string folder;
  std::string file;
};

LocalName split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

int open_folder(const std::string& folder) {
  return ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

Status address_of(int folder, const std::string& file, sockaddr_un& address) {
  std::memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  const std::string text = fmt::format("/proc/self/fd/{}/{}", folder, file);
  if (text.size() >= sizeof address.sun_path) return error("the name '{}' of the socket is too long", file);
  std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
  return {};
}

// What is there: nothing, a socket, or something else.
enum class Found { kNothing, kSocket, kOther };

Found look(int folder, const std::string& file) {
  struct stat info {};
  if (::fstatat(folder, file.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return Found::kNothing;
  return S_ISSOCK(info.st_mode) ? Found::kSocket : Found::kOther;
}

bool answers(const sockaddr_un& address) {
  const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (probe.get() < 0) return false;
  if (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return true;
  return errno == EAGAIN;  // its backlog is full
}

}  // namespace

Result<int> listen_local(const std::string& path) {
  const LocalName name = split(path);
  const Descriptor folder(open_folder(name.folder));
  if (folder.get() < 0) return error("{}: {}", name.folder, std::strerror(errno));
  sockaddr_un address{};
  BB_TRY_VOID(address_of(folder.get(), name.file, address));
  switch (look(folder.get(), name.file)) {
    case Found::kOther:
      return error("{}: this is not a socket; remove it", path);
    case Found::kSocket:
      if (answers(address))
        return error(ErrorKind::kNeedsUser, "{}: another process listens on this socket", path);
      if (::unlinkat(folder.get(), name.file.c_str(), 0) != 0)
        return error("{}: cannot remove the old socket: {}", path, std::strerror(errno));
      break;
    case Found::kNothing:
      break;
  }
  Descriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (made.get() < 0) return error("cannot create a socket: {}", std::strerror(errno));
  // Nobody can connect before listen(), so the mode is set in time. bind() does not follow a link.
  if (::bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::fchmodat(folder.get(), name.file.c_str(), 0600, 0) != 0 || ::listen(made.get(), SOMAXCONN) != 0) {
    return error("{}: cannot listen: {}", path, std::strerror(errno));
  }
  return made.release();
}

Result<int> connect_local(const std::string& path) {
  const LocalName name = split(path);
  const Descriptor folder(open_folder(name.folder));
  if (folder.get() < 0) return error("{}: {}", name.folder, std::strerror(errno));
  sockaddr_un address{};
  BB_TRY_VOID(address_of(folder.get(), name.file, address));
  if (look(folder.get(), name.file) != Found::kSocket) return error("{}: there is no socket", path);
  Descriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (made.get() < 0) return error("cannot create a socket: {}", std::strerror(errno));
  if (::connect(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return error("{}: {}", path, std::strerror(errno));
  if (!peer_is_trusted(made.get()))
    return error("{}: the process that listens there belongs to another user", path);
  return made.release();
}

bool peer_is_trusted(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == ::geteuid() || peer.uid == 0;
}

void remove_local(const std::string& path) {
  const LocalName name = split(path);
  const Descriptor folder(open_folder(name.folder));
  if (folder.get() >= 0 && look(folder.get(), name.file) == Found::kSocket)
    ::unlinkat(folder.get(), name.file.c_str(), 0);
}

}  // namespace bowerbird
