// Request bodies, pending responses and streams over HTTP/1, without a network.
#include <gtest/gtest.h>

#include "web/http/http_testing.h"
#include "web/http/session.h"

namespace bowerbird {
namespace {

struct FakeStream final : BodyStream {
  bool read(std::int64_t, std::string& out) override {
    out += next;
    next.clear();
    return !ended;
  }
  bool failed() const override { return broken; }
  std::int64_t next_us() const override { return 15'000'000; }
  std::string next;
  bool ended = false;
  bool broken = false;
};

struct FakePending final : PendingResponse {
  bool take(std::int64_t now_us, HttpResponse& response) override {
    if (!known && now_us < next_us()) return false;
    response.status = known ? 200 : 504;
    response.body = "late";
    return true;
  }
  std::int64_t next_us() const override { return 5'000'000; }
  bool known = false;
};

struct FakeHandler final : HttpHandler {
  void answer(const HttpRequest& request, const Moment&, HttpResponse& response) override {
    response.clear();
    ++requests;
    body = request.body;
    local = request.local;
    if (request.target == "/stream") response.stream = stream;
    if (request.target == "/sized") {
      response.stream = stream;
      response.stream_size = 6;
    }
    if (request.target == "/later") response.pending = pending;
    response.body = "now";
  }
  std::shared_ptr<FakeStream> stream = std::make_shared<FakeStream>();
  std::shared_ptr<FakePending> pending = std::make_shared<FakePending>();
  int requests = 0;
  std::string body;
  bool local = false;
};

struct LaterResponses : testing::Test {
  std::string take() {
    std::string all;
    for (;;) {
      const std::string piece(session->output());
      if (piece.empty()) return all;
      all += piece;
      session->sent(piece.size(), now_us);
      session->proceed(now_us);
    }
  }
  std::string ask(std::string_view bytes) {
    session->receive(bytes, now_us);
    return take();
  }

  FakeHandler handler;
  WallClock clock;
  ServeContext context{handler, "test", clock, nullptr, 100};
  std::unique_ptr<Session> session = make_http1_session(context, {1, 2, false, true});
  std::int64_t now_us = 0;
};

TEST_F(LaterResponses, ABodyIsPassedOnWhenItIsComplete) {
  EXPECT_EQ(ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12"), "");
  EXPECT_TRUE(session->in_request());
  EXPECT_EQ(handler.requests, 0);
  const auto response = read_response(ask("345"));
  ASSERT_TRUE(response);
  EXPECT_EQ(handler.body, "12345");
  EXPECT_TRUE(handler.local);
  EXPECT_FALSE(session->in_request());
}

TEST_F(LaterResponses, RequestsInOnePacketKeepTheirBodies) {
  const std::string post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab";
  const std::string all = ask(post + "GET / HTTP/1.1\r\nHost: a\r\n\r\n" + post);
  EXPECT_EQ(handler.requests, 3);
  EXPECT_EQ(handler.body, "ab");
  EXPECT_TRUE(read_response(all));
}

TEST_F(LaterResponses, AClientThatSendsByteByByteIsUnderstood) {
  std::string got;
  for (const char c : std::string("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"))
    got += ask({&c, 1});
  EXPECT_TRUE(read_response(got));
  EXPECT_EQ(handler.body, "abc");
}

TEST_F(LaterResponses, TooLargeAndChunkedBodiesAreRefused) {
  EXPECT_EQ(read_response(ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n"))->status, 413);
  EXPECT_EQ(session->ending(), Ending::kClose);
  session = make_http1_session(context, {});
  EXPECT_EQ(read_response(ask("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"))->status,
            411);
  EXPECT_EQ(handler.requests, 0);
}

// RFC 9110, 10.1.1.
TEST_F(LaterResponses, Expect100ContinueIsAnsweredOnce) {
  EXPECT_EQ(ask("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"),
            "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(ask("a"), "");
  EXPECT_TRUE(read_response(ask("b")));
}

TEST_F(LaterResponses, APendingResponseIsSentWhenItIsKnown) {
  EXPECT_EQ(ask("GET /later HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"), "");
  EXPECT_TRUE(session->waits());
  EXPECT_EQ(session->deadline_us(), 5'000'000);
  handler.pending->known = true;
  session->proceed(now_us);
  const std::string all = take();
  const auto first = read_response(all);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->body, "late");
  EXPECT_EQ(read_response(std::string_view(all).substr(first->used))->body, "now");
}

TEST_F(LaterResponses, APendingResponseEndsAtItsTime) {
  ask("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  now_us = 5'000'000;
  session->proceed(now_us);
  EXPECT_EQ(read_response(take())->status, 504);
}

TEST_F(LaterResponses, AStreamIsSentAsItComes) {
  handler.stream->next = "one";
  EXPECT_TRUE(ask("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n").ends_with("\r\n\r\n3\r\none\r\n"));
  EXPECT_TRUE(session->waits());
  session->proceed(now_us);
  EXPECT_EQ(take(), "");
  handler.stream->next = "two";
  session->proceed(now_us);
  EXPECT_EQ(take(), "3\r\ntwo\r\n");
  handler.stream->ended = true;
  session->proceed(now_us);
  EXPECT_EQ(take(), "0\r\n\r\n");
  EXPECT_EQ(session->ending(), Ending::kKeep);
  EXPECT_TRUE(read_response(ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")));
}

// A client that does not read makes the stream wait instead of filling memory.
TEST_F(LaterResponses, AStreamIsNotReadWhileOutputWaits) {
  ask("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
  handler.stream->next = "one";
  session->proceed(now_us);
  handler.stream->next = "two";
  session->proceed(now_us);
  EXPECT_EQ(session->output(), "3\r\none\r\n");
  EXPECT_EQ(handler.stream->next, "two");
}

TEST_F(LaterResponses, AStreamOfKnownSizeHasALengthAndEndsThere) {
  handler.stream->next = "one";
  const std::string begin = ask("GET /sized HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_NE(begin.find("content-length: 6\r\n"), std::string::npos);
  EXPECT_EQ(begin.find("chunked"), std::string::npos);
  EXPECT_TRUE(begin.ends_with("\r\n\r\none"));
  handler.stream->next = "two and more than was said";
  session->proceed(now_us);
  EXPECT_EQ(take(), "two");
  EXPECT_FALSE(session->waits());
  EXPECT_EQ(session->ending(), Ending::kKeep);
  EXPECT_EQ(read_response(ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))->body, "now");
  EXPECT_NE(ask("HEAD /sized HTTP/1.1\r\nHost: a\r\n\r\n").find("content-length: 6\r\n"), std::string::npos);
}

TEST_F(LaterResponses, AStreamThatBreaksOffResetsTheConnection) {
  handler.stream->next = "one";
  handler.stream->ended = true;
  ask("GET /sized HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(session->ending(), Ending::kReset) << "fewer bytes than were promised";
  session = make_http1_session(context, {});
  handler.stream->next = "one";
  handler.stream->broken = true;
  EXPECT_TRUE(ask("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n").ends_with("3\r\none\r\n"));
  EXPECT_EQ(session->ending(), Ending::kReset);
}

TEST_F(LaterResponses, HeadOfAStreamHasNoBody) {
  handler.stream->next = "one";
  const std::string head = ask("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  EXPECT_FALSE(session->waits());
}

}  // namespace
}  // namespace bowerbird
