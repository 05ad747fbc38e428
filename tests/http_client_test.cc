// What our HTTP client does on the wire: connections kept, closed, repeated and shared; TLS sessions resumed.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "connection_server.h"
#include "fetch/http_fetcher.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

using Peer = ConnectionServer::Peer;

const std::string kPage = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok";

void answer_all(Peer& peer) {
  while (!peer.request().empty()) {
    if (!peer.send(kPage)) return;
  }
}

class Client {
 public:
  explicit Client(const ConnectionServer& server, TlsServer* tls = nullptr) {
    options.user_agent = "Bowerbird/test";
    options.connect_to = server.address();
    options.filter = std::move(NetFilter::parse(std::vector<std::string>{"127.0.0.0/8"})).value();
    options.timeout_s = options.connect_timeout_s = 10;
    options.http2 = false;
    if (tls != nullptr) {
      std::ofstream(folder / "authority.pem") << tls->authority_pem();
      options.certificates = folder / "authority.pem";
    }
  }
  HttpFetcher& fetcher() {
    if (!made) made = std::move(HttpFetcher::make(options)).value();
    return *made;
  }
  void start(std::uint64_t id, std::string url) {
    FetchRequest request;
    request.id = id;
    request.url = std::move(url);
    fetcher().start(std::move(request));
  }
  std::vector<FetchOutcome> finish() {
    std::vector<FetchOutcome> done;
    while (fetcher().active() > 0) fetcher().poll(done, 1000);
    fetcher().poll(done, 0);
    return done;
  }
  FetchOutcome fetch(std::string url) {
    start(0, std::move(url));
    std::vector<FetchOutcome> done = finish();
    EXPECT_EQ(done.size(), 1u);
    return std::move(done.front());
  }

  TemporaryFolder folder;
  FetcherOptions options;
  std::unique_ptr<HttpFetcher> made;
};

TEST(HttpClient, ARequestOnAClosedConnectionIsRepeatedOnce) {
  // Each connection answers one request, and closes at the second.
  const ConnectionServer server([](Peer& peer) {
    if (peer.request().empty() || !peer.send(kPage)) return;
    peer.request();
  });
  Client client(server);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client.fetch("http://a.example/").body, "ok") << i;
  EXPECT_EQ(server.connections(), 3);
}

TEST(HttpClient, ARequestIsNotRepeatedAfterBytesWereReceived) {
  const ConnectionServer server([](Peer& peer) {
    if (peer.request().empty() || !peer.send(kPage)) return;
    if (!peer.request().empty()) peer.send("HTTP/1.1 200 OK\r\nContent-");
  });
  Client client(server);
  EXPECT_EQ(client.fetch("http://a.example/").end, FetchEnd::kAnswered);
  EXPECT_EQ(client.fetch("http://a.example/").end, FetchEnd::kBroken);
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpClient, AnUnansweredFirstRequestIsNotRepeated) {
  const ConnectionServer server([](Peer& peer) { peer.request(); });
  Client client(server);
  EXPECT_EQ(client.fetch("http://a.example/").end, FetchEnd::kBroken);
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpClient, MisdirectedRequestsAreRepeatedOnANewConnection) {  // RFC 9110, 15.5.20
  const ConnectionServer server([](Peer& peer) {
    const std::string misdirected = "HTTP/1.1 421 Misdirected\r\nContent-Length: 0\r\n\r\n";
    while (!peer.request().empty()) peer.send(peer.number == 0 ? misdirected : kPage);
  });
  Client client(server);
  EXPECT_EQ(client.fetch("http://a.example/").status, 200);
  EXPECT_EQ(server.connections(), 2);
  const ConnectionServer always([](Peer& peer) {
    while (!peer.request().empty()) peer.send("HTTP/1.1 421 Misdirected\r\nContent-Length: 0\r\n\r\n");
  });
  Client other(always);
  EXPECT_EQ(other.fetch("http://a.example/").status, 421);
  EXPECT_EQ(always.connections(), 2);
}

