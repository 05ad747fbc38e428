// The sockets of libcurl on an event loop.
//
// Problem: libcurl stops watching a socket when a transfer ends, and watches it again for the next one on
// the same connection; passing that on to the kernel is two system calls per page. So an unused socket
// stays registered until it has an event, which usually means that the server has closed it.
// Invariant: a socket that was opened here is closed here, so a reused descriptor is never mistaken for
// the old socket. Other sockets, opened by libcurl itself, are only registered while they are watched.
// Ownership: outlives the multi handle. Threads: the loop's.
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sys/event_loop.h"

namespace bowerbird {

class CurlSockets {
 public:
  explicit CurlSockets(EventLoop& loop) : loop_(loop) {}
  CurlSockets(const CurlSockets&) = delete;
  CurlSockets& operator=(const CurlSockets&) = delete;

  // The events that libcurl waits for (CURL_POLL_IN ...). False: the kernel refused.
  bool want(CURLM* multi, curl_socket_t fd, int what);

  // Opens a socket for this address; CURL_SOCKET_BAD: failed.
  curl_socket_t open(const curl_sockaddr& address);
  // Number of these sockets that are open.
  std::size_t open_now() const { return open_now_; }
  // For CURLOPT_CLOSESOCKETFUNCTION. self: this object.
  static int on_close(void* self, curl_socket_t fd);

 private:
  struct Socket final : EventLoop::Handler {
    Socket(EventLoop& its_loop, curl_socket_t number) : loop(its_loop), fd(number) {}
    void on_ready(std::uint32_t events) override;

    EventLoop& loop;
    CURLM* multi = nullptr;
    curl_socket_t fd;
    std::uint32_t wanted = 0;      // by libcurl
    std::uint32_t registered = 0;  // events registered with the loop; 0: not registered
    bool ours = false;
  };
  Socket& at(curl_socket_t fd);

  EventLoop& loop_;
  std::vector<std::unique_ptr<Socket>> sockets_;  // by descriptor
  std::size_t open_now_ = 0;
};

}  // namespace bowerbird
