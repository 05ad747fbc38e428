#include "fetch/curl_sockets.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace bowerbird {

void CurlSockets::Socket::on_ready(std::uint32_t events) {
  if (wanted == 0) {
    loop.forget(fd);
    registered = 0;
    return;
  }
  int what = 0;
  if ((events & (EPOLLIN | EPOLLRDHUP)) != 0) what |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) what |= CURL_CSELECT_OUT;
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) what |= CURL_CSELECT_ERR;
  int running = 0;
  curl_multi_socket_action(multi, fd, what, &running);
}

CurlSockets::Socket& CurlSockets::at(curl_socket_t fd) {
  const auto number = static_cast<std::size_t>(fd);
  if (sockets_.size() <= number) sockets_.resize(number + 1);
  if (!sockets_[number]) sockets_[number] = std::make_unique<Socket>(loop_, fd);
  return *sockets_[number];
}

bool CurlSockets::want(CURLM* multi, curl_socket_t fd, int what) {
  Socket& socket = at(fd);
  socket.multi = multi;
  socket.wanted = 0;
  if (what != CURL_POLL_REMOVE) {
    if ((what & CURL_POLL_IN) != 0) socket.wanted |= EPOLLIN;
    if ((what & CURL_POLL_OUT) != 0) socket.wanted |= EPOLLOUT;
  }
  if (socket.wanted == 0) {
    if (!socket.ours && socket.registered != 0) {
      loop_.forget(fd);
      socket.registered = 0;
    }
    return true;
  }
  if (socket.registered == socket.wanted) return true;
  if (socket.registered != 0) {
    loop_.change(fd, socket.wanted, socket);
  } else if (!loop_.watch(fd, socket.wanted, socket).ok()) {
    return false;
  }
  socket.registered = socket.wanted;
  return true;
}

curl_socket_t CurlSockets::open(const curl_sockaddr& address) {
  const int fd = ::socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
  if (fd < 0) return CURL_SOCKET_BAD;
  Socket& socket = at(fd);
  socket.ours = true;
  ++open_now_;
  socket.wanted = socket.registered = 0;
  return fd;
}

int CurlSockets::on_close(void* self, curl_socket_t fd) {
  auto* const sockets = static_cast<CurlSockets*>(self);
  Socket& socket = sockets->at(fd);
  if (socket.ours) --sockets->open_now_;
  socket.ours = false;
  socket.wanted = socket.registered = 0;  // the kernel removes closed sockets by itself
  return ::close(fd);
}

}  // namespace bowerbird
