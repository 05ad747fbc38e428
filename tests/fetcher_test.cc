#include "fetch/network_fetcher.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <latch>
#include <thread>

#include "fetch/coding.h"
#include "parse/http_head.h"
#include "web/site/site_service.h"
#include "web/site/web_testing.h"

namespace bowerbird {
namespace {

// A small Web on loopback, and a fetcher that resolves all hosts to it.
class Bench {
 public:
  explicit Bench(const SiteOptions& site_options = {}, bool tls = false) : web(make_ring(40)) {
    SiteOptions with = site_options;
    with.https = tls;
    site = make_site(web, with);
    ServerOptions server_options;
    server_options.port = 0;
    server_options.addresses = {"127.0.0.1"};
    server_options.tls = tls;
    server = std::move(serve_site(*site, server_options)).value();
    options.user_agent = "Bowerbird/test (+https://bowerbird.example)";
    options.connect_to = server->addresses().front();
    options.filter = std::move(NetFilter::parse(std::vector<std::string>{"127.0.0.0/8"})).value();
    options.timeout_s = 5;
    options.connect_timeout_s = 5;
    options.threads = threads;
  }

  Fetcher& fetcher() {
    if (!made) made = std::move(make_fetcher(options)).value();
    return *made;
  }
  FetchOutcome fetch(FetchRequest request) {
    fetcher().start(std::move(request));
    std::vector<FetchOutcome> done;
    while (done.empty()) fetcher().poll(done, 1000);
    EXPECT_EQ(done.size(), 1u);
    EXPECT_EQ(fetcher().active(), 0u);
    return std::move(done.front());
  }
  FetchOutcome fetch(std::string url) {
    FetchRequest request;
    request.url = std::move(url);
    return fetch(std::move(request));
  }
  std::string page_url(PageId page) const {
    PageUrl url;
    site->addresses().url_of(page, url);
    return std::string(url.text);
  }

  Web web;
  std::unique_ptr<Site> site;
  std::unique_ptr<Server> server;
  FetcherOptions options;
  std::unique_ptr<Fetcher> made;
  inline static unsigned threads = 0;
};

// Each test runs without threads, and with some. Without a prefix, ./test finds them by their name.
class NetworkFetcher : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override { Bench::threads = GetParam(); }
  void TearDown() override { Bench::threads = 0; }
};
INSTANTIATE_TEST_SUITE_P(, NetworkFetcher, testing::Values(0u, 3u));

SiteOptions all_pages(Fault fault) {
  SiteOptions options;
  options.page_faults = {{fault, 1.0, 0}};
  return options;
}

TEST_P(NetworkFetcher, ReturnsThePageWithHeaderAndAddress) {
  Bench bench;
  const FetchOutcome outcome = bench.fetch(bench.page_url(3));
  EXPECT_EQ(outcome.end, FetchEnd::kAnswered) << outcome.trouble;
  EXPECT_EQ(outcome.status, 200);
  EXPECT_TRUE(outcome.head.starts_with("HTTP/1.1 200")) << outcome.head;
  EXPECT_TRUE(outcome.head.ends_with("\r\n\r\n"));
  EXPECT_EQ(outcome.address->text(), "127.0.0.1");
  EXPECT_EQ(hrefs(outcome.body).size(), 3u);
  EXPECT_EQ(head_field(outcome.head, "CONTENT-length"), std::to_string(outcome.body.size()));
  EXPECT_LE(outcome.started_us, outcome.first_byte_us);
  EXPECT_LE(outcome.first_byte_us, outcome.ended_us);
}

TEST_P(NetworkFetcher, KeepsItsConnections) {
  Bench bench;
  for (PageId page = 0; page < 8; ++page) EXPECT_EQ(bench.fetch(bench.page_url(page)).status, 200);
  EXPECT_EQ(bench.server->connections(), 1u);
}

TEST_P(NetworkFetcher, MakesANewConnectionIfRequested) {
  Bench bench;
  bench.fetch(bench.page_url(0));
  FetchRequest request;
  request.url = bench.page_url(1);
  request.new_connection = true;
  EXPECT_EQ(bench.fetch(request).status, 200);
  EXPECT_EQ(bench.server->connections(), 2u);
  EXPECT_EQ(bench.fetch(bench.page_url(2)).status, 200);
  EXPECT_EQ(bench.server->connections(), 2u);
}

TEST_P(NetworkFetcher, FetchesManyAtOnceWithOneOutcomeEach) {
  Bench bench;
  std::set<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < 300; ++i) {
    FetchRequest request;
    request.id = i;
    request.url = bench.page_url(static_cast<PageId>(i % 40));
    bench.fetcher().start(std::move(request));
  }
  std::vector<FetchOutcome> done;
  while (bench.fetcher().active() > 0) bench.fetcher().poll(done, 1000);
  for (const FetchOutcome& outcome : done) {
    EXPECT_EQ(outcome.status, 200) << outcome.trouble;
    ids.insert(outcome.id);
  }
  EXPECT_EQ(done.size(), 300u);
  EXPECT_EQ(ids.size(), 300u);
}

