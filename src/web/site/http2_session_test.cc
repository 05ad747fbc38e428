#include <gtest/gtest.h>

#include "web/http/http2_client_testing.h"
#include "web/site/session_testing.h"

namespace bowerbird {
namespace {

// A session and its client.
class Http2Peer : public SessionSite {
 public:
  explicit Http2Peer(const SiteOptions& options = {})
      : SessionSite(options), session_(make_http2_session(context(), Peer{7, 4711, false})) {}

  std::int32_t get(int page, std::string_view method = "GET") {
    return client.get("http", fmt::format("host-{}.test", page / 10), fmt::format("/page-{}", page), method);
  }
  // Moves bytes in both directions until neither side has more.
  void exchange() {
    for (int quiet = 0, i = 0; quiet < 2 && i < 10'000; ++i) {
      const std::string requests = client.output();
      if (!requests.empty()) session_->receive(requests, now);
      const std::string responses(session_->output());
      EXPECT_TRUE(client.input(responses));
      session_->sent(responses.size(), now);
      session_->proceed(now);
      quiet = requests.empty() && responses.empty() ? quiet + 1 : 0;
    }
  }
  bool wait() {
    if (session_->deadline_us() == Session::kNever) return false;
    now = std::max(now, session_->deadline_us());
    session_->proceed(now);
    exchange();
    return true;
  }
  Session& session() { return *session_; }

  Http2TestClient client;

