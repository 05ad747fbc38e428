#include "parse/text/written_date.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(WrittenDate, ReadsTheUsualForms) {
  for (const char* text :
       {"2025-09-04", "2025-09-04T10:00:00Z", "Posted on September 4, 2025 by X", "Sep 4th, 2025",
        "4 September 2025", "4. September 2025", "4 de septiembre de 2025", "04.09.2025", "2025/9/4/title",
        "Thu, 04 Sep 2025 10:00:00 GMT", "9/4/2025"}) {
    EXPECT_EQ(find_written_date(text), "2025-09-04") << text;
  }
  EXPECT_EQ(find_written_date("25/12/2024"), "2024-12-25");
}

TEST(WrittenDate, OtherNumbersAreNone) {
  for (const char* text :
       {"", "2025", "12.5.3", "Version 2025.1", "May 2025", "32 May 2025", "1/2/3", "2025-13-04"}) {
    EXPECT_EQ(find_written_date(text), "") << text;
  }
}

}  // namespace
}  // namespace bowerbird
