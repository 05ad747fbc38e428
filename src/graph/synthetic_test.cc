#include "graph/synthetic.h"

#include <gtest/gtest.h>

#include <set>

#include "base/rng.h"
#include "graph/csr.h"
#include "graph/synthetic_hosts.h"
#include "graph/synthetic_model.h"
#include "graph/synthetic_names.h"

namespace bowerbird {
namespace {

SyntheticOptions of(std::string_view spec) {
  return parse_synthetic(spec).value();
}

// All links of the pages first, first + step ... in one number.
std::uint64_t fingerprint(const Graph& graph, PageId first = 0, std::uint64_t step = 1) {
  LinkBuffer buffer;
  std::uint64_t sum = 0;
  for (std::uint64_t page = first; page < graph.pages(); page += step) {
    sum = mix64(sum ^ page);
    for (const PageId link : graph.out(static_cast<PageId>(page), buffer)) sum = mix64(sum + link);
  }
  return sum;
}

void expect_proper(std::span<const PageId> links, PageId pages) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    ASSERT_LT(links[i], pages);
    ASSERT_TRUE(i == 0 || links[i - 1] < links[i]);
  }
}

double reachable_share(const CsrGraph& graph, PageId from) {
  std::vector<bool> known(graph.pages());
  std::vector<PageId> queue{from};
  known[from] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const PageId link : graph.out(queue[i])) {
      if (!known[link]) queue.push_back(link);
      known[link] = true;
    }
  }
  return static_cast<double>(queue.size()) / graph.pages();
}

TEST(Synthetic, LinksAreDistinctAscendingAndInRange) {
  const SyntheticGraph graph(of("synthetic:pages=30k"));
  LinkBuffer buffer;
  for (PageId page = 0; page < graph.pages(); ++page) expect_proper(graph.out(page, buffer), graph.pages());
}

TEST(Synthetic, TheWebIsAFunctionOfItsOptions) {
  const std::uint64_t first = fingerprint(SyntheticGraph(of("synthetic:pages=20k,seed=7")));
  EXPECT_EQ(fingerprint(SyntheticGraph(of("synthetic:pages=20k,seed=7"))), first);
  EXPECT_NE(fingerprint(SyntheticGraph(of("synthetic:pages=20k,seed=8"))), first);
}

TEST(Synthetic, TheModelIsTheOneThatFiguresWereMadeWith) {
  // A change of the model changes all figures made with it: document it in docs/synthetic-web.md and repeat
  // them.
  EXPECT_EQ(fingerprint(SyntheticGraph(of("synthetic:pages=10k,seed=1"))), 6567504408748576058u);
}

TEST(Synthetic, AScanSeesWhatSingleCallsSee) {
  const SyntheticGraph graph(of("synthetic:pages=30k,seed=3"));
  LinkBuffer buffer;
  PageId expected = 100;
  graph.scan(100, 29'000, [&](PageId page, std::span<const PageId> links) {
    EXPECT_EQ(page, expected++);
    const std::span<const PageId> again = graph.out(page, buffer);
    EXPECT_TRUE(std::equal(links.begin(), links.end(), again.begin(), again.end())) << page;
    return true;
  });
  EXPECT_EQ(expected, 29'000u);
  int visits = 0;
  graph.scan(0, 100, [&](PageId, std::span<const PageId>) { return ++visits < 5; });
  EXPECT_EQ(visits, 5);
}

TEST(Synthetic, OrderOfCallsDoesNotMatter) {
  const SyntheticGraph graph(of("synthetic:pages=5k"));
  LinkBuffer one;
  LinkBuffer other;
  for (PageId i = 0; i < graph.pages(); ++i) {
    const PageId page = (i * 2741u) % graph.pages();
    const std::span<const PageId> links = graph.out(page, one);
    const std::vector<PageId> before(links.begin(), links.end());
    graph.out(graph.pages() - 1 - page, other);
    const std::span<const PageId> again = graph.out(page, other);
    ASSERT_TRUE(std::equal(before.begin(), before.end(), again.begin(), again.end())) << page;
  }
}