 private:
  std::unique_ptr<Session> session_;
};

TEST(Http2Session, ManyStreamsAreAnsweredAtOnce) {
  Http2Peer peer;
  std::vector<std::int32_t> streams;
  for (int page = 0; page < 20; ++page) streams.push_back(peer.get(page));
  peer.exchange();
  for (int page = 0; page < 20; ++page) {
    const Http2TestClient::Reply& reply = peer.client.reply(streams[static_cast<std::size_t>(page)]);
    EXPECT_EQ(reply.fields.at(":status"), "200");
    EXPECT_EQ(reply.fields.at("content-length"), std::to_string(reply.body.size()));
    EXPECT_NE(reply.body.find("</html>"), std::string::npos);
    EXPECT_TRUE(reply.closed);
    EXPECT_EQ(reply.error, 0u);
  }
  EXPECT_EQ(peer.session().ending(), Ending::kKeep);
  const std::vector<AccessEntry> log = peer.log();
  ASSERT_EQ(log.size(), 20u);
  EXPECT_EQ(log[0].protocol, "h2");
  EXPECT_EQ(log[0].connection, 7u);
  EXPECT_GT(log[0].bytes, 100u);
}

TEST(Http2Session, HeadAndErrorsHaveNoBody) {
  Http2Peer peer;
  const std::int32_t head = peer.get(1, "HEAD");
  const std::int32_t post = peer.get(1, "POST");
  const std::int32_t lost = peer.client.get("http", "host-0.test", "/nowhere");
  const std::int32_t relative = peer.client.get("http", "host-0.test", "nowhere");
  const std::int32_t endless = peer.client.get("http", "host-0.test", "/" + std::string(9000, 'a'));
  peer.exchange();
  EXPECT_EQ(peer.client.reply(head).fields.at(":status"), "200");
  EXPECT_TRUE(peer.client.reply(head).body.empty());
  EXPECT_EQ(peer.client.reply(post).fields.at(":status"), "405");
  EXPECT_EQ(peer.client.reply(lost).fields.at(":status"), "404");
  EXPECT_NE(peer.client.reply(relative).error, 0u);  // RFC 9113, 8.3.1: malformed
  EXPECT_EQ(peer.client.reply(endless).fields.at(":status"), "414");
}

TEST(Http2Session, ConditionsAndCodingsWorkAsInHttp1) {
  SiteOptions options;
  options.codings.add(Coding::kGzip);
  Http2Peer peer(options);
  const std::int32_t first =
      peer.client.get("http", "host-0.test", "/page-1", "GET", {{"accept-encoding", "gzip"}});
  peer.exchange();
  EXPECT_EQ(peer.client.reply(first).fields.at("content-encoding"), "gzip");
  const std::string tag = peer.client.reply(first).fields.at("etag");
  const std::int32_t again =
      peer.client.get("http", "host-0.test", "/page-1", "GET", {{"if-none-match", tag}});
  peer.exchange();
  EXPECT_EQ(peer.client.reply(again).fields.at(":status"), "304");
  EXPECT_TRUE(peer.client.reply(again).body.empty());
}

TEST(Http2Session, ASlowStreamDoesNotDelayOthers) {
  SiteOptions options;
  options.latency_ms = 100;
  Http2Peer peer(options);
  const std::int32_t one = peer.get(1);
  const std::int32_t other = peer.get(11);
  peer.exchange();
  EXPECT_FALSE(peer.client.reply(one).closed);
  EXPECT_FALSE(peer.client.reply(other).closed);
  ASSERT_TRUE(peer.wait());
  EXPECT_NE(peer.client.reply(one).closed, peer.client.reply(other).closed);
  ASSERT_TRUE(peer.wait());
  EXPECT_TRUE(peer.client.reply(one).closed && peer.client.reply(other).closed);
  EXPECT_FALSE(peer.wait());
}

TEST(Http2Session, BandwidthIsKept) {
  SiteOptions options;
  options.bytes_per_second = 4000;
  Http2Peer peer(options);
  const std::int32_t stream = peer.get(1);
  const std::int64_t start = peer.now;
  peer.exchange();
  for (int i = 0; i < 10'000 && !peer.client.reply(stream).closed; ++i) ASSERT_TRUE(peer.wait());
  const double seconds = static_cast<double>(peer.now - start) * 1e-6;
  const double rate = static_cast<double>(peer.client.reply(stream).body.size()) / seconds;
  EXPECT_GT(rate, 900);
  EXPECT_LT(rate, 17'000);
}

TEST(Http2Session, ABrokenResponseResetsItsStreamOnly) {
  for (const char* fault : {"truncated", "reset", "dropped", "empty", "garbage", "bad-chunk"}) {
    Http2Peer peer(with_fault(fault));
    const std::int32_t stream = peer.get(1);
    peer.exchange();
    EXPECT_TRUE(peer.client.reply(stream).closed) << fault;
    EXPECT_NE(peer.client.reply(stream).error, 0u) << fault;
    const std::int32_t robots = peer.client.get("http", "host-0.test", "/robots.txt");
    peer.exchange();
    EXPECT_EQ(peer.client.reply(robots).fields.at(":status"), "200") << fault;
    EXPECT_EQ(peer.log().at(0).fault, fault);
  }
}

TEST(Http2Session, AWrongLengthIsAnErrorOfTheStream) {
  Http2Peer peer(with_fault("overlong"));
  const std::int32_t stream = peer.get(1);
  peer.exchange();
  EXPECT_EQ(peer.client.reply(stream).error, static_cast<std::uint32_t>(NGHTTP2_PROTOCOL_ERROR));
}

TEST(Http2Session, StalledStreamsStayOpen) {
  for (const char* fault : {"stall", "hang"}) {
    Http2Peer peer(with_fault(fault));
    const std::int32_t stream = peer.get(1);
    peer.exchange();
    EXPECT_FALSE(peer.client.reply(stream).closed) << fault;
    EXPECT_FALSE(peer.wait());
    peer.session().gone(peer.now);
    EXPECT_EQ(peer.log().size(), 1u);
  }
}

TEST(Http2Session, AnEndlessBodyEndsWhenTheClientCancels) {
  Http2Peer peer(with_fault("endless"));
  const std::int32_t stream = peer.get(1);
  const std::string asked = peer.client.output();
  peer.session().receive(asked, peer.now);
  for (int i = 0; i < 100 && peer.client.reply(stream).body.size() < 60'000; ++i) {
    const std::string said(peer.session().output());
    peer.client.input(said);
    peer.session().sent(said.size(), peer.now);
    peer.session().receive(peer.client.output(), peer.now);
  }
  EXPECT_GE(peer.client.reply(stream).body.size(), 60'000u);
  EXPECT_FALSE(peer.client.reply(stream).closed);
}

TEST(Http2Session, AHugeHeadExceedsTheClientsLimit) {
  Http2Peer peer(with_fault("huge-head"));
  const std::int32_t stream = peer.get(1);
  const std::string asked = peer.client.output();
  peer.session().receive(asked, peer.now);
  std::size_t head = 0;
  for (int i = 0; i < 100 && !peer.session().output().empty(); ++i) {
    const std::string said(peer.session().output());
    head += said.size();
    peer.client.input(said);
    peer.session().sent(said.size(), peer.now);
    peer.session().proceed(peer.now);
  }
  EXPECT_TRUE(head > 300'000 || peer.client.reply(stream).error != 0);
}

TEST(Http2Session, InvalidFramesEndTheConnection) {
  Http2Peer peer;
  peer.session().receive(kHttp2Preface, peer.now);
  peer.session().receive(std::string(100, '\xff'), peer.now);
  peer.session().sent(peer.session().output().size(), peer.now);
  peer.session().proceed(peer.now);
  peer.session().sent(peer.session().output().size(), peer.now);
  EXPECT_EQ(peer.session().ending(), Ending::kClose);
}

}  // namespace
}  // namespace bowerbird
