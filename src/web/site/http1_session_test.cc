#include <gtest/gtest.h>

#include "web/http/http_testing.h"
#include "web/site/session_testing.h"

namespace bowerbird {
namespace {

// A session and its client: collects what was sent, at times set by the test.
class Http1Peer : public SessionSite {
 public:
  explicit Http1Peer(const SiteOptions& options = {}, PageId pages = 20)
      : SessionSite(options, pages), session_(make_http1_session(context(), Peer{7, 4711, false})) {}

  void send(std::string_view bytes) {
    session_->receive(bytes, now);
    receive();
  }
  void get(int page, std::string_view more = "") {
    send(fmt::format("GET /page-{} HTTP/1.1\r\nHost: host-{}.test\r\n{}\r\n", page, page / 10, more));
  }
  // Receives everything that may be sent now.
  void receive() {
    for (int i = 0; i < 1000; ++i) {
      const std::string_view output = session_->output();
      if (output.empty()) return;
      received.append(output);
      session_->sent(output.size(), now);
      session_->proceed(now);
    }
  }
  // Advances time to the session's deadline.
  bool wait() {
    if (session_->deadline_us() == Session::kNever) return false;
    now = std::max(now, session_->deadline_us());
    session_->proceed(now);
    receive();
    return true;
  }
  // The next complete response, removed from the received bytes.
  std::optional<TestResponse> response(bool head = false, bool at_end = false) {
    const auto got = read_response(received, head, at_end);
    if (got) received.erase(0, got->used);
    return got;
  }
  Session& session() { return *session_; }

  std::string received;

 private:
  std::unique_ptr<Session> session_;
};

TEST(Http1Session, AnswersAndKeepsTheConnection) {
  Http1Peer peer;
  for (int page = 0; page < 5; ++page) {
    peer.get(page);
    const auto response = peer.response();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->fields.at("date"), "Sun, 15 Jun 2025 15:06:40 GMT");
    EXPECT_NE(response->body.find("</html>"), std::string::npos);
  }
  EXPECT_TRUE(peer.received.empty());
  EXPECT_EQ(peer.session().ending(), Ending::kKeep);
}

TEST(Http1Session, PipelinedRequestsAreAnsweredInOrder) {
  Http1Peer peer;
  std::string all;
  for (int page = 0; page < 10; ++page)
    all += fmt::format("GET /page-{} HTTP/1.1\r\nHost: host-0.test\r\n\r\n", page);
  peer.send(all);
  for (int page = 0; page < 10; ++page) {
    const auto response = peer.response();
    ASSERT_TRUE(response);
    EXPECT_NE(response->body.find(fmt::format("page-{}\"", page + 1)), std::string::npos);
  }
  EXPECT_EQ(peer.log().size(), 10u);
}

TEST(Http1Session, RequestsMayComeByteByByte) {
  Http1Peer whole, pieces;
  const std::string request =
      "\r\nGET /page-1 HTTP/1.1\r\nHost: host-0.test\r\n\r\nGET /page-2 HTTP/1.1\r\nHost: "
      "host-0.test\r\nConnection: close\r\n\r\n";
  whole.send(request);
  for (const char byte : request) pieces.send({&byte, 1});
  EXPECT_EQ(pieces.received, whole.received);
  EXPECT_EQ(pieces.session().ending(), Ending::kClose);
}

TEST(Http1Session, HeadHasTheLengthButNoBody) {
  Http1Peer peer;
  peer.get(1);
  const std::string length = peer.response()->fields.at("content-length");
  peer.send("HEAD /page-1 HTTP/1.1\r\nHost: host-0.test\r\n\r\n");
  const auto response = peer.response(true);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->fields.at("content-length"), length);
  EXPECT_TRUE(peer.received.empty());
  EXPECT_EQ(peer.log().back().bytes, 0u);
}

