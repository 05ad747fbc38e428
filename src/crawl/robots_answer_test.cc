#include "crawl/robots_answer.h"

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
TEST(RobotsAnswer, ServerErrorsAndSilenceAllowNothing) {
  for (const int status : {500, 501, 503, 408, 421, 425, 429, 0}) {
    EXPECT_EQ(judge(status, "").kind, RobotsAnswer::Kind::kUnreachable) << status;
  }
}

// RFC 9309, 2.3.1.2.
TEST(RobotsAnswer, RedirectsAreFollowedFiveTimes) {
  const RobotsAnswer answer = judge(301, "", "Location: //b.example/r.txt\r\n");
  EXPECT_EQ(answer.kind, RobotsAnswer::Kind::kElsewhere);
  EXPECT_EQ(answer.elsewhere, "http://b.example/r.txt");
  EXPECT_EQ(judge(301, "", "Location: /again\r\n", 5).kind, RobotsAnswer::Kind::kRules);
}

TEST(RobotsAnswer, WhatCannotBeUnpackedIsNotPermission) {
  EXPECT_EQ(judge(200, "not gzip", "Content-Encoding: gzip\r\n").kind, RobotsAnswer::Kind::kUnreachable);
}

}  // namespace
}  // namespace bowerbird