TEST(Synthetic, TinyWebsAreWebsToo) {
  for (PageId pages = 1; pages < 120; ++pages) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      SyntheticOptions options;
      options.pages = pages;
      options.seed = seed;
      const Web web = make_synthetic(options);
      ASSERT_EQ(web.graph->pages(), pages);
      ASSERT_GE(web.hosts->hosts(), 1u);
      ASSERT_EQ(web.hosts->run(pages - 1).second, pages);
      LinkBuffer buffer;
      for (PageId page = 0; page < pages; ++page) expect_proper(web.graph->out(page, buffer), pages);
    }
  }
}

TEST(Synthetic, TheLargestWebFitsToo) {
  SyntheticOptions options;
  options.pages = kMaxPages;
  const Web web = make_synthetic(options);
  EXPECT_EQ(web.graph->pages(), kMaxPages);
  LinkBuffer buffer;
  for (std::uint64_t page = 0; page < kMaxPages; page += 1'000'003) {
    expect_proper(web.graph->out(static_cast<PageId>(page), buffer), kMaxPages);
  }
  expect_proper(web.graph->out(static_cast<PageId>(kMaxPages - 1), buffer), kMaxPages);
}

TEST(Synthetic, ExtremeOptionsStayProper) {
  for (const char* spec :
       {"synthetic:pages=20k,degree=4,inter=0,dangling=0,orphans=0",
        "synthetic:pages=20k,degree=60,inter=50%", "synthetic:pages=20k,dangling=80%,orphans=50%",
        "synthetic:pages=20k,largest-host=1,host-exponent=1.1", "synthetic:pages=20k,host-pages=1",
        "synthetic:pages=20k,host-exponent=3,indegree-exponent=2.01"}) {
    const SyntheticGraph graph(of(spec));
    LinkBuffer buffer;
    for (PageId page = 0; page < graph.pages(); ++page) {
      expect_proper(graph.out(page, buffer), graph.pages());
      if (HasFatalFailure()) FAIL() << spec;
    }
  }
}

