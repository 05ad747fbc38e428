#include "web/http_date.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

// RFC 9110, 5.6.7: the example of IMF-fixdate.
TEST(HttpDate, TheExampleOfTheStandard) {
  std::string text;
  append_http_date(784'111'777'000'000, text);
  EXPECT_EQ(text, "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(parse_http_date(text), 784'111'777'000'000);
}

TEST(HttpDate, EveryDateComesBack) {
  for (std::int64_t second = 0; second < 4'000'000'000; second += 12'345'678) {
    std::string text;
    append_http_date(second * 1'000'000 + 999'999, text);
    EXPECT_EQ(parse_http_date(text), second * 1'000'000) << text;
  }
}

TEST(HttpDate, OtherTextIsNone) {
  for (const char* text :
       {"", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, x6 Nov 1994 08:49:37 GMT"}) {
    EXPECT_FALSE(parse_http_date(text)) << text;
  }
}

TEST(HttpDate, IsoDates) {
  std::string text;
  append_iso_date(784'111'777'000'000, text);
  EXPECT_EQ(text, "1994-11-06");
}

}  // namespace
}  // namespace bowerbird
