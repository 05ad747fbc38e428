#include "graph/stats.h"

#include <gtest/gtest.h>

#include "graph/csr.h"
#include "graph/synthetic.h"

namespace bowerbird {
namespace {

// Pages 0-2 on host 0, 3-4 on host 1, 5 on host 0 again.
Web small_web() {
  CsrBuilder builder;
  for (std::vector<PageId> row : {std::vector<PageId>{0, 1, 3}, {0, 2}, {}, {0, 4, 5}, {}, {0, 1, 2, 3}}) {
    builder.add(row);
  }
  return {std::make_unique<CsrGraph>(std::move(builder).finish()),
          std::make_unique<StoredHosts>(std::vector<HostId>{0, 0, 0, 1, 1, 0}), nullptr, nullptr};
}

TEST(GraphStats, CountsASmallWeb) {
  const GraphStats stats = graph_stats(small_web()).value();
  EXPECT_EQ(stats.pages, 6u);
  EXPECT_EQ(stats.sampled, 6u);
  EXPECT_EQ(stats.links, 12u);
  EXPECT_EQ(stats.estimated_links(), 12u);
  EXPECT_EQ(stats.dangling, 2u);
  EXPECT_EQ(stats.self_loops, 1u);
  EXPECT_EQ(stats.out.largest(), 4u);
  EXPECT_EQ(stats.max_out_page, 5u);
  ASSERT_TRUE(stats.in);
  EXPECT_EQ(stats.in->largest(), 4u);
  EXPECT_EQ(stats.max_in_page, 0u);
  EXPECT_EQ(stats.no_in_links(), 0u);
  ASSERT_TRUE(stats.hosts);
  EXPECT_EQ(stats.hosts->hosts, 2u);
  EXPECT_EQ(stats.hosts->inter_links, 4u);  // 0->3, 3->0, 3->5, 5->3
  EXPECT_EQ(stats.hosts->largest[0], (std::pair<HostId, std::uint32_t>(0, 4)));
  EXPECT_DOUBLE_EQ(stats.inter_share(), 4.0 / 12);
}

TEST(GraphStats, DistancesAreThoseWithinHosts) {
  const GraphStats stats = graph_stats(small_web()).value();
  EXPECT_EQ(stats.distance[0], 1u);
  EXPECT_EQ(stats.distance[1], 4u);  // 0->1, 1->0, 1->2, 3->4
  EXPECT_EQ(stats.distance[2], 1u);  // 5->2
  EXPECT_EQ(stats.distance[3], 2u);  // 5->0, 5->1
}

TEST(GraphStats, ThreadsDoNotMatter) {
  const Web web = make_synthetic(parse_synthetic("synthetic:pages=50k").value());
  StatsOptions one;
  one.threads = 1;
  StatsOptions four;
  four.threads = 4;
  const GraphStats a = graph_stats(web, one).value();
  const GraphStats b = graph_stats(web, four).value();
  EXPECT_EQ(a.links, b.links);
  EXPECT_EQ(a.out.values(), b.out.values());
  EXPECT_EQ(a.in->values(), b.in->values());
  EXPECT_EQ(a.max_in_page, b.max_in_page);
  EXPECT_EQ(a.max_out_page, b.max_out_page);
  EXPECT_EQ(a.hosts->inter_links, b.hosts->inter_links);
  EXPECT_EQ(a.distance, b.distance);
}

TEST(GraphStats, ASampleEstimatesTheLinks) {
  const Web web = make_synthetic(parse_synthetic("synthetic:pages=200k").value());
  StatsOptions options;
  options.sample_every = 7;
  const GraphStats sample = graph_stats(web, options).value();
  EXPECT_EQ(sample.sampled, (200'000 + 6) / 7);
  EXPECT_FALSE(sample.in);
  EXPECT_EQ(sample.no_in_links(), 0u);
  const auto links = static_cast<double>(graph_stats(web).value().links);
  EXPECT_NEAR(static_cast<double>(sample.estimated_links()), links, 0.05 * links);
}

TEST(GraphStats, AWebOfNothingHasStats) {
  const Web web{std::make_unique<CsrGraph>(), nullptr, nullptr, nullptr};
  const GraphStats stats = graph_stats(web).value();
  EXPECT_EQ(stats.pages, 0u);
  EXPECT_FALSE(stats.hosts);
  EXPECT_EQ(stats.max_in_page, kNoPage);
  EXPECT_EQ(stats.mean_distance_bits(), 0);
}

TEST(GraphStats, StopsWhenToldTo) {
  const Web web = make_synthetic(parse_synthetic("synthetic:pages=200k").value());
  const Progress stop([](std::string_view, std::uint64_t, std::uint64_t) { return false; });
  EXPECT_FALSE(graph_stats(web, {}, stop).ok());
  EXPECT_FALSE(walk_from(*web.graph, {0}, stop).ok());
}

TEST(Walk, FollowsLinksLevelByLevel) {
  // 0 -> 1 2, 1 -> 3, 2 -> 3, 3 -> 4, 5 -> 0
  CsrBuilder builder;
  for (std::vector<PageId> row : {std::vector<PageId>{1, 2}, {3}, {3}, {4}, {}, {0}}) builder.add(row);
  const CsrGraph graph = std::move(builder).finish();
  const Reach reach = walk_from(graph, {0}).value();
  EXPECT_EQ(reach.reached, 5u);
  EXPECT_EQ(reach.levels, (std::vector<std::uint64_t>{1, 2, 1, 1}));
  EXPECT_EQ(reach.longest_queue, 2u);
  EXPECT_DOUBLE_EQ(reach.mean_level(), (0 + 2 * 1 + 2 + 3) / 5.0);
  EXPECT_EQ(reach.queue.size(), 201u);
  EXPECT_EQ(reach.queue.front(), 1u);
  EXPECT_EQ(reach.queue.back(), 0u);
}

TEST(Walk, SeedsMayRepeatButMustExist) {
  CsrBuilder builder;
  for (std::vector<PageId> row : {std::vector<PageId>{1}, {}}) builder.add(row);
  const CsrGraph graph = std::move(builder).finish();
  EXPECT_EQ(walk_from(graph, {1, 1}).value().reached, 1u);
  EXPECT_EQ(walk_from(graph, {}).value().reached, 0u);
  EXPECT_FALSE(walk_from(graph, {2}).ok());
}

}  // namespace
}  // namespace bowerbird
