#include "graph/io/save.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/io/io_test_data.h"
#include "graph/io/names.h"
#include "graph/io/open.h"
#include "sys/sink.h"

namespace bowerbird {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Web small_web(const std::string& host = "a.org") {
  Web web;
  web.graph = std::make_unique<CsrGraph>(graph_of({{1, 2}, {}, {0, 2}}));
  auto names = std::make_unique<StoredNames>();
  names->add("http://" + host + "/");
  names->add("http://" + host + "/\"x\\");
  names->add("http://b.org/");
  web.names = std::move(names);
  web.hosts =
      std::make_unique<StoredHosts>(std::vector<HostId>{0, 0, 1}, std::vector<std::string>{host, "b.org"});
  return web;
}

std::string complaint(const Status& status) {
  return status.ok() ? "none" : status.error().text;
}

TEST(Save, ChoosesTheFormatByTheExtensionAndKeepsTheNames) {
  const TemporaryFolder folder;
  int number = 0;
  for (const std::string extension : {".bbg", ".graph", ".graph-txt", ".graph-txt.gz", ".graph-txt.zst",
                                      ".edges", ".txt", ".tsv.gz", ".csv.zst"}) {
    const std::string path = folder / ("web" + std::to_string(number++) + extension);
    const Status saved = save_web(small_web(), path);
    ASSERT_TRUE(saved.ok()) << saved.error().text;
    const auto web = open_web(path);
    ASSERT_TRUE(web.ok()) << web.error().text;
    EXPECT_EQ(rows_of(*web->graph), rows_of(*small_web().graph)) << path;
    EXPECT_EQ(web->names->name(1), "http://a.org/\"x\\");
    EXPECT_EQ(web->hosts->host_name(1), "b.org");
  }
}

TEST(Save, KeepsAGraphOfHosts) {
  const TemporaryFolder folder;
  Web web;
  web.graph = std::make_unique<CsrGraph>(random_graph(3, 6, 1, true));
  auto names = std::make_shared<StoredNames>();
  for (const char* name : {"a", "b c", "d.org"}) names->add(name);
  web.names = std::make_unique<SharedNames>(names);
  web.hosts = std::make_unique<HostPerPage>(3, names);
  for (const std::string name : {"x.hostgraph-txt.gz", "x.bbg", "x.edges"}) {
    ASSERT_TRUE(save_web(web, folder / name).ok());
    const auto again = open_web(folder / name);
    ASSERT_TRUE(again.ok()) << again.error().text;
    EXPECT_EQ(weights_of(*again->graph), weights_of(*web.graph));
    EXPECT_EQ(again->hosts->hosts(), 3u);
    EXPECT_EQ(again->hosts->host_name(1), "b c");
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "x.hosts.gz"));
}

TEST(Save, LeavesTheSameNamesAloneAndRefusesToMixOthersIn) {
  const TemporaryFolder folder;
  ASSERT_TRUE(save_web(small_web(), folder / "x.edges").ok());
  EXPECT_TRUE(save_web(small_web(), folder / "x.graph-txt").ok());
  EXPECT_THAT(complaint(save_web(small_web("c.org"), folder / "x.txt")),
              HasSubstr("x.urls.gz: contains other names"));
  EXPECT_FALSE(std::filesystem::exists(folder / "x.txt"));
  EXPECT_FALSE(save_web(small_web("c.org"), folder / "x.txt", {.with_names = false}).ok());
  EXPECT_TRUE(save_web(small_web("c.org"), folder / "x.bbg").ok());
}

TEST(Save, NeedsAFormat) {
  EXPECT_THAT(complaint(save_web(small_web(), "x")), HasSubstr("x: the format is not clear from the name"));
  EXPECT_THAT(complaint(save_web(small_web(), "x.bbg.gz")), HasSubstr("cannot be compressed"));
  EXPECT_THAT(complaint(save_web(small_web(), "/no/such/folder/x.bbg")), HasSubstr("cannot create"));
}

TEST(Dot, DrawsHostsAsClustersAndQuotesNames) {
  StringSink sink;
  ASSERT_TRUE(write_dot(small_web(), sink).ok());
  EXPECT_THAT(sink.text(), HasSubstr("subgraph cluster_1 {\n    label=\"b.org\""));
  EXPECT_THAT(sink.text(), HasSubstr("p1 [label=\"http://a.org/\\\"x\\\\\"]"));
  EXPECT_THAT(sink.text(), HasSubstr("p0 -> p2\n"));
  Web bare;
  bare.graph = std::make_unique<CsrGraph>(graph_of({{1}, {}}));
  StringSink plain;
  ASSERT_TRUE(write_dot(bare, plain).ok());
  EXPECT_THAT(plain.text(), HasSubstr("  p1 [label=\"1\"]\n  p0 -> p1\n}\n"));
  EXPECT_THAT(plain.text(), Not(HasSubstr("cluster")));
}

TEST(Dot, RefusesGraphsThatAreTooLargeToDraw) {
  StringSink sink;
  EXPECT_THAT(
      complaint(write_dot(small_web(), sink, {.most_pages = 2})),
      HasSubstr("too large for Graphviz: at most 2 pages and 20,000 links can be drawn, and it has 3 pages"));
  EXPECT_THAT(complaint(write_dot(small_web(), sink, {.most_links = 3})), HasSubstr("more links than that"));
  EXPECT_TRUE(write_dot(small_web(), sink, {.most_pages = 3, .most_links = 4}).ok());
}

}  // namespace
}  // namespace bowerbird
