#include "graph/io/open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "graph/io/io_test_data.h"
#include "sys/sink.h"

namespace bowerbird {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::string complaint(const std::string& path, const OpenOptions& options = {}) {
  const auto web = open_web(path, options);
  return web.ok() ? "none" : web.error().text;
}

void write_packed(const std::string& path, std::string_view text) {
  auto sink = create_output(path);
  CHECK(sink.ok());
  CHECK((*sink)->write(text).ok());
  CHECK((*sink)->finish().ok());
}

TEST(Open, RecognisesTheFormatByContentNotByName) {
  const TemporaryFolder folder;
  const Rows expected = {{1}, {0}, {}};
  for (const std::string name :
       {"a.graph-txt", "a.graph-txt.gz", "a.hostgraph-txt.zst", "a.txt", "a.edges", "a"}) {
    write_packed(folder / name, "3\n1\n0\n\n");
    const auto web = open_web(folder / name);
    ASSERT_TRUE(web.ok()) << web.error().text;
    EXPECT_EQ(rows_of(*web->graph), expected) << name;
  }
  for (const std::string name : {"b.edges", "b.tsv.gz", "b.txt.zst", "b.graph-txt", "b.graph", "b"}) {
    write_packed(folder / name, "# Nodes: 3\n0 1\n1 0\n");
    const auto web = open_web(folder / name);
    ASSERT_TRUE(web.ok()) << web.error().text;
    EXPECT_EQ(rows_of(*web->graph), expected) << name;
  }
}

TEST(Open, ReadsFromAPipe) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "# Nodes: 3\n0 1\n"; });
  const auto web = open_web(pipe);
  writer.join();
  ASSERT_TRUE(web.ok()) << web.error().text;
  EXPECT_EQ(rows_of(*web->graph), (Rows{{1}, {}, {}}));
}

TEST(Open, FindsWhatLacksItsExtension) {
  const TemporaryFolder folder;
  write_packed(folder / "web.graph-txt.gz", "1\n0\n");
  EXPECT_EQ(rows_of(*open_web(folder / "web")->graph), Rows{{0}});
}

TEST(Open, ReadsNamesAndHostsNextToTheGraph) {
  const TemporaryFolder folder;
  write_packed(folder / "web.graph-txt.gz", "2\n1\n\n");
  write_packed(folder / "web.urls.gz", "http://a.org/\nhttp://b.org/\n");
  const auto web = open_web(folder / "web");
  ASSERT_TRUE(web.ok()) << web.error().text;
  EXPECT_EQ(web->names->name(1), "http://b.org/");
  EXPECT_EQ(web->hosts->hosts(), 2u);

  const auto hosts_only = open_web(folder / "web", {.want_names = false});
  EXPECT_EQ(hosts_only->names, nullptr);
  EXPECT_EQ(hosts_only->hosts->host_name(1), "b.org");

  const auto alone = open_web(folder / "web", {.find_names = false});
  EXPECT_EQ(alone->names, nullptr);
  EXPECT_EQ(alone->hosts, nullptr);
}

TEST(Open, PrefersTheFilesItIsGiven) {
  const TemporaryFolder folder;
  write_packed(folder / "web.graph-txt.gz", "2\n1\n\n");
  folder.write("web.urls", "http://a.org/\nhttp://b.org/\n");
  folder.write("other", "http://c.org/\nhttp://c.org/x\n");
  folder.write("numbers", "5\n3\n");
  const auto web = open_web(folder / "web", {.names_file = folder / "other"});
  EXPECT_EQ(web->names->name(1), "http://c.org/x");
  EXPECT_EQ(web->hosts->hosts(), 1u);
  const auto both =
      open_web(folder / "web", {.names_file = folder / "other", .hosts_file = folder / "numbers"});
  EXPECT_EQ(both->hosts->hosts(), 2u);
  EXPECT_THAT(complaint(folder / "web", {.names_file = folder / "none"}), HasSubstr("none: cannot open"));
  EXPECT_THAT(complaint(folder / "web", {.hosts_file = folder / "other"}),
              HasSubstr("line 1: expected the number"));
}

TEST(Open, NamesOfAnotherGraphAreAnError) {
  const TemporaryFolder folder;
  folder.write("web.graph-txt", "2\n1\n\n");
  folder.write("web.urls", "http://a.org/\n");
  EXPECT_THAT(complaint(folder / "web"), HasSubstr("web.urls: has 1 lines, but the graph has 2 pages"));
}

