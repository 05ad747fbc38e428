#include "crawl/judge/url_pattern.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(UrlPattern, IsFoundAnywhereInTheUrl) {
  const UrlPattern pattern = std::move(UrlPattern::make("/(usage|docs)/[0-9]+$")).value();
  EXPECT_TRUE(pattern.found_in("https://a.example/docs/42"));
  EXPECT_FALSE(pattern.found_in("https://a.example/docs/42/"));
}

TEST(UrlPattern, TakesLinearTime) {
  const UrlPattern pattern = std::move(UrlPattern::make("^https?://[^/]*(/.*)+/print$")).value();
  std::string url = "http://a.example";
  while (url.size() < 2000) url += "/a";
  EXPECT_FALSE(pattern.found_in(url));
  EXPECT_TRUE(pattern.found_in(url + "/print"));
}

TEST(UrlPattern, ErrorsNameTheUnsupportedConstruct) {
  const std::pair<const char*, const char*> cases[] = {
      {"a(?=b)", "'(?=': look-ahead"},
      {"a(?!b)", "'(?!': look-ahead"},
      {"(?<=a)b", "'(?<': look-ahead"},
      {"(a)\\1", "'\\1': back-reference"},
      {"(?P<x>a)(?P=x)", "'(?P=': back-reference"},
      {"a(", "missing )"},
      {"[", "missing ]"},
      {"a{2000}", "{2000}"},
      {"*a", "*"},
  };
  for (const auto& [pattern, why] : cases) {
    const auto made = UrlPattern::make(pattern);
    ASSERT_FALSE(made.ok()) << pattern;
    EXPECT_NE(made.error().text.find(why), std::string::npos) << made.error().text;
  }
}

}  // namespace
}  // namespace bowerbird
