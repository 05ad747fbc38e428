// Malicious servers, one behaviour per loopback address, and a good one.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/compress_testing.h"
#include "crawl/config/options.h"
#include "loopback_acceptor.h"
#include "process.h"

namespace bowerbird {

inline constexpr int kGoodPages = 40;

inline std::string answer(std::string_view body, std::string_view fields = "Content-Type: text/html\r\n") {
  return fmt::format("HTTP/1.1 200 OK\r\n{}Content-Length: {}\r\n\r\n{}", fields, body.size(), body);
}

// A few kilobytes that decompress to 64 MB.
inline std::string bomb() {
  return compressed_for_test(std::string(std::size_t{64} << 20, ' '), 31);
}

inline std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

inline std::string million_links() {
  std::string html;
  for (int i = 0; i < 1'000'000; ++i) html += fmt::format("<a href=http://e.example/{}>", i);
  return html;
}

// Bytes that are not a valid response; then the connection is closed.
struct RawReply {
  const char* what;
  std::string bytes;
  std::set<std::string> outcomes;  // any of these
};

inline const std::vector<RawReply>& raw_replies() {
  constexpr const char* kOk = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
  static const std::vector<RawReply> replies = {
      {"nothing but a line end", "\r\n", {"malformed", "connection-lost"}},
      {"no status line", "<html>hello</html>", {"malformed"}},
      {"a status that is no number", "HTTP/1.1 abc OK\r\n\r\n", {"malformed", "odd-status"}},
      {"status 000",
       "HTTP/1.1 000 No\r\nContent-Length: 0\r\n\r\n",
       {"malformed", "odd-status", "connection-lost"}},
      {"status 999", "HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n", {"odd-status"}},
      {"a version that is not known",
       "HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n",
       {"malformed", "fetched"}},
      {"a negative length", std::string(kOk) + "Content-Length: -5\r\n\r\nhello", {"malformed", "fetched"}},
      {"a length beyond 64 bits",
       std::string(kOk) + "Content-Length: 99999999999999999999999\r\n\r\nhello",
       {"malformed", "truncated", "fetched"}},
      {"two lengths",
       std::string(kOk) + "Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello",
       {"malformed", "truncated", "fetched"}},
      {"a chunk beyond 64 bits",
       std::string(kOk) + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello",
       {"malformed", "truncated", "connection-lost"}},
      {"a chunk without a size",
       std::string(kOk) + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello",
       {"malformed", "truncated", "connection-lost"}},
      {"chunks without an end",
       std::string(kOk) + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
       {"truncated", "connection-lost"}},
      {"trailers without an end",
       std::string(kOk) + "Transfer-Encoding: chunked\r\n\r\n0\r\n" +
           repeated("X-Trailer: more\r\n", 200'000),
       {"headers-too-large", "fetched", "connection-lost"}},
      {"provisional answers without an end",
       repeated("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 100'000),
       {"headers-too-large", "connection-lost", "malformed"}},
      {"one line of 8 MB",
       "HTTP/1.1 200 OK\r\nX: " + std::string(8 << 20, 'x') + "\r\n\r\n",
       {"headers-too-large", "malformed", "connection-lost"}},
      {"a zero byte in a field",
       std::string(kOk) + std::string("X: a\0b\r\n", 8) + "Content-Length: 0\r\n\r\n",
       {"malformed", "fetched"}},
      {"a header that ends inside a field", std::string(kOk) + "Content-Le", {"connection-lost"}},
      {"a header without its last line", kOk, {"connection-lost"}},
      {"a field without a colon",
       std::string(kOk) + "nonsense\r\nContent-Length: 0\r\n\r\n",
       {"malformed", "fetched"}},
      {"a target with line ends",
       "HTTP/1.1 302 Found\r\nLocation: /a\rX: b\r\nContent-Length: 0\r\n\r\n",
       {"redirect", "malformed", "odd-status"}},
      {"gzip cut in its header",
       std::string(kOk) + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
       {"bad-coding"}},
  };
  return replies;
}

// The behaviour of the addresses 127.0.0.3, .4 ... for pages. Those from 127.1.0.3 on behave the same for
// robots.txt.
enum Harm : int {
  kGood = 2,
  kEndlessHead,
  kEndlessBody,
  kDrip,
  kBomb,
  kTooShort,
  kTooLong,
  kLoop,
  kToMetadata,
  kMillionLinks,
  kBadUtf8,
  kReset,
  kHalfClosed,
  kHalfHead,
  kOnlyProvisional,
  kHalfBody,
  kNotTls,
  kHarms,
  kRaw = 100,  // and on: raw_replies()
};

// One connection per thread at a time; it listens on every loopback address.
class HostileServer {
 public:
  HostileServer() {
    acceptor_.start([this](int fd, int) { serve(fd); });
  }
  ~HostileServer() { acceptor_.stop(); }
  std::string url(int harm, std::string_view path = "/", bool robots_too = false) const {
    return fmt::format("{}://127.{}.0.{}:{}{}", harm == kNotTls ? "https" : "http", robots_too ? 1 : 0, harm,
                       acceptor_.port(), path);
  }

 private:
  static bool send_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  void serve(int fd) {
    timeval patience{1, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in own{};
    socklen_t size = sizeof own;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size);
    const auto harm = static_cast<Harm>(ntohl(own.sin_addr.s_addr) & 0xff);
    const bool robots_too = (ntohl(own.sin_addr.s_addr) >> 16 & 0xff) == 1;
    std::string request;
    while (!acceptor_.stopped()) {
      if (!LoopbackAcceptor::readable(fd, 20)) continue;
      char piece[4096];
      const ssize_t got = ::recv(fd, piece, sizeof piece, 0);
      if (got <= 0) break;
      request.append(piece, static_cast<std::size_t>(got));
      if (harm == kNotTls && !send_all(fd, "what?\r\n\r\n")) break;
      const std::size_t end = request.find("\r\n\r\n");
      if (end == request.npos) continue;
      const std::string target = request.substr(4, request.find(' ', 4) - 4);
      request.erase(0, end + 4);
      if (target == "/robots.txt" && !robots_too) {
        if (!send_all(fd, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")) break;
      } else if (!reply(fd, harm, target)) {
        break;
      }
    }
  }

  // False: close the connection.
  bool reply(int fd, Harm harm, const std::string& target) {
    if (harm >= kRaw) {
      const auto number = static_cast<std::size_t>(harm - kRaw);
      if (number < raw_replies().size()) send_all(fd, raw_replies()[number].bytes);
      return false;
    }
    switch (harm) {
      case kEndlessHead:
        send_all(fd, "HTTP/1.1 200 OK\r\n");
        while (!acceptor_.stopped() && send_all(fd, "X-More: of the same, and again, and again\r\n")) {
        }
        return false;
      case kEndlessBody:
        send_all(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n");
        while (!acceptor_.stopped() && send_all(fd, "1000\r\n" + std::string(0x1000, 'x') + "\r\n")) {
        }
        return false;
      case kDrip:
        send_all(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n");
        while (!acceptor_.stopped() && send_all(fd, "x") && !LoopbackAcceptor::readable(fd, 50)) {
        }
        return false;
      case kBomb:
        return send_all(fd, bomb_);
      case kTooShort:
        send_all(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\nthat is all");
        return false;
      case kTooLong:
        send_all(fd, answer("<a href=/>x</a>") + std::string(100'000, '<'));
        return false;
      case kLoop:
        return send_all(fd, "HTTP/1.1 302 Found\r\nLocation: " + target + "?\r\nContent-Length: 0\r\n\r\n");
      case kToMetadata:
        return send_all(fd,
                        "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest/meta-data/\r\n"
                        "Content-Length: 0\r\n\r\n");
      case kMillionLinks:
        return send_all(fd, million_links_);
      case kBadUtf8:
        return send_all(
            fd,
            answer(
                "<title>\xff\xfe\xc3(</title><a href='/\xc3\x28\xf0\x9f'>\xed\xa0\x80</a><a href=\"/\xff"));
      case kReset: {
        send_all(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\nhalf");
        const linger now{1, 0};
        ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        return false;
      }
      case kHalfHead:
        send_all(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-");
        return false;
      case kOnlyProvisional:
        send_all(fd, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
        return false;
      case kHalfClosed:
      case kHalfBody:
        if (harm == kHalfBody)
          send_all(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\nx");
        ::shutdown(fd, SHUT_WR);
        return true;
      default: {
        std::string links;
        for (int i = 0; i < kGoodPages; ++i) links += fmt::format("<a href=/{}>{}</a>\n", i, i);
        return send_all(fd, answer(links));
      }
    }
  }

  const std::string bomb_ = answer(bomb(), "Content-Type: text/html\r\nContent-Encoding: gzip\r\n");
  const std::string million_links_ = answer(million_links());
  LoopbackAcceptor acceptor_{INADDR_ANY};
};

// The outcome of each URL, from crawl.jsonl.
inline std::map<std::string, std::string> outcomes(const std::string& folder) {
  std::map<std::string, std::string> found;
  const std::string log = read_text(folder + "/crawl.jsonl");
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = log.find('\n', at);
    const auto line = nlohmann::json::parse(log.substr(at, end - at));
    if (line.contains("url") && line.contains("outcome")) found[line["url"]] = line["outcome"];
    at = end + 1;
  }
  return found;
}

// A crawl of them with short timeouts.
inline CrawlOptions among_hostile_servers(const std::string& folder) {
  CrawlOptions options;
  options.out = folder;
  options.identity.contact = "tests@bowerbird.example";
  options.order.policy = "bfs";
  options.scope.mode = ScopeMode::kAny;
  options.scope.exclude = {"e\\.example"};
  options.network.allow_net = {"127.0.0.0/8"};
  options.politeness.delay = Seconds(0);
  options.politeness.adapt = 0;
  options.storage.durable = false;
  options.politeness.patience = 0.0001;
  options.fetch.timeout = Seconds(3);
  options.fetch.max_body = std::uint64_t{48} << 20;
  options.politeness.connections_per_host = 1;
  return options;
}

}  // namespace bowerbird
