#include "crawl/config/option_words.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

std::string word_of(std::string_view name, std::string_view value) {
  return option_word(*find_row(crawl_option_table(), name), value);
}

TEST(OptionWords, AreReadAsTheyAreWritten) {
  CrawlOptions options;
  ASSERT_TRUE(read_words({"http://a.test/", word_of("pages", "100"), word_of("traps", "false"),
                          word_of("exclude", "/a"), word_of("exclude", "/b"), word_of("pages", "200")},
                         options)
                  .ok());
  EXPECT_EQ(options.budget.pages, 200u) << "the last one counts";
  EXPECT_FALSE(options.selection.traps);
  EXPECT_EQ(options.scope.exclude, (std::vector<std::string>{"/a", "/b"}));
  EXPECT_TRUE(options.start.seeds.empty());
  EXPECT_FALSE(read_words({"--pages=many"}, options).ok());
}

TEST(OptionWords, AFileIsReadBeforeAllOthers) {
  TemporaryFolder folder;
  std::ofstream(folder / "options.toml") << "pages = 5\npolicy = \"bfs\"\n";
  CrawlOptions options;
  ASSERT_TRUE(read_words({"--pages=7", config_word(folder / "options.toml")}, options).ok());
  EXPECT_EQ(options.budget.pages, 7u);
  EXPECT_EQ(options.order.policy, "bfs");
  EXPECT_FALSE(read_words({config_word(folder / "missing")}, options).ok());
}

TEST(OptionWords, BelongToOneOption) {
  EXPECT_TRUE(is_word_of("--pages=1", "pages"));
  EXPECT_TRUE(is_word_of("--no-traps", "traps"));
  EXPECT_FALSE(is_word_of("--pages-per-host=1", "pages"));
  EXPECT_FALSE(is_word_of("pages", "pages"));
  EXPECT_EQ(word_of("traps", "true"), "--traps");
}

}  // namespace
}  // namespace bowerbird
