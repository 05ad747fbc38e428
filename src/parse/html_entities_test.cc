#include "parse/html_entities.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace bowerbird {
namespace {

// The text of the reference at the front and the rest after it; "-" if there is none.
std::string read(std::string_view text, bool in_attribute = false) {
  const CharacterReference reference = read_character_reference(text, in_attribute);
  if (reference.size == 0) return "-";
  std::string out;
  append_utf8(out, reference.first);
  if (reference.second != 0) append_utf8(out, reference.second);
  return out + "|" + std::string(text.substr(reference.size));
}

// 13.5 has 2,231 names: 2,125 with ';' and 106 of them without it too.
TEST(CharacterReferences, TheTableIsWhole) {
  EXPECT_EQ(named_reference_count(false), 2125u);
  EXPECT_EQ(named_reference_count(true), 106u);
}

// 13.2.5.73 named character reference.
TEST(CharacterReferences, NamesAreCaseSensitiveAndTheLongestCounts) {
  EXPECT_EQ(read("&amp;x"), "&|x");
  EXPECT_EQ(read("&AMP;x"), "&|x");
  EXPECT_EQ(read("&Amp;x"), "-");
  EXPECT_EQ(read("&Aacute;"), "\u00C1|");
  EXPECT_EQ(read("&aacute;"), "\u00E1|");
  EXPECT_EQ(read("&notin;"), "\u2209|");
  EXPECT_EQ(read("&notit;"), "\u00AC|it;");
  EXPECT_EQ(read("&NotEqualTilde;"), "\u2242\u0338|");
  EXPECT_EQ(read("&CounterClockwiseContourIntegral;"), "\u2233|");
}

TEST(CharacterReferences, OldNamesNeedNoSemicolon) {
  EXPECT_EQ(read("&copy 2"), "\u00A9| 2");
  EXPECT_EQ(read("&copyx"), "\u00A9|x");
  EXPECT_EQ(read("&hellip 2"), "-");
  EXPECT_EQ(read("&lt"), "<|");
}

// 13.2.5.73: the rule for attributes.
TEST(CharacterReferences, InAttributesANameWithoutSemicolonMayBeAParameter) {
  EXPECT_EQ(read("&copy=2", true), "-");
  EXPECT_EQ(read("&copyx", true), "-");
  EXPECT_EQ(read("&copy2", true), "-");
  EXPECT_EQ(read("&copy&", true), "\u00A9|&");
  EXPECT_EQ(read("&copy;=", true), "\u00A9|=");
  EXPECT_EQ(read("&notin=", true), "-");
}

// 13.2.5.74 ambiguous ampersand.
TEST(CharacterReferences, OtherAmpersandsStandForThemselves) {
  for (const char* text : {"&", "& ", "&;", "&xyz;", "&#", "&#;", "&#x", "&#x;", "&#xg", "&&"}) {
    EXPECT_EQ(read(text), "-") << text;
  }
  EXPECT_EQ(read("&" + std::string(100000, 'a')), "-");
}

// 13.2.5.75 to 13.2.5.79.
TEST(CharacterReferences, NumbersMayLackTheSemicolon) {
  EXPECT_EQ(read("&#65;b"), "A|b");
  EXPECT_EQ(read("&#65b"), "A|b");
  EXPECT_EQ(read("&#x41;b"), "A|b");
  EXPECT_EQ(read("&#X41g", true), "A|g");
  EXPECT_EQ(read("&#x1F600;"), "\U0001F600|");
  EXPECT_EQ(read("&#" + std::string(1000, '0') + "65;"), "A|");
}

// 13.2.5.80 numeric character reference end.
TEST(CharacterReferences, NumbersOutOfRangeAreReplacedAndTheC1RangeIsWindows1252) {
  EXPECT_EQ(read("&#0;"), "\uFFFD|");
  EXPECT_EQ(read("&#x110000;"), "\uFFFD|");
  EXPECT_EQ(read("&#xD800;"), "\uFFFD|");
  EXPECT_EQ(read("&#99999999999999999999;"), "\uFFFD|");
  EXPECT_EQ(read("&#x80;"), "\u20AC|");
  EXPECT_EQ(read("&#150;"), "\u2013|");
  EXPECT_EQ(read("&#x9F;"), "\u0178|");
  EXPECT_EQ(read("&#x81;"), "\u0081|");
}

}  // namespace
}  // namespace bowerbird
