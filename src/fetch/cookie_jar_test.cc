// The numbers are sections of RFC 6265, unless 6265bis is mentioned.
#include "fetch/cookie_jar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bowerbird {
namespace {

using testing::HasSubstr;

constexpr UnixTime kNow = 1'700'000'000;

Url jar_url(const std::string& text) {
  Url url;
  EXPECT_EQ(parse_url(text, nullptr, url), UrlFault::kNone) << text;
  return url;
}

class JarTest : public testing::Test {
 protected:
  bool set(const std::string& url, const std::string& value, UnixTime now = kNow) {
    return jar_.take(jar_url(url), "HTTP/1.1 200 OK\r\nSet-Cookie: " + value + "\r\n\r\n", now);
  }
  std::string sent(const std::string& url, UnixTime now = kNow) { return jar_.field_for(jar_url(url), now); }

  CookieJar jar_;
};

TEST_F(JarTest, ACookieGoesBackToItsHostOnly) {  // 5.4
  EXPECT_TRUE(set("https://a.test/", "s=1"));
  EXPECT_FALSE(set("https://a.test/", "s=1")) << "nothing new";
  EXPECT_EQ(sent("https://a.test/x"), "s=1");
  EXPECT_EQ(sent("https://www.a.test/"), "") << "host only";
  EXPECT_EQ(sent("https://b.test/"), "");
  EXPECT_EQ(sent("https://xa.test/"), "");
}

TEST_F(JarTest, ADomainContainsTheHostAndIsNotAPublicSuffix) {  // 5.3, steps 5 and 6
  set("https://www.example.co.uk/", "d=1; Domain=example.co.uk");
  EXPECT_EQ(sent("https://example.co.uk/"), "d=1");
  EXPECT_EQ(sent("https://x.example.co.uk/"), "d=1");
  EXPECT_EQ(sent("https://evilexample.co.uk/"), "");
  set("https://www.example.co.uk/", "e=1; Domain=co.uk");
  set("https://www.example.co.uk/", "f=1; Domain=uk");
  set("https://www.example.co.uk/", "g=1; Domain=other.co.uk");
  set("https://www.example.co.uk/", "h=1; Domain=x.www.example.co.uk");
  EXPECT_EQ(jar_.size(), 1u);
  set("https://github.io/", "i=1; Domain=github.io");
  EXPECT_EQ(sent("https://github.io/"), "i=1") << "a public suffix that is the host itself: host only";
  EXPECT_EQ(sent("https://me.github.io/"), "");
  set("http://127.0.0.1/", "j=1; Domain=0.0.1");
  set("http://127.0.0.1/", "k=1; Domain=127.0.0.1");
  EXPECT_EQ(sent("http://127.0.0.1/"), "k=1");
}

TEST_F(JarTest, CookiesDoNotGoFromHttpsToHttpNorBack) {  // stricter than the RFC; 6265bis for the rest
  set("https://a.test/", "s=1");
  EXPECT_EQ(sent("http://a.test/"), "") << "set over https";
  EXPECT_FALSE(set("http://a.test/", "s=2")) << "http does not replace it";
  EXPECT_FALSE(set("http://a.test/", "s=2; Max-Age=0")) << "nor remove it";
  EXPECT_FALSE(set("http://a.test/", "t=2; Secure")) << "nor set secure ones";
  EXPECT_EQ(sent("https://a.test/"), "s=1");
  set("http://a.test/", "u=3");
  EXPECT_EQ(sent("http://a.test/"), "u=3");
}

TEST_F(JarTest, PathsMatchBySegment) {  // 5.1.4
  set("https://a.test/docs/x", "d=1");
  EXPECT_EQ(sent("https://a.test/docs"), "d=1");
  EXPECT_EQ(sent("https://a.test/docs/y/z"), "d=1");
  EXPECT_EQ(sent("https://a.test/docs2"), "");
  set("https://a.test/docs/x", "e=1; Path=/");
  EXPECT_EQ(sent("https://a.test/docs/"), "d=1; e=1") << "longer paths first";
  EXPECT_EQ(sent("https://a.test/"), "e=1");
}

TEST_F(JarTest, ExpiredCookiesAreGone) {
  set("https://a.test/", "s=1; Max-Age=10");
  EXPECT_EQ(sent("https://a.test/", kNow + 9), "s=1");
  EXPECT_EQ(sent("https://a.test/", kNow + 10), "");
  set("https://a.test/", "s=1; Max-Age=100");
  EXPECT_TRUE(set("https://a.test/", "s=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"));
  EXPECT_EQ(jar_.size(), 0u);
}

TEST_F(JarTest, NamePrefixesAreEnforced) {  // 6265bis, 4.1.3
  EXPECT_FALSE(set("https://a.test/", "__Secure-x=1"));
  EXPECT_TRUE(set("https://a.test/", "__Secure-x=1; Secure"));
  EXPECT_FALSE(set("https://a.test/", "__Host-x=1; Secure"));
  EXPECT_FALSE(set("https://www.a.test/", "__Host-x=1; Secure; Path=/; Domain=a.test"));
  EXPECT_TRUE(set("https://a.test/", "__Host-x=1; Secure; Path=/"));
}

TEST_F(JarTest, SizesAreBounded) {
  for (int i = 0; i < 60; ++i) set("https://a.test/", fmt::format("c{}=1", i));
  EXPECT_EQ(jar_.size(), CookieJar::kMostPerDomain);
  EXPECT_THAT(sent("https://a.test/"), HasSubstr("c59=1")) << "the oldest went";
  for (std::size_t i = 0; i < CookieJar::kMostCookies + 10; ++i)
    set(fmt::format("https://h{}.test/", i), "x=1");
  EXPECT_EQ(jar_.size(), CookieJar::kMostCookies);
  CookieJar large;
  for (int i = 0; i < 10; ++i) {
    large.take(jar_url("https://a.test/"),
               fmt::format("HTTP/1.1 200 OK\r\nSet-Cookie: {}={}\r\n\r\n", i, std::string(4000, 'x')), kNow);
  }
  EXPECT_LE(large.field_for(jar_url("https://a.test/"), kNow).size(), CookieJar::kLongestField);
}

TEST_F(JarTest, TheFileHasEverything) {
  set("https://a.test/p/q", "s=1; HttpOnly; Max-Age=1000");
  set("http://www.example.org/", "d=x y; Domain=example.org");
  set("http://[::1]/", "six=1");
  CookieJar again;
  ASSERT_TRUE(again.read(jar_.text(), "cookies.txt", kNow).ok());
  EXPECT_EQ(again.list(), jar_.list());
  EXPECT_EQ(again.text(), jar_.text());
  CookieJar later;
  ASSERT_TRUE(later.read(jar_.text(), "cookies.txt", kNow + 1000).ok());
  EXPECT_EQ(later.size(), 2u) << "one has expired";
}

TEST_F(JarTest, ACookieNextToASecureOneIsReadBack) {
  set("http://a.test/", "n=1; Path=/");
  set("http://a.test/", "n=2; Path=/x");
  set("https://a.test/", "n=3; Path=/");
  ASSERT_EQ(jar_.size(), 2u);
  CookieJar again;
  ASSERT_TRUE(again.read(jar_.text(), "cookies.txt", kNow).ok());
  EXPECT_EQ(again.list(), jar_.list());
}

TEST_F(JarTest, FilesOfOtherProgramsAreRead) {
  const Status read = jar_.read(
      "# HTTP Cookie File\r\n\r\n.example.org\tTRUE\t/\tTRUE\t0\tsid\tabc\r\n"
      "#HttpOnly_www.example.org\tFALSE\t/x\tFALSE\t1900000000\tt\t\r\n",
      "c.txt", kNow);
  ASSERT_TRUE(read.ok()) << read.error().text;
  EXPECT_EQ(sent("https://www.example.org/x"), "t=; sid=abc");
  EXPECT_EQ(sent("http://www.example.org/x"), "t=");
}

TEST_F(JarTest, BadLinesAreErrorsWithoutTheirSecrets) {
  for (const char* line : {"a.test", "a.test\tTRUE\t/\tTRUE\t0\tn", "a.test\tYES\t/\tTRUE\t0\tn\tSECRET",
                           "a.test\tFALSE\tx\tTRUE\t0\tn\tSECRET", "a.test\tFALSE\t/\tTRUE\tsoon\tn\tSECRET",
                           ".com\tTRUE\t/\tTRUE\t0\tn\tSECRET", "a b\tFALSE\t/\tTRUE\t0\tn\tSECRET",
                           "a.test\tFALSE\t/\tTRUE\t0\t\tSECRET", "a.test\tFALSE\t/\tTRUE\t0\tn\tSECRET;x"}) {
    const Status read = jar_.read("# x\n" + std::string(line) + "\n", "c.txt", kNow);
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_THAT(read.error().text, HasSubstr("c.txt:2: "));
    EXPECT_THAT(read.error().text, testing::Not(HasSubstr("SECRET")));
  }
  EXPECT_EQ(jar_.size(), 0u);
}

}  // namespace
}  // namespace bowerbird