TEST_P(NetworkFetcher, ARedirectIsAnOutcome) {
  Bench bench(all_pages(Fault::kMoved));
  const FetchOutcome outcome = bench.fetch(bench.page_url(3));
  EXPECT_EQ(outcome.end, FetchEnd::kAnswered);
  EXPECT_EQ(outcome.status / 100, 3);
  EXPECT_NE(head_field(outcome.head, "location"), "");
}

struct FaultCase {
  Fault fault;
  FetchEnd end;
  int status;
};
class Faults : public testing::TestWithParam<FaultCase> {};

TEST_P(Faults, EndInTime) {
  Bench bench(all_pages(GetParam().fault));
  bench.options.timeout_s = 0.3;
  bench.options.max_body = 1 << 20;
  const FetchOutcome outcome = bench.fetch(bench.page_url(7));
  EXPECT_EQ(outcome.end, GetParam().end) << fetch_end_name(outcome.end) << ": " << outcome.trouble;
  EXPECT_EQ(outcome.status, GetParam().status);
  EXPECT_EQ(outcome.trouble.empty(), outcome.end == FetchEnd::kAnswered);
}

INSTANTIATE_TEST_SUITE_P(OfTheWeb, Faults,
                         testing::Values(FaultCase{Fault::kNotFound, FetchEnd::kAnswered, 404},
                                         FaultCase{Fault::kUnavailable, FetchEnd::kAnswered, 503},
                                         FaultCase{Fault::kTruncated, FetchEnd::kCutShort, 200},
                                         FaultCase{Fault::kReset, FetchEnd::kBroken, 200},
                                         FaultCase{Fault::kDropped, FetchEnd::kBroken, 0},
                                         FaultCase{Fault::kEmpty, FetchEnd::kBroken, 0},
                                         FaultCase{Fault::kStall, FetchEnd::kTimedOut, 0},
                                         FaultCase{Fault::kHang, FetchEnd::kTimedOut, 200},
                                         FaultCase{Fault::kDrip, FetchEnd::kTimedOut, 200},
                                         FaultCase{Fault::kGarbage, FetchEnd::kMalformed, 0},
                                         FaultCase{Fault::kBadChunk, FetchEnd::kBroken, 200},
                                         FaultCase{Fault::kHugeHead, FetchEnd::kHeadTooLarge, 200},
                                         FaultCase{Fault::kNoLength, FetchEnd::kAnswered, 200}),
                         [](const auto& one) {
                           std::string name(fault_name(one.param.fault));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(NetworkFetcher, AnEndlessBodyIsTruncatedAtTheLimit) {
  Bench bench(all_pages(Fault::kEndless));
  bench.options.max_body = 100'000;
  const FetchOutcome outcome = bench.fetch(bench.page_url(1));
  EXPECT_EQ(outcome.end, FetchEnd::kAnswered);
  EXPECT_TRUE(outcome.truncated);
  EXPECT_EQ(outcome.body.size(), 100'000u);
}

// Sends half of its response to this many clients, and the rest on request.
class HalfServer {
 public:
  static constexpr std::uint64_t kHalf = 100'000;

  explicit HalfServer(int clients) : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof any;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&any), size), 0);
    EXPECT_EQ(::listen(listener_, clients), 0);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&any), &size), 0);
    port_ = ntohs(any.sin_port);
    thread_ = std::thread([this, clients] { serve(clients); });
  }
  ~HalfServer() {
    send_rest();
    thread_.join();
    ::close(listener_);
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  void send_rest() {
    if (!std::exchange(told_, true)) rest_.count_down();
  }

 private:
  void serve(int clients) {
    const std::string head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + std::to_string(2 * kHalf) +
        "\r\n\r\n";
    const std::string half(kHalf, 'x');
    std::vector<int> sockets;
    for (int i = 0; i < clients; ++i) {
      sockets.push_back(::accept(listener_, nullptr, nullptr));
      char request[4096];
      EXPECT_GT(::recv(sockets.back(), request, sizeof request, 0), 0);
      send_all(sockets.back(), head + half);
    }
    rest_.wait();
    for (const int socket : sockets) {
      send_all(socket, half);
      ::close(socket);
    }
  }
  static void send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  int listener_;
  std::uint16_t port_ = 0;
  bool told_ = false;
  std::latch rest_{1};
  std::thread thread_;
};

