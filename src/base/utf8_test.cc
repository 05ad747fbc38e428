#include "base/utf8.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

std::string made_valid(std::string_view text) {
  std::string out;
  append_as_valid_utf8(out, text);
  return out;
}

TEST(Utf8, EveryCodePointComesBackAsItWent) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string bytes;
    append_utf8(bytes, c);
    const Utf8Step step = decode_utf8(bytes);
    ASSERT_TRUE(step.valid) << static_cast<unsigned>(c);
    ASSERT_EQ(step.code_point, c);
    ASSERT_EQ(step.size, bytes.size());
  }
}

TEST(Utf8, SurrogatesAndNumbersOutOfRangeAreReplaced) {
  std::string out;
  append_utf8(out, 0xD800);
  append_utf8(out, 0x110000);
  EXPECT_EQ(out, "\uFFFD\uFFFD");
}

// Unicode 3.9, table 3-8: U+FFFD for truncated, overlong, surrogate and impossible bytes.
TEST(Utf8, EachMaximalPartOfAnInvalidSequenceIsReplacedOnce) {
  EXPECT_EQ(made_valid("a\xF1\x80\x80\xE1\x80\xC2"
                       "b\x80"
                       "c\x80\xBF"
                       "d"),
            "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd");
  EXPECT_EQ(made_valid("\xC0\xAF"), "\uFFFD\uFFFD");
  EXPECT_EQ(made_valid("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(made_valid("\xF4\x91\x92\x93"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(made_valid("\xFF"), "\uFFFD");
}

TEST(Utf8, ValidityIsSeenPastLongAsciiRuns) {
  const std::string plain(100, 'x');
  EXPECT_TRUE(is_ascii(plain));
  EXPECT_TRUE(is_valid_utf8(plain + "\u00E9" + plain));
  EXPECT_FALSE(is_ascii(plain + "\u00E9"));
  EXPECT_FALSE(is_valid_utf8(plain + "\xE9" + plain));
}

TEST(Utf8, AnIncompleteTailIsOnlyWhatCouldStillBecomeValid) {
  EXPECT_EQ(incomplete_utf8_tail("a\xE2\x82"), 2u);
  EXPECT_EQ(incomplete_utf8_tail("a\xF0\x9F\x98"), 3u);
  EXPECT_EQ(incomplete_utf8_tail("a\xC3"), 1u);
  EXPECT_EQ(incomplete_utf8_tail("a\u20AC"), 0u);
  EXPECT_EQ(incomplete_utf8_tail("a\xE0\x80"), 0u);  // E0 80 can never be valid
  EXPECT_EQ(incomplete_utf8_tail("\x80\x80"), 0u);
  EXPECT_EQ(incomplete_utf8_tail(""), 0u);
}

}  // namespace
}  // namespace bowerbird
