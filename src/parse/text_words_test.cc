#include "parse/text_words.h"

#include <gtest/gtest.h>

#include <string>

namespace bowerbird {
namespace {

TEST(TextWords, AreTheSameHoweverTheyAreFound) {
  // A character outside ASCII after a word has it read character by character.
  for (std::size_t size = 1; size <= 40; ++size) {
    std::string word;
    for (std::size_t i = 0; i < size; ++i) word += "aB3zZ09y"[i % 8];
    std::string lower = word;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    const std::string text = " .-" + word + ", " + lower + "\xE2\x80\x94" + word;
    TextWords words(text);
    ASSERT_TRUE(words.next());
    EXPECT_EQ(words.begin(), 3u);
    const std::uint64_t hash = words.hash();
    ASSERT_TRUE(words.next());
    EXPECT_EQ(words.begin(), 3 + size + 2);
    EXPECT_EQ(words.hash(), hash) << size;
    ASSERT_TRUE(words.next());
    EXPECT_EQ(words.begin(), text.size() - size);
    EXPECT_EQ(words.hash(), hash) << size;
    EXPECT_FALSE(words.next());
    const std::string other = word + "x";
    TextWords longer(other);
    ASSERT_TRUE(longer.next());
    EXPECT_NE(longer.hash(), hash);
  }
}

TEST(TextWords, UnderscoresSeparateAndCharactersOfSomeScriptsStandAlone) {
  const auto count = [](std::string_view text) {
    TextWords words(text);
    int found = 0;
    while (words.next()) ++found;
    return found;
  };
  EXPECT_EQ(count(""), 0);
  EXPECT_EQ(count(" \n.,;!"), 0);
  EXPECT_EQ(count("one_two three"), 3);
  EXPECT_EQ(count("caf\xC3\xA9 na\xC3\xAFve"), 2);
  EXPECT_EQ(count("\xE6\xBC\xA2\xE5\xAD\x97"), 2);
}

}  // namespace
}  // namespace bowerbird
