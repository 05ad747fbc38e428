// A server that handles each connection with a function, for tests of what happens on the wire. Blocking,
// one thread per connection; optionally with TLS.
#pragma once

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "loopback_acceptor.h"
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
      while (!server_.acceptor_.stopped()) {
        const bool buffered = ssl_ != nullptr && SSL_has_pending(ssl_) == 1;
        if (!buffered && !LoopbackAcceptor::readable(fd_, 20)) continue;
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
    acceptor_.start([this](int fd, int number) { this->serve(fd, number); });
  }
  ~ConnectionServer() { acceptor_.stop(); }
  ConnectionServer(const ConnectionServer&) = delete;
  ConnectionServer& operator=(const ConnectionServer&) = delete;

  std::uint16_t port() const { return acceptor_.port(); }
  std::string address() const { return fmt::format("127.0.0.1:{}", port()); }
  int connections() const { return acceptor_.connections(); }
  int resumed() const { return resumed_; }

 private:
  void serve(int fd, int number) {
    SSL* const ssl = tls_ == nullptr ? nullptr : tls_->begin(fd);
    if (ssl == nullptr || SSL_accept(ssl) == 1) {
      if (ssl != nullptr && SSL_session_reused(ssl) == 1) ++resumed_;
      Peer peer(*this, fd, ssl, number);
      serve_(peer);
      if (ssl != nullptr && notify_) SSL_shutdown(ssl);
    }
    SSL_free(ssl);
  }

  Serve serve_;
  TlsServer* tls_;
  bool notify_;
  std::atomic<int> resumed_ = 0;
  LoopbackAcceptor acceptor_;
};

}  // namespace bowerbird