TEST(Http1Session, AnHttp10ClientIsAnsweredAndDisconnected) {
  SiteOptions options;
  options.chunked = 1;
  Http1Peer peer(options);
  peer.send("GET /page-1 HTTP/1.0\r\nHost: host-0.test\r\n\r\n");
  const auto response = peer.response(false, true);
  ASSERT_TRUE(response);
  EXPECT_FALSE(response->chunked);
  EXPECT_EQ(response->fields.at("connection"), "close");
  EXPECT_EQ(peer.session().ending(), Ending::kClose);
}

TEST(Http1Session, ChunkedBodiesComeBackWhole) {
  SiteOptions options;
  options.chunked = 1;
  Http1Peer chunked(options), plain;
  chunked.get(3);
  plain.get(3);
  const auto response = chunked.response();
  ASSERT_TRUE(response);
  EXPECT_TRUE(response->chunked);
  EXPECT_EQ(response->body, plain.response()->body);
  EXPECT_FALSE(response->fields.contains("content-length"));
}

// RFC 9112, 2.2 and 9.6: a bad request is answered, and the connection closed.
TEST(Http1Session, ABadRequestEndsTheConnection) {
  Http1Peer peer;
  peer.send("GET / HTTP/1.1\r\n\r\nGET /page-1 HTTP/1.1\r\nHost: host-0.test\r\n\r\n");
  const auto response = peer.response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 400);
  EXPECT_EQ(response->body, "no Host field\n");
  EXPECT_EQ(response->fields.at("connection"), "close");
  EXPECT_TRUE(peer.received.empty());
  EXPECT_EQ(peer.session().ending(), Ending::kClose);
}