TEST(HttpClient, A408OnAKeptConnectionIsNotTheResponse) {
  const ConnectionServer server([](Peer& peer) {
    for (int i = 0; !peer.request().empty(); ++i)
      peer.send(i == 0 ? kPage : "HTTP/1.1 408 Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  Client client(server);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(client.fetch("http://a.example/").status, 200);
}

// An unsolicited response must not become the response to the next request.
TEST(HttpClient, ResponsesBeforeRequestsEndTheConnection) {
  const std::string evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
  const ConnectionServer server([&](Peer& peer) {
    if (!peer.request().empty()) peer.send(kPage + evil);
    peer.wait_for_end();
  });
  Client client(server);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client.fetch("http://a.example/").body, "ok");
  EXPECT_EQ(server.connections(), 3);
}

TEST(HttpClient, ConnectionsOfOtherHostsAreNotUsed) {
  const ConnectionServer server(answer_all);
  Client client(server);
  for (const char* host : {"a", "b", "a", "b"})
    EXPECT_EQ(client.fetch(fmt::format("http://{}.example/", host)).body, "ok");
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpClient, IdleConnectionsAreLimited) {
  const ConnectionServer server(answer_all);
  Client client(server);
  client.options.idle_connections = 2;
  for (int i = 0; i < 5; ++i) client.fetch(fmt::format("http://h{}.example/", i));
  EXPECT_EQ(server.connections(), 5);
  // All are due when they end, so the last ones have the latest due time.
  client.fetch("http://h0.example/");
  client.fetch("http://h1.example/");
  EXPECT_EQ(server.connections(), 5);
  client.fetch("http://h2.example/");
  EXPECT_EQ(server.connections(), 6);
  client.fetcher().limit_idle(0);
  client.fetch("http://h0.example/");
  EXPECT_EQ(server.connections(), 7);
}

// ---- TLS

TEST(HttpClient, SessionsAreResumedWithoutCloseNotifyToo) {
  const auto tls = std::move(TlsServer::make()).value();
  for (const bool notify : {false, true}) {
    const ConnectionServer server(
        [](Peer& peer) {
          if (!peer.request().empty())
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
        },
        tls.get(), notify);
    Client client(server, tls.get());
    for (int i = 0; i < 4; ++i) EXPECT_EQ(client.fetch("https://a.example/").body, "ok");
    EXPECT_EQ(client.fetch("https://b.example/").body, "ok");
    EXPECT_EQ(server.connections(), 5);
    EXPECT_EQ(server.resumed(), 3) << notify;
  }
}

// Certificates would be most of the memory of the sessions, and of the work to resume them.
TEST(HttpClient, SessionsAreKeptWithoutCertificates) {
  const auto tls = std::move(TlsServer::make()).value();
  const ConnectionServer server(answer_all, tls.get());
  Client client(server, tls.get());
  client.fetch("https://a.example/");
  const TlsSessions& sessions = client.fetcher().tls().sessions();
  EXPECT_EQ(sessions.count(), 1u);
  EXPECT_LT(sessions.bytes(), 600u);
}

TEST(HttpClient, ABodyWithoutLengthIsWholeOnlyIfTlsWasEnded) {
  const auto tls = std::move(TlsServer::make()).value();
  for (const bool notify : {false, true}) {
    const ConnectionServer server(
        [](Peer& peer) {
          if (!peer.request().empty()) peer.send("HTTP/1.1 200 OK\r\n\r\nall or a part");
        },
        tls.get(), notify);
    Client client(server, tls.get());
    const FetchOutcome outcome = client.fetch("https://a.example/");
    EXPECT_EQ(outcome.end, notify ? FetchEnd::kAnswered : FetchEnd::kBroken);
    EXPECT_EQ(outcome.body, "all or a part");
    EXPECT_EQ(outcome.status, 200);
  }
}

TEST(HttpClient, AHostWithABadCertificateIsRefusedOrGetsNoCredentials) {
  const auto tls =
      std::move(TlsServer::make([](std::string_view) { return CertificateKind::kExpired; })).value();
  std::mutex mutex;
  std::string seen;
  const ConnectionServer server(
      [&](Peer& peer) {
        const std::string request = peer.request();
        const std::lock_guard lock(mutex);
        seen = request;
        if (!request.empty())
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
      },
      tls.get());
  FetchRequest request;
  request.url = "https://a.example/";
  request.fields = "Cookie: a=1\r\nAuthorization: secret\r\nX-Key: 1\r\nIf-None-Match: \"x\"\r\n";
  Client strict(server, tls.get());
  strict.fetcher().start(request);
  EXPECT_EQ(strict.finish().at(0).end, FetchEnd::kTls);
  Client client(server, tls.get());
  client.options.record_certificate_errors = true;
  for (int i = 0; i < 2; ++i) {  // the second time with a resumed session
    client.fetcher().start(request);
    const FetchOutcome outcome = client.finish().at(0);
    EXPECT_EQ(outcome.end, FetchEnd::kAnswered) << outcome.trouble;
    EXPECT_EQ(outcome.certificate_error, "certificate has expired");
    const std::lock_guard lock(mutex);
    EXPECT_EQ(seen.find("Cookie"), seen.npos) << seen;
    EXPECT_EQ(seen.find("Authorization"), seen.npos) << seen;
    EXPECT_EQ(seen.find("X-Key"), seen.npos) << seen;
    EXPECT_NE(seen.find("If-None-Match"), seen.npos) << seen;
  }
  EXPECT_EQ(server.resumed(), 1);
}

TEST(HttpClient, MissingIntermediatesAreTakenFromOtherHosts) {
  const auto incomplete = [](std::string_view host) {
    return host == "incomplete.example" ? CertificateKind::kIncomplete : CertificateKind::kGood;
  };
  for (const TlsChain chain : {TlsChain::kP256, TlsChain::kEcdsa}) {
    const auto tls = std::move(TlsServer::make(incomplete, chain)).value();
    const ConnectionServer server(answer_all, tls.get());
    Client client(server, tls.get());
    EXPECT_EQ(client.fetch("https://incomplete.example/").end, FetchEnd::kTls);
    EXPECT_EQ(client.fetch("https://good.example/").end, FetchEnd::kAnswered);
    EXPECT_EQ(client.fetcher().tls().intermediates(), 1u);
    const FetchOutcome outcome = client.fetch("https://incomplete.example/");
    EXPECT_EQ(outcome.end, FetchEnd::kAnswered) << outcome.trouble;
  }
}

TEST(HttpClient, FilesOfCertificatesMustBeReadable) {
  const ConnectionServer server(answer_all);
  Client client(server);
  client.options.crl = client.folder / "none.pem";
  EXPECT_FALSE(HttpFetcher::make(client.options).ok());
  client.options.crl.clear();
  client.options.certificates = client.folder / "none.pem";
  EXPECT_FALSE(HttpFetcher::make(client.options).ok());
}

// ---- HTTP/2

// Answers each request with the number of its stream.
void answer_http2(Peer& peer, std::atomic<int>* refusals = nullptr) {
  const auto frame = [](int type, int flags, std::uint32_t stream, std::string_view payload) {
    std::string bytes;
    for (const int shift : {16, 8, 0}) bytes += static_cast<char>(payload.size() >> shift);
    bytes += {static_cast<char>(type), static_cast<char>(flags)};
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(stream >> shift);
    return bytes.append(payload);
  };
  peer.send(frame(4, 0, 0, ""));
  std::string& in = peer.buffer();
  bool preface = true;
  do {
    if (preface && in.size() >= 24) {
      in.erase(0, 24);
      preface = false;
    }
    while (!preface && in.size() >= 9) {
      const auto byte = [&in](std::size_t at) { return static_cast<unsigned char>(in[at]); };
      const std::size_t size = 9 + (std::size_t{byte(0)} << 16 | std::size_t{byte(1)} << 8 | byte(2));
      if (in.size() < size) break;
      const bool request = byte(3) == 1;
      const std::uint32_t stream = std::uint32_t{byte(7)} << 8 | byte(8);
      in.erase(0, size);
      if (!request) continue;
      if (refusals != nullptr && refusals->fetch_sub(1) > 0) {
        peer.send(frame(3, 0, stream, std::string_view("\0\0\0\x07", 4)));  // REFUSED_STREAM
      } else {
        peer.send(frame(1, 4, stream, "\x88") + frame(0, 1, stream, std::to_string(stream)));
      }
    }
  } while (peer.more());
}

TEST(HttpClient, RequestsAtTheSameTimeShareAnHttp2Connection) {
  const auto tls = std::move(TlsServer::make()).value();
  const ConnectionServer server([](Peer& peer) { answer_http2(peer); }, tls.get());
  Client client(server, tls.get());
  client.options.http2 = true;
  for (std::uint64_t i = 0; i < 20; ++i) client.start(i, "https://a.example/");
  const std::vector<FetchOutcome> done = client.finish();
  ASSERT_EQ(done.size(), 20u);
  for (const FetchOutcome& outcome : done) {
    EXPECT_EQ(outcome.end, FetchEnd::kAnswered) << outcome.trouble;
    EXPECT_TRUE(outcome.http2);
    EXPECT_EQ(outcome.body, std::to_string(2 * outcome.id + 1));
  }
  EXPECT_EQ(client.fetch("https://a.example/").body, "41");
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpClient, RequestsThatTheServerRefusedAreRepeatedOnce) {
  const auto tls = std::move(TlsServer::make()).value();
  std::atomic<int> refusals = 1;
  const ConnectionServer server([&](Peer& peer) { answer_http2(peer, &refusals); }, tls.get());
  Client client(server, tls.get());
  client.options.http2 = true;
  EXPECT_EQ(client.fetch("https://a.example/").end, FetchEnd::kAnswered);
  refusals = 2;
  EXPECT_EQ(client.fetch("https://a.example/").end, FetchEnd::kBroken);
}

// ---- addresses

TEST(HttpClient, TheNextAddressIsTriedIfOneRefuses) {
  const ConnectionServer server(answer_all);
  Client client(server);
  client.options.connect_to.clear();
  FetchRequest request;
  request.url = fmt::format("http://a.example:{}/", server.port());
  request.addresses = {*NetAddress::parse("127.0.0.7"), *NetAddress::parse("169.254.169.254"),
                       *NetAddress::parse("127.0.0.1")};
  client.fetcher().start(request);
  const std::vector<FetchOutcome> done = client.finish();
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].end, FetchEnd::kAnswered) << done[0].trouble;
  EXPECT_EQ(done[0].address->text(), "127.0.0.1");
}

TEST(HttpClient, AddressFamiliesAlternate) {  // RFC 8305, section 4
  const auto address = [](const char* text) { return *NetAddress::parse(text); };
  const std::vector<NetAddress> mixed = Connector::interlaced(
      {address("2001:db8::1"), address("2001:db8::2"), address("192.0.2.1"), address("192.0.2.2")});
  EXPECT_EQ(mixed, (std::vector<NetAddress>{address("2001:db8::1"), address("192.0.2.1"),
                                            address("2001:db8::2"), address("192.0.2.2")}));
}

}  // namespace
}  // namespace bowerbird
