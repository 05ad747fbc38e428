// How a crawl handles response heads, redirects and robots directives, request by request.
#include <gtest/gtest.h>

#include "scripted_web.h"

namespace bowerbird {
namespace {

using Urls = std::multiset<std::string>;

TEST(CrawlHttp, CredentialsAreSentToTheirOwnHostAndSchemeOnly) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"https://a.example/"};
  crawl.options.network.auth = {"a.example=me:secret"};
  crawl.options.network.cookies = {"a.example=id=secret"};
  crawl.options.network.headers = {"a.example=X-Key: secret", "X-All: open"};
  crawl.web.add("https://a.example/robots.txt", {301, "Location: https://b.example/rules\r\n", ""});
  crawl.web.add("https://b.example/rules", {302, "Location: http://a.example/rules\r\n", ""});
  crawl.web.add("https://a.example/", {302, "Location: http://a.example/plain\r\n", ""});
  crawl.web.add("http://a.example/plain", {302, "Location: https://c.example/\r\n", ""});
  crawl.web.add_page("https://c.example/", "");
  crawl.run();
  const std::string common = "X-All: open\r\n";
  for (const char* url : {"https://a.example/robots.txt", "https://a.example/"}) {
    const std::string& fields = crawl.web.request_of(url).fields;
    for (const char* field : {"X-All: open", "X-Key: secret", "Cookie: id=secret", "Authorization: Basic "})
      EXPECT_NE(fields.find(field), std::string::npos) << url << " " << field;
  }
  for (const char* url : {"https://b.example/rules", "http://a.example/rules", "http://a.example/plain",
                          "https://c.example/", "https://c.example/robots.txt"}) {
    EXPECT_EQ(crawl.web.request_of(url).fields, common) << url;
  }
}

TEST(CrawlHttp, TemporaryErrorsAreRetriedOnANewConnection) {
  for (const int status : {408, 421, 425}) {
    ScriptedCrawl crawl;
    crawl.options.start.seeds = {"http://a.example/"};
    crawl.web.add("http://a.example/", {status, "", ""});
    crawl.web.add_page("http://a.example/", "");
    crawl.run();
    EXPECT_EQ(crawl.last.counts.pages, 1u) << status;
    ASSERT_EQ(crawl.web.requests.size(), 3u) << status;
    EXPECT_FALSE(crawl.web.requests[1].new_connection);
    EXPECT_TRUE(crawl.web.requests[2].new_connection) << status;
  }
}

TEST(CrawlHttp, HeadsHaveLinksAndDirectives) {
  ScriptedCrawl crawl;
  crawl.options.selection.types = {"html", "pdf"};
  crawl.options.start.seeds = {"http://a.example/"};
  crawl.web.add_page("http://a.example/", "<a href=/closed><a href=/pdf>", "Link: </next>; rel=next\r\n");
  crawl.web.add_page("http://a.example/next", "", "Refresh: 0; url=/\xE9\r\n");
  crawl.web.add_page("http://a.example/%E9", "");
  crawl.web.add("http://a.example/closed", {302, "Location: /hidden\r\nX-Robots-Tag: nofollow\r\n", ""});
  crawl.web.add(
      "http://a.example/pdf",
      {200, "Content-Type: application/pdf\r\nX-Robots-Tag: noarchive\r\nLink: <html>; rel=canonical\r\n",
       "%PDF-"});
  crawl.web.add_page("http://a.example/html", "");
  crawl.run();
  EXPECT_EQ(crawl.web.requested(),
            (Urls{"http://a.example/robots.txt", "http://a.example/", "http://a.example/next",
                  "http://a.example/%E9", "http://a.example/closed", "http://a.example/pdf",
                  "http://a.example/html"}));
  EXPECT_EQ(crawl.stored(),
            (Urls{"http://a.example/", "http://a.example/next", "http://a.example/%E9",
                  "http://a.example/closed", "http://a.example/html", "http://a.example/pdf"}));
}

// RFC 9309, section 2.3.
TEST(CrawlHttp, RobotsRulesBelongToASchemeAndHost) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"http://a.example/"};
  crawl.web.add("http://a.example/robots.txt", {200, "", "user-agent: *\ndisallow: /x\n"});
  crawl.web.add("https://a.example/robots.txt", {200, "", "user-agent: *\ndisallow: /y\n"});
  crawl.web.add_page("http://a.example/",
                     "<a href=/x><a href=/y><a href=https://a.example/x><a href=https://a.example/y>");
  for (const char* url : {"http://a.example/y", "https://a.example/x"}) crawl.web.add_page(url, "");
  crawl.run();
  EXPECT_EQ(crawl.web.requested(), (Urls{"http://a.example/robots.txt", "https://a.example/robots.txt",
                                         "http://a.example/", "http://a.example/y", "https://a.example/x"}));
  EXPECT_EQ(crawl.outcome(Outcome::kRobots), 2u);
}

TEST(CrawlHttp, ARobotsTxtThatRedirectsToTheOtherSchemeIsReadOnce) {
  for (const char* first : {"http", "https"}) {
    ScriptedCrawl crawl;
    crawl.options.start.seeds = {std::string(first) + "://a.example/"};
    crawl.web.add("http://a.example/robots.txt", {301, "Location: https://a.example/robots.txt\r\n", ""});
    crawl.web.add("https://a.example/robots.txt", {200, "", "user-agent: *\ndisallow: /x\n"});
    crawl.web.add_page(crawl.options.start.seeds.front(),
                       "<a href=http://a.example/x><a href=https://a.example/x>"
                       "<a href=http://a.example/y><a href=https://a.example/y>");
    crawl.run();
    EXPECT_EQ(crawl.web.requested(),
              (Urls{"http://a.example/robots.txt", "https://a.example/robots.txt",
                    crawl.options.start.seeds.front(), "http://a.example/y", "https://a.example/y"}))
        << first;
    EXPECT_EQ(crawl.outcome(Outcome::kRobots), 2u);
  }
}

TEST(CrawlHttp, ASchemeThatDoesNotAnswerDoesNotCloseTheOther) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"http://a.example/"};
  crawl.web.add("https://a.example/robots.txt", {0, "", ""});
  std::string links = "<a href=https://a.example/x>";
  for (int i = 0; i < 30; ++i) links += "<a href=/" + std::to_string(i) + ">";
  crawl.web.add_page("http://a.example/", links);
  for (int i = 0; i < 30; ++i) crawl.web.add_page("http://a.example/" + std::to_string(i), "");
  crawl.run();
  EXPECT_EQ(crawl.last.counts.pages, 31u);
  EXPECT_EQ(crawl.outcome(Outcome::kRobots), 1u);
  EXPECT_EQ(crawl.web.requested().count("https://a.example/robots.txt"), 4u);
}

TEST(CrawlHttp, UnknownTypesAreSniffed) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"http://a.example/"};
  crawl.web.add("http://a.example/", {200, "", "<html><a href=/image><a href=/page>"});
  crawl.web.add("http://a.example/image", {200, "Content-Type: unknown/unknown\r\n", "GIF89a"});
  crawl.web.add("http://a.example/page", {200, "Content-Type: */*\r\n", "<!doctype html>"});
  crawl.run();
  EXPECT_EQ(crawl.outcome(Outcome::kUnwanted), 1u);
  EXPECT_EQ(crawl.stored(), (Urls{"http://a.example/", "http://a.example/page"}));
}

}  // namespace
}  // namespace bowerbird
