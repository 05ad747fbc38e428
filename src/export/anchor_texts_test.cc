#include "export/anchor_texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

using Texts = std::vector<std::string>;

TEST(AnchorTexts, TheMostFrequentComeFirst) {
  const TemporaryFolder folder;
  const std::vector<std::uint64_t> targets = {5, 7};
  AnchorTexts texts(targets, folder.path(), 200);  // several runs
  for (std::uint64_t i = 0; i < 50; ++i) {
    ASSERT_TRUE(texts.add(5, i, i % 3 == 0 ? "often" : fmt::format("once {}", i)).ok());
    ASSERT_TRUE(texts.add(6, i, "no target").ok());
    ASSERT_TRUE(texts.add(5, i, "").ok());
  }
  ASSERT_TRUE(texts.add(7, 1, "two\nlines").ok());
  ASSERT_TRUE(texts.finish().ok());
  const Texts five = texts.of(5);
  ASSERT_EQ(five.size(), AnchorTexts::kMostTexts);
  EXPECT_EQ(five[0], "often");
  EXPECT_EQ(five[1], "once 1");
  EXPECT_EQ(five[2], "once 2");
  EXPECT_EQ(texts.of(7), Texts({"two lines"}));
  EXPECT_EQ(texts.of(6), Texts());
  EXPECT_EQ(texts.of(9), Texts());
}

TEST(AnchorTexts, LongTextsAreCutBetweenCharacters) {
  const TemporaryFolder folder;
  const std::vector<std::uint64_t> targets = {1};
  AnchorTexts texts(targets, folder.path());
  std::string text(AnchorTexts::kLongestText - 1, 'x');
  ASSERT_TRUE(texts.add(1, 0, text + "\xC3\xA4").ok());
  ASSERT_TRUE(texts.finish().ok());
  EXPECT_EQ(texts.of(1), Texts({text}));
}

TEST(AnchorTexts, ThereMayBeNone) {
  const TemporaryFolder folder;
  const std::vector<std::uint64_t> targets = {1};
  AnchorTexts texts(targets, folder.path());
  ASSERT_TRUE(texts.finish().ok());
  EXPECT_EQ(texts.of(1), Texts());
}

}  // namespace
}  // namespace bowerbird