TEST_P(NetworkFetcher, BodiesStayWithinTheirMemoryAndAreAllComplete) {
  constexpr std::uint64_t kLimit = 250'000, kBody = 2 * HalfServer::kHalf;
  constexpr int kBodies = 8;
  for (const bool limited : {false, true}) {
    HalfServer server(kBodies);
    Bench bench;
    bench.options.connect_to = server.address();
    if (limited) bench.fetcher().limit_bodies(kLimit, true);
    for (int i = 0; i < kBodies; ++i) {
      FetchRequest request;
      request.url = "http://" + std::to_string(i) + ".example/";
      bench.fetcher().start(std::move(request));
    }
    std::vector<FetchOutcome> done;
    if (limited) {
      server.send_rest();
    } else {
      while (bench.fetcher().body_bytes() < kBodies * HalfServer::kHalf) bench.fetcher().poll(done, 10);
      server.send_rest();
    }
    std::uint64_t most = 0;
    while (bench.fetcher().active() > 0) {
      bench.fetcher().poll(done, 1000);
      most = std::max(most, bench.fetcher().body_bytes());
    }
    if (limited) {
      EXPECT_LE(most, kLimit + kBody);
    }
    EXPECT_EQ(bench.fetcher().body_bytes(), 0u);
    ASSERT_EQ(done.size(), std::size_t{kBodies});
    for (const FetchOutcome& outcome : done) EXPECT_EQ(outcome.body.size(), kBody) << outcome.trouble;
  }
}

TEST_P(NetworkFetcher, BodiesOfUnwantedTypesAreNotReceived) {
  Bench bench;
  bench.options.wants_body = [](int, std::string_view head) {
    return content_type_of(head).type != "text/html";
  };
  FetchOutcome outcome = bench.fetch(bench.page_url(1));
  EXPECT_EQ(outcome.end, FetchEnd::kAnswered);
  EXPECT_TRUE(outcome.unwanted);
  EXPECT_EQ(outcome.body, "");
  FetchRequest request;
  request.url = bench.page_url(1);
  request.any_type = true;
  outcome = bench.fetch(std::move(request));
  EXPECT_FALSE(outcome.unwanted);
  EXPECT_NE(outcome.body, "");
}

TEST_P(NetworkFetcher, BodiesKeepTheirCoding) {
  SiteOptions options;
  options.codings = accepted_codings("gzip");
  Bench bench(options);
  const FetchOutcome outcome = bench.fetch(bench.page_url(3));
  EXPECT_EQ(head_field(outcome.head, "content-encoding"), "gzip");
  std::string text;
  EXPECT_EQ(decode_body("gzip", outcome.body, {}, text), CodingResult::kWhole);
  EXPECT_EQ(hrefs(text).size(), 3u);
}

TEST_P(NetworkFetcher, DoesNotConnectToPrivateNetworks) {
  Bench bench;
  const std::string address = bench.server->addresses().front();
  bench.options.filter = {};
  EXPECT_EQ(bench.fetch(bench.page_url(1)).end, FetchEnd::kRefused);
  bench.made.reset();
  bench.options.connect_to.clear();
  for (const std::string& url :
       {"http://" + address + "/", "http://0x7f.1:" + address.substr(10) + "/",
        std::string("http://169.254.169.254/latest/meta-data/"), std::string("http://[::ffff:127.0.0.1]/"),
        "http://localhost:" + address.substr(10) + "/"}) {
    const FetchOutcome outcome = bench.fetch(url);
    EXPECT_EQ(outcome.end, FetchEnd::kRefused) << url << ": " << outcome.trouble;
    EXPECT_NE(outcome.trouble.find("--allow-net"), std::string::npos) << outcome.trouble;
  }
  EXPECT_EQ(bench.server->connections(), 0u);
}

// Nothing listens on the port of the proxy: only requests that are not refused get that far.
TEST_P(NetworkFetcher, AddressesAreRefusedThroughAProxyToo) {
  Bench bench;
  bench.options.connect_to.clear();
  bench.options.filter = NetFilter();
  bench.options.proxy = "http://127.0.0.1:1";
  for (const char* url : {"http://169.254.169.254/latest/meta-data/", "http://127.0.0.1/", "https://[::1]/",
                          "http://localhost/"}) {
    const FetchOutcome outcome = bench.fetch(std::string(url));
    EXPECT_EQ(outcome.end, FetchEnd::kRefused) << url;
    EXPECT_NE(outcome.trouble.find("--allow-net"), std::string::npos) << outcome.trouble;
    FetchRequest address_only;
    address_only.url = url;
    address_only.resolve_only = true;
    EXPECT_EQ(bench.fetch(address_only).end, FetchEnd::kRefused) << url;
  }
  EXPECT_EQ(bench.fetch(std::string("http://name.example/")).end, FetchEnd::kNoConnection);
}