TEST(Http1Session, TheBodyOfARequestIsDiscarded) {
  Http1Peer peer;
  peer.send("GET /page-1 HTTP/1.1\r\nHost: host-0.test\r\nContent-Length: 5\r\n\r\nhel");
  peer.send("loGET /page-2 HTTP/1.1\r\nHost: host-0.test\r\n\r\n");
  EXPECT_EQ(peer.response()->status, 200);
  EXPECT_EQ(peer.response()->status, 200);
  peer.send(
      "POST /page-1 HTTP/1.1\r\nHost: host-0.test\r\nTransfer-Encoding: "
      "chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
  EXPECT_EQ(peer.response()->status, 405);
  EXPECT_EQ(peer.session().ending(), Ending::kClose);
}

TEST(Http1Session, ResponsesAreDelayedByExactlyTheLatency) {
  SiteOptions options;
  options.latency_ms = 100;
  Http1Peer peer(options);
  peer.get(1);
  EXPECT_TRUE(peer.received.empty());
  const std::int64_t start = peer.now;
  ASSERT_TRUE(peer.wait());
  EXPECT_TRUE(peer.response());
  EXPECT_GE(peer.now - start, 25'000);
  EXPECT_LE(peer.now - start, 400'000);
  EXPECT_FALSE(peer.wait());
  const std::vector<AccessEntry> log = peer.log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0].start_us, start);
  EXPECT_EQ(log[0].end_us, peer.now);
}

TEST(Http1Session, ASlowHostSendsAtItsBandwidth) {
  SiteOptions options;
  options.bytes_per_second = 4000;
  Http1Peer peer(options);
  peer.get(1);
  peer.get(2);  // waits for its turn
  const std::int64_t start = peer.now;
  std::size_t most = 0;
  std::size_t bytes = 0;
  std::optional<TestResponse> first;
  for (int i = 0; i < 10'000 && !first; ++i) {
    const std::size_t before = peer.received.size();
    ASSERT_TRUE(peer.wait());
    most = std::max(most, peer.received.size() - before);
    bytes = peer.received.size();
    first = peer.response();
  }
  ASSERT_TRUE(first);
  const double seconds = static_cast<double>(peer.now - start) * 1e-6;
  const double rate = static_cast<double>(bytes) / seconds;
  EXPECT_GT(rate, 900);
  EXPECT_LT(rate, 17'000);
  EXPECT_LT(most, 1000u);
  while (peer.wait()) {
  }
  EXPECT_TRUE(peer.response());
}

TEST(Http1Session, TruncatedEndsInTheMiddle) {
  Http1Peer peer(with_fault("truncated"));
  peer.get(1);
  EXPECT_FALSE(read_response(peer.received));
  const std::size_t head = peer.received.find("\r\n\r\n") + 4;
  EXPECT_GT(peer.received.size(), head);
  EXPECT_EQ(peer.session().ending(), Ending::kClose);
  const AccessEntry entry = peer.log().at(0);
  EXPECT_EQ(entry.fault, "truncated");
  EXPECT_EQ(entry.bytes, peer.received.size() - head);
}

TEST(Http1Session, TruncatedChunksHaveNoEndEither) {
  SiteOptions options = with_fault("truncated");
  options.chunked = 1;
  Http1Peer peer(options);
  peer.get(1);
  EXPECT_NE(peer.received.find("chunked"), std::string::npos);
  EXPECT_FALSE(read_response(peer.received));
}

TEST(Http1Session, OverlongSendsMoreThanItsContentLength) {
  Http1Peer peer(with_fault("overlong"));
  peer.get(1);
  ASSERT_TRUE(peer.response());
  EXPECT_FALSE(peer.received.empty());
  EXPECT_EQ(peer.session().ending(), Ending::kClose);
}

TEST(Http1Session, ResetsAndSilences) {
  Http1Peer reset(with_fault("reset"));
  reset.get(1);
  EXPECT_FALSE(reset.received.empty());
  EXPECT_EQ(reset.session().ending(), Ending::kReset);
  Http1Peer dropped(with_fault("dropped"));
  dropped.get(1);
  EXPECT_TRUE(dropped.received.empty());
  EXPECT_EQ(dropped.session().ending(), Ending::kReset);
  EXPECT_EQ(dropped.log().at(0).status, 0);
  Http1Peer empty(with_fault("empty"));
  empty.get(1);
  EXPECT_TRUE(empty.received.empty());
  EXPECT_EQ(empty.session().ending(), Ending::kClose);
}

TEST(Http1Session, StallsStayOpenWithoutSending) {
  Http1Peer stall(with_fault("stall"));
  stall.get(1);
  stall.get(2);
  EXPECT_TRUE(stall.received.empty());
  EXPECT_EQ(stall.session().ending(), Ending::kKeep);
  EXPECT_EQ(stall.session().deadline_us(), Session::kNever);
  Http1Peer hang(with_fault("hang"));
  hang.get(1);
  EXPECT_FALSE(hang.received.empty());
  EXPECT_FALSE(hang.response());
  EXPECT_EQ(hang.session().ending(), Ending::kKeep);
}

TEST(Http1Session, ADripTakesForEver) {
  SiteOptions options = with_fault("drip");
  options.drip_bytes_per_second = 10;
  Http1Peer peer(options);
  peer.get(1);
  for (int i = 0; i < 20; ++i) {
    const std::size_t before = peer.received.size();
    const std::int64_t then = peer.now;
    ASSERT_TRUE(peer.wait());
    EXPECT_LE(peer.received.size() - before, 2u);
    EXPECT_LE(peer.now - then, 200'001);
  }
}

TEST(Http1Session, GarbageIsNotHttp) {
  Http1Peer peer(with_fault("garbage"));
  peer.get(1);
  EXPECT_EQ(peer.received.size(), 256u);
  EXPECT_FALSE(peer.received.starts_with("HTTP"));
  EXPECT_EQ(peer.session().ending(), Ending::kClose);
}

TEST(Http1Session, ABadChunkHasAnInvalidSize) {
  Http1Peer peer(with_fault("bad-chunk"));
  peer.get(1);
  EXPECT_NE(peer.received.find("transfer-encoding: chunked"), std::string::npos);
  EXPECT_FALSE(peer.response());
  EXPECT_TRUE(peer.received.ends_with("xyz\r\n\r\n"));
}

TEST(Http1Session, WithoutALengthTheConnectionEndsTheBody) {
  Http1Peer peer(with_fault("no-length")), good;
  peer.get(1);
  good.get(1);
  EXPECT_FALSE(peer.response());
  const auto response = peer.response(false, true);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, good.response()->body);
  EXPECT_EQ(peer.session().ending(), Ending::kClose);
}

TEST(Http1Session, AnEndlessBodyIsRepeated) {
  Http1Peer peer(with_fault("endless"));
  peer.session().receive("GET /page-1 HTTP/1.1\r\nHost: host-0.test\r\n\r\n", peer.now);
  std::size_t total = 0;
  while (total < 1'000'000) {
    const std::size_t n = peer.session().output().size();
    ASSERT_GT(n, 0u);
    total += n;
    peer.session().sent(n, peer.now);
  }
  EXPECT_EQ(peer.session().ending(), Ending::kKeep);
}

TEST(Http1Session, AHugeHeadExceedsTheUsualLimits) {
  Http1Peer peer(with_fault("huge-head"));
  peer.get(1);
  EXPECT_GT(peer.received.find("\r\n\r\n"), 500'000u);
  EXPECT_TRUE(peer.response());
}

TEST(Http1Session, BinaryAndBadCodingHaveTheRightFrame) {
  Http1Peer binary(with_fault("binary"));
  binary.get(1);
  const auto response = binary.response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body.find("</html>"), std::string::npos);
  Http1Peer coding(with_fault("bad-coding"));
  coding.get(1);
  EXPECT_EQ(coding.response()->fields.at("content-encoding"), "gzip");
}

TEST(Http1Session, AClientThatDisconnectsIsLoggedWithTheBytesSent) {
  SiteOptions options;
  options.bytes_per_second = 1000;
  Http1Peer peer(options);
  peer.get(1);
  for (int i = 0; i < 60; ++i) peer.wait();
  const std::size_t head = peer.received.find("\r\n\r\n") + 4;
  ASSERT_GT(peer.received.size(), head);
  peer.session().gone(peer.now);
  const std::vector<AccessEntry> log = peer.log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0].bytes, peer.received.size() - head);
  EXPECT_EQ(log[0].status, 200);
}

