#include "parse/text/block_text.h"

#include <gtest/gtest.h>

#include <string>

namespace bowerbird {
namespace {

BlockText read(std::string_view text, std::vector<LinkSpan> links = {}) {
  std::size_t first = 0;
  HeadWords head;
  head.title.assign("A Title");
  return read_block_text(text, 0, links, first, head);
}

std::string words_of(std::string_view text) {
  std::string out;
  WordReader reader(text);
  for (TextWord word; reader.next(word);)
    out += std::string(text.substr(word.begin, word.end - word.begin)) + "/";
  return out;
}

TEST(BlockText, WordsAreRunsOfLettersAndDigits) {
  EXPECT_EQ(words_of("It’s 3.5 snake_case — naïve"), "It/s/3/5/snake_case/naïve/");
  EXPECT_EQ(words_of("日本語。テスト"), "日本語/テスト/");
  EXPECT_EQ(words_of(" \xEF\x80\x80 "), "");  // an icon of the private use area
}

TEST(BlockText, CountsWhatTellsTextFromMenus) {
  const BlockText text = read("The title of A Story, told well. It costs $5!");
  EXPECT_EQ(text.words, 10u);
  EXPECT_EQ(text.stops, 2u);
  EXPECT_EQ(text.commas, 1u);
  EXPECT_EQ(text.currency, 1u);
  EXPECT_EQ(text.title, 2u);
  EXPECT_EQ(text.lexicon[static_cast<std::size_t>(Lexicon::kFunction)], 4u);
}

TEST(BlockText, CountsWordsOfLinks) {
  const BlockText text = read("one two three", {{{4, 3}, false}, {{7, 6}, true}});
  EXPECT_EQ(text.link_words, 2u);
  EXPECT_EQ(text.in_page_words, 1u);
}

TEST(BlockText, WordsAreTheSameHoweverTheyAreFound) {
  // A character outside ASCII after a word has it read character by character.
  for (std::size_t size = 1; size <= 40; ++size) {
    std::string word;
    for (std::size_t i = 0; i < size; ++i) word += "aB3_zZ09y"[i % 9];
    const std::string text = "(" + word + ") \xE2\x80\x94" + word + "\xE2\x80\x94";
    WordReader words(text);
    TextWord first, second, none;
    ASSERT_TRUE(words.next(first));
    ASSERT_TRUE(words.next(second));
    EXPECT_FALSE(words.next(none));
    EXPECT_EQ(text.substr(first.begin, first.end - first.begin), word);
    EXPECT_EQ(text.substr(second.begin, second.end - second.begin), word);
    EXPECT_EQ(first.hash, second.hash);
    const std::string accented = word + "\xC3\xA9";
    WordReader longer(accented);
    ASSERT_TRUE(longer.next(second));
    EXPECT_EQ(second.end, size + 2);
    EXPECT_NE(first.hash, second.hash);
  }
}

}  // namespace
}  // namespace bowerbird
