#include "graph/io/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/io/io_test_data.h"
#include "sys/sink.h"

namespace bowerbird {
namespace {

using ::testing::HasSubstr;

Result<KnownPages> parse(std::string_view text, PageId pages, bool of_hosts = false, bool keep = true) {
  const auto in = InputStream::from_memory(text, "X");
  return read_names(*in, of_hosts, pages, keep);
}

Result<std::unique_ptr<PageHosts>> numbers(std::string_view text, PageId pages) {
  const auto in = InputStream::from_memory(text, "X");
  return read_host_numbers(*in, pages);
}

TEST(Names, AreTheLinesAndGiveTheHosts) {
  const auto known = parse("http://b.org/\r\nhttp://b.org/x\nhttp://A.org/\nhttp://b.org:80/y", 4);
  ASSERT_TRUE(known.ok()) << known.error().text;
  EXPECT_EQ(known->names->name(1), "http://b.org/x");
  EXPECT_EQ(known->names->name(2), "http://A.org/");
  const PageHosts& hosts = *known->hosts;
  EXPECT_EQ(hosts.hosts(), 2u);
  EXPECT_EQ(hosts.host(0), 0u);
  EXPECT_EQ(hosts.host(2), 1u);
  EXPECT_EQ(hosts.host(3), 0u);
  EXPECT_EQ(hosts.host_name(0), "b.org");
  EXPECT_EQ(hosts.host_name(1), "a.org");
  EXPECT_FALSE(hosts.contiguous());
}

TEST(Names, WithoutAHostShareOneThatHasNoName) {
  const auto known = parse("http://b.org/\n?\n\n", 3);
  ASSERT_TRUE(known.ok());
  EXPECT_EQ(known->hosts->hosts(), 2u);
  EXPECT_EQ(known->hosts->host(1), known->hosts->host(2));
  EXPECT_EQ(known->hosts->host_name(1), "");
  EXPECT_EQ(parse("1\n2\n", 2)->hosts, nullptr);
}

TEST(Names, NeedNotBeKept) {
  const auto known = parse("http://b.org/\n", 1, false, false);
  EXPECT_EQ(known->names, nullptr);
  EXPECT_EQ(known->hosts->host_name(0), "b.org");
}

TEST(Names, OfAHostGraphAreHostsAndEndAtATab) {
  const auto known = parse("b.org\t17\nA b.\t-\nlocal\n", 3, true);
  ASSERT_TRUE(known.ok());
  EXPECT_EQ(known->names->name(0), "b.org");
  EXPECT_EQ(known->hosts->hosts(), 3u);
  EXPECT_EQ(known->hosts->host(2), 2u);
  EXPECT_EQ(known->hosts->host_name(1), "A b.");
  EXPECT_TRUE(known->hosts->contiguous());
}

TEST(Names, MustBeAsManyAsThePages) {
  EXPECT_THAT(parse("a\nb\n", 3).error().text, HasSubstr("X: has 2 lines, but the graph has 3 pages"));
  EXPECT_THAT(parse("a\nb\n", 1).error().text, HasSubstr("X: has more lines than the graph's 1 pages"));
  EXPECT_THAT(parse("a\n\nb\n", 1).error().text, HasSubstr("more lines"));
  EXPECT_THAT(parse("", 1).error().text, HasSubstr("has 0 lines"));
  EXPECT_TRUE(parse("", 0).ok());
  EXPECT_TRUE(parse("a\n\n", 2).ok());
  EXPECT_TRUE(parse("a\n\n \n", 1).ok());
}

TEST(Names, AreWrittenAsTheyWereRead) {
  const std::string text = "http://b.org/\n\nhttp://c.org/ x\n";
  const auto known = parse(text, 3);
  StringSink sink;
  ASSERT_TRUE(write_names(*known->names, 3, sink).ok());
  EXPECT_EQ(sink.text(), text);
  StoredNames broken;
  broken.add("a\nb");
  EXPECT_THAT(write_names(broken, 1, sink).error().text, HasSubstr("page 0"));
}

TEST(HostNumbers, AreCountedInOrderOfTheirFirstPage) {
  const auto hosts = numbers("7\n7\n9000000000000000000\n 7 \n", 4);
  ASSERT_TRUE(hosts.ok()) << hosts.error().text;
  EXPECT_EQ((*hosts)->hosts(), 2u);
  EXPECT_EQ((*hosts)->host(1), 0u);
  EXPECT_EQ((*hosts)->host(2), 1u);
  EXPECT_EQ((*hosts)->host(3), 0u);
}

TEST(HostNumbers, AreNumbersAndAsManyAsThePages) {
  EXPECT_THAT(numbers("1\nx\n", 2).error().text,
              HasSubstr("X: line 2: expected the number of a host, found 'x'"));
  EXPECT_THAT(numbers("1\n-1\n", 2).error().text, HasSubstr("line 2"));
  EXPECT_THAT(numbers("1\n\n", 2).error().text, HasSubstr("line 2"));
  EXPECT_THAT(numbers("1\n", 2).error().text, HasSubstr("has 1 lines"));
  EXPECT_THAT(numbers("1\n1\n1\n", 2).error().text, HasSubstr("more lines"));
}

TEST(NamesFile, IsFoundNextToTheGraph) {
  const TemporaryFolder folder;
  EXPECT_FALSE(find_names_file(folder / "x.graph-txt.gz").has_value());
  folder.write("x.hosts.gz", "");
  EXPECT_TRUE(find_names_file(folder / "x.hostgraph-txt.gz")->of_hosts);
  folder.write("x.urls.zst", "");
  for (const std::string name :
       {"x.graph-txt.gz", "x.graph", "x.bbg", "x.txt", "x.tsv.zst", "x.edges", "x"}) {
    const auto found = find_names_file(folder / name);
    ASSERT_TRUE(found.has_value()) << name;
    EXPECT_EQ(found->path, folder / "x.urls.zst");
    EXPECT_FALSE(found->of_hosts);
  }
}

}  // namespace
}  // namespace bowerbird
