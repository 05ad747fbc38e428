// Opens the real graphs, if available, and compares the result with independent counts.
#include <gtest/gtest.h>

#include "graph/io/io_test_data.h"
#include "graph/io/open.h"

namespace bowerbird {
namespace {

struct Figures {
  std::uint64_t pages = 0, links = 0, dangling = 0, self_links = 0, hosts = 0, between_hosts = 0;
  std::uint64_t weight = 0;
  bool operator==(const Figures&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Figures& f) {
  return out << fmt::format("pages {} links {} dangling {} self {} hosts {} between {} weight {}", f.pages,
                            f.links, f.dangling, f.self_links, f.hosts, f.between_hosts, f.weight);
}

Figures figures(const Web& web) {
  Figures f;
  f.pages = web.graph->pages();
  f.hosts = web.hosts ? web.hosts->hosts() : 0;
  web.graph->scan(0, web.graph->pages(), [&](PageId page, std::span<const PageId> links) {
    f.links += links.size();
    f.dangling += links.empty() ? 1 : 0;
    for (const PageId target : links) {
      f.self_links += target == page ? 1 : 0;
      f.between_hosts += web.hosts && web.hosts->host(page) != web.hosts->host(target) ? 1 : 0;
    }
    return true;
  });
  for (const std::uint32_t weight : weights_of(*web.graph)) f.weight += weight;
  return f;
}

void expect_figures(const std::string& name, const Figures& expected, const OpenOptions& options = {}) {
  const std::string path = real_data(name);
  if (path.empty()) GTEST_SKIP() << name << " is not at hand";
  const auto web = open_web(path, options);
  ASSERT_TRUE(web.ok()) << web.error().text;
  EXPECT_EQ(figures(*web), expected);
}

TEST(RealGraphs, Hollins) {
  expect_figures("hollins/hollins.graph-txt.gz", {6012, 23875, 3189, 0, 4, 918});
}
TEST(RealGraphs, Webkb) {
  expect_figures("webkb/webkb.graph-txt.gz", {8207, 15221, 3464, 0, 608, 2724});
}
TEST(RealGraphs, Uci) {
  expect_figures("uci-ics-2019/uci-ics-2019.graph-txt.gz", {53731, 580516, 9926, 0, 88, 26675});
}
TEST(RealGraphs, UciOpen) {
  expect_figures("uci-ics-2019/uci-ics-2019-open.graph-txt.gz", {201281, 1108311, 156424, 0, 9614, 249217});
}
TEST(RealGraphs, Cnr) {
  const Figures expected = {325557, 3216152, 78056, 87442};
  expect_figures("cnr-2000-nat/cnr-2000-nat.graph", expected);
  expect_figures("cnr-2000-nat/cnr-2000-nat.properties", expected);
}
TEST(RealGraphs, CnrWithItsBlocks) {
  if (real_data("cnr-2000-nat").empty()) GTEST_SKIP() << "cnr-2000-nat is not at hand";
  const auto web = open_web(real_data("cnr-2000-nat") + "/cnr-2000-nat",
                            {.hosts_file = real_data("cnr-2000-nat/cnr-2000-nat.blocks.gz")});
  ASSERT_TRUE(web.ok()) << web.error().text;
  const Figures found = figures(*web);
  EXPECT_EQ(found.hosts, 2038u);
  EXPECT_NEAR(static_cast<double>(found.between_hosts) / static_cast<double>(found.links), 0.0207, 0.00005);
}
TEST(RealGraphs, IndieMap) {
  expect_figures("indie-map/indie-map.hostgraph-txt.gz",
                 {409519, 683157, 407638, 0, 409519, 683157, 114000479});
}
TEST(RealGraphs, Ukwa) {
  expect_figures("ukwa-1996-hosts/ukwa-1996.hostgraph-txt.gz",
                 {58135, 184054, 47500, 10312, 58135, 184054 - 10312, 4772674});
}

}  // namespace
}  // namespace bowerbird