TEST(Http1Session, TheLogHasEveryRequest) {
  Http1Peer peer;
  peer.get(12);
  peer.send("GET http://host-0.test/robots.txt HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::vector<AccessEntry> log = peer.log();
  ASSERT_EQ(log.size(), 2u);
  EXPECT_EQ(log[0].connection, 7u);
  EXPECT_EQ(log[0].port, 4711);
  EXPECT_EQ(log[0].protocol, "h1");
  EXPECT_EQ(log[0].method, "GET");
  EXPECT_EQ(log[0].host, "host-1.test");
  EXPECT_EQ(log[0].target, "/page-12");
  EXPECT_EQ(log[0].page, 12u);
  EXPECT_EQ(log[0].bytes, peer.response()->body.size());
  EXPECT_EQ(log[1].host, "host-0.test");
  EXPECT_EQ(log[1].page, kNoPage);
}

TEST(Http1Session, ManyPipelinedRequestsAreHandledInPortions) {
  Http1Peer peer;
  std::string all;
  for (int i = 0; i < 5000; ++i) all += "GET /page-1 HTTP/1.1\r\nHost: host-0.test\r\n\r\n";
  peer.session().receive(all, peer.now);
  EXPECT_LT(peer.session().output().size(), 300'000u);
  EXPECT_FALSE(peer.session().wants_input());
  peer.receive();
  EXPECT_EQ(peer.log().size(), 5000u);
  EXPECT_TRUE(peer.session().wants_input());
}

}  // namespace
}  // namespace bowerbird
