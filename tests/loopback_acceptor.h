// Accepts connections on a port that the kernel chooses, and handles each in its own thread: what the test
// servers have in common.
//
// Use: start(), and stop() before anything that `serve` uses is destroyed. Threads: start() and stop() from
// one; `serve` runs in many.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace bowerbird {

class LoopbackAcceptor {
 public:
  // fd: closed after the call. number: of the connection, from 0.
  using Serve = std::function<void(int fd, int number)>;

  explicit LoopbackAcceptor(in_addr_t address = INADDR_LOOPBACK) {
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(address);
    socklen_t size = sizeof own;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&own), size), 0);
    EXPECT_EQ(::listen(listener_, 128), 0);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&own), &size), 0);
    port_ = ntohs(own.sin_port);
  }
  ~LoopbackAcceptor() {
    stop();
    ::close(listener_);
  }
  LoopbackAcceptor(const LoopbackAcceptor&) = delete;
  LoopbackAcceptor& operator=(const LoopbackAcceptor&) = delete;

  void start(Serve serve) {
    serve_ = std::move(serve);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  // Waits for all connections to end; `serve` should check stopped().
  void stop() {
    stopped_ = true;
    if (acceptor_.joinable()) acceptor_.join();
    for (std::thread& one : serving_) one.join();
    serving_.clear();
  }
  bool stopped() const { return stopped_; }
  std::uint16_t port() const { return port_; }
  // Accepted so far.
  int connections() const { return connections_; }

  // Whether there is something to read within `ms`.
  static bool readable(int fd, int ms) {
    pollfd wait{fd, POLLIN, 0};
    return ::poll(&wait, 1, ms) > 0;
  }

 private:
  void accept_all() {
    while (!stopped_) {
      if (!readable(listener_, 20)) continue;
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) continue;
      serving_.emplace_back([this, fd, number = connections_++] {
        serve_(fd, number);
        ::close(fd);
      });
    }
  }

  int listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::uint16_t port_ = 0;
  Serve serve_;
  std::atomic<bool> stopped_ = false;
  std::atomic<int> connections_ = 0;
  std::thread acceptor_;
  std::vector<std::thread> serving_;  // used by the accepting thread
};

}  // namespace bowerbird
