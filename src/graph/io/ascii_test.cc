#include "graph/io/ascii.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/io/io_test_data.h"
#include "sys/sink.h"

namespace bowerbird {
namespace {

using ::testing::HasSubstr;

Result<CsrGraph> parse(std::string_view text) {
  const auto in = InputStream::from_memory(text, "X");
  return read_ascii(*in);
}

std::string complaint(std::string_view text) {
  const auto result = parse(text);
  return result.ok() ? "none" : result.error().text;
}

std::string written(const Graph& graph) {
  StringSink sink;
  EXPECT_TRUE(write_ascii(graph, sink).ok());
  return sink.text();
}

TEST(Ascii, ReadsALineOfSuccessorsPerPage) {
  EXPECT_EQ(rows_of(*parse("3\n1 2\n\n0\n")), (Rows{{1, 2}, {}, {0}}));
  EXPECT_EQ(rows_of(*parse("3\r\n 1\t2 \r\n\r\n0")), (Rows{{1, 2}, {}, {0}}));
  EXPECT_EQ(rows_of(*parse("0\n")), Rows{});
  EXPECT_EQ(rows_of(*parse("1\n\n")), Rows{{}});
}

TEST(Ascii, PutsSuccessorsInOrder) {
  EXPECT_EQ(rows_of(*parse("3\n2 0 2 1\n\n\n")), (Rows{{0, 1, 2}, {}, {}}));
}

TEST(Ascii, ReadsWeights) {
  const auto graph = parse("3\n\n2:7 0:4294967295\n1:1 1:2\n");
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ(rows_of(*graph), (Rows{{}, {0, 2}, {1}}));
  EXPECT_EQ(weights_of(*graph), (std::vector<std::uint32_t>{4294967295u, 7, 3}));
}

TEST(Ascii, IgnoresBlankLinesAfterTheLastPage) {
  EXPECT_EQ(rows_of(*parse("1\n0\n\n \n")), Rows{{0}});
}

TEST(Ascii, ErrorsHaveTheirPosition) {
  EXPECT_THAT(complaint(""), HasSubstr("X: the file is empty"));
  EXPECT_THAT(complaint("\n"), HasSubstr("first line should be the number of pages"));
  EXPECT_THAT(complaint("3 4\n"), HasSubstr("first line should be the number of pages, but it is '3 4'"));
  EXPECT_THAT(complaint("-3\n"), HasSubstr("first line"));
  EXPECT_THAT(complaint("2\n0\n2\n"), HasSubstr("X: line 3: a link to page 2, but there are only 2 pages"));
  EXPECT_THAT(complaint("2\n0\n99999999999999999999\n"),
              HasSubstr("X: line 3: column 1: expected a page id"));
  EXPECT_THAT(complaint("2\n0\n0 x\x1b[2J\n"),
              HasSubstr("X: line 3: column 3: expected a page id, found 'x?[2J'"));
  EXPECT_THAT(complaint("2\n0\n0,1\n"), HasSubstr("column 2"));
  EXPECT_THAT(complaint("2\n0\n-1\n"), HasSubstr("column 1"));
  EXPECT_THAT(complaint("2\n0\n"), HasSubstr("X: ends after 1 of the 2 pages"));
  EXPECT_THAT(complaint("1\n0\n\n0\n"), HasSubstr("X: line 4: there are more lines than the 1 pages"));
  EXPECT_THAT(complaint("2\n0:1\n1\n"), HasSubstr("X: line 3: column 2: a link without a weight"));
  EXPECT_THAT(complaint("2\n0\n1:1\n"), HasSubstr("column 2"));
  EXPECT_THAT(complaint("2\n0:\n1:1\n"), HasSubstr("X: line 2: column 3: expected a page id:weight"));
  EXPECT_THAT(complaint("2\n0:4294967296\n\n"), HasSubstr("X: line 2: weight 4294967296 is too large"));
}

TEST(Ascii, AnAbsurdPageCountIsAnErrorAndNotAnAllocation) {
  EXPECT_THAT(complaint("4000000000\n0\n"),
              HasSubstr("4,000,000,000 pages, more than the file has room for"));
  EXPECT_THAT(complaint("4294967295\n0\n"), HasSubstr("at most 4,294,967,280 are possible"));
  EXPECT_THAT(complaint("9999999999999999999\n0\n"), HasSubstr("at most"));
}

TEST(Ascii, ALineLongerThanLinksToAllPagesIsAnErrorAndNotAnAllocation) {
  EXPECT_EQ(rows_of(*parse("1\n0" + std::string(1 << 20, ' ') + "\n")), Rows{{0}});
  EXPECT_THAT(complaint("1\n" + std::string(1 << 22, ' ')), HasSubstr("X: line 2 is longer than 1.0 MiB"));
  EXPECT_THAT(complaint(std::string(1 << 22, ' ')), HasSubstr("X: line 1 is longer than 1.0 MiB"));
}

TEST(Ascii, AGraphIsReadBackUnchanged) {
  for (const bool weighted : {false, true}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const CsrGraph graph = random_graph(static_cast<PageId>(1 + seed * 7 % 40), seed * 5, seed, weighted);
      const auto again = parse(written(graph));
      ASSERT_TRUE(again.ok()) << again.error().text;
      EXPECT_EQ(rows_of(*again), rows_of(graph));
      EXPECT_EQ(weights_of(*again), weights_of(graph));
      EXPECT_TRUE(again->validate().ok());
    }
  }
  EXPECT_EQ(written(graph_of({{1, 2}, {}, {0}})), "3\n1 2\n\n0\n");
}

TEST(Ascii, StopsIfProgressReturnsFalse) {
  const auto in = InputStream::from_memory("1\n0\n", "X");
  const Progress stop([](std::string_view, std::uint64_t, std::uint64_t) { return false; });
  EXPECT_THAT(read_ascii(*in, stop).error().text, HasSubstr("stopped"));
}

}  // namespace
}  // namespace bowerbird
