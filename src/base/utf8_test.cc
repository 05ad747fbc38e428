#include "base/utf8.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/ascii.h"

namespace bowerbird {
namespace {

std::vector<char32_t> decoded(std::string_view text) {
  std::vector<char32_t> codes;
  while (!text.empty()) {
    const Utf8Step step = utf8_front(text);
    codes.push_back(step.code);
    text.remove_prefix(step.size);
  }
  return codes;
}

TEST(Utf8, EveryCodePointComesBack) {
  for (char32_t code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 61) {
    if (code >= 0xd800 && code < 0xe000) continue;
    std::string text;
    append_utf8(text, code);
    const Utf8Step step = utf8_front(text);
    ASSERT_TRUE(step.valid);
    ASSERT_EQ(step.code, code);
    ASSERT_EQ(step.size, text.size());
  }
}

TEST(Utf8, AMalformedSequenceIsOneReplacementForEachMaximalPart) {
  using V = std::vector<char32_t>;
  EXPECT_EQ(decoded("\xff\x41"), (V{0xfffd, 'A'}));
  EXPECT_EQ(decoded("\xe2\x82\x41"), (V{0xfffd, 'A'}));             // cut short
  EXPECT_EQ(decoded("\xe2\x82"), (V{0xfffd}));                      // cut short by the end
  EXPECT_EQ(decoded("\xc0\xaf"), (V{0xfffd, 0xfffd}));              // overlong
  EXPECT_EQ(decoded("\xed\xa0\x80"), (V{0xfffd, 0xfffd, 0xfffd}));  // surrogate
  EXPECT_EQ(decoded("\xf4\x90\x80\x80"), (V{0xfffd, 0xfffd, 0xfffd, 0xfffd}));
  EXPECT_EQ(decoded("\xf0\x90\x80\xc3\xa9"), (V{0xfffd, 0xe9}));
}

TEST(Ascii, CaseIsThatOfAsciiAlone) {
  EXPECT_TRUE(equals_ignoring_case("xN--\xc3\x84", "Xn--\xc3\x84"));
  EXPECT_FALSE(equals_ignoring_case("\xc3\x84", "\xc3\xa4"));
  EXPECT_TRUE(starts_ignoring_case("Disallow", "dis"));
  EXPECT_FALSE(starts_ignoring_case("di", "dis"));
  EXPECT_EQ(trimmed("\t a b "), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(hex_value('g'), -1);
  EXPECT_EQ(hex_value('F'), 15);
}

}  // namespace
}  // namespace bowerbird
