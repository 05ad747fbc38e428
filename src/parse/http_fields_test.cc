#include "parse/http_fields.h"

#include <gtest/gtest.h>

#include "parse/robots_directives.h"

namespace bowerbird {
namespace {

constexpr UnixTime kNow = 1'700'000'000;  // 2023-11-14T22:13:20Z

// WHATWG MIME Sniffing, section 4.4.
TEST(ContentType, HasATypeAndACharset) {
  const std::pair<const char*, std::pair<const char*, const char*>> examples[] = {
      {"text/html", {"text/html", ""}},
      {" Text/HTML ; Charset=UTF-8 ", {"text/html", "utf-8"}},
      {"text/html;charset=\"iso-8859-1\"", {"text/html", "iso-8859-1"}},
      {"text/html; charset=\"u\\tf-8\"x; a=b", {"text/html", "utf-8"}},
      {"text/html; a=\"x;charset=no\"; charset=yes", {"text/html", "yes"}},
      {"text/html; charset=a; charset=b", {"text/html", "a"}},
      {"text/html; charset", {"text/html", ""}},
      {"text/html; charset=", {"text/html", ""}},
      {"text/html; =x; charset=y", {"text/html", "y"}},
      {"application/xhtml+xml;charset=utf-8;", {"application/xhtml+xml", "utf-8"}},
      {"text/html; charset=\"unclosed", {"text/html", "unclosed"}},
  };
  for (const auto& [value, expected] : examples) {
    const ContentType type = parse_content_type(value);
    EXPECT_EQ(type.type, expected.first) << value;
    EXPECT_EQ(type.charset, expected.second) << value;
  }
}

TEST(ContentType, InvalidMediaTypesAreEmpty) {
  for (const char* value :
       {"", "text", "/html", "text/", "te xt/html", "text/ht(ml", ";charset=utf-8", "text/html/x"}) {
    EXPECT_EQ(parse_content_type(value).type, "") << value;
  }
}

// RFC 9110, section 10.2.3.
TEST(RetryAfter, IsSecondsOrADate) {
  EXPECT_EQ(parse_retry_after("120", kNow), 120);
  EXPECT_EQ(parse_retry_after(" 0 ", kNow), 0);
  EXPECT_EQ(parse_retry_after("Tue, 14 Nov 2023 22:14:20 GMT", kNow), 60);
  EXPECT_EQ(parse_retry_after("Tuesday, 14-Nov-23 22:14:20 GMT", kNow), 60);
  EXPECT_EQ(parse_retry_after("Tue Nov 14 22:14:20 2023", kNow), 60);
  EXPECT_EQ(parse_retry_after("Fri, 31 Dec 1999 23:59:59 GMT", kNow), 0);
  EXPECT_EQ(parse_retry_after("99999999999999999999999", kNow), 3650LL * 86400);
  for (const char* value : {"", "-1", "1.5", "soon", "1 s"})
    EXPECT_EQ(parse_retry_after(value, kNow), std::nullopt) << value;
}

CacheControl cache_control(std::string_view value) {
  CacheControl control;
  add_cache_control(value, control);
  return control;
}

// RFC 9111, section 5.2.2.
TEST(CacheControl, DirectivesAreSeparatedByCommas) {
  const CacheControl control =
      cache_control("Public, MAX-AGE=60,no-store , must-revalidate,s-maxage=\"30\", immutable");
  EXPECT_TRUE(control.no_store);
  EXPECT_TRUE(control.must_revalidate);
  EXPECT_TRUE(control.immutable);
  EXPECT_FALSE(control.no_cache);
  EXPECT_FALSE(control.is_private);
  EXPECT_EQ(control.max_age, 60);
  EXPECT_EQ(control.s_maxage, 30);
}

TEST(CacheControl, AListOfFieldsRestrictsTheseAlone) {
  const CacheControl control = cache_control("no-cache=\"set-cookie, x, no-store\", private=\"y\"");
  EXPECT_FALSE(control.no_cache);
  EXPECT_FALSE(control.is_private);
  EXPECT_FALSE(control.no_store);
  EXPECT_TRUE(cache_control("no-cache").no_cache);
}

TEST(CacheControl, ANumberThatMakesNoSenseIsStale) {
  EXPECT_EQ(cache_control("max-age=x").max_age, 0);
  EXPECT_EQ(cache_control("max-age").max_age, 0);
  EXPECT_EQ(cache_control("max-age=-5").max_age, 0);
  EXPECT_EQ(cache_control("max-age=99999999999999999999").max_age, std::int64_t{1} << 31);
  EXPECT_EQ(cache_control("max-age=5, max-age=9").max_age, 5);
}

// RFC 9111, section 4.2.1.
TEST(CacheControl, FreshnessComesFromMaxAgeThenExpires) {
  const char* date = "Tue, 14 Nov 2023 22:13:20 GMT";
  const char* expires = "Tue, 14 Nov 2023 23:13:20 GMT";
  EXPECT_EQ(freshness_lifetime(cache_control("max-age=60"), expires, date, kNow), 60);
  EXPECT_EQ(freshness_lifetime({}, expires, date, kNow + 999), 3600);
  EXPECT_EQ(freshness_lifetime({}, expires, "", kNow), 3600);
  EXPECT_EQ(freshness_lifetime({}, "0", date, kNow), 0);
  EXPECT_EQ(freshness_lifetime({}, date, expires, kNow), 0);
  EXPECT_EQ(freshness_lifetime({}, "", date, kNow), std::nullopt);
  EXPECT_EQ(freshness_lifetime(cache_control("no-cache, max-age=60"), "", date, kNow), 0);
}

// RFC 9110, section 8.8.3.
TEST(EntityTag, IsQuotedAndMayBeWeak) {
  EXPECT_EQ(parse_etag("\"xyzzy\"")->text(), "\"xyzzy\"");
  EXPECT_EQ(parse_etag(" W/\"xyzzy\" ")->text(), "W/\"xyzzy\"");
  EXPECT_TRUE(parse_etag("W/\"\"")->weak);
  for (const char* value : {"", "xyzzy", "\"", "\"a\"b\"", "w/\"x\"", "\"a b\"", "W/", "W/x"}) {
    EXPECT_FALSE(parse_etag(value).has_value()) << value;
  }
}

// RFC 8288, section 3.
TEST(Link, HasATargetAndARelation) {
  const auto links = parse_link(
      "<http://a.org/?a=1,2;3>; rel=\"Previous  NEXT\"; title=\"a, \\\"b\\\"; c\", "
      "</fr>;rel=alternate;hreflang=fr;type=text/HTML ,"
      "<x>; rel=canonical; rel=next");
  ASSERT_EQ(links.size(), 3u);
  EXPECT_EQ(links[0].target, "http://a.org/?a=1,2;3");
  EXPECT_EQ(links[0].rel, "previous next");
  EXPECT_TRUE(links[0].has_rel("next"));
  EXPECT_TRUE(links[0].has_rel("previous"));
  EXPECT_FALSE(links[0].has_rel("prev"));
  EXPECT_EQ(links[1].target, "/fr");
  EXPECT_EQ(links[1].rel, "alternate");
  EXPECT_EQ(links[1].hreflang, "fr");
  EXPECT_EQ(links[1].type, "text/html");
  EXPECT_EQ(links[2].rel, "canonical");  // section 3.3: the second rel is ignored
}

TEST(Link, MayHaveAnAnchor) {
  EXPECT_EQ(parse_link("<x>; anchor=\"#y\"; rel=next")[0].anchor, "#y");
  EXPECT_EQ(parse_link("<x>; anchor=\"\"; rel=next")[0].anchor, "");
  EXPECT_EQ(parse_link("<x>; rel=next")[0].anchor, std::nullopt);
}

TEST(Link, InvalidLinksAreSkipped) {
  EXPECT_EQ(parse_link("").size(), 0u);
  EXPECT_EQ(parse_link("junk, <unclosed").size(), 0u);
  EXPECT_EQ(parse_link(",,junk;rel=x, <a>").size(), 1u);
  EXPECT_EQ(parse_link("<a>;;rel=next;=;rel").front().rel, "next");
}

RobotsDirectives tag(std::string_view value, std::string_view token = "Bowerbird") {
  RobotsDirectives directives;
  add_x_robots_tag(value, token, kNow, directives);
  return directives;
}

TEST(RobotsDirectives, WordsAreSeparatedByCommas) {
  const RobotsDirectives all = tag(" NoIndex ,nofollow,noarchive , nosnippet, unknown");
  EXPECT_TRUE(all.noindex && all.nofollow && all.noarchive && all.nosnippet);
  EXPECT_TRUE(tag("none").noindex && tag("none").nofollow);
  EXPECT_EQ(tag("all, index, follow"), RobotsDirectives());
  EXPECT_EQ(tag(""), RobotsDirectives());
  EXPECT_TRUE(tag("max-snippet:0").nosnippet);
  EXPECT_FALSE(tag("max-snippet: 20").nosnippet);
}

TEST(RobotsDirectives, ANameSpeaksToThatCrawlerAlone) {
  EXPECT_TRUE(tag("bowerbird: noindex").noindex);
  EXPECT_EQ(tag("otherbot: noindex, nofollow"), RobotsDirectives());
  EXPECT_TRUE(tag("otherbot: noindex, BowerBird: nofollow").nofollow);
  EXPECT_FALSE(tag("otherbot: noindex, bowerbird: nofollow").noindex);
  EXPECT_TRUE(tag("nofollow, otherbot: noindex").nofollow);
  EXPECT_TRUE(tag("*: noindex").noindex);
}

TEST(RobotsDirectives, UnavailableAfterIsADate) {
  const UnixTime time = 1'893'456'000;  // 2030-01-01T00:00:00Z
  for (const char* value :
       {"unavailable_after: 2030-01-01", "unavailable_after: Tue, 01 Jan 2030 00:00:00 GMT",
        "noindex, unavailable_after:Tuesday, 01-Jan-30 00:00:00 GMT, nofollow",
        "bowerbird: unavailable_after: 31 Dec 2029 16:00:00 PST",
        "unavailable_after: 2031-01-01, unavailable_after: 2030-01-01T00:00:00Z"}) {
    EXPECT_EQ(tag(value).unavailable_after, time) << value;
  }
  EXPECT_TRUE(tag("unavailable_after:Tuesday, 01-Jan-30 00:00:00 GMT, nofollow").nofollow);
  EXPECT_EQ(tag("unavailable_after: soon").unavailable_after, std::nullopt);
  EXPECT_EQ(tag("unavailable_after: Tue").unavailable_after, std::nullopt);
  EXPECT_EQ(tag("otherbot: unavailable_after: 2030-01-01").unavailable_after, std::nullopt);
}

TEST(RobotsDirectives, MetaElementsHaveTheSameWords) {
  RobotsDirectives directives;
  add_robots_meta("index,\n NOFOLLOW", kNow, directives);
  EXPECT_TRUE(directives.nofollow);
  EXPECT_FALSE(directives.noindex);
  add_robots_meta("noindex", kNow, directives);
  EXPECT_TRUE(directives.nofollow && directives.noindex);
}

}  // namespace
}  // namespace bowerbird
