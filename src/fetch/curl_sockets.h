// The sockets of libcurl on an event loop.
//
// Problem: libcurl lets go of a socket when a transfer ends, and takes it again for the next one over the
// same connection; telling the kernel each time is two calls a page. So a socket that nobody waits for stays
// registered until it says something, which mostly means that the server hangs up.
// Invariant: a socket that was opened here is closed here, so that a number is never taken for the socket
// that had it before; others, which libcurl opens by itself, are registered only while they are waited for.
// Ownership: outlives the multi handle. Threads: that of the loop.
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

  // What libcurl waits for (CURL_POLL_IN ...); false where the kernel does not let us.
  bool want(CURLM* multi, curl_socket_t fd, int what);

  // A new socket to this address, or CURL_SOCKET_BAD.
  curl_socket_t open(const curl_sockaddr& address);
  // How many of those are open.
  std::size_t open_now() const { return open_now_; }
  // CURLOPT_CLOSESOCKETFUNCTION; `self` is this object.
  static int on_close(void* self, curl_socket_t fd);

 private:
  struct Socket final : EventLoop::Handler {
    Socket(EventLoop& its_loop, curl_socket_t number) : loop(its_loop), fd(number) {}
    void on_ready(std::uint32_t events) override;

    EventLoop& loop;
    CURLM* multi = nullptr;
    curl_socket_t fd;
    std::uint32_t wanted = 0;      // by libcurl
    std::uint32_t registered = 0;  // with the loop; 0: not at all
    bool ours = false;
  };
  Socket& at(curl_socket_t fd);

  EventLoop& loop_;
  std::vector<std::unique_ptr<Socket>> sockets_;  // by number
  std::size_t open_now_ = 0;
};

}  // namespace bowerbird