TEST(Synthetic, DegreeInterHostAndDanglingSharesAreAsAsked) {
  for (const char* spec : {"synthetic:pages=100k", "synthetic:pages=100k,degree=10,inter=10%,dangling=35%"}) {
    const SyntheticOptions options = of(spec);
    const Web web = make_synthetic(options);
    double links = 0;
    double inter = 0;
    double dangling = 0;
    web.graph->scan(0, web.graph->pages(), [&](PageId page, std::span<const PageId> out) {
      const auto [first, last] = web.hosts->run(page);
      links += static_cast<double>(out.size());
      dangling += out.empty();
      for (const PageId link : out) inter += link < first || link >= last;
      return true;
    });
    EXPECT_NEAR(links / 100'000, options.degree, 0.06 * options.degree) << spec;
    EXPECT_NEAR(inter / links, options.inter, 0.15 * options.inter) << spec;
    EXPECT_NEAR(dangling / 100'000, options.dangling, 0.02) << spec;
  }
}

TEST(Synthetic, NearlyAllPagesAreReachable) {
  const CsrGraph graph = to_csr(SyntheticGraph(of("synthetic:pages=100k"))).value();
  std::vector<std::uint32_t> indegree(graph.pages());
  for (const PageId link : graph.targets()) ++indegree[link];
  const auto most = std::max_element(indegree.begin(), indegree.end()) - indegree.begin();
  EXPECT_GE(reachable_share(graph, static_cast<PageId>(most)), 0.95);
  const HostLayout layout(of("synthetic:pages=100k"));
  HostRange largest = layout.of_host(0);
  for (HostId host = 1; host < layout.hosts(); ++host) {
    if (layout.of_host(host).size > largest.size) largest = layout.of_host(host);
  }
  EXPECT_GE(reachable_share(graph, largest.first), 0.95) << "from the home page of the largest host";
}

TEST(Synthetic, InDegreesHaveAHeavyTail) {
  const CsrGraph graph = to_csr(SyntheticGraph(of("synthetic:pages=100k"))).value();
  std::vector<std::uint32_t> indegree(graph.pages());
  for (const PageId link : graph.targets()) ++indegree[link];
  std::sort(indegree.rbegin(), indegree.rend());
  EXPECT_GT(indegree[0], graph.pages() / 200);
  EXPECT_LE(indegree[graph.pages() / 2], 4u);
}

TEST(Synthetic, HostsAreContiguousAndAgreeWithThemselves) {
  for (const char* spec : {"synthetic:pages=1", "synthetic:pages=17", "synthetic:pages=40k,seed=5"}) {
    const Web web = make_synthetic(of(spec));
    ASSERT_TRUE(web.hosts->contiguous());
    HostId host = 0;
    for (PageId page = 0; page < web.graph->pages(); ++host) {
      const auto [first, last] = web.hosts->run(page);
      ASSERT_EQ(first, page);
      ASSERT_GT(last, first);
      for (; page < last; ++page) ASSERT_EQ(web.hosts->host(page), host);
    }
    EXPECT_EQ(host, web.hosts->hosts());
  }
}

TEST(Synthetic, HostSizesFollowTheirLimits) {
  const HostLayout layout(of("synthetic:pages=1M,largest-host=1%"));
  std::uint32_t largest = 0;
  std::uint32_t single = 0;
  for (HostId host = 0; host < layout.hosts(); ++host) {
    largest = std::max(largest, layout.of_host(host).size);
    single += layout.of_host(host).size == 1;
  }
  EXPECT_LE(largest, 10'000u);
  EXPECT_GT(largest, 5'000u);
  EXPECT_GT(single, layout.hosts() / 4);
}

TEST(Synthetic, NamesAreUniqueOnTheirHostAndLeadBack) {
  const auto model = std::make_shared<const SyntheticModel>(of("synthetic:pages=20k,seed=2"));
  const SyntheticNames names(model);
  std::set<std::string> seen;
  for (PageId page = 0; page < model->layout().pages(); ++page) {
    const HostRange host = model->layout().of_page(page);
    const std::string name = names.name(page);
    EXPECT_TRUE(seen.insert(name).second) << name;
    const std::string home = "http://" + names.host_name(host.host) + "/";
    EXPECT_EQ(name.substr(0, home.size()), home);
    EXPECT_EQ(page == host.first, name == home);
    EXPECT_EQ(names.find(name), page) << name;
  }
  EXPECT_EQ(names.find_host(names.host_name(5)), 5u);
}

TEST(Synthetic, ForeignNamesLeadNowhere) {
  const auto model = std::make_shared<const SyntheticModel>(of("synthetic:pages=20k,seed=2"));
  const SyntheticNames names(model);
  const std::string good = names.name(12'345);
  for (const std::string& bad :
       {std::string(), std::string("http://"), std::string("http:///"),
        std::string("http://www.example.org/"), std::string("http://x/"), good + "x", good + "/",
        good.substr(0, good.size() - 1), "https" + good.substr(4),
        names.name(0) + "news99999999999999999999/", names.name(0) + "?page=0", names.name(0) + "news1"}) {
    EXPECT_EQ(names.find(bad), std::nullopt) << bad;
  }
}

TEST(SyntheticSpec, ReadsWhatItWrites) {
  SyntheticOptions options;
  options.pages = 123'456'789;
  options.seed = 42;
  options.inter = 0.1;
  options.host_exponent = 1.75;
  EXPECT_EQ(of(format_synthetic(options)), options);
  EXPECT_EQ(format_synthetic(SyntheticOptions{}), "synthetic:pages=1000000");
  EXPECT_EQ(of("synthetic"), SyntheticOptions{});
  EXPECT_EQ(of("synthetic:pages=1G").pages, 1'000'000'000u);
}

TEST(SyntheticSpec, ErrorsNameTheProblem) {
  auto complaint = [](std::string_view spec) { return parse_synthetic(spec).error().text; };
  EXPECT_NE(complaint("synthetic:pags=1M").find("pages"), std::string::npos);
  EXPECT_NE(complaint("synthetic:pages").find("value"), std::string::npos);
  EXPECT_NE(complaint("synthetic:degree=1").find("between 4 and 60"), std::string::npos);
  for (const char* bad : {"", "graph", "syntheticpages=1", "synthetic:pages=0", "synthetic:pages=5G",
                          "synthetic:,", "synthetic:inter=2", "synthetic:degree=nan", "synthetic:seed=-1"}) {
    EXPECT_FALSE(parse_synthetic(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace bowerbird