TEST(Open, RelabelledIdsBecomeNames) {
  const TemporaryFolder folder;
  folder.write("web.edges", "70 4000000000\n");
  EXPECT_THAT(complaint(folder / "web.edges"), HasSubstr("--relabel"));
  const auto web = open_web(folder / "web.edges", {.relabel = true});
  ASSERT_TRUE(web.ok()) << web.error().text;
  EXPECT_EQ(web->names->name(1), "4000000000");
  EXPECT_EQ(web->hosts, nullptr);
}

TEST(Open, OptionsOfAnotherFormatAreAnError) {
  const TemporaryFolder folder;
  folder.write("web.graph-txt", "1\n\n");
  folder.write("web.edges", "0 1\n");
  EXPECT_THAT(complaint(folder / "web.graph-txt", {.relabel = true}),
              HasSubstr("--relabel is only for edge lists"));
  EXPECT_THAT(complaint(folder / "web.edges", {.trust = true}),
              HasSubstr("--trust is only for native graphs"));
}

TEST(Open, SaysWhichFilesAreCloseToAMissingOne) {
  const TemporaryFolder folder;
  folder.write("hollins.graph-txt", "0\n");
  folder.write("hollins.urls", "");
  EXPECT_THAT(complaint(folder / "holins"), HasSubstr("did you mean 'hollins'"));
  EXPECT_THAT(complaint(folder / "hollins.graph-tx"), HasSubstr("did you mean 'hollins.graph-txt'"));
  EXPECT_THAT(complaint(folder / "zebra"), HasSubstr("graphs nearby: "));
  EXPECT_THAT(complaint(folder / "no/zebra"), HasSubstr("nor a folder"));
}

TEST(Open, ATableIsNotMistakenForAGraph) {
  const TemporaryFolder folder;
  folder.write("runs.csv", "graph,policy,strategy\ntoy,bfs,all\n");
  EXPECT_THAT(complaint(folder / "nosuch"), Not(HasSubstr("runs.csv")));
  EXPECT_THAT(complaint(folder / "run.csv"), Not(HasSubstr("runs.csv")));
  folder.write("log.tsv", "17\t18\t1\t8080\th1\tGET\t200\t0\t-\tnone\t/\n");
  EXPECT_THAT(complaint(folder / "nosuch"), Not(HasSubstr("log.tsv"))) << "an access log";
  folder.write("notes.tsv", "# two columns\nname\tvalue\n");
  EXPECT_THAT(complaint(folder / "nosuch"), Not(HasSubstr("notes.tsv")));
  folder.write("web.csv", "0,1\n1,0\n");
  EXPECT_THAT(complaint(folder / "nosuch"), EndsWith("graphs nearby: " + (folder / "web.csv")));
}

TEST(Open, ListsTheGraphsOfAFolder) {
  const TemporaryFolder folder;
  EXPECT_THAT(complaint(folder.path()), HasSubstr("contains no graph"));
  std::filesystem::create_directory(folder / "deeper");
  folder.write("a.graph-txt", "");
  folder.write("a.urls", "");
  folder.write("deeper/b.graph", "");
  EXPECT_THAT(complaint(folder.path()), AllOf(HasSubstr("a.graph-txt, "), HasSubstr("deeper/b.graph")));
}

TEST(Open, RefusesGarbage) {
  const TemporaryFolder folder;
  EXPECT_THAT(complaint(folder.write("x", "<html>")), HasSubstr("does not look like a graph"));
  EXPECT_THAT(complaint(folder.write("x", "")), HasSubstr("does not look like a graph"));
  EXPECT_THAT(complaint(folder.write("x.graph-txt", "<html>")), HasSubstr("first line should be"));
  EXPECT_THAT(complaint(folder.write("x.dot", "digraph {}")), HasSubstr("written, not read"));
  EXPECT_THAT(complaint(""), HasSubstr("empty"));
  EXPECT_THAT(complaint(folder.write("y.graph-txt", "<html>"), {.format = GraphFormat::kEdges}),
              HasSubstr("expected a page id"));
}

TEST(Format, HasNames) {
  EXPECT_EQ(*parse_format("bv"), GraphFormat::kBv);
  EXPECT_EQ(format_name(GraphFormat::kAscii), "ascii");
  EXPECT_THAT(parse_format("x").error().text, HasSubstr("bv, ascii, edges, native, dot"));
}

}  // namespace
}  // namespace bowerbird
