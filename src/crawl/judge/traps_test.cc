#include "crawl/judge/traps.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TrapSign sign(std::string_view text, TrapOptions options = {}) {
  options.year = 2026;
  Url url;
  EXPECT_EQ(parse_url(text, nullptr, url), UrlFault::kNone);
  return trap_sign(url, options);
}

TEST(Traps, OrdinaryUrlsAreNotTraps) {
  for (const char* text :
       {"http://a/", "http://a/2024/05/17/title", "http://a/docs/a/b/c.html", "http://a/x?date=2026-01-01",
        "http://a/1999/12/", "http://a/js/js/", "http://a/?year=2028&month=1", "http://a/item/2043",
        "http://a/2027-05-01/x", "http://a/v2-1043-11", "http://a/left/right/left/up/left/right/left",
        "http://a/1/0/1/2/1/1/0/1/3", "http://a/price?from=1200&to=5000", "http://a/a/b/a/b",
        // Words that only contain a calendar word, and numbers in other parameters.
        "http://a/thread?id=4711&lastupdate=1", "http://a/archive?date=2020-05-01&page=1500",
        "http://a/x?validate=1234", "http://a/x?holiday=1500&today=9999", "http://a/?UPDATE=1066"}) {
    EXPECT_EQ(sign(text), TrapSign::kNone) << text;
  }
}

TEST(Traps, AreRecognised) {
  EXPECT_EQ(sign("http://a/x/x/x/"), TrapSign::kRepeatedSegments);
  EXPECT_EQ(sign("http://a/q/a/b/a/b/a/b"), TrapSign::kRepeatedSegments);
  EXPECT_EQ(sign("http://a/calendar/2043/11/05"), TrapSign::kCalendar);
  EXPECT_EQ(sign("http://a/calendar/1890/1/"), TrapSign::kCalendar);
  EXPECT_EQ(sign("http://a/calendar/2043-11"), TrapSign::kCalendar);
  EXPECT_EQ(sign("http://a/day.2043_11_05.html/2043_11_05.html"), TrapSign::kCalendar);
  EXPECT_EQ(sign("http://a/left/right/right/left/right/left/left/right/right/left/"),
            TrapSign::kRepeatedSegments);
  EXPECT_EQ(sign("http://a/events?year=2099&month=3"), TrapSign::kCalendar);
  EXPECT_EQ(sign("http://a/events?date=2099-03-01"), TrapSign::kCalendar);
  EXPECT_EQ(sign("http://a/events?startDate=2099-03-01"), TrapSign::kCalendar);
  EXPECT_EQ(sign("http://a/events?tribe-bar-date=2099-03"), TrapSign::kCalendar);
  EXPECT_EQ(sign("http://a/events?cal%5Byear%5D=2099"), TrapSign::kCalendar);
  EXPECT_EQ(sign("http://a/events?x=1;year=1800"), TrapSign::kCalendar);
  EXPECT_EQ(sign("http://a/x;JSESSIONID=0123"), TrapSign::kSession);
  EXPECT_EQ(sign("http://a/(S(abcd1234))/p.aspx"), TrapSign::kSession);
  std::string deep = "http://a";
  for (int i = 0; i < 25; ++i) deep += "/" + std::to_string(i);
  EXPECT_EQ(sign(deep), TrapSign::kTooDeep);
  EXPECT_EQ(sign("http://a/" + std::string(1100, 'x')), TrapSign::kTooLong);
  EXPECT_EQ(sign("http://a/?a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q"), TrapSign::kTooManyParameters);
}

TEST(Traps, CanBeSwitchedOff) {
  TrapOptions off;
  off.on = false;
  EXPECT_EQ(sign("http://a/x/x/x/", off), TrapSign::kNone);
}

}  // namespace
}  // namespace bowerbird
