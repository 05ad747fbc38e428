#include "parse/similarity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "base/rng.h"

namespace bowerbird {
namespace {

Term term(std::string_view word) {
  TextWords words(word);
  words.next();
  return term_of(words);
}

PageTerms page(std::string_view title, std::string_view text) {
  TermCounter counter;
  counter.begin();
  counter.add_title(title);
  counter.add_text(text);
  return counter.finish();
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all.append(text).append(" ");
  return all;
}

TEST(TermCounter, CountsAsAMapWould) {
  Rng rng(5);
  TermCounter counter;
  for (int round = 0; round < 20; ++round) {
    std::map<Term, TermCount> counts;
    std::string title, text;
    for (std::uint64_t i = 0; i < rng.below(4000); ++i) {
      const std::string word = "w" + std::to_string(rng.below(1 + rng.below(2000)));
      TermCount& count = counts[term(word)];
      count.term = term(word);
      if (i < 5) {
        title += word + " ";
        ++count.title;
      } else {
        text += word + ", ";
        ++count.body;
      }
    }
    std::vector<TermCount> expected;
    for (const auto& [unused, count] : counts) expected.push_back(count);
    counter.begin();
    counter.add_title(title);
    counter.add_text(text);
    EXPECT_EQ(counter.finish().terms, expected);
  }
}

TEST(TermCounter, TellsTheWordsOfEachLinkOnce) {
  TermCounter counter;
  counter.begin();
  counter.add_text("red roses and more red roses");
  counter.add_anchor(7, "roses");
  counter.add_anchor(2, "red roses red");
  counter.add_anchor(7, "Roses");
  const PageTerms found = counter.finish();
  ASSERT_EQ(found.anchors.size(), 3u);
  EXPECT_EQ(found.anchors[0].link, 2u);
  EXPECT_EQ(found.anchors[1].link, 2u);
  EXPECT_EQ(found.anchors[2].link, 7u);
  EXPECT_EQ(found.terms[found.anchors[2].place].term, term("roses"));
  const Topic topic = Topic::parse("red").value();
  int hot = 0;
  for (const AnchorWord& word : found.anchors) hot += anchor_on_topic(topic, found, word) ? 1 : 0;
  EXPECT_EQ(hot, 1);
}

TEST(TermCounter, IsBounded) {
  std::string text;
  for (std::size_t i = 0; i < TermCounter::kMostTerms + 100; ++i) text += std::to_string(i) + " ";
  TermCounter counter;
  counter.begin();
  counter.add_text(text);
  for (int i = 0; i < 5; ++i) counter.add_anchor(1, text);
  const PageTerms found = counter.finish();
  EXPECT_LE(found.terms.size(), TermCounter::kMostTerms);
  EXPECT_LE(found.anchors.size(), TermCounter::kMostAnchors);
}

// [004], section 5.2: in the title, or ten times in the body.
TEST(OnTopic, IsATitleOrTenWords) {
  const Topic topic = Topic::parse("computer science").value();
  EXPECT_TRUE(is_on_topic(topic, page("Computer", "")));
  EXPECT_FALSE(is_on_topic(topic, page("Department", repeated("computer", 9))));
  EXPECT_TRUE(is_on_topic(topic, page("Department", repeated("computer", 10))));
  EXPECT_TRUE(is_on_topic(topic, page("", repeated("computer science", 5))));
}

// The cosine by the book, over all words by name.
TEST(Similarity, IsTheCosineOfTfIdfVectors) {
  const std::vector<std::pair<std::string, std::string>> pages = {{"Rose", "the rose is a rose"},
                                                                  {"", "the garden and the gate"},
                                                                  {"Gate", "the the rose garden"},
                                                                  {"", "x"}};
  TermStatistics statistics;
  for (const auto& [title, text] : pages) statistics.add(page(title, text));
  const std::map<std::string, int> with = {{"the", 3},    {"rose", 2}, {"is", 1},  {"a", 1},
                                           {"garden", 2}, {"and", 1},  {"gate", 2}};
  const auto idf = [&](const std::string& word) { return std::log10(1 + 4.0 / with.at(word)); };
  const std::map<std::string, double> third = {{"the", 2}, {"rose", 1}, {"garden", 1}, {"gate", 4}};
  double square = 0;
  for (const auto& [word, times] : third) square += std::pow(times * idf(word), 2);
  const double product = std::pow(idf("rose"), 2) + std::pow(idf("garden"), 2);
  const double topic = std::sqrt(std::pow(idf("rose"), 2) + std::pow(idf("garden"), 2));
  EXPECT_NEAR(statistics.similarity(Topic::parse("rose garden").value(), page("Gate", "the the rose garden")),
              product / topic / std::sqrt(square), 1e-12);
  EXPECT_NEAR(statistics.similarity(Topic::parse("x").value(), page("", "x")), 1, 1e-12);
  EXPECT_EQ(statistics.similarity(Topic::parse("y").value(), page("", "x")), 0);
  EXPECT_EQ(statistics.similarity(Topic::parse("y").value(), page("", "")), 0);
}

}  // namespace
}  // namespace bowerbird
