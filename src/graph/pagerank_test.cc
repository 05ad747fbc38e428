#include "graph/pagerank.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"

namespace bowerbird {
namespace {

CsrGraph random_graph(PageId n, double mean_degree, std::uint64_t seed) {
  Rng rng(seed);
  CsrBuilder builder;
  for (PageId page = 0; page < n; ++page) {
    std::vector<PageId> row;
    const std::uint64_t degree = rng.below(static_cast<std::uint64_t>(2 * mean_degree) + 1);
    for (std::uint64_t i = 0; i < degree; ++i) row.push_back(static_cast<PageId>(rng.below(n)));
    builder.add(row);
  }
  return std::move(builder).finish();
}

// The definition, pushed link by link.
std::vector<double> naive_pagerank(const CsrGraph& graph, double d) {
  const PageId n = graph.pages();
  std::vector<double> rank(n, 1.0 / n);
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> next(n, (1 - d) / n);
    for (PageId page = 0; page < n; ++page) {
      const auto links = graph.out(page);
      for (PageId target = 0; links.empty() && target < n; ++target) next[target] += d * rank[page] / n;
      for (const PageId target : links) next[target] += d * rank[page] / static_cast<double>(links.size());
    }
    double change = 0;
    for (PageId page = 0; page < n; ++page) change += std::fabs(next[page] - rank[page]);
    rank = next;
    if (change < 1e-13) break;
  }
  return rank;
}

TEST(PageRank, AgreesWithTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const CsrGraph graph = random_graph(1 + static_cast<PageId>(seed * 7), 2.5, seed);
    const auto fast = pagerank(graph);
    ASSERT_TRUE(fast.ok());
    EXPECT_TRUE(fast->converged);
    const auto slow = naive_pagerank(graph, 0.85);
    for (PageId page = 0; page < graph.pages(); ++page) EXPECT_NEAR(fast->rank[page], slow[page], 1e-9);
  }
}

TEST(PageRank, SumsToOneWithAnyDanglingPages) {
  const CsrGraph graph = random_graph(500, 0.8, 3);
  double sum = 0;
  const auto result = pagerank(graph);
  for (const double rank : result->rank) sum += rank;
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(PageRank, IsTheSameBitForBitWithAnyNumberOfThreads) {
  const CsrGraph graph = random_graph(3000, 8, 5);
  PageRankOptions one;
  one.threads = 1;
  PageRankOptions five;
  five.threads = 5;
  EXPECT_EQ(pagerank(graph, one)->rank, pagerank(graph, five)->rank);
}

TEST(PageRank, AnEmptyGraphHasNoRanks) {
  const auto result = pagerank(CsrGraph());
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->rank.empty());
  EXPECT_TRUE(result->converged);
}

TEST(PageRank, StopsWhenAsked) {
  const Progress stop([](std::string_view, std::uint64_t, std::uint64_t) { return false; });
  EXPECT_FALSE(pagerank(random_graph(100, 3, 1), {}, stop).ok());
}

TEST(PageRank, SaysWhenItDidNotConverge) {
  PageRankOptions options;
  options.max_iterations = 2;
  const auto result = pagerank(random_graph(100, 3, 1), options);
  EXPECT_FALSE(result->converged);
  EXPECT_EQ(result->iterations, 2u);
}

TEST(TopPages, AreBestFirstAndTiesGoToTheLowerId) {
  EXPECT_EQ(top_pages({1, 3, 3, 2}, 3), (std::vector<PageId>{1, 2, 3}));
  EXPECT_EQ(top_pages({1, 3}, 10), (std::vector<PageId>{1, 0}));
  EXPECT_TRUE(top_pages({}, 3).empty());
}

}  // namespace
}  // namespace bowerbird
