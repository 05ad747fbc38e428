#include "lab/reach.h"

#include <gtest/gtest.h>

#include "graph/csr.h"

namespace bowerbird {
namespace {

CsrGraph graph_of(std::vector<std::vector<PageId>> rows) {
  CsrBuilder builder;
  for (auto& row : rows) builder.add(row);
  return std::move(builder).finish();
}

TEST(Reach, FollowsLinksForwardsOnly) {
  const CsrGraph graph = graph_of({{1}, {2, 1}, {}, {0}, {4}});
  const std::vector<SeedPage> seeds = {{0, 1}};
  const PageSet reached = reachable_pages(graph, seeds).value();
  EXPECT_EQ(reached.size(), 3u);
  EXPECT_TRUE(reached.has(0) && reached.has(1) && reached.has(2));
  EXPECT_FALSE(reached.has(3) || reached.has(4));
}

TEST(Reach, SeedsCountEvenWithoutLinks) {
  const CsrGraph graph = graph_of({{}, {}, {}});
  const std::vector<SeedPage> seeds = {{2, 1}, {2, 1}, {0, 1}};
  EXPECT_EQ(reachable_pages(graph, seeds).value().size(), 2u);
}

TEST(Reach, ALongChainNeedsNoDeepStack) {
  constexpr PageId kPages = 300'000;
  std::vector<std::vector<PageId>> rows(kPages);
  for (PageId page = 0; page + 1 < kPages; ++page) rows[page] = {page + 1};
  const std::vector<SeedPage> seeds = {{0, 1}};
  const CsrGraph graph = graph_of(std::move(rows));
  EXPECT_EQ(reachable_pages(graph, seeds).value().size(), kPages);
  const Progress stop([](std::string_view, std::uint64_t, std::uint64_t) { return false; });
  EXPECT_FALSE(reachable_pages(graph, seeds, stop).ok());
}

}  // namespace
}  // namespace bowerbird
