#include "parse/html_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/rng.h"

namespace bowerbird {
namespace {

std::string collapsed_whole(std::string_view text) {
  std::string out;
  TextCollector collector;
  collector.begin(out);
  collector.append(text, /*references=*/false);
  return out;
}

TEST(TextCollector, CollapsesWhiteSpaceOfAnyLength) {
  EXPECT_EQ(collapsed_whole("  one two\n three  "), "one two three");
  EXPECT_EQ(collapsed_whole("fifteen letters and a blank"), "fifteen letters and a blank");
  EXPECT_EQ(collapsed_whole("a  b\tc\x7F"
                            "d \xC2\xA0 e"),
            "a b c d e");
}

TEST(TextCollector, GivesTheSameForATextInPieces) {
  constexpr std::string_view kBytes = "abcdefgXYZ019_<>\"'&;,.    \n\t";
  Rng random(1);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (std::uint64_t i = random.below(600); i > 0; --i) text += kBytes[random.below(kBytes.size())];
    std::string whole, pieces, whole_pre, pieces_pre;
    TextCollector collectors[4];
    std::string* const outs[] = {&whole, &pieces, &whole_pre, &pieces_pre};
    for (int i = 0; i < 4; ++i) collectors[i].begin(*outs[i]);
    collectors[0].append(text, /*references=*/false);
    collectors[2].append_preformatted(text, /*references=*/false);
    for (const char& c : text) {
      collectors[1].append({&c, 1}, /*references=*/false);
      collectors[3].append_preformatted({&c, 1}, /*references=*/false);
    }
    EXPECT_EQ(whole, pieces);
    EXPECT_EQ(whole_pre, pieces_pre);
    EXPECT_EQ(whole_pre, text);
  }
}

}  // namespace
}  // namespace bowerbird
