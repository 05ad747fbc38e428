// A server that handles each connection with a function, for tests of what happens on the wire. Blocking,
// one thread per connection; optionally with TLS.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "web/http/tls.h"

namespace bowerbird {

class ConnectionServer {
 public:
  // A connection. number: counts from 0.
  class Peer {
   public:
    Peer(const ConnectionServer& server, int fd, SSL* ssl, int connection)
        : number(connection), server_(server), fd_(fd), ssl_(ssl) {}

    const int number;
    SSL* ssl() const { return ssl_; }
    bool send(std::string_view bytes) const {
      while (!bytes.empty()) {
        const ssize_t n = ssl_ != nullptr ? SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()))
                                          : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
      }
      return true;
    }
    // A request header; empty: the client has disconnected.
    std::string request() {
      for (;;) {
        if (const std::size_t end = in_.find("\r\n\r\n"); end != in_.npos) {
          std::string head = in_.substr(0, end + 4);
          in_.erase(0, end + 4);
          return head;
        }
        if (!more()) return {};
      }
    }
    // Waits until the client closes.
    void wait_for_end() {
      while (more()) in_.clear();
    }
    std::string& buffer() { return in_; }
    bool more() {
      std::array<char, 4096> bytes;
      while (!server_.stopped_) {
        const bool buffered = ssl_ != nullptr && SSL_has_pending(ssl_) == 1;
        pollfd wait{fd_, POLLIN, 0};
        if (!buffered && ::poll(&wait, 1, 20) <= 0) continue;
        const ssize_t n = ssl_ != nullptr ? SSL_read(ssl_, bytes.data(), bytes.size())
                                          : ::recv(fd_, bytes.data(), bytes.size(), 0);
        if (n <= 0) return false;
        in_.append(bytes.data(), static_cast<std::size_t>(n));
        return true;
      }
      return false;
    }

   private:
    const ConnectionServer& server_;
    int fd_;
    SSL* ssl_;
    std::string in_;
  };
  using Serve = std::function<void(Peer&)>;

  // tls: null: plain. notify: send close_notify.
  explicit ConnectionServer(Serve serve, TlsServer* tls = nullptr, bool notify = false)
      : serve_(std::move(serve)), tls_(tls), notify_(notify) {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without MSG_NOSIGNAL
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof own;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&own), size), 0);
    EXPECT_EQ(::listen(listener_, 128), 0);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&own), &size), 0);
    port_ = ntohs(own.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~ConnectionServer() {
    stopped_ = true;
    acceptor_.join();
    for (std::thread& one : serving_) one.join();
    ::close(listener_);
  }
  ConnectionServer(const ConnectionServer&) = delete;
  ConnectionServer& operator=(const ConnectionServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string address() const { return fmt::format("127.0.0.1:{}", port_); }
  int connections() const { return connections_; }
  int resumed() const { return resumed_; }

 private:
  void accept_all() {
    while (!stopped_) {
      pollfd wait{listener_, POLLIN, 0};
      if (::poll(&wait, 1, 20) <= 0) continue;
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd >= 0) serving_.emplace_back([this, fd, number = connections_++] { serve(fd, number); });
    }
  }
  void serve(int fd, int number) {
    SSL* const ssl = tls_ == nullptr ? nullptr : tls_->begin(fd);
    if (ssl == nullptr || SSL_accept(ssl) == 1) {
      if (ssl != nullptr && SSL_session_reused(ssl) == 1) ++resumed_;
      Peer peer(*this, fd, ssl, number);
      serve_(peer);
      if (ssl != nullptr && notify_) SSL_shutdown(ssl);
    }
    SSL_free(ssl);
    ::close(fd);
  }

  Serve serve_;
  TlsServer* tls_;
  bool notify_;
  int listener_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<int> connections_ = 0;
  std::atomic<int> resumed_ = 0;
  std::thread acceptor_;
  std::vector<std::thread> serving_;  // used by the accepting thread
};

}  // namespace bowerbird
