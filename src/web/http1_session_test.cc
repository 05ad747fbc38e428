#include <gtest/gtest.h>

#include "web/http/http_testing.h"
#include "web/http/session.h"
#include "web/site_service.h"
#include "web/web_testing.h"

namespace bowerbird {
namespace {

// A session and its client: collects what was sent, at times set by the test.
class Talk {
 public:
  explicit Talk(const SiteOptions& options = {}, PageId pages = 20)
      : web_(make_ring(pages)),
        site_(make_site(web_, options)),
        sink_([this](std::string_view lines) { log_text_ += lines; }),
        handler_(service_.make_handler()),
        context_(*handler_, "bowerbird-web", clock_, &sink_),
        session_(make_http1_session(context_, Peer{7, 4711, false})) {}

  void say(std::string_view bytes) {
    session_->receive(bytes, now);
    hear();
  }
  void get(int page, std::string_view more = "") {
    say(fmt::format("GET /page-{} HTTP/1.1\r\nHost: host-{}.test\r\n{}\r\n", page, page / 10, more));
  }
  // Receives everything that may be sent now.
  void hear() {
    for (int i = 0; i < 1000; ++i) {
      const std::string_view output = session_->output();
      if (output.empty()) return;
      heard.append(output);
      session_->sent(output.size(), now);
      session_->proceed(now);
    }
  }
  // Advances time to the session's deadline.
  bool wait() {
    if (session_->deadline_us() == Session::kNever) return false;
    now = std::max(now, session_->deadline_us());
    session_->proceed(now);
    hear();
    return true;
  }
  // The next complete response, removed from the received bytes.
  std::optional<TestResponse> response(bool head = false, bool at_end = false) {
    const auto got = read_response(heard, head, at_end);
    if (got) heard.erase(0, got->used);
    return got;
  }
  std::vector<AccessEntry> log() {
    context_.log.flush();
    std::vector<AccessEntry> entries;
    std::string_view rest = log_text_;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      entries.push_back(std::move(parse_access_line(line)).value());
      rest.remove_prefix(line.size() + 1);
    }
    return entries;
  }
  Session& session() { return *session_; }

  std::int64_t now = 1'000'000;
  std::string heard;

 private:
  Web web_;
  std::unique_ptr<Site> site_;
  SiteService service_{*site_};
  ManualClock clock_{1'750'000'000'000'000};
  std::string log_text_;
  AccessSink sink_;
  std::unique_ptr<HttpHandler> handler_;
  ServeContext context_;
  std::unique_ptr<Session> session_;
};

TEST(Http1Session, AnswersAndKeepsTheConnection) {
  Talk talk;
  for (int page = 0; page < 5; ++page) {
    talk.get(page);
    const auto response = talk.response();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->fields.at("date"), "Sun, 15 Jun 2025 15:06:40 GMT");
    EXPECT_NE(response->body.find("</html>"), std::string::npos);
  }
  EXPECT_TRUE(talk.heard.empty());
  EXPECT_EQ(talk.session().ending(), Ending::kKeep);
}

TEST(Http1Session, PipelinedRequestsAreAnsweredInOrder) {
  Talk talk;
  std::string all;
  for (int page = 0; page < 10; ++page)
    all += fmt::format("GET /page-{} HTTP/1.1\r\nHost: host-0.test\r\n\r\n", page);
  talk.say(all);
  for (int page = 0; page < 10; ++page) {
    const auto response = talk.response();
    ASSERT_TRUE(response);
    EXPECT_NE(response->body.find(fmt::format("page-{}\"", page + 1)), std::string::npos);
  }
  EXPECT_EQ(talk.log().size(), 10u);
}

TEST(Http1Session, RequestsMayComeByteByByte) {
  Talk whole, pieces;
  const std::string request =
      "\r\nGET /page-1 HTTP/1.1\r\nHost: host-0.test\r\n\r\nGET /page-2 HTTP/1.1\r\nHost: "
      "host-0.test\r\nConnection: close\r\n\r\n";
  whole.say(request);
  for (const char byte : request) pieces.say({&byte, 1});
  EXPECT_EQ(pieces.heard, whole.heard);
  EXPECT_EQ(pieces.session().ending(), Ending::kClose);
}

TEST(Http1Session, HeadHasTheLengthButNoBody) {
  Talk talk;
  talk.get(1);
  const std::string length = talk.response()->fields.at("content-length");
  talk.say("HEAD /page-1 HTTP/1.1\r\nHost: host-0.test\r\n\r\n");
  const auto response = talk.response(true);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->fields.at("content-length"), length);
  EXPECT_TRUE(talk.heard.empty());
  EXPECT_EQ(talk.log().back().bytes, 0u);
}

