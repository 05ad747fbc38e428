#include "export/text_diff.h"

#include <gtest/gtest.h>

#include <string>

namespace bowerbird {
namespace {

std::string shown(std::string_view before, std::string_view after) {
  std::string text;
  for (const DiffLine& line : diff_lines(before, after)) {
    text += static_cast<char>(line.kind);
    text += line.text;
    text += '|';
  }
  return text;
}

TEST(TextDiff, KeepsTheLinesThatBothHave) {
  EXPECT_EQ(shown("", ""), "");
  EXPECT_EQ(shown("a\nb\nc", "a\nb\nc"), " a| b| c|");
  EXPECT_EQ(shown("a\nb\nc", "a\nx\nc"), " a|-b|+x| c|");
  EXPECT_EQ(shown("a\nb\nc\nd", "b\nd\ne"), "-a| b|-c| d|+e|");
  EXPECT_EQ(shown("", "a"), "+a|");
  EXPECT_EQ(shown("a\na", "a"), " a|-a|");
}

TEST(TextDiff, LongTextsAreReplacedAsAWhole) {
  std::string before, after;
  for (int i = 0; i < 5000; ++i) {
    before += "x" + std::to_string(i) + "\n";
    after += "y" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(diff_lines("same\n" + before, "same\n" + after).size(), 10'001u);
}

}  // namespace
}  // namespace bowerbird
