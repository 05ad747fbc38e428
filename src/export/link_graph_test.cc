#include "export/link_graph.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "graph/csr.h"
#include "graph/pagerank.h"

namespace bowerbird {
namespace {

TEST(LinkGraph, RanksOnDiskLikeAGraphInMemory) {
  constexpr PageId kPages = 300;
  LinkGraph graph(256);  // many runs
  CsrBuilder builder;
  std::vector<std::vector<PageId>> rows(kPages);
  for (PageId page = 0; page < kPages; ++page) {
    ASSERT_TRUE(graph.add_page(mix64(page)).ok());
    for (std::uint64_t i = 0; i < mix64(page + 1000) % 12; ++i)
      rows[page].push_back(static_cast<PageId>(mix64(page * 100 + i) % kPages));
  }
  for (PageId page = 0; page < kPages; ++page) {
    for (const PageId to : rows[page]) ASSERT_TRUE(graph.add_link(mix64(page), mix64(to)).ok());
    ASSERT_TRUE(graph.add_depth(mix64(page), page % 9).ok());
    builder.add(rows[page]);
  }
  ASSERT_TRUE(graph.add_page(mix64(3)).ok());          // once more
  ASSERT_TRUE(graph.add_link(mix64(3), 123456).ok());  // to a page that was not added
  ASSERT_TRUE(graph.finish({}).ok());
  const CsrGraph csr = std::move(builder).finish();
  const auto ranks = pagerank(csr);
  ASSERT_TRUE(ranks.ok());
  const std::vector<std::uint32_t> in_links = in_degrees(csr);
  for (PageId page = 0; page < kPages; ++page) {
    const CrawlNumbers numbers = graph.numbers(mix64(page));
    ASSERT_TRUE(numbers.pagerank && numbers.in_links && numbers.depth);
    EXPECT_NEAR(*numbers.pagerank, ranks->rank[page], 1e-9);
    EXPECT_EQ(*numbers.in_links, in_links[page]);
    EXPECT_EQ(*numbers.depth, page % 9);
  }
  EXPECT_FALSE(graph.numbers(123456).pagerank);
}

TEST(LinkGraph, MayBeEmpty) {
  LinkGraph graph;
  ASSERT_TRUE(graph.finish({}).ok());
  EXPECT_FALSE(graph.numbers(1).pagerank);
}

}  // namespace
}  // namespace bowerbird
