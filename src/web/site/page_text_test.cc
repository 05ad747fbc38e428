#include "web/site/page_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace bowerbird {
namespace {

std::size_t count_words(const std::string& text) {
  return text.empty() ? 0 : static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
}

std::set<std::string> words_in(std::string_view text, bool& twice) {
  std::set<std::string> words;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    twice |= !words.emplace(text.substr(0, blank)).second;
    text = blank == text.npos ? std::string_view() : text.substr(blank + 1);
  }
  return words;
}

TEST(Words, AreDistinctAndNeitherEmptyNorTooLong) {
  bool twice = false;
  std::vector<std::set<std::string>> lists = {words_in(kCommonWords, twice)};
  EXPECT_FALSE(twice) << "common";
  for (const Subject& topic : kTopicWords) {
    twice = false;
    lists.push_back(words_in(topic.words, twice));
    EXPECT_FALSE(twice) << topic.name;
    EXPECT_GE(lists.back().size(), 30u) << topic.name;
  }
  for (const auto& list : lists) {
    for (const std::string& word : list) {
      EXPECT_FALSE(word.empty());
      EXPECT_LT(word.size(), 16u) << word;
    }
  }
}

TEST(PageText, HasTheRequestedNumberOfWords) {
  const PageText text;
  for (const unsigned words : {0u, 1u, 2u, 17u, 500u}) {
    std::string out;
    text.append_sentences(5, 3, words, out);
    EXPECT_EQ(count_words(out), words);
  }
}

TEST(PageText, SentencesBeginWithACapitalAndEndWithAStop) {
  const PageText text;
  std::string out = "kept";
  text.append_sentences(9, 0, 40, out);
  EXPECT_EQ(out.substr(0, 4), "kept");
  EXPECT_TRUE(out[4] >= 'A' && out[4] <= 'Z');
  EXPECT_EQ(out.back(), '.');
  for (std::size_t stop = out.find(". "); stop != out.npos; stop = out.find(". ", stop + 1)) {
    EXPECT_TRUE(out[stop + 2] >= 'A' && out[stop + 2] <= 'Z');
  }
}

TEST(PageText, TheSameKeyGivesTheSameText) {
  const PageText one, other;
  std::string a, b, c;
  one.append_paragraphs(1, 2, 100, a);
  other.append_paragraphs(1, 2, 100, b);
  one.append_paragraphs(2, 2, 100, c);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

TEST(PageText, ContainsTheWordsOfItsTopic) {
  const PageText text;
  bool twice = false;
  const auto own = words_in(kTopicWords[2].words, twice);
  std::string out;
  text.append_sentences(1, 2, 1000, out);
  int seen = 0;
  std::erase(out, '.');
  for (std::string_view rest = out; !rest.empty();) {
    const std::size_t blank = rest.find(' ');
    seen += own.contains(std::string(rest.substr(0, blank))) ? 1 : 0;
    rest = blank == rest.npos ? std::string_view() : rest.substr(blank + 1);
  }
  EXPECT_GT(seen, 250);
  EXPECT_LT(seen, 500);
}

TEST(PageText, TitlesHaveTwoToFourWords) {
  const PageText text;
  std::set<std::string> titles;
  for (std::uint64_t key = 0; key < 200; ++key) {
    std::string title;
    text.append_title(key, 4, title);
    EXPECT_GE(count_words(title), 2u);
    EXPECT_LE(count_words(title), 4u);
    titles.insert(title);
  }
  EXPECT_GT(titles.size(), 150u);
}

}  // namespace
}  // namespace bowerbird
