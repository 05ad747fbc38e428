// The numbers are clauses of RFC 6265.
#include "parse/set_cookie.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

constexpr UnixTime kNow = 1'700'000'000;

SetCookie cookie_of(std::string_view field) {
  const auto cookie = parse_set_cookie(field, kNow);
  EXPECT_TRUE(cookie.has_value()) << field;
  return cookie.value_or(SetCookie());
}

TEST(SetCookie, NameValueAndAttributes) {  // 5.2
  const SetCookie cookie = cookie_of(" sid = a=b ; Domain=.Example.ORG; path=/x ; SECURE; HttpOnly; Other=1");
  EXPECT_EQ(cookie.name, "sid");
  EXPECT_EQ(cookie.value, "a=b");
  EXPECT_EQ(cookie.domain, "example.org");
  EXPECT_EQ(cookie.path, "/x");
  EXPECT_TRUE(cookie.secure && cookie.http_only);
  EXPECT_EQ(cookie.expires, std::nullopt);
  EXPECT_EQ(cookie_of("a=; path=x").path, "") << "5.2.4: no absolute path, so the default";
  EXPECT_EQ(cookie_of("a=1; path=/x; path=/y").path, "/y") << "the last one counts";
}

TEST(SetCookie, InvalidCookiesAreRefused) {
  for (const std::string_view field : {"", "novalue", "=x", " =x; Path=/", "a\x01=b", "a=b\x7f", "a=b\tc"})
    EXPECT_FALSE(parse_set_cookie(field, kNow)) << field;
  EXPECT_FALSE(parse_set_cookie("a=" + std::string(kLongestCookie, 'x'), kNow)) << "too long";
  EXPECT_EQ(cookie_of("a=1; path=/" + std::string(kLongestCookiePath, 'x')).path, "") << "ignored";
}

TEST(SetCookie, MaxAgeWinsOverExpires) {  // 5.2.1, 5.2.2
  EXPECT_EQ(cookie_of("a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT").expires, kNow + 60);
  EXPECT_EQ(cookie_of("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; max-age=60").expires, kNow + 60);
  EXPECT_EQ(cookie_of("a=1; Max-Age=-1").expires, 0);
  EXPECT_EQ(cookie_of("a=1; Max-Age=0").expires, 0);
  EXPECT_EQ(cookie_of("a=1; Max-Age=x").expires, std::nullopt);
  EXPECT_GT(cookie_of("a=1; Max-Age=99999999999999999999999").expires, kNow);
}

TEST(SetCookie, DatesInAllTheirForms) {  // 5.1.1
  constexpr UnixTime kTime = 784111777;  // Sun, 06 Nov 1994 08:49:37 GMT
  for (const char* date : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                           "Sun Nov  6 08:49:37 1994", "6 november 1994 8:49:37", "1994 08:49:37 06 Nov"})
    EXPECT_EQ(parse_cookie_date(date), kTime) << date;
  for (const char* date :
       {"", "06 Nov 1994", "08:49:37 Nov 1994", "32 Nov 1994 08:49:37", "06 Nov 1600 08:49:37",
        "06 Nov 1994 24:00:00", "30 Feb 1994 00:00:00", "06 Nov 1994 08:60:00"})
    EXPECT_EQ(parse_cookie_date(date), std::nullopt) << date;
  EXPECT_EQ(parse_cookie_date("1 Jan 69 00:00:00"), parse_cookie_date("1 Jan 2069 00:00:00"));
  EXPECT_EQ(parse_cookie_date("1 Jan 70 00:00:00"), 0);
}

}  // namespace
}  // namespace bowerbird
