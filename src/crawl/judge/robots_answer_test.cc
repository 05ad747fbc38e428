#include "crawl/judge/robots_answer.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

RobotsAnswer judge(int status, std::string body, const std::string& fields = {}, unsigned hops = 0) {
  FetchOutcome outcome;
  outcome.end = status == 0 ? FetchEnd::kTimedOut : FetchEnd::kAnswered;
  outcome.status = status;
  outcome.head = "HTTP/1.1 X\r\n" + fields + "\r\n";
  outcome.body = std::move(body);
  return robots_answer(outcome, "http://a.example/robots.txt", hops, "bowerbird");
}

TEST(RobotsAnswer, RulesAndSitemapsAreRead) {
  const RobotsAnswer answer = judge(200, "user-agent: *\ndisallow: /x\nSitemap: /map.xml\n");
  EXPECT_EQ(answer.kind, RobotsAnswer::Kind::kRules);
  EXPECT_FALSE(answer.rules.allows("/x1"));
  EXPECT_TRUE(answer.rules.allows("/y"));
  EXPECT_EQ(answer.sitemaps, std::vector<std::string>{"http://a.example/map.xml"});
}

// RFC 9309, 2.3.1.3.
TEST(RobotsAnswer, ClientErrorsForbidNothing) {
  EXPECT_EQ(judge(404, "").kind, RobotsAnswer::Kind::kRules);
  EXPECT_TRUE(judge(403, "").rules.allows("/"));
}

// RFC 9309, 2.3.1.4; the 4xx are our choice.
TEST(RobotsAnswer, ServerErrorsAndTimeoutsAllowNothing) {
  for (const int status : {500, 501, 503, 408, 421, 425, 429, 0}) {
    EXPECT_EQ(judge(status, "").kind, RobotsAnswer::Kind::kUnreachable) << status;
  }
}

// RFC 9309, 2.3.1.2.
TEST(RobotsAnswer, RedirectsAreFollowedFiveTimes) {
  const RobotsAnswer answer = judge(301, "", "Location: //b.example/r.txt\r\n");
  EXPECT_EQ(answer.kind, RobotsAnswer::Kind::kRedirected);
  EXPECT_EQ(answer.target, "http://b.example/r.txt");
  EXPECT_EQ(judge(301, "", "Location: /again\r\n", 5).kind, RobotsAnswer::Kind::kRules);
}

TEST(RobotsAnswer, AnUncompressedFileIsReadDespiteItsContentEncoding) {
  for (const char* coding : {"none", "UTF-8", "x-unknown", "gzip"}) {
    const RobotsAnswer answer =
        judge(200, "user-agent: *\ndisallow: /x\n", "Content-Encoding: " + std::string(coding) + "\r\n");
    EXPECT_EQ(answer.kind, RobotsAnswer::Kind::kRules) << coding;
    EXPECT_FALSE(answer.rules.allows("/x")) << coding;
    EXPECT_TRUE(answer.rules.allows("/y")) << coding;
  }
}

TEST(RobotsAnswer, AFileThatCannotBeDecompressedAllowsNothing) {
  // "user-agent: *\n"
  const std::string whole(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\x2d\x4e\x2d\xd2\x4d\x4c\x4f\xcd\x2b\xb1\x52\xd0\xe2"
      "\x02\x00\xde\xc0\x24\x4a\x0e\x00\x00\x00",
      34);
  const auto kind = [](std::string body) {
    return judge(200, std::move(body), "Content-Encoding: gzip\r\n").kind;
  };
  EXPECT_EQ(kind(whole), RobotsAnswer::Kind::kRules);
  EXPECT_EQ(kind(whole.substr(0, 30)), RobotsAnswer::Kind::kUnreachable);
  EXPECT_EQ(kind(whole.substr(0, 30) + "\x0d" + whole.substr(31)), RobotsAnswer::Kind::kUnreachable);
  EXPECT_EQ(kind("\x01 not gzip"), RobotsAnswer::Kind::kUnreachable);
}

}  // namespace
}  // namespace bowerbird
