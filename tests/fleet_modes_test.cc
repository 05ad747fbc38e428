// Processes that share a crawl without communication match the prediction of the lab [001].
#include <gtest/gtest.h>

#include <map>

#include "team_testing.h"

namespace bowerbird {
namespace {

// How often each page was fetched, by all processes together.
struct Live {
  std::map<PageId, int> fetches;
  std::vector<std::uint64_t> pages;
  std::uint64_t downloads = 0;
  double overlap() const {
    return static_cast<double>(downloads - fetches.size()) / static_cast<double>(fetches.size());
  }
};

Live live(CrawlBench& bench, const TeamOptions& team) {
  Live result;
  bench.options.parallel.mode = team.mode;
  bench.options.parallel.partitioning = team.partitioning;
  bench.options.parallel.rules = team.rules;
  bench.options.parallel.procs = team.procs;
  for (unsigned i = 0; i < team.procs; ++i) {
    bench.options.parallel.process = i;
    bench.options.out = bench.folder / ("p" + std::to_string(i));
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    result.pages.push_back(bench.last.counts.pages);
  }
  for (const AccessEntry& entry : bench.log()) {
    if (entry.page == kNoPage) continue;
    ++result.fetches[entry.page];
    ++result.downloads;
  }
  return result;
}

class FleetModes : public testing::TestWithParam<Partitioning> {};

TEST_P(FleetModes, AFirewallCoversExactlyWhatTheLabPredicts) {
  CrawlBench bench(random_web(600, 20, 3));
  bench.options.start.seeds = {bench.page_url(0), bench.page_url(100), bench.page_url(300)};
  TeamOptions team;
  team.procs = 4;
  team.mode = Mode::kFirewall;
  team.partitioning = GetParam();
  const RunResult expected = lab(setting_for(bench, "ids:0,100,300"), team);
  const Live got = live(bench, team);
  EXPECT_EQ(got.fetches.size(), expected.crawled);
  EXPECT_EQ(got.downloads, expected.team->downloads);
  EXPECT_EQ(got.pages, expected.team->pages);
  EXPECT_LT(got.fetches.size(), 600u);
  EXPECT_GT(got.fetches.size(), 3u);
}

TEST_P(FleetModes, CrossingOverFindsEverythingAsTheLabPredicts) {
  CrawlBench bench(random_web(300, 20, 3));
  bench.options.start.seeds = {bench.page_url(0), bench.page_url(100)};
  TeamOptions team;
  team.procs = 2;
  team.mode = Mode::kCrossOver;
  team.partitioning = GetParam();
  const RunResult expected = lab(setting_for(bench, "ids:0,100"), team);
  const Live got = live(bench, team);
  EXPECT_EQ(got.fetches.size(), expected.crawled);
  EXPECT_NEAR(got.overlap(), expected.team->overlap(), 0.1 * expected.team->overlap());
}

INSTANTIATE_TEST_SUITE_P(EveryPartition, FleetModes,
                         testing::Values(Partitioning::kSiteHash, Partitioning::kHostHash,
                                         Partitioning::kUrlHash),
                         [](const auto& one) {
                           std::string name(name_of(one.param));
                           name.erase(name.find('-'), 1);
                           return name;
                         });

// [001], the worked example: S1 = {a,b,c,d,e} and S2 = {f,g,h,i}, seeds a and f.
TEST(FleetFigure2, AFirewallLosesTwoOfNinePages) {
  enum { a, b, c, d, e, f, g, h, i };
  std::vector<std::string> names;
  for (int page = a; page <= i; ++page) {
    names.push_back(fmt::format("http://s.{}/{}", page < f ? "one" : "two", static_cast<char>('a' + page)));
  }
  for (const Mode mode : {Mode::kFirewall, Mode::kCrossOver}) {
    CrawlBench bench(
        make_web({{b, c, g}, {c}, {g}, {e}, {}, {g, i}, {h}, {d}, {}}, {0, 0, 0, 0, 0, 1, 1, 1, 1}, names));
    bench.options.start.seeds = {bench.page_url(a), bench.page_url(f)};
    TeamOptions team;
    team.procs = 2;
    team.mode = mode;
    team.partitioning = Partitioning::kHierarchical;
    team.rules = "one=0;two=1";
    const Live got = live(bench, team);
    EXPECT_EQ(got.fetches.size(), mode == Mode::kFirewall ? 7u : 9u);
    if (mode == Mode::kFirewall) {
      EXPECT_EQ(got.pages, (std::vector<std::uint64_t>{3, 4}));
      EXPECT_EQ(got.downloads, 7u);
    }
  }
}

}  // namespace
}  // namespace bowerbird
