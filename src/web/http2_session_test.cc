#include <gtest/gtest.h>

#include "web/http/http2_client_testing.h"
#include "web/http/session.h"
#include "web/site_service.h"
#include "web/web_testing.h"

namespace bowerbird {
namespace {

class Talk2 {
 public:
  explicit Talk2(const SiteOptions& options = {})
      : web_(make_ring(20)),
        site_(make_site(web_, options)),
        sink_([this](std::string_view lines) { log_text_ += lines; }),
        handler_(service_.make_handler()),
        context_(*handler_, "bowerbird-web", clock_, &sink_),
        session_(make_http2_session(context_, Peer{7, 4711, false})) {}

  std::int32_t get(int page, std::string_view method = "GET") {
    return client.get("http", fmt::format("host-{}.test", page / 10), fmt::format("/page-{}", page), method);
  }
  // Moves bytes in both directions until neither side has more.
  void exchange() {
    for (int quiet = 0, i = 0; quiet < 2 && i < 10'000; ++i) {
      const std::string asked = client.output();
      if (!asked.empty()) session_->receive(asked, now);
      const std::string said(session_->output());
      EXPECT_TRUE(client.input(said));
      session_->sent(said.size(), now);
      session_->proceed(now);
      quiet = asked.empty() && said.empty() ? quiet + 1 : 0;
    }
  }
  bool wait() {
    if (session_->deadline_us() == Session::kNever) return false;
    now = std::max(now, session_->deadline_us());
    session_->proceed(now);
    exchange();
    return true;
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
  Http2TestClient client;

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

TEST(Http2Session, ManyStreamsAreAnsweredAtOnce) {
  Talk2 talk;
  std::vector<std::int32_t> streams;
  for (int page = 0; page < 20; ++page) streams.push_back(talk.get(page));
  talk.exchange();
  for (int page = 0; page < 20; ++page) {
    const Http2TestClient::Reply& reply = talk.client.reply(streams[static_cast<std::size_t>(page)]);
    EXPECT_EQ(reply.fields.at(":status"), "200");
    EXPECT_EQ(reply.fields.at("content-length"), std::to_string(reply.body.size()));
    EXPECT_NE(reply.body.find("</html>"), std::string::npos);
    EXPECT_TRUE(reply.closed);
    EXPECT_EQ(reply.error, 0u);
  }
  EXPECT_EQ(talk.session().ending(), Ending::kKeep);
  const std::vector<AccessEntry> log = talk.log();
  ASSERT_EQ(log.size(), 20u);
  EXPECT_EQ(log[0].protocol, "h2");
  EXPECT_EQ(log[0].connection, 7u);
  EXPECT_GT(log[0].bytes, 100u);
}

TEST(Http2Session, HeadAndErrorsHaveNoBody) {
  Talk2 talk;
  const std::int32_t head = talk.get(1, "HEAD");
  const std::int32_t post = talk.get(1, "POST");
  const std::int32_t lost = talk.client.get("http", "host-0.test", "/nowhere");
  const std::int32_t relative = talk.client.get("http", "host-0.test", "nowhere");
  const std::int32_t endless = talk.client.get("http", "host-0.test", "/" + std::string(9000, 'a'));
  talk.exchange();
  EXPECT_EQ(talk.client.reply(head).fields.at(":status"), "200");
  EXPECT_TRUE(talk.client.reply(head).body.empty());
  EXPECT_EQ(talk.client.reply(post).fields.at(":status"), "405");
  EXPECT_EQ(talk.client.reply(lost).fields.at(":status"), "404");
  EXPECT_NE(talk.client.reply(relative).error, 0u);  // RFC 9113, 8.3.1: malformed
  EXPECT_EQ(talk.client.reply(endless).fields.at(":status"), "414");
}

TEST(Http2Session, ConditionsAndCodingsWorkAsInHttp1) {
  SiteOptions options;
  options.codings.add(Coding::kGzip);
  Talk2 talk(options);
  const std::int32_t first =
      talk.client.get("http", "host-0.test", "/page-1", "GET", {{"accept-encoding", "gzip"}});
  talk.exchange();
  EXPECT_EQ(talk.client.reply(first).fields.at("content-encoding"), "gzip");
  const std::string tag = talk.client.reply(first).fields.at("etag");
  const std::int32_t again =
      talk.client.get("http", "host-0.test", "/page-1", "GET", {{"if-none-match", tag}});
  talk.exchange();
  EXPECT_EQ(talk.client.reply(again).fields.at(":status"), "304");
  EXPECT_TRUE(talk.client.reply(again).body.empty());
}

TEST(Http2Session, ASlowStreamDoesNotDelayOthers) {
  SiteOptions options;
  options.latency_ms = 100;
  Talk2 talk(options);
  const std::int32_t one = talk.get(1);
  const std::int32_t other = talk.get(11);
  talk.exchange();
  EXPECT_FALSE(talk.client.reply(one).closed);
  EXPECT_FALSE(talk.client.reply(other).closed);
  ASSERT_TRUE(talk.wait());
  EXPECT_NE(talk.client.reply(one).closed, talk.client.reply(other).closed);
  ASSERT_TRUE(talk.wait());
  EXPECT_TRUE(talk.client.reply(one).closed && talk.client.reply(other).closed);
  EXPECT_FALSE(talk.wait());
}

TEST(Http2Session, BandwidthIsKept) {
  SiteOptions options;
  options.bytes_per_second = 4000;
  Talk2 talk(options);
  const std::int32_t stream = talk.get(1);
  const std::int64_t start = talk.now;
  talk.exchange();
  for (int i = 0; i < 10'000 && !talk.client.reply(stream).closed; ++i) ASSERT_TRUE(talk.wait());
  const double seconds = static_cast<double>(talk.now - start) * 1e-6;
  const double rate = static_cast<double>(talk.client.reply(stream).body.size()) / seconds;
  EXPECT_GT(rate, 900);
  EXPECT_LT(rate, 17'000);
}

TEST(Http2Session, ABrokenResponseResetsItsStreamOnly) {
  for (const char* fault : {"truncated", "reset", "dropped", "empty", "garbage", "bad-chunk"}) {
    Talk2 talk(with_fault(fault));
    const std::int32_t stream = talk.get(1);
    talk.exchange();
    EXPECT_TRUE(talk.client.reply(stream).closed) << fault;
    EXPECT_NE(talk.client.reply(stream).error, 0u) << fault;
    const std::int32_t robots = talk.client.get("http", "host-0.test", "/robots.txt");
    talk.exchange();
    EXPECT_EQ(talk.client.reply(robots).fields.at(":status"), "200") << fault;
    EXPECT_EQ(talk.log().at(0).fault, fault);
  }
}

TEST(Http2Session, AWrongLengthIsAnErrorOfTheStream) {
  Talk2 talk(with_fault("overlong"));
  const std::int32_t stream = talk.get(1);
  talk.exchange();
  EXPECT_EQ(talk.client.reply(stream).error, static_cast<std::uint32_t>(NGHTTP2_PROTOCOL_ERROR));
}

TEST(Http2Session, StalledStreamsStayOpen) {
  for (const char* fault : {"stall", "hang"}) {
    Talk2 talk(with_fault(fault));
    const std::int32_t stream = talk.get(1);
    talk.exchange();
    EXPECT_FALSE(talk.client.reply(stream).closed) << fault;
    EXPECT_FALSE(talk.wait());
    talk.session().gone(talk.now);
    EXPECT_EQ(talk.log().size(), 1u);
  }
}

TEST(Http2Session, AnEndlessBodyEndsWhenTheClientCancels) {
  Talk2 talk(with_fault("endless"));
  const std::int32_t stream = talk.get(1);
  const std::string asked = talk.client.output();
  talk.session().receive(asked, talk.now);
  for (int i = 0; i < 100 && talk.client.reply(stream).body.size() < 60'000; ++i) {
    const std::string said(talk.session().output());
    talk.client.input(said);
    talk.session().sent(said.size(), talk.now);
    talk.session().receive(talk.client.output(), talk.now);
  }
  EXPECT_GE(talk.client.reply(stream).body.size(), 60'000u);
  EXPECT_FALSE(talk.client.reply(stream).closed);
}

TEST(Http2Session, AHugeHeadExceedsTheClientsLimit) {
  Talk2 talk(with_fault("huge-head"));
  const std::int32_t stream = talk.get(1);
  const std::string asked = talk.client.output();
  talk.session().receive(asked, talk.now);
  std::size_t head = 0;
  for (int i = 0; i < 100 && !talk.session().output().empty(); ++i) {
    const std::string said(talk.session().output());
    head += said.size();
    talk.client.input(said);
    talk.session().sent(said.size(), talk.now);
    talk.session().proceed(talk.now);
  }
  EXPECT_TRUE(head > 300'000 || talk.client.reply(stream).error != 0);
}

TEST(Http2Session, InvalidFramesEndTheConnection) {
  Talk2 talk;
  talk.session().receive(kHttp2Preface, talk.now);
  talk.session().receive(std::string(100, '\xff'), talk.now);
  talk.session().sent(talk.session().output().size(), talk.now);
  talk.session().proceed(talk.now);
  talk.session().sent(talk.session().output().size(), talk.now);
  EXPECT_EQ(talk.session().ending(), Ending::kClose);
}

}  // namespace
}  // namespace bowerbird
