#include "cmd/screen_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmd/crawl_display.h"
#include "cmd/terminal.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ScreenLines, ColoursTakeNoRoomAndWideCharactersTwo) {
  EXPECT_EQ(columns_of("abc"), 3u);
  EXPECT_EQ(columns_of("\x1b[1mabc\x1b[0m"), 3u);
  EXPECT_EQ(columns_of("\xc3\xa4"), 1u);
  EXPECT_EQ(columns_of("\xe6\x97\xa5\xe6\x9c\xac"), 4u);
  EXPECT_EQ(columns_of("\xff\xfe"), 2u) << "bytes that are no characters";
}

TEST(ScreenLines, LongTextsLoseTheirMiddle) {
  EXPECT_EQ(cut_to("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(cut_to("abcdefghijkl", 10), "abcde...kl");
  EXPECT_EQ(cut_to("abcdefghijkl", 4), "abcd");
  EXPECT_EQ(cut_to("\x1b[1mabcdefghijkl\x1b[0m", 10), "\x1b[1mabcde...kl\x1b[0m") << "colours still end";
}

TEST(ScreenLines, PartsFillLines) {
  EXPECT_THAT(pack_parts({"one", "two", "", "three"}, 10, 2), ElementsAre("one  two", "  three"));
  EXPECT_THAT(pack_parts({"one", "0123456789"}, 8, 2), ElementsAre("one", "  012345"));
  EXPECT_THAT(pack_parts({"one,", "two"}, 10, 2), ElementsAre("one, two"));
  EXPECT_EQ(rows_of({"12345678", "", "1"}, 4), 4u);
}

TEST(ScreenLines, ABarIsFullAtTheEnd) {
  EXPECT_EQ(bar_of(0, 6), "[----]");
  EXPECT_EQ(bar_of(0.5, 6), "[##--]");
  EXPECT_EQ(bar_of(7, 6), "[####]");
}

TEST(ScreenLines, ACrawlFitsIntoEveryWidth) {
  CrawlStatus status;
  status.counts.pages = 412;
  status.counts.completed = 500;
  status.counts.outcomes[static_cast<std::size_t>(Outcome::kNotFound)] = 88;
  status.budgets.pages = 1000;
  status.budgets.seconds = 100'000;
  status.rates.pages = 12.3;
  status.rates.steady_pages = 12.3;
  status.seconds = 35;
  status.last_url = "https://www.example.org/" + std::string(300, 'x') + "/end";
  status.last_error = "https://www.example.org/gone: HTTP 404";
  status.stall = "all remaining hosts are backing off; next request in 9 min (nohost.example: no such host)";
  for (std::size_t width = 39; width < 200; ++width) {
    for (const bool colour : {false, true}) {
      const std::vector<std::string> lines = crawl_lines(status, width, colour);
      for (const std::string& line : lines) {
        EXPECT_LE(columns_of(line), width) << line;
        EXPECT_EQ(line.find('\x1b') != line.npos && !colour, false) << "no colours unless asked for";
      }
      EXPECT_THAT(lines.front(), HasSubstr("41 % of 1,000 pages")) << "the nearest budget";
      EXPECT_THAT(lines, testing::Contains(HasSubstr("waiting")));
      EXPECT_THAT(lines.back(), HasSubstr("host)")) << "the reason is not cut";
      EXPECT_THAT(lines, testing::Contains(HasSubstr("/end")));
      EXPECT_THAT(lines, testing::Contains(HasSubstr("HTTP 404")));
      EXPECT_LE(lines.size(), 16u);
    }
  }
}

TEST(ScreenLines, AShellReadsAWordBack) {
  EXPECT_EQ(shell_word("my.crawl/x-1"), "my.crawl/x-1");
  EXPECT_EQ(shell_word("my crawl"), "'my crawl'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace bowerbird
