#include "url/host.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "url/site.h"

namespace bowerbird {
namespace {

TEST(Host, IsLowerCaseAndWithoutUserAndDefaultPort) {
  EXPECT_EQ(host_of_url("http://www.example.org/a/b"), "www.example.org");
  EXPECT_EQ(host_of_url("HTTP://WWW.Example.ORG"), "www.example.org");
  EXPECT_EQ(host_of_url("http://me:secret@www.example.org/"), "www.example.org");
  EXPECT_EQ(host_of_url("http://www.example.org:80/"), "www.example.org");
  EXPECT_EQ(host_of_url("http://www.example.org:080"), "www.example.org");
  EXPECT_EQ(host_of_url("https://www.example.org:443?x=/"), "www.example.org");
  EXPECT_EQ(host_of_url("http://www.example.org:/"), "www.example.org");
  EXPECT_EQ(host_of_url("//www.example.org/a"), "www.example.org");
}

TEST(Host, KeepsAnotherPort) {
  EXPECT_EQ(host_of_url("http://www.example.org:8080#x"), "www.example.org:8080");
  EXPECT_EQ(host_of_url("http://www.example.org:443/"), "www.example.org:443");
  EXPECT_EQ(host_of_url("https://www.example.org:80/"), "www.example.org:80");
  EXPECT_EQ(host_of_url("http://www.example.org:65536/"), "");
  EXPECT_EQ(host_of_url("http://www.example.org:99999999999999/"), "");
  EXPECT_EQ(host_of_url("http://www.example.org:8o/"), "");
}

TEST(Host, NeedsNoSchemeWhereTheNameLooksLikeOne) {
  EXPECT_EQ(host_of_url("www.Example.org/path"), "www.example.org");
  EXPECT_EQ(host_of_url("example.org"), "example.org");
  EXPECT_EQ(host_of_url("example.org:8080/x"), "example.org:8080");
  EXPECT_EQ(host_of_url("localhost:8080/x"), "localhost:8080");
  EXPECT_EQ(host_of_url("http://intranet/x"), "intranet");
  EXPECT_EQ(host_of_url("intranet/x"), "");
}

TEST(Host, MayBeAnAddress) {
  EXPECT_EQ(host_of_url("http://192.168.0.1:81/"), "192.168.0.1:81");
  EXPECT_EQ(host_of_url("http://[2001:DB8::1]:81/"), "[2001:db8::1]:81");
  EXPECT_EQ(host_of_url("http://[2001:db8::1]"), "[2001:db8::1]");
  EXPECT_EQ(host_of_url("http://[2001:db8::1/"), "");
  EXPECT_EQ(host_of_url("http://[x]/"), "");
}

TEST(Host, IsEmptyForUrlsWithoutAHost) {
  for (const char* garbage : {"", " ", "http://", "http:///x", "http:/x.org/", "mailto:a@example.org",
                              "a@example.org", "12", "javascript:void(0)", "data:text/html,x.y", "/path", "?",
                              "://x", "http://a b.org/", "<a.b>", "http://a\nb.org", "http://./"}) {
    EXPECT_EQ(host_of_url(garbage), "") << garbage;
  }
}

TEST(Host, HasNoDotAtItsEnd) {
  EXPECT_EQ(host_of_url("http://www.example.org./a"), "www.example.org");
  EXPECT_EQ(host_of_url("http://www.example.org.:81/a"), "www.example.org:81");
}

TEST(Host, MayBeStrangeWhereASchemeSaysThatItIsOne) {
  EXPECT_EQ(host_of_url("http://\"https://a.org/"), "\"https");
  EXPECT_EQ(host_of_url("http://www.example,com/"), "www.example,com");
}

TEST(Path, IsBetweenHostAndQuery) {
  EXPECT_EQ(path_of_url("http://a.org/b/c.html?d=/e#f"), "/b/c.html");
  EXPECT_EQ(path_of_url("http://a.org?b/c"), "");
  EXPECT_EQ(path_of_url("a.org/b#/c"), "/b");
  EXPECT_EQ(path_of_url("http://a.org"), "");
}

TEST(Path, HasDepth) {
  EXPECT_EQ(path_depth("http://a.org"), 0u);
  EXPECT_EQ(path_depth("http://a.org/"), 0u);
  EXPECT_EQ(path_depth("http://a.org/b"), 1u);
  EXPECT_EQ(path_depth("http://a.org/b/"), 1u);
  EXPECT_EQ(path_depth("http://a.org//b///c.html?d=/e/f"), 2u);
}

TEST(HomePage, HasNoPathAndNoQuery) {
  EXPECT_TRUE(is_home_page("http://a.org"));
  EXPECT_TRUE(is_home_page("http://a.org/"));
  EXPECT_TRUE(is_home_page("http://a.org/#top?x"));
  EXPECT_FALSE(is_home_page("http://a.org/?x"));
  EXPECT_FALSE(is_home_page("http://a.org?x"));
  EXPECT_FALSE(is_home_page("http://a.org/index.html"));
}

TEST(Site, IsTheRegistrableDomain) {
  EXPECT_EQ(site_of_host("www.bbc.co.uk"), "bbc.co.uk");
  EXPECT_EQ(site_of_host("bbc.co.uk:8080"), "bbc.co.uk");
  EXPECT_EQ(site_of_host("www.ics.uci.edu."), "uci.edu");
  EXPECT_EQ(site_of_host("a.b.github.io"), "b.github.io");
}

TEST(Site, OfWhatHasNoRegistrableDomainIsTheNameItself) {
  EXPECT_EQ(site_of_host("co.uk"), "co.uk");
  EXPECT_EQ(site_of_host("localhost:8080"), "localhost");
  EXPECT_EQ(site_of_host("a.b.nosuchtld"), "b.nosuchtld");
  EXPECT_EQ(site_of_host("192.168.0.1:81"), "192.168.0.1");
  EXPECT_EQ(site_of_host("[2001:db8::1]:81"), "[2001:db8::1]");
  EXPECT_EQ(site_of_host(""), "");
}

TEST(Site, MayBeAskedByManyThreads) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  std::vector<int> right(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&right, t] {
      for (int i = 0; i < 1000; ++i) right[t] += site_of_host("a.b.co.uk") == "b.co.uk" ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 1000));
}

}  // namespace
}  // namespace bowerbird