TEST(Http1Session, AnHttp10ClientIsAnsweredAndDisconnected) {
  SiteOptions options;
  options.chunked = 1;
  Talk talk(options);
  talk.say("GET /page-1 HTTP/1.0\r\nHost: host-0.test\r\n\r\n");
  const auto response = talk.response(false, true);
  ASSERT_TRUE(response);
  EXPECT_FALSE(response->chunked);
  EXPECT_EQ(response->fields.at("connection"), "close");
  EXPECT_EQ(talk.session().ending(), Ending::kClose);
}

TEST(Http1Session, ChunkedBodiesComeBackWhole) {
  SiteOptions options;
  options.chunked = 1;
  Talk chunked(options), plain;
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
  Talk talk;
  talk.say("GET / HTTP/1.1\r\n\r\nGET /page-1 HTTP/1.1\r\nHost: host-0.test\r\n\r\n");
  const auto response = talk.response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 400);
  EXPECT_EQ(response->body, "no Host field\n");
  EXPECT_EQ(response->fields.at("connection"), "close");
  EXPECT_TRUE(talk.heard.empty());
  EXPECT_EQ(talk.session().ending(), Ending::kClose);
}

TEST(Http1Session, TheBodyOfARequestIsDiscarded) {
  Talk talk;
  talk.say("GET /page-1 HTTP/1.1\r\nHost: host-0.test\r\nContent-Length: 5\r\n\r\nhel");
  talk.say("loGET /page-2 HTTP/1.1\r\nHost: host-0.test\r\n\r\n");
  EXPECT_EQ(talk.response()->status, 200);
  EXPECT_EQ(talk.response()->status, 200);
  talk.say(
      "POST /page-1 HTTP/1.1\r\nHost: host-0.test\r\nTransfer-Encoding: "
      "chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
  EXPECT_EQ(talk.response()->status, 405);
  EXPECT_EQ(talk.session().ending(), Ending::kClose);
}

TEST(Http1Session, ResponsesAreDelayedByExactlyTheLatency) {
  SiteOptions options;
  options.latency_ms = 100;
  Talk talk(options);
  talk.get(1);
  EXPECT_TRUE(talk.heard.empty());
  const std::int64_t start = talk.now;
  ASSERT_TRUE(talk.wait());
  EXPECT_TRUE(talk.response());
  EXPECT_GE(talk.now - start, 25'000);
  EXPECT_LE(talk.now - start, 400'000);
  EXPECT_FALSE(talk.wait());
  const std::vector<AccessEntry> log = talk.log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0].start_us, start);
  EXPECT_EQ(log[0].end_us, talk.now);
}

TEST(Http1Session, ASlowHostSendsAtItsBandwidth) {
  SiteOptions options;
  options.bytes_per_second = 4000;
  Talk talk(options);
  talk.get(1);
  talk.get(2);  // waits for its turn
  const std::int64_t start = talk.now;
  std::size_t most = 0;
  std::size_t bytes = 0;
  std::optional<TestResponse> first;
  for (int i = 0; i < 10'000 && !first; ++i) {
    const std::size_t before = talk.heard.size();
    ASSERT_TRUE(talk.wait());
    most = std::max(most, talk.heard.size() - before);
    bytes = talk.heard.size();
    first = talk.response();
  }
  ASSERT_TRUE(first);
  const double seconds = static_cast<double>(talk.now - start) * 1e-6;
  const double rate = static_cast<double>(bytes) / seconds;
  EXPECT_GT(rate, 900);
  EXPECT_LT(rate, 17'000);
  EXPECT_LT(most, 1000u);
  while (talk.wait()) {
  }
  EXPECT_TRUE(talk.response());
}

TEST(Http1Session, TruncatedEndsInTheMiddle) {
  Talk talk(with_fault("truncated"));
  talk.get(1);
  EXPECT_FALSE(read_response(talk.heard));
  const std::size_t head = talk.heard.find("\r\n\r\n") + 4;
  EXPECT_GT(talk.heard.size(), head);
  EXPECT_EQ(talk.session().ending(), Ending::kClose);
  const AccessEntry entry = talk.log().at(0);
  EXPECT_EQ(entry.fault, "truncated");
  EXPECT_EQ(entry.bytes, talk.heard.size() - head);
}

TEST(Http1Session, TruncatedChunksHaveNoEndEither) {
  SiteOptions options = with_fault("truncated");
  options.chunked = 1;
  Talk talk(options);
  talk.get(1);
  EXPECT_NE(talk.heard.find("chunked"), std::string::npos);
  EXPECT_FALSE(read_response(talk.heard));
}

TEST(Http1Session, OverlongSendsMoreThanItsContentLength) {
  Talk talk(with_fault("overlong"));
  talk.get(1);
  ASSERT_TRUE(talk.response());
  EXPECT_FALSE(talk.heard.empty());
  EXPECT_EQ(talk.session().ending(), Ending::kClose);
}

TEST(Http1Session, ResetsAndSilences) {
  Talk reset(with_fault("reset"));
  reset.get(1);
  EXPECT_FALSE(reset.heard.empty());
  EXPECT_EQ(reset.session().ending(), Ending::kReset);
  Talk dropped(with_fault("dropped"));
  dropped.get(1);
  EXPECT_TRUE(dropped.heard.empty());
  EXPECT_EQ(dropped.session().ending(), Ending::kReset);
  EXPECT_EQ(dropped.log().at(0).status, 0);
  Talk empty(with_fault("empty"));
  empty.get(1);
  EXPECT_TRUE(empty.heard.empty());
  EXPECT_EQ(empty.session().ending(), Ending::kClose);
}

TEST(Http1Session, StallsStayOpenWithoutSending) {
  Talk stall(with_fault("stall"));
  stall.get(1);
  stall.get(2);
  EXPECT_TRUE(stall.heard.empty());
  EXPECT_EQ(stall.session().ending(), Ending::kKeep);
  EXPECT_EQ(stall.session().deadline_us(), Session::kNever);
  Talk hang(with_fault("hang"));
  hang.get(1);
  EXPECT_FALSE(hang.heard.empty());
  EXPECT_FALSE(hang.response());
  EXPECT_EQ(hang.session().ending(), Ending::kKeep);
}

TEST(Http1Session, ADripTakesForEver) {
  SiteOptions options = with_fault("drip");
  options.drip_bytes_per_second = 10;
  Talk talk(options);
  talk.get(1);
  for (int i = 0; i < 20; ++i) {
    const std::size_t before = talk.heard.size();
    const std::int64_t then = talk.now;
    ASSERT_TRUE(talk.wait());
    EXPECT_LE(talk.heard.size() - before, 2u);
    EXPECT_LE(talk.now - then, 200'001);
  }
}

TEST(Http1Session, GarbageIsNotHttp) {
  Talk talk(with_fault("garbage"));
  talk.get(1);
  EXPECT_EQ(talk.heard.size(), 256u);
  EXPECT_FALSE(talk.heard.starts_with("HTTP"));
  EXPECT_EQ(talk.session().ending(), Ending::kClose);
}

TEST(Http1Session, ABadChunkHasAnInvalidSize) {
  Talk talk(with_fault("bad-chunk"));
  talk.get(1);
  EXPECT_NE(talk.heard.find("transfer-encoding: chunked"), std::string::npos);
  EXPECT_FALSE(talk.response());
  EXPECT_TRUE(talk.heard.ends_with("xyz\r\n\r\n"));
}

TEST(Http1Session, WithoutALengthTheConnectionEndsTheBody) {
  Talk talk(with_fault("no-length")), good;
  talk.get(1);
  good.get(1);
  EXPECT_FALSE(talk.response());
  const auto response = talk.response(false, true);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, good.response()->body);
  EXPECT_EQ(talk.session().ending(), Ending::kClose);
}

TEST(Http1Session, AnEndlessBodyIsRepeated) {
  Talk talk(with_fault("endless"));
  talk.session().receive("GET /page-1 HTTP/1.1\r\nHost: host-0.test\r\n\r\n", talk.now);
  std::size_t total = 0;
  while (total < 1'000'000) {
    const std::size_t n = talk.session().output().size();
    ASSERT_GT(n, 0u);
    total += n;
    talk.session().sent(n, talk.now);
  }
  EXPECT_EQ(talk.session().ending(), Ending::kKeep);
}

TEST(Http1Session, AHugeHeadExceedsTheUsualLimits) {
  Talk talk(with_fault("huge-head"));
  talk.get(1);
  EXPECT_GT(talk.heard.find("\r\n\r\n"), 500'000u);
  EXPECT_TRUE(talk.response());
}

TEST(Http1Session, BinaryAndBadCodingHaveTheRightFrame) {
  Talk binary(with_fault("binary"));
  binary.get(1);
  const auto response = binary.response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body.find("</html>"), std::string::npos);
  Talk coding(with_fault("bad-coding"));
  coding.get(1);
  EXPECT_EQ(coding.response()->fields.at("content-encoding"), "gzip");
}

TEST(Http1Session, AClientThatDisconnectsIsLoggedWithTheBytesSent) {
  SiteOptions options;
  options.bytes_per_second = 1000;
  Talk talk(options);
  talk.get(1);
  for (int i = 0; i < 60; ++i) talk.wait();
  const std::size_t head = talk.heard.find("\r\n\r\n") + 4;
  ASSERT_GT(talk.heard.size(), head);
  talk.session().gone(talk.now);
  const std::vector<AccessEntry> log = talk.log();
  ASSERT_EQ(log.size(), 1u);
  EXPECT_EQ(log[0].bytes, talk.heard.size() - head);
  EXPECT_EQ(log[0].status, 200);
}

TEST(Http1Session, TheLogHasEveryRequest) {
  Talk talk;
  talk.get(12);
  talk.say("GET http://host-0.test/robots.txt HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::vector<AccessEntry> log = talk.log();
  ASSERT_EQ(log.size(), 2u);
  EXPECT_EQ(log[0].connection, 7u);
  EXPECT_EQ(log[0].port, 4711);
  EXPECT_EQ(log[0].protocol, "h1");
  EXPECT_EQ(log[0].method, "GET");
  EXPECT_EQ(log[0].host, "host-1.test");
  EXPECT_EQ(log[0].target, "/page-12");
  EXPECT_EQ(log[0].page, 12u);
  EXPECT_EQ(log[0].bytes, talk.response()->body.size());
  EXPECT_EQ(log[1].host, "host-0.test");
  EXPECT_EQ(log[1].page, kNoPage);
}

TEST(Http1Session, ManyPipelinedRequestsAreHandledInPortions) {
  Talk talk;
  std::string all;
  for (int i = 0; i < 5000; ++i) all += "GET /page-1 HTTP/1.1\r\nHost: host-0.test\r\n\r\n";
  talk.session().receive(all, talk.now);
  EXPECT_LT(talk.session().output().size(), 300'000u);
  EXPECT_FALSE(talk.session().wants_input());
  talk.hear();
  EXPECT_EQ(talk.log().size(), 5000u);
  EXPECT_TRUE(talk.session().wants_input());
}

}  // namespace
}  // namespace bowerbird
