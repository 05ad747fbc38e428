#include "fetch/connector.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace bowerbird {

const std::uint32_t Connector::kEvents = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

class Connector::Attempt final : public EventLoop::Handler {
 public:
  Attempt(Connector& connector, const NetAddress& to) : address(to), connector_(connector) {}
  ~Attempt() override { close(); }
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  // 0: the attempt is in progress. Otherwise the error; internal: a local one.
  int begin(std::uint16_t port, bool& internal) {
    internal = true;
    fd_ = ::socket(address.v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd_ < 0) {
      internal = errno != EAFNOSUPPORT;
      return errno;
    }
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!connector_.loop_.watch(fd_, kEvents, *this).ok()) return ENOMEM;
    internal = false;
    sockaddr_storage to;
    const socklen_t size = address.put(port, to);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&to), size) == 0 || errno == EINPROGRESS) return 0;
    return errno;
  }
  void on_ready(std::uint32_t events) override {
    if ((events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) == 0) return;
    int error = 0;
    socklen_t size = sizeof error;
    if (::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    connector_.ended(*this, error);
  }
  int release() { return std::exchange(fd_, -1); }
  void close() {
    if (fd_ >= 0) ::close(release());  // also removes it from the loop
  }

  NetAddress address;

 private:
  Connector& connector_;
  int fd_ = -1;
};

Connector::Connector(EventLoop& loop, std::vector<NetAddress> addresses, std::uint16_t port,
                     std::function<void(Result)> done)
    : loop_(loop), addresses_(std::move(addresses)), port_(port), done_(std::move(done)) {}

Connector::~Connector() {
  loop_.clear_timer(*this);
}

void Connector::close() {
  loop_.clear_timer(*this);
  for (std::unique_ptr<Attempt>& attempt : attempts_) {
    attempt->close();
    loop_.retire(std::move(attempt));
  }
  attempts_.clear();
}

std::vector<NetAddress> Connector::interlaced(const std::vector<NetAddress>& addresses) {
  std::vector<NetAddress> first, second, mixed;
  for (const NetAddress& address : addresses) {
    (address.v6 == addresses.front().v6 ? first : second).push_back(address);
  }
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    if (i < first.size()) mixed.push_back(first[i]);
    if (i < second.size()) mixed.push_back(second[i]);
  }
  return mixed;
}

void Connector::try_next() {
  while (next_ < addresses_.size()) {
    const NetAddress& address = addresses_[next_++];
    auto attempt = std::make_unique<Attempt>(*this, address);
    bool internal = false;
    const int error = attempt->begin(port_, internal);
    if (error == 0) {
      attempts_.push_back(std::move(attempt));
      if (next_ < addresses_.size()) loop_.set_timer(*this, loop_.now_us() + kAttemptUs);
      return;
    }
    last_ = {-1, address, internal, std::strerror(error)};
    attempt->close();
    loop_.retire(std::move(attempt));
  }
  if (attempts_.empty()) finish(std::move(last_));
}

void Connector::ended(Attempt& attempt, int error) {
  const auto found =
      std::ranges::find_if(attempts_, [&attempt](const auto& one) { return one.get() == &attempt; });
  if (found == attempts_.end()) return;
  std::unique_ptr<Attempt> owned = std::move(*found);
  attempts_.erase(found);
  Result result{-1, attempt.address, false, error == 0 ? "" : std::strerror(error)};
  if (error == 0) result.fd = attempt.release();
  attempt.close();
  loop_.retire(std::move(owned));
  if (error == 0) {
    finish(std::move(result));
    return;
  }
  last_ = std::move(result);
  loop_.clear_timer(*this);
  try_next();
}

void Connector::finish(Result result) {
  close();
  const auto done = std::move(done_);
  done(std::move(result));
}

}  // namespace bowerbird
