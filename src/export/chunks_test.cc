#include "export/chunks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/utf8.h"

#include <algorithm>
#include <sstream>

namespace bowerbird {
namespace {

using Names = std::vector<std::string>;

std::size_t words_in(const std::string& text) {
  std::istringstream in(text);
  std::size_t count = 0;
  for (std::string word; in >> word;) ++count;
  return count;
}

std::string numbered(int first, int last) {
  std::string text;
  for (int i = first; i < last; ++i) text += (i > first ? " w" : "w") + std::to_string(i);
  return text;
}

TEST(CutMarkdown, KeepsBlocksWholeAndKnowsTheirHeadings) {
  const std::vector<Chunk> chunks = cut_markdown(
      "# Title\n\nOne two.\n\nThree.\n\n## Part\n\n- a\n- b\n\n### Deep\n\nx\n\n## Other\n\ny\n", {4, 0});
  ASSERT_EQ(chunks.size(), 4u);
  EXPECT_EQ(chunks[0].text, "One two.\n\nThree.");
  EXPECT_EQ(chunks[0].headings, Names{"Title"});
  EXPECT_EQ(chunks[1].text, "- a\n- b");
  EXPECT_EQ(chunks[1].headings, (Names{"Title", "Part"}));
  EXPECT_EQ(chunks[2].headings, (Names{"Title", "Part", "Deep"}));
  EXPECT_EQ(chunks[3].headings, (Names{"Title", "Other"}));
}

TEST(CutMarkdown, CodeIsOneBlock) {
  const std::string code = "```c\nint a;\n\n# not a heading\n```";
  const std::vector<Chunk> chunks = cut_markdown("text\n\n" + code + "\n\nmore\n", {8, 0});
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[0].text, "text");
  EXPECT_EQ(chunks[1].text, code);
  EXPECT_EQ(chunks[2].text, "more");
}

TEST(CutMarkdown, PiecesBeginWithTheEndOfTheOneBefore) {
  const std::vector<Chunk> chunks = cut_markdown(numbered(0, 6) + "\n\n" + numbered(6, 12) + "\n", {8, 2});
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[1].text, "w4 w5\n\n" + numbered(6, 12));
}

TEST(CutMarkdown, LongBlocksAreCutAtSentencesOrBlanks) {
  const std::vector<Chunk> sentences = cut_markdown("One two three. Four five six. Seven.", {5, 0});
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[0].text, "One two three.");
  const std::vector<Chunk> blanks = cut_markdown(numbered(0, 1000), {10, 3});
  std::string all;
  for (const Chunk& chunk : blanks) {
    EXPECT_LE(words_in(chunk.text), 10u);
    all += chunk.text + " ";
  }
  std::replace(all.begin(), all.end(), '\n', ' ');
  for (int i = 0; i < 1000; ++i) EXPECT_NE((" " + all).find(" w" + std::to_string(i) + " "), all.npos) << i;
}

TEST(CutMarkdown, PiecesMayBeMeasuredInCharacters) {
  const std::string text =
      "# T\n\nEine Katze läuft über die Straße. Der Hund "
      "schläft.\n\nÄäÄäÄäÄäÄäÄäÄäÄäÄäÄäÄäÄäÄäÄäÄä\n\nkurz\n";
  for (const std::uint32_t size : {16u, 20u, 33u, 100u}) {
    const std::vector<Chunk> chunks = cut_markdown(text, {size, 5, true});
    std::string all;
    for (const Chunk& chunk : chunks) {
      EXPECT_TRUE(is_valid_utf8(chunk.text));
      const auto characters = std::count_if(chunk.text.begin(), chunk.text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      });
      EXPECT_LE(characters, size) << chunk.text;
      all += chunk.text + "|";
    }
    for (const char* word : {"Katze", "läuft", "Straße.", "schläft.", "kurz"})
      EXPECT_NE(all.find(word), std::string::npos) << word << " " << all;
  }
  EXPECT_EQ(cut_markdown("one two. three four five", {16, 0, true})[0].text, "one two.");
}

TEST(CutMarkdown, HostileTextTakesLinearTime) {
  std::string words;
  for (int i = 0; i < 300'000; ++i) words += "a ";
  EXPECT_EQ(cut_markdown(words, {1, 1}).size(), 300'000u);
  EXPECT_EQ(cut_markdown(std::string(1'000'000, '#'), {5, 2}).size(), 1u);
  EXPECT_TRUE(cut_markdown(std::string(1'000'000, '\n'), {5, 2}).empty());
  EXPECT_TRUE(cut_markdown("", {0, 9}).empty());
  EXPECT_FALSE(cut_markdown("```\nnever closed\n\nx", {300, 30}).empty());
}

}  // namespace
}  // namespace bowerbird
