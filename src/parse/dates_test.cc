#include "parse/dates.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

constexpr UnixTime kNow = 1'700'000'000;    // 2023-11-14
constexpr UnixTime kExample = 784'111'777;  // 1994-11-06T08:49:37Z

TEST(Dates, DaysCountFrom1970) {
  EXPECT_EQ(days_from_civil(1970, 1, 1), 0);
  EXPECT_EQ(days_from_civil(1969, 12, 31), -1);
  EXPECT_EQ(days_from_civil(2000, 2, 29), 11016);
  EXPECT_EQ(days_from_civil(2000, 3, 1), 11017);
  EXPECT_EQ(days_from_civil(1600, 1, 1), -135140);
  // One day after the other over 800 years.
  std::int64_t day = days_from_civil(1600, 1, 1);
  for (int year = 1600; year < 2400; ++year) {
    for (unsigned month = 1; month <= 12; ++month) {
      ASSERT_EQ(days_from_civil(year, month, 1), day) << year << "-" << month;
      const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
      const bool thirty = month == 4 || month == 6 || month == 9 || month == 11;
      day += month == 2 ? 28 + leap : thirty ? 30 : 31;
    }
  }
}

// RFC 9110, section 5.6.7.
TEST(Dates, HttpDatesHaveThreeForms) {
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT", kNow), kExample);
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", kNow), kExample);
  EXPECT_EQ(parse_http_date("Sun Nov  6 08:49:37 1994", kNow), kExample);
  EXPECT_EQ(parse_http_date(" sun, 6 nov 1994 8:49:37 gmt ", kNow), kExample);
}

TEST(Dates, FormattedDatesAreParsed) {
  EXPECT_EQ(format_http_date(kExample), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(format_http_date(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
  EXPECT_EQ(format_iso_date(kExample), "1994-11-06");
  EXPECT_EQ(format_iso_date(-1), "1969-12-31");
  for (UnixTime time = -30'000'000'000; time < 100'000'000'000; time += 77'777'777) {
    ASSERT_EQ(parse_http_date(format_http_date(time), kNow), time) << format_http_date(time);
  }
}

TEST(Dates, AYearOfTwoDigitsLiesWithin50Years) {
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", kExample), kExample);
  EXPECT_EQ(parse_http_date("Wednesday, 01-Jan-70 00:00:00 GMT", kNow), days_from_civil(2070, 1, 1) * 86400);
  EXPECT_EQ(parse_http_date("Tuesday, 01-Jan-80 00:00:00 GMT", kNow), days_from_civil(1980, 1, 1) * 86400);
}

TEST(Dates, OtherTextsAreNotDates) {
  for (const char* text :
       {"", "0", "-1", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST",
        "Sun, 06 Foo 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT x", "1994-11-06T08:49:37Z"}) {
    EXPECT_EQ(parse_http_date(text, kNow), std::nullopt) << text;
  }
  EXPECT_TRUE(parse_http_date("Wed, 29 Feb 2012 00:00:00 GMT", kNow).has_value());
  EXPECT_FALSE(parse_http_date("Thu, 29 Feb 2013 00:00:00 GMT", kNow).has_value());
  EXPECT_TRUE(parse_http_date("Fri, 30 Jun 2012 23:59:60 GMT", kNow).has_value());
}

// RFC 5322, sections 3.3 and 4.3.
TEST(Dates, MailDatesHaveZones) {
  EXPECT_EQ(parse_mail_date("Sun, 06 Nov 1994 08:49:37 GMT"), kExample);
  EXPECT_EQ(parse_mail_date("06 Nov 1994 10:49:37 +0200"), kExample);
  EXPECT_EQ(parse_mail_date("Sun, 6 Nov 94 00:49:37 PST"), kExample);
  EXPECT_EQ(parse_mail_date("Sun, 6 Nov 1994 08:49 Z"), kExample - 37);
  EXPECT_EQ(parse_mail_date("6 Nov 1994"), kExample - 8 * 3600 - 49 * 60 - 37);
  EXPECT_EQ(parse_mail_date("6 Nov 04 00:00:00 GMT"), parse_w3c_date("2004-11-06"));
  for (const char* text :
       {"", "Sun", "6", "6 Nov", "6 Nov 1994 08", "6 Nov 1994 08:49:37 +0260", "6 Nov 1994 08:49:37 GMT x"}) {
    EXPECT_EQ(parse_mail_date(text), std::nullopt) << text;
  }
}

// W3C note "Date and Time Formats".
TEST(Dates, W3cDatesHaveSixForms) {
  EXPECT_EQ(parse_w3c_date("1994-11-06T08:49:37Z"), kExample);
  EXPECT_EQ(parse_w3c_date("1994-11-06T09:49:37.25+01:00"), kExample);
  EXPECT_EQ(parse_w3c_date("1994-11-06T03:49-05:00"), kExample - 37);
  EXPECT_EQ(parse_w3c_date("1994-11-06"), days_from_civil(1994, 11, 6) * 86400);
  EXPECT_EQ(parse_w3c_date("1994-11"), days_from_civil(1994, 11, 1) * 86400);
  EXPECT_EQ(parse_w3c_date("1994"), days_from_civil(1994, 1, 1) * 86400);
  EXPECT_EQ(parse_w3c_date("1994-11-06 08:49:37"), kExample);       // our choice
  EXPECT_EQ(parse_w3c_date("1994-11-06T08:49:37+0000"), kExample);  // our choice
  for (const char* text : {"", "94", "1994-13", "1994-11-31", "1994-11-06T", "1994-11-06T25:00Z",
                           "1994-11-06T08:49:37.Z", "1994-11-06x", "1994-11-06T08:49:37+01:", "today"}) {
    EXPECT_EQ(parse_w3c_date(text), std::nullopt) << text;
  }
}

TEST(Dates, AnyOfThemIsUnderstood) {
  for (const char* text : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                           "Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z", "6 Nov 1994 03:49:37 EST"}) {
    EXPECT_EQ(parse_any_date(text, kNow), kExample) << text;
  }
}

}  // namespace
}  // namespace bowerbird
