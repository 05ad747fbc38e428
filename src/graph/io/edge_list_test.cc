#include "graph/io/edge_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/io/io_test_data.h"
#include "sys/sink.h"

namespace bowerbird {
namespace {

using ::testing::HasSubstr;

Result<EdgeList> parse(std::string_view text, bool relabel = false) {
  const auto in = InputStream::from_memory(text, "X");
  return read_edge_list(*in, {.relabel = relabel});
}

Rows rows(std::string_view text) {
  const auto list = parse(text);
  EXPECT_TRUE(list.ok()) << list.error().text;
  return rows_of(list->graph);
}

std::string complaint(std::string_view text, bool relabel = false) {
  const auto result = parse(text, relabel);
  return result.ok() ? "none" : result.error().text;
}

TEST(EdgeList, ReadsLinksInAnyOrder) {
  EXPECT_EQ(rows("2 0\n0 2\n0 1\n2 0\n"), (Rows{{1, 2}, {}, {0}}));
  EXPECT_EQ(rows("0\t1\r\n 1  \t 0 \r\n"), (Rows{{1}, {0}}));
  EXPECT_EQ(rows("0,1\n1 , 0"), (Rows{{1}, {0}}));
  EXPECT_EQ(rows(""), Rows{});
}

TEST(EdgeList, SkipsCommentsAndAHeading) {
  EXPECT_EQ(rows("# Directed graph\n% x\n\n0 1\n#0 1\n"), (Rows{{1}, {}}));
  EXPECT_EQ(rows("source,target\n0,1\n"), (Rows{{1}, {}}));
}

TEST(EdgeList, KnowsPagesWithoutLinksFromItsComment) {
  EXPECT_EQ(rows("# Nodes: 4 Edges: 1\n0 1\n"), (Rows{{1}, {}, {}, {}}));
  EXPECT_EQ(rows("# Nodes: 1 Edges: 1\n0 1\n"), (Rows{{1}, {}}));
  EXPECT_EQ(rows("# Edges: 2\n0 1\n0 1\n1 0\n"), (Rows{{1}, {0}}));
  EXPECT_THAT(complaint("# Nodes: 4 Edges: 1000\n0 1\n"),
              HasSubstr("has 1 links, but its heading says 1,000"));
}

TEST(EdgeList, ReadsWeights) {
  const auto list = parse("1 0 5\n0,1,2\n1 0 6\n");
  ASSERT_TRUE(list.ok()) << list.error().text;
  EXPECT_EQ(rows_of(list->graph), (Rows{{1}, {0}}));
  EXPECT_EQ(weights_of(list->graph), (std::vector<std::uint32_t>{2, 11}));
}

TEST(EdgeList, NumbersSparseIdsAnewInAscendingOrder) {
  const auto list = parse("9000000000000000000 5\n5 4000000000\n7 5\n# Nodes: 99\n", true);
  ASSERT_TRUE(list.ok()) << list.error().text;
  EXPECT_EQ(list->original_ids, (std::vector<std::uint64_t>{5, 7, 4000000000, 9000000000000000000}));
  EXPECT_EQ(rows_of(list->graph), (Rows{{2}, {0}, {}, {0}}));
}

TEST(EdgeList, RefusesIdsThatAreAbsurdForTheNumberOfLinks) {
  EXPECT_THAT(complaint("0 1\n1 4000000000\n0 2\n"),
              HasSubstr("X: line 2: page id 4000000000 in a list of 3 links"));
  EXPECT_THAT(complaint("0 1\n1 4000000000\n"), HasSubstr("--relabel"));
  EXPECT_THAT(complaint("0 4294967295\n"), HasSubstr("X: line 1: page id 4294967295"));
  EXPECT_THAT(complaint("0 9999999999999999999\n"), HasSubstr("--relabel"));
  EXPECT_THAT(complaint("# Nodes: 4000000000\n0 1\n"), HasSubstr("X: line 1: page id 3999999999"));
  EXPECT_THAT(complaint("# Nodes: 9999999999999999999\n0 1\n"), HasSubstr("X: line 1"));
}

TEST(EdgeList, ErrorsHaveTheirPosition) {
  EXPECT_THAT(complaint("0 1\nx 1\n"), HasSubstr("X: line 2: column 1: expected a page id, found 'x 1'"));
  EXPECT_THAT(complaint("0 1\n0\n"), HasSubstr("X: line 2: column 2: expected a second page id"));
  EXPECT_THAT(complaint("0 1\n0 -1\n"), HasSubstr("X: line 2: column 3: expected a second page id"));
  EXPECT_THAT(complaint("0-1\n"), HasSubstr("column 2: expected a second page id"));
  EXPECT_THAT(complaint("0 1x\n"), HasSubstr("column 4: expected a blank"));
  EXPECT_THAT(complaint("0 1 0.5\n"), HasSubstr("column 6: expected the end of the line, found '.5'"));
  EXPECT_THAT(complaint("0 1 x\n"), HasSubstr("expected a weight"));
  EXPECT_THAT(complaint("0 1 2\n0 1\n"),
              HasSubstr("X: line 2: this link has no weight, unlike those before it"));
  EXPECT_THAT(complaint("0 1\n0 1 2\n"), HasSubstr("X: line 2: this link has a weight"));
  EXPECT_THAT(complaint("0 1 4294967296\n"), HasSubstr("X: line 1: weight 4294967296 is too large"));
  EXPECT_THAT(complaint("0 12345678901234567890\n", true), HasSubstr("expected a second page id"));
}

TEST(EdgeList, AGraphIsReadBackUnchanged) {
  for (const bool weighted : {false, true}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const CsrGraph graph = random_graph(static_cast<PageId>(1 + seed * 7 % 40), seed * 5, seed, weighted);
      StringSink sink;
      ASSERT_TRUE(write_edge_list(graph, sink).ok());
      const auto again = parse(sink.text());
      ASSERT_TRUE(again.ok()) << again.error().text;
      EXPECT_EQ(rows_of(again->graph), rows_of(graph));
      EXPECT_EQ(weights_of(again->graph), weights_of(graph));
      EXPECT_TRUE(again->graph.validate().ok());
    }
  }
}

}  // namespace
}  // namespace bowerbird
