// A crawl among servers that mean harm, one behaviour each, beside one that means well: each ends as the
// table of outcomes says, and the good server's pages all come.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "crawl/loop/crawler.h"
#include "process.h"
#include "store/crawl_reader.h"

namespace bowerbird {
namespace {

constexpr int kGoodPages = 40;

std::string answer(std::string_view body, std::string_view fields = "Content-Type: text/html\r\n") {
  return fmt::format("HTTP/1.1 200 OK\r\n{}Content-Length: {}\r\n\r\n{}", fields, body.size(), body);
}

// A few kilobytes that unfold to 64 MB.
std::string bomb() {
  std::string packed(1 << 20, '\0');
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string zeros(1 << 20, ' ');
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  for (int i = 0; i < 64; ++i) {
    stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
    stream.avail_in = static_cast<uInt>(zeros.size());
    EXPECT_EQ(deflate(&stream, i == 63 ? Z_FINISH : Z_NO_FLUSH), i == 63 ? Z_STREAM_END : Z_OK);
  }
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string million_links() {
  std::string html;
  for (int i = 0; i < 1'000'000; ++i) html += fmt::format("<a href=http://e.example/{}>", i);
  return html;
}

// What the addresses 127.0.0.3, .4 ... do when they are asked for a page.
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
  kHalfBody,
  kNotTls,
  kHarms,
};

// One connection at a time and thread; every address of loopback is ours.
class HostileServer {
 public:
  HostileServer() {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_ANY);
    socklen_t size = sizeof any;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&any), size), 0);
    EXPECT_EQ(::listen(listener_, 128), 0);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&any), &size), 0);
    port_ = ntohs(any.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~HostileServer() {
    stopped_ = true;
    acceptor_.join();
    for (std::thread& one : serving_) one.join();
    ::close(listener_);
  }
  std::string url(int harm, std::string_view path = "/") const {
    return fmt::format("{}://127.0.0.{}:{}{}", harm == kNotTls ? "https" : "http", harm, port_, path);
  }

 private:
  static bool readable(int fd, int ms) {
    pollfd wait{fd, POLLIN, 0};
    return ::poll(&wait, 1, ms) > 0;
  }
  static bool send_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  void accept_all() {
    while (!stopped_) {
      if (!readable(listener_, 20)) continue;
      const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd >= 0) serving_.emplace_back([this, fd] { serve(fd); });
    }
  }

  void serve(int fd) {
    timeval patience{1, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in own{};
    socklen_t size = sizeof own;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size);
    const auto harm = static_cast<Harm>(ntohl(own.sin_addr.s_addr) & 0xff);
    std::string request;
    while (!stopped_) {
      if (!readable(fd, 20)) continue;
      char piece[4096];
      const ssize_t got = ::recv(fd, piece, sizeof piece, 0);
      if (got <= 0) break;
      request.append(piece, static_cast<std::size_t>(got));
      if (harm == kNotTls && !send_all(fd, "what?\r\n\r\n")) break;
      const std::size_t end = request.find("\r\n\r\n");
      if (end == request.npos) continue;
      const std::string target = request.substr(4, request.find(' ', 4) - 4);
      request.erase(0, end + 4);
      if (!reply(fd, harm, target)) break;
    }
    ::close(fd);
  }

  // False: the connection is to be closed.
  bool reply(int fd, Harm harm, const std::string& target) {
    if (target == "/robots.txt") return send_all(fd, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    switch (harm) {
      case kEndlessHead:
        send_all(fd, "HTTP/1.1 200 OK\r\n");
        while (!stopped_ && send_all(fd, "X-More: of the same, and again, and again\r\n")) {
        }
        return false;
      case kEndlessBody:
        send_all(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n");
        while (!stopped_ && send_all(fd, "1000\r\n" + std::string(0x1000, 'x') + "\r\n")) {
        }
        return false;
      case kDrip:
        send_all(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n");
        while (!stopped_ && send_all(fd, "x") && !readable(fd, 50)) {
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
  int listener_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopped_ = false;
  std::thread acceptor_;
  std::vector<std::thread> serving_;  // the acceptor's
};

std::map<std::string, std::string> outcomes(const std::string& folder) {
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

TEST(HostileServers, EndAsTheTableSaysAndHoldUpNobody) {
  const HostileServer server;
  const TemporaryFolder folder;
  CrawlOptions options;
  for (int harm = kGood; harm < kHarms; ++harm) options.start.seeds.push_back(server.url(harm));
  options.out = folder / "crawl";
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
  auto crawler = std::move(Crawler::open(options)).value();
  const auto end = crawler->run();
  ASSERT_TRUE(end.ok()) << end.error().text;
  EXPECT_EQ(*end, CrawlEnd::kNothingLeft);
  EXPECT_GE(crawler->status().known, 100'000u);  // of the million links as many as are taken from one page
  ASSERT_TRUE(crawler->close().ok());

  const auto found = outcomes(options.out);
  const auto outcome = [&](const std::string& url) {
    const auto at = found.find(url);
    return at == found.end() ? std::string("none") : at->second;
  };
  const std::map<int, std::string> expected = {
      {kGood, "fetched"},        {kEndlessHead, "head-too-large"}, {kDrip, "timed-out"},
      {kBomb, "bomb"},           {kTooShort, "cut-short"},         {kTooLong, "fetched"},
      {kToMetadata, "redirect"}, {kMillionLinks, "fetched"},       {kBadUtf8, "fetched"},
      {kHalfClosed, "broken"},   {kHalfBody, "cut-short"},         {kNotTls, "tls"},
  };
  for (const auto& [harm, name] : expected) EXPECT_EQ(outcome(server.url(harm)), name) << "harm " << harm;
  // As fast as it comes, it reaches the limit or the time.
  EXPECT_TRUE(outcome(server.url(kEndlessBody)) == "fetched" ||
              outcome(server.url(kEndlessBody)) == "timed-out");
  EXPECT_TRUE(outcome(server.url(kReset)) == "broken" || outcome(server.url(kReset)) == "cut-short");
  EXPECT_EQ(outcome("http://169.254.169.254/latest/meta-data/"), "refused-address");
  EXPECT_NE(outcome(server.url(kLoop)), "none");
  for (int i = 0; i < kGoodPages; ++i)
    EXPECT_EQ(outcome(server.url(kGood, fmt::format("/{}", i))), "fetched");
}

}  // namespace
}  // namespace bowerbird