TEST_P(NetworkFetcher, ARefusedConnectionIsAnOutcome) {
  Bench bench;
  bench.server->stop();
  EXPECT_EQ(bench.fetch(bench.page_url(1)).end, FetchEnd::kNoConnection);
}

TEST_P(NetworkFetcher, ResolvesWithoutARequest) {
  Bench bench;
  FetchRequest request;
  request.url = "http://[2001:db8::7]/";
  request.resolve_only = true;
  bench.options.connect_to.clear();
  const FetchOutcome outcome = bench.fetch(std::move(request));
  EXPECT_EQ(outcome.end, FetchEnd::kResolved);
  EXPECT_EQ(outcome.address->text(), "2001:db8::7");
}

TEST_P(NetworkFetcher, CancelledFetchesHaveNoOutcome) {
  Bench bench(all_pages(Fault::kHang));
  FetchRequest request;
  request.url = bench.page_url(1);
  bench.fetcher().start(request);
  std::vector<FetchOutcome> done;
  bench.fetcher().poll(done, 0);
  bench.fetcher().cancel_all();
  EXPECT_EQ(bench.fetcher().active(), 0u);
  bench.fetcher().poll(done, 0);
  EXPECT_TRUE(done.empty());
}

TEST_P(NetworkFetcher, AWakeEndsTheWait) {
  Bench bench;
  bench.fetcher().wake();
  std::vector<FetchOutcome> done;
  bench.fetcher().poll(done, 60'000);
  EXPECT_TRUE(done.empty());
}

TEST_P(NetworkFetcher, AdditionalFieldsAreSentWithOneRequestOnly) {
  Bench bench;
  FetchRequest request;
  request.url = bench.page_url(1);
  const std::string etag(head_field(bench.fetch(request).head, "etag"));
  ASSERT_NE(etag, "");
  FetchRequest again = request;
  again.fields = "If-None-Match: " + etag + "\r\n";
  EXPECT_EQ(bench.fetch(again).status, 304);
  EXPECT_EQ(bench.fetch(request).status, 200);
  EXPECT_NE(bench.fetcher().request_text(again).find("If-None-Match: " + etag + "\r\n\r\n"),
            std::string::npos);
}

TEST_P(NetworkFetcher, FieldsOfARequestReplaceTheDefaultOnes) {
  Bench bench;
  FetchRequest request;
  request.url = bench.page_url(1);
  request.fields = "accept-encoding: identity\r\n";
  const std::string text = bench.fetcher().request_text(request);
  EXPECT_EQ(text.find("Accept-Encoding: "), std::string::npos) << text;
  EXPECT_NE(text.find("accept-encoding: identity\r\n"), std::string::npos);
  EXPECT_EQ(head_field(bench.fetch(request).head, "content-encoding"), "");
}

// ---- TLS

class TlsBench : public Bench {
 public:
  explicit TlsBench(const SiteOptions& site_options = {}) : Bench(site_options, true) {
    path = std::filesystem::temp_directory_path() /
           fmt::format("bowerbird-fetch-{}-{}.pem", ::getpid(), static_cast<const void*>(this));
    std::ofstream(path) << server->authority_pem();
    options.certificates = path;
  }
  ~TlsBench() { std::filesystem::remove(path); }
  std::string secure_url(PageId page) const {
    std::string url = page_url(page);
    if (url.starts_with("http:")) url.insert(4, "s");
    return url;
  }
  std::filesystem::path path;
};

TEST_P(NetworkFetcher, SpeaksHttp2UnderTls) {
  TlsBench bench;
  const FetchOutcome outcome = bench.fetch(bench.secure_url(2));
  EXPECT_EQ(outcome.end, FetchEnd::kAnswered) << outcome.trouble;
  EXPECT_TRUE(outcome.http2);
  EXPECT_TRUE(outcome.head.starts_with("HTTP/1.1 200")) << outcome.head;
}

TEST_P(NetworkFetcher, RejectsUnknownAuthorities) {
  TlsBench bench;
  bench.options.certificates.clear();
  EXPECT_EQ(bench.fetch(bench.secure_url(2)).end, FetchEnd::kTls);
}

TEST_P(NetworkFetcher, ACertificateMustMatchHostAndTime) {
  SiteOptions options;
  options.bad_certificates = 1;
  TlsBench bench(options);
  EXPECT_EQ(bench.fetch(bench.secure_url(2)).end, FetchEnd::kTls);
}

}  // namespace
}  // namespace bowerbird
