#include "web/site/site_service.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <set>

#include "web/http/http2_client_testing.h"
#include "web/http/http_testing.h"
#include "web/site/web_testing.h"

namespace bowerbird {
namespace {

int connect_to(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0) << std::strerror(errno);
  // Receiving times out, so that a failing test does not hang.
  const timeval patience{20, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return fd;
}

std::uint16_t own_port(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

// A blocking client, plain or under TLS.
class Client {
 public:
  explicit Client(std::uint16_t port) : fd(connect_to(port)) {}
  ~Client() {
    SSL_free(ssl);
    SSL_CTX_free(context);
    ::close(fd);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // True: the certificate of `host` is valid. alpn: in wire format, "\x02h2".
  bool start_tls(const std::string& host, const std::string& authority_pem, std::string_view alpn = "") {
    context = SSL_CTX_new(TLS_client_method());
    BIO* bio = BIO_new_mem_buf(authority_pem.data(), static_cast<int>(authority_pem.size()));
    X509* authority = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
    EXPECT_EQ(X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority), 1);
    X509_free(authority);
    BIO_free(bio);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    ssl = SSL_new(context);
    SSL_set_tlsext_host_name(ssl, host.c_str());
    SSL_set1_host(ssl, host.c_str());
    SSL_set_alpn_protos(ssl, reinterpret_cast<const unsigned char*>(alpn.data()),
                        static_cast<unsigned>(alpn.size()));
    SSL_set_fd(ssl, fd);
    return SSL_connect(ssl) == 1;
  }
  std::string alpn() const {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl, &name, &size);
    return {reinterpret_cast<const char*>(name), size};
  }

  void send(std::string_view bytes) const {
    const auto n = ssl != nullptr ? SSL_write(ssl, bytes.data(), static_cast<int>(bytes.size()))
                                  : ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    EXPECT_EQ(n, static_cast<ssize_t>(bytes.size()));
  }
  void get(std::string_view host, std::string_view target) const {
    send(fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", target, host));
  }
  // Reads more bytes; 0 at the end, -1 if the connection is broken.
  int receive() {
    char buffer[65536];
    const auto n =
        ssl != nullptr ? SSL_read(ssl, buffer, sizeof buffer) : ::recv(fd, buffer, sizeof buffer, 0);
    if (n > 0) received.append(buffer, static_cast<std::size_t>(n));
    return static_cast<int>(n);
  }
  std::optional<TestResponse> response() {
    for (;;) {
      if (const auto got = read_response(received)) {
        received.erase(0, got->used);
        return got;
      }
      if (receive() <= 0) return std::nullopt;
    }
  }

  int fd;
  SSL_CTX* context = nullptr;
  SSL* ssl = nullptr;
  std::string received;
};

// A server with a log.
class Served {
 public:
  explicit Served(const SiteOptions& site_options = {}, ServerOptions options = {}, PageId pages = 100)
      : web(make_ring(pages)),
        site(make_site(web, site_options)),
        sink([this](std::string_view lines) { text += lines; }) {
    options.port = 0;
    options.log = &sink;
    server = std::move(serve_site(*site, options)).value();
  }
  // Stops the server, so that the log is complete.
  std::vector<AccessEntry> log() {
    server->stop();
    std::vector<AccessEntry> entries;
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      entries.push_back(std::move(parse_access_line(line)).value());
      rest.remove_prefix(line.size() + 1);
    }
    return entries;
  }

  Web web;
  std::unique_ptr<Site> site;
  std::string text;
  AccessSink sink;
  std::unique_ptr<Server> server;
};

TEST(Server, AnswersOnAKeptConnection) {
  Served served;
  Client client(served.server->port());
  for (int page = 0; page < 20; ++page) {
    client.get(fmt::format("host-{}.test", page / 10), fmt::format("/page-{}", page));
    const auto response = client.response();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(hrefs(response->body).size(), 3u);
  }
  const std::uint16_t port = own_port(client.fd);
  const std::vector<AccessEntry> log = served.log();
  ASSERT_EQ(log.size(), 20u);
  for (std::size_t i = 0; i < log.size(); ++i) {
    EXPECT_EQ(log[i].page, i);
    EXPECT_EQ(log[i].connection, 1u);
    EXPECT_EQ(log[i].port, port);
    EXPECT_LE(log[i].start_us, log[i].end_us);
    EXPECT_TRUE(i == 0 || log[i - 1].end_us <= log[i].start_us);
  }
}

TEST(Server, AnswersOnIpv6TooWhereThereIsOne) {
  Served served;
  for (const std::string& address : served.server->addresses()) {
    EXPECT_TRUE(address.starts_with("127.0.0.1:") || address.starts_with("[::1]:")) << address;
  }
}

TEST(Server, PipelinedRequestsAreAnsweredInOrder) {
  Served served;
  Client client(served.server->port());
  std::string all;
  for (int page = 0; page < 50; ++page) {
    all += fmt::format("GET /page-{} HTTP/1.1\r\nHost: host-{}.test\r\n\r\n", page, page / 10);
  }
  client.send(all);
  for (int page = 0; page < 50; ++page) {
    const auto response = client.response();
    ASSERT_TRUE(response);
    const PageId next = static_cast<PageId>(page + 1);
    EXPECT_NE(response->body.find(fmt::format("page-{}\"", next)), std::string::npos);
  }
}

TEST(Server, SpeaksHttp2WithPriorKnowledge) {
  Served served;
  Client client(served.server->port());
  Http2TestClient http2;
  std::vector<std::int32_t> streams;
  for (int page = 0; page < 10; ++page) {
    streams.push_back(http2.get("http", "host-0.test", fmt::format("/page-{}", page)));
  }
  client.send(http2.output());
  while (!http2.reply(streams.back()).closed && client.receive() > 0) {
    http2.input(client.received);
    client.received.clear();
    if (const std::string out = http2.output(); !out.empty()) client.send(out);
  }
  for (const std::int32_t stream : streams) EXPECT_EQ(http2.reply(stream).fields[":status"], "200");
  EXPECT_EQ(served.log().at(0).protocol, "h2");
}

TEST(Server, ThePrefaceOfHttp2MayComeInPieces) {
  Served served;
  Client client(served.server->port());
  Http2TestClient http2;
  const std::int32_t stream = http2.get("http", "host-0.test", "/page-1");
  const std::string out = http2.output();
  for (const char byte : out) client.send({&byte, 1});
  while (!http2.reply(stream).closed && client.receive() > 0) {
    http2.input(client.received);
    client.received.clear();
  }
  EXPECT_EQ(http2.reply(stream).fields[":status"], "200");
}

ServerOptions with_tls() {
  ServerOptions options;
  options.tls = true;
  return options;
}

SiteOptions https_site() {
  SiteOptions options;
  options.https = true;
  return options;
}

TEST(Server, SpeaksTlsAndPlainOnOnePort) {
  Served served(https_site(), with_tls());
  Client client(served.server->port());
  ASSERT_TRUE(client.start_tls("host-0.test", served.server->authority_pem()));
  client.get("host-0.test", "/page-5");
  auto response = client.response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(hrefs(response->body)[0], "/page-6");
  client.get("host-0.test", "/page-9");
  response = client.response();
  ASSERT_TRUE(response);
  EXPECT_EQ(hrefs(response->body)[0], "https://host-1.test/page-10");
  Client plain(served.server->port());
  plain.get("host-0.test", "/page-5");
  response = plain.response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 301);
  EXPECT_EQ(response->fields.at("location"), "https://host-0.test/page-5");
  EXPECT_EQ(served.log().at(0).protocol, "h1s");
}

TEST(Server, OffersHttp2ByAlpn) {
  Served served(https_site(), with_tls());
  Client client(served.server->port());
  ASSERT_TRUE(client.start_tls("host-3.test", served.server->authority_pem(), "\x08http/1.1\x02h2"));
  ASSERT_EQ(client.alpn(), "h2");
  Http2TestClient http2;
  const std::int32_t stream = http2.get("https", "host-3.test", "/page-31");
  client.send(http2.output());
  while (!http2.reply(stream).closed && client.receive() > 0) {
    http2.input(client.received);
    client.received.clear();
  }
  EXPECT_EQ(http2.reply(stream).fields[":status"], "200");
  EXPECT_EQ(served.log().at(0).protocol, "h2s");
}

TEST(Server, BadCertificatesFailVerification) {
  SiteOptions options = https_site();
  options.bad_certificates = 0.5;
  Served served(options, with_tls());
  std::set<long> reasons;
  for (int host = 0; host < 10; ++host) {
    Client client(served.server->port());
    client.start_tls(fmt::format("host-{}.test", host), served.server->authority_pem());
    reasons.insert(SSL_get_verify_result(client.ssl));
  }
  EXPECT_EQ(reasons, (std::set<long>{X509_V_OK, X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_HOSTNAME_MISMATCH}));
}

TEST(Server, AResetSendsRst) {
  Served served(with_fault("reset"));
  Client client(served.server->port());
  client.get("host-0.test", "/page-1");
  int n = 1;
  while (n > 0) n = client.receive();
  EXPECT_EQ(n, -1);
  EXPECT_EQ(errno, ECONNRESET);
  const AccessEntry entry = served.log().at(0);
  EXPECT_EQ(entry.fault, "reset");
}

TEST(Server, ADroppedConnectionIsResetWithoutAResponse) {
  Served served(with_fault("dropped"));
  Client client(served.server->port());
  client.get("host-0.test", "/page-1");
  EXPECT_EQ(client.receive(), -1);
  EXPECT_EQ(errno, ECONNRESET);
  EXPECT_TRUE(client.received.empty());
}

TEST(Server, TruncatedAndEmptyAnswersEndInOrder) {
  Served truncated(with_fault("truncated"));
  Client client(truncated.server->port());
  client.get("host-0.test", "/page-1");
  int n = 1;
  while (n > 0) n = client.receive();
  EXPECT_EQ(n, 0);
  EXPECT_FALSE(client.received.empty());
  EXPECT_FALSE(read_response(client.received));
  Served empty(with_fault("empty"));
  Client other(empty.server->port());
  other.get("host-0.test", "/page-1");
  EXPECT_EQ(other.receive(), 0);
  EXPECT_TRUE(other.received.empty());
}

TEST(Server, AStalledClientMayDisconnect) {
  Served served(with_fault("stall"));
  {
    Client client(served.server->port());
    client.get("host-0.test", "/page-1");
    pollfd waiting{client.fd, POLLIN, 0};
    EXPECT_EQ(::poll(&waiting, 1, 20), 0);
  }
  Client other(served.server->port());
  other.get("host-0.test", "/robots.txt");
  EXPECT_TRUE(other.response());
  EXPECT_EQ(served.log().size(), 2u);
}

TEST(Server, ASilentConnectionIsClosed) {
  ServerOptions options;
  options.idle_seconds = 0.02;
  Served served({}, options);
  Client client(served.server->port());
  EXPECT_EQ(client.receive(), 0);
}

TEST(Server, LatencyIsRealTime) {
  SiteOptions options;
  options.latency_ms = 4;
  Served served(options);
  Client client(served.server->port());
  for (int i = 0; i < 3; ++i) {
    client.get("host-0.test", "/page-1");
    ASSERT_TRUE(client.response());
  }
  for (const AccessEntry& entry : served.log()) EXPECT_GE(entry.end_us - entry.start_us, 1000);
}

TEST(Server, ALargeAnswerWaitsForASlowReader) {
  std::vector<std::vector<PageId>> rows(60'000);
  for (PageId page = 0; page < 60'000; ++page) rows[0].push_back(page);
  const Web web = make_web(std::move(rows));
  const auto site = make_site(web);
  ServerOptions options;
  options.port = 0;
  const auto server = std::move(serve_site(*site, options)).value();
  Client client(server->port());
  client.get("host-0.test", "/page-0");
  client.get("host-0.test", "/page-1");
  const auto large = client.response();
  ASSERT_TRUE(large);
  EXPECT_EQ(hrefs(large->body).size(), 60'000u);
  EXPECT_TRUE(client.response());
}

TEST(Server, HalfClosedClientsGetTheirAnswer) {
  Served served;
  Client client(served.server->port());
  client.get("host-0.test", "/page-1");
  ::shutdown(client.fd, SHUT_WR);
  EXPECT_TRUE(client.response());
  EXPECT_EQ(client.receive(), 0);
}

TEST(Server, SeveralThreadsGiveTheSameResponses) {
  ServerOptions options;
  options.threads = 3;
  SiteOptions site = with_fault("unavailable:1=50%");
  site.requests_per_second = 1e9;
  Served served(site, options);
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        Client client(served.server->port());
        for (int page = 0; page < 20; ++page) {
          client.get(fmt::format("host-{}.test", page / 10), fmt::format("/page-{}", page));
          const auto response = client.response();
          if (response && (response->status == 200 || response->status == 503)) ++good;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 400);
  const std::vector<AccessEntry> log = served.log();
  EXPECT_EQ(log.size(), 400u);
  std::map<PageId, int> refused;
  for (const AccessEntry& entry : log) refused[entry.page] += entry.status == 503 ? 1 : 0;
  for (const auto& [page, times] : refused) {
    EXPECT_EQ(times, served.site->page_fault(page).fault == Fault::kUnavailable ? 1 : 0) << page;
  }
}

TEST(Server, StopsWhileClientsAreConnected) {
  Served served(with_fault("hang"));
  Client idle(served.server->port());
  Client hanging(served.server->port());
  hanging.get("host-0.test", "/page-1");
  EXPECT_GT(hanging.receive(), 0);
  served.server->stop();
  EXPECT_LE(idle.receive(), 0);
}

TEST(Server, RefusesAddressesThatOthersCanReach) {
  const Web web = make_ring(10);
  const auto site = make_site(web);
  ServerOptions options;
  options.port = 0;
  options.addresses = {"0.0.0.0"};
  const auto refused = serve_site(*site, options);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().text.find("--anywhere"), std::string::npos);
  options.addresses = {"::"};
  EXPECT_FALSE(serve_site(*site, options).ok());
  options.addresses = {"localhost"};
  EXPECT_FALSE(serve_site(*site, options).ok());
}

TEST(Server, APortInUseIsReported) {
  Served served;
  const Web web = make_ring(10);
  const auto site = make_site(web);
  ServerOptions options;
  options.port = served.server->port();
  const auto second = serve_site(*site, options);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().text.find("is taken"), std::string::npos);
  EXPECT_EQ(second.error().text.find("--"), std::string::npos)
      << "a crawl has --listen, and web serve has --port";
}

}  // namespace
}  // namespace bowerbird
