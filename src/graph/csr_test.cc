#include "graph/csr.h"

#include <gtest/gtest.h>

#include "graph/web.h"

namespace bowerbird {
namespace {

CsrGraph diamond() {
  CsrBuilder builder;
  std::vector<std::vector<PageId>> rows = {{2, 1, 2}, {3}, {3}, {}};
  for (auto& row : rows) builder.add(row);
  return std::move(builder).finish();
}

TEST(CsrBuilder, RowsBecomeAscendingAndDistinct) {
  const CsrGraph graph = diamond();
  EXPECT_EQ(graph.pages(), 4u);
  EXPECT_EQ(graph.links(), 4u);
  const auto out = graph.out(0);
  EXPECT_EQ(std::vector<PageId>(out.begin(), out.end()), (std::vector<PageId>{1, 2}));
  EXPECT_TRUE(graph.validate().ok());
}

TEST(CsrBuilder, WeightsOfEqualLinksAreAdded) {
  CsrBuilder builder;
  std::vector<PageId> row = {1, 0, 1};
  builder.add(row, std::vector<std::uint32_t>{5, 2, 7});
  row = {};
  builder.add(row);
  const CsrGraph graph = std::move(builder).finish();
  EXPECT_EQ(std::vector<std::uint32_t>(graph.weights().begin(), graph.weights().end()),
            (std::vector<std::uint32_t>{2, 12}));
}

TEST(CsrGraph, TransposeTurnsEveryLink) {
  const CsrGraph turned = transpose(diamond());
  const auto out = turned.out(3);
  EXPECT_EQ(std::vector<PageId>(out.begin(), out.end()), (std::vector<PageId>{1, 2}));
  EXPECT_TRUE(turned.out(0).empty());
  EXPECT_TRUE(turned.validate().ok());
}

TEST(CsrGraph, ValidateNamesTheBadPage) {
  const std::vector<std::uint64_t> offsets = {0, 1, 2};
  const std::vector<PageId> beyond = {0, 2};
  const CsrGraph bad(offsets, beyond, {}, nullptr);
  ASSERT_FALSE(bad.validate().ok());
  EXPECT_NE(bad.validate().error().text.find("page 1"), std::string::npos);
  const std::vector<std::uint64_t> falling = {0, 2, 1};
  EXPECT_FALSE(CsrGraph(falling, beyond, {}, nullptr).validate().ok());
  const std::vector<std::uint64_t> whole = {0, 0, 2};
  const std::vector<PageId> twice = {1, 1};
  EXPECT_FALSE(CsrGraph(whole, twice, {}, nullptr).validate().ok());
}

TEST(CsrGraph, ToCsrCopiesAnyGraph) {
  const CsrGraph graph = diamond();
  const auto copy = to_csr(graph);
  ASSERT_TRUE(copy.ok());
  EXPECT_TRUE(std::ranges::equal(copy->targets(), graph.targets()));
  EXPECT_TRUE(std::ranges::equal(copy->offsets(), graph.offsets()));
}

TEST(StoredHosts, AnswersByRuns) {
  const StoredHosts hosts({0, 0, 1, 1, 1, 2});
  EXPECT_EQ(hosts.hosts(), 3u);
  EXPECT_EQ(hosts.host(4), 1u);
  EXPECT_EQ(hosts.run(3), (std::pair<PageId, PageId>{2, 5}));
  EXPECT_TRUE(hosts.contiguous());
}

TEST(StoredHosts, KnowsWhenAHostIsScattered) {
  const StoredHosts hosts({0, 1, 0});
  EXPECT_FALSE(hosts.contiguous());
  EXPECT_EQ(hosts.hosts(), 2u);
  EXPECT_EQ(hosts.host(2), 0u);
}

TEST(StoredNames, KeepsEachName) {
  StoredNames names;
  names.add("http://a/");
  names.add("");
  names.add("http://b/");
  EXPECT_EQ(names.pages(), 3u);
  EXPECT_EQ(names.name(1), "");
  EXPECT_EQ(names.view(2), "http://b/");
}

}  // namespace
}  // namespace bowerbird
