// The statistics of the real graphs, if available, compared with independent ones (X.stats.json).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "graph/io/io_test_data.h"
#include "graph/io/open.h"
#include "graph/stats.h"

namespace bowerbird {
namespace {

void expect_agreement(const std::string& graph, const std::string& stats_file) {
  const std::string path = real_data(graph);
  if (path.empty()) GTEST_SKIP() << graph << " is not at hand";
  const auto expected = nlohmann::json::parse(std::ifstream(real_data(stats_file)));
  const auto web = open_web(path);
  ASSERT_TRUE(web.ok()) << web.error().text;
  const GraphStats stats = graph_stats(*web).value();

  EXPECT_EQ(stats.pages, expected["nodes"]);
  EXPECT_EQ(stats.links, expected["arcs"]);
  EXPECT_EQ(stats.dangling, expected["dangling"]);
  EXPECT_EQ(stats.no_in_links(), expected["no_inlink"]);
  EXPECT_EQ(stats.in->largest(), expected["max_indegree"]);
  EXPECT_EQ(stats.out.largest(), expected["max_outdegree"]);
  EXPECT_EQ(stats.self_loops, expected["self_loops"]);
  EXPECT_NEAR(stats.out.mean(), expected["avg_outdegree"].get<double>(), 0.006);
  const Reach reach = walk_from(*web->graph, {stats.max_in_page}).value();
  EXPECT_EQ(reach.reached, expected["reachable_from_max_indegree_node"]);

  ASSERT_EQ(stats.hosts.has_value(), expected.contains("hosts"));
  if (!stats.hosts) return;
  EXPECT_EQ(stats.hosts->hosts, expected["hosts"]);
  EXPECT_EQ(stats.hosts->inter_links, expected["inter_host_arcs"]);
  for (std::size_t i = 0; i < stats.hosts->largest.size() && i < expected["largest_hosts"].size(); ++i) {
    EXPECT_EQ(stats.hosts->largest[i].second, expected["largest_hosts"][i][1]);
  }
}

TEST(RealStats, Hollins) {
  expect_agreement("hollins/hollins.graph-txt.gz", "hollins/hollins.stats.json");
}

TEST(RealStats, Webkb) {
  expect_agreement("webkb/webkb.graph-txt.gz", "webkb/webkb.stats.json");
}

TEST(RealStats, UciIcs2019) {
  expect_agreement("uci-ics-2019/uci-ics-2019.graph-txt.gz", "uci-ics-2019/uci-ics-2019.stats.json");
}

}  // namespace
}  // namespace bowerbird
