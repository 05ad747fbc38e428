// Servers that violate TLS and HTTP/2, one behaviour per host name, and good ones. Use them with --connect-to
// and the authority's certificate.
#pragma once

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "loopback_acceptor.h"
#include "process.h"
#include "web/http/tls.h"

namespace bowerbird {

inline std::string http2_frame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                               std::string_view payload = {}) {
  std::string frame;
  for (const int shift : {16, 8, 0}) frame += static_cast<char>(payload.size() >> shift);
  frame += {static_cast<char>(type), static_cast<char>(flags)};
  for (const int shift : {24, 16, 8, 0}) frame += static_cast<char>(stream >> shift);
  return frame.append(payload);
}

class HostileTlsServer {
 public:
  // The behaviour of a host once HTTP/2 is negotiated: `first` answers its first request, then `flood` is
  // repeated.
  struct Http2Harm {
    std::string first;
    std::string flood;
  };
  static constexpr const char* kEmptyData = "empty-data.test";
  // Host names and their behaviour. Hosts that are in no table are good; so is HTTP/1.1 of those in
  // http2_harms().
  static const std::map<std::string, Http2Harm>& http2_harms() {
    static const std::string kOk = "\x88";  // :status 200
    static const std::string kEarlyHints(
        "\x08\x03"
        "103",
        5);
    static const std::string kField("\x00\x01x\x7f\x00", 5);  // "x" with 127 bytes
    static const std::string kFields = [] {
      std::string fields;
      for (int i = 0; i < 100; ++i) fields += kField + std::string(127, 'x');
      return fields;
    }();
    static const std::map<std::string, Http2Harm> harms = {
        {kEmptyData, {http2_frame(1, 4, 1, kOk), http2_frame(0, 0, 1)}},
        {"settings.test", {"", http2_frame(4, 0, 0)}},
        {"pings.test", {"", http2_frame(6, 0, 0, "12345678")}},
        {"continuations.test", {http2_frame(1, 0, 1, kOk), http2_frame(9, 0, 1, kFields)}},
        {"hints.test", {"", http2_frame(1, 4, 1, kEarlyHints)}},
        {"unknown-frames.test", {"", http2_frame(0xfa, 0, 0, "what?")}},
        {"resets.test", {http2_frame(3, 0, 1, std::string("\0\0\0\7", 4)), ""}},
        {"goaway.test", {http2_frame(7, 0, 0, std::string("\0\0\0\0\0\0\0\0", 8)), ""}},
        {"window.test", {http2_frame(8, 0, 0, "\x7f\xff\xff\xff"), http2_frame(8, 0, 0, "\x7f\xff\xff\xff")}},
        {"pushes.test", {"", http2_frame(5, 4, 1, std::string("\0\0\0\2", 4) + kOk)}},
        {"half-frame.test", {std::string("\0\x40\0", 3), ""}},
        {"garbage.test", {std::string(10'000, '\xff'), ""}},
        {"no-answer.test", {"", ""}},
    };
    return harms;
  }
  static std::vector<std::string> tls_harms() {
    return {"silent.test", "closes.test",  "half-hello.test", "drips.test",   "plain.test",
            "alerts.test", "expired.test", "wrong-name.test", "stranger.test"};
  }

  HostileTlsServer() {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without MSG_NOSIGNAL
    tls_ = std::move(TlsServer::make([](std::string_view host) {
             return host == "expired.test"      ? CertificateKind::kExpired
                    : host == "wrong-name.test" ? CertificateKind::kWrongName
                                                : CertificateKind::kGood;
           })).value();
    stranger_ = std::move(TlsServer::make()).value();
    acceptor_.start([this](int fd, int) {
      const timeval patience{1, 0};
      ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
      ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      serve(fd);
    });
  }
  ~HostileTlsServer() { acceptor_.stop(); }
  std::string address() const { return fmt::format("127.0.0.1:{}", acceptor_.port()); }
  const std::string& authority_pem() const { return tls_->authority_pem(); }
  // Connections that negotiated HTTP/2.
  std::uint64_t http2_connections() const { return http2_connections_; }

 private:
  // The server name in the client's first message, which is in plain text.
  std::string name_of(int fd) const {
    std::array<char, 2048> hello;
    for (int i = 0; i < 50 && !acceptor_.stopped(); ++i) {
      if (!LoopbackAcceptor::readable(fd, 20)) continue;
      const ssize_t got = ::recv(fd, hello.data(), hello.size(), MSG_PEEK);
      if (got <= 0) return {};
      const std::string_view bytes(hello.data(), static_cast<std::size_t>(got));
      const std::size_t end = bytes.find(".test");
      if (end == bytes.npos) continue;
      const std::size_t begin = bytes.find_last_not_of("abcdefghijklmnopqrstuvwxyz0123456789-", end - 1) + 1;
      return std::string(bytes.substr(begin, end + 5 - begin));
    }
    return {};
  }

  void serve(int fd) {
    const std::string name = name_of(fd);
    const auto send_all = [fd](std::string_view bytes) {
      return ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
    };
    // A record of TLS 1.2 with handshake messages, 16 KB of them.
    constexpr std::string_view kHello("\x16\x03\x03\x3f\xff\x02\x00\x3f\xfb\x03\x03", 11);
    if (name == "silent.test") {
      while (!acceptor_.stopped() && !has_ended(fd)) LoopbackAcceptor::readable(fd, 20);
    } else if (name == "closes.test") {
      return;
    } else if (name == "half-hello.test") {
      send_all(kHello);
    } else if (name == "drips.test") {
      send_all(kHello);
      while (!acceptor_.stopped() && send_all("x"))
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    } else if (name == "plain.test") {
      send_all("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello");
    } else if (name == "alerts.test") {
      while (!acceptor_.stopped() && send_all(std::string_view("\x15\x03\x03\x00\x02\x01\x5a", 7))) {
      }
    } else {
      speak_tls(fd, name);
    }
  }
  static bool has_ended(int fd) {
    std::array<char, 4096> bytes;
    return LoopbackAcceptor::readable(fd, 0) && ::recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT) == 0;
  }

  void speak_tls(int fd, const std::string& name) {
    SSL* const ssl = (name == "stranger.test" ? stranger_ : tls_)->begin(fd);
    if (SSL_accept(ssl) == 1) {
      const unsigned char* protocol = nullptr;
      unsigned size = 0;
      SSL_get0_alpn_selected(ssl, &protocol, &size);
      if (size == 2) {
        ++http2_connections_;
        speak_http2(ssl, name);
      } else {
        speak_http1(ssl);
      }
    }
    SSL_free(ssl);
  }
  static bool write_all(SSL* ssl, std::string_view bytes) {
    while (!bytes.empty()) {
      const int sent = SSL_write(ssl, bytes.data(), static_cast<int>(bytes.size()));
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // Appends what has arrived; false at the end.
  bool read_more(SSL* ssl, std::string& in) const {
    std::array<char, 4096> bytes;
    while (!acceptor_.stopped()) {
      const int got = SSL_read(ssl, bytes.data(), bytes.size());
      if (got > 0) in.append(bytes.data(), static_cast<std::size_t>(got));
      if (got > 0) return true;
      const int error = SSL_get_error(ssl, got);
      if (error != SSL_ERROR_WANT_READ) return false;
    }
    return false;
  }

  void speak_http1(SSL* ssl) const {
    std::string in;
    while (read_more(ssl, in)) {
      for (std::size_t end; (end = in.find("\r\n\r\n")) != in.npos; in.erase(0, end + 4)) {
        if (!write_all(
                ssl, fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{}",
                                 kPage.size(), kPage)))
          return;
      }
    }
  }

  void speak_http2(SSL* ssl, const std::string& name) const {
    constexpr std::size_t kPreface = 24;
    if (!write_all(ssl, http2_frame(4, 0, 0))) return;
    std::string in;
    while (in.size() < kPreface) {
      if (!read_more(ssl, in)) return;
    }
    in.erase(0, kPreface);
    const auto harm = http2_harms().find(name);
    do {
      while (in.size() >= 9) {
        const auto byte = [&in](std::size_t at) { return static_cast<unsigned char>(in[at]); };
        const std::size_t size = 9 + (std::size_t{byte(0)} << 16 | std::size_t{byte(1)} << 8 | byte(2));
        if (in.size() < size) break;
        const bool request = byte(3) == 1;
        const std::uint32_t stream = std::uint32_t{byte(7)} << 8 | byte(8);
        in.erase(0, size);
        if (!request) continue;
        if (harm != http2_harms().end()) return do_harm(ssl, harm->second);
        if (!write_all(ssl, http2_frame(1, 4, stream, "\x88") + http2_frame(0, 1, stream, kPage))) return;
      }
    } while (read_more(ssl, in));
  }

  void do_harm(SSL* ssl, const Http2Harm& harm) const {
    if (!write_all(ssl, harm.first)) return;
    std::string flood;
    while (!harm.flood.empty() && flood.size() < 16'000) flood += harm.flood;
    while (!acceptor_.stopped() && !flood.empty() && write_all(ssl, flood)) {
    }
    std::string in;
    while (read_more(ssl, in)) in.clear();
  }

  static constexpr std::string_view kPage =
      "<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a><a href=/4>4</a><a href=/5>5</a>";
  std::unique_ptr<TlsServer> tls_;
  std::unique_ptr<TlsServer> stranger_;  // signed by an untrusted authority
  mutable std::atomic<std::uint64_t> http2_connections_ = 0;
  LoopbackAcceptor acceptor_;
};

}  // namespace bowerbird
