#include "graph/growing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "base/rng.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;

TEST(GrowingGraph, NumbersPagesAsTheyAppear) {
  GrowingGraph graph;
  graph.add(70);
  graph.append(9, std::vector<PageId>{5, 70, 9});
  EXPECT_EQ(graph.nodes(), 3u);
  EXPECT_EQ(graph.node(70), 0u);
  EXPECT_EQ(graph.node(9), 1u);
  EXPECT_EQ(graph.node(5), 2u);
  EXPECT_EQ(graph.node(6), GrowingGraph::kNoNode);
  EXPECT_EQ(graph.node(1'000'000), GrowingGraph::kNoNode);
  EXPECT_EQ(graph.page(2), 5u);
  EXPECT_THAT(graph.row(0), ElementsAre(2, 0, 1));
  EXPECT_TRUE(graph.crawled(1));
  EXPECT_FALSE(graph.crawled(0));
  EXPECT_EQ(graph.row_of(1), 0u);
  EXPECT_EQ(graph.row_of(0), GrowingGraph::kNoRow);
}

// The naive implementation: a map from pages to lists.
struct Naive {
  std::vector<PageId> crawled;
  std::map<PageId, std::vector<PageId>> links;
  std::set<PageId> known;
};

void expect_same(const GrowingGraph& graph, const Naive& naive) {
  ASSERT_EQ(graph.rows(), naive.crawled.size());
  ASSERT_EQ(graph.nodes(), naive.known.size());
  std::uint64_t links = 0;
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    ASSERT_EQ(graph.page(graph.row_node(row)), naive.crawled[row]);
    std::vector<PageId> pages;
    for (const GrowingGraph::Node node : graph.row(row)) pages.push_back(graph.page(node));
    ASSERT_EQ(pages, naive.links.at(naive.crawled[row]));
    links += pages.size();
  }
  ASSERT_EQ(graph.links(), links);
}

TEST(GrowingGraph, AgreesWithItsTwinBeforeAndAfterASnapshot) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    GrowingGraph graph;
    Naive naive;
    for (int step = 0; step < 200; ++step) {
      const auto page = static_cast<PageId>(rng.below(300));
      if (naive.links.count(page) != 0) continue;
      std::vector<PageId> links(rng.below(10));
      for (PageId& link : links) link = static_cast<PageId>(rng.below(500));
      graph.append(page, links);
      naive.crawled.push_back(page);
      naive.links[page] = links;
      naive.known.insert(page);
      naive.known.insert(links.begin(), links.end());
    }
    expect_same(graph, naive);
    std::string bytes;
    ByteWriter out(bytes);
    graph.save(out);
    GrowingGraph other;
    ByteReader in(bytes);
    other.load(in);
    ASSERT_TRUE(in.ok());
    expect_same(other, naive);
    for (const PageId page : naive.known) EXPECT_EQ(graph.node(page), other.node(page));
  }
}

TEST(GrowingGraph, RefusesADamagedSnapshot) {
  GrowingGraph graph;
  graph.append(1, std::vector<PageId>{2, 3});
  graph.append(2, std::vector<PageId>{1});
  std::string bytes;
  ByteWriter out(bytes);
  graph.save(out);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    GrowingGraph other;
    ByteReader in(std::string_view(bytes).substr(0, length));
    other.load(in);
    EXPECT_FALSE(in.ok()) << length;
  }
  std::string wrong = bytes;
  wrong.back() = 9;  // a target that does not exist
  GrowingGraph other;
  ByteReader in(wrong);
  other.load(in);
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace bowerbird
