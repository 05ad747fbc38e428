// Every ordering compared with its naive implementation on random webs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "frontier/crawl_testing.h"
#include "frontier/naive_crawl.h"

namespace bowerbird {
namespace {

using namespace testing_web;

using MakeTwin = std::function<std::unique_ptr<naive::Ordering>()>;

template <typename Twin, typename... Args>
MakeTwin twin(Args... args) {
  return [=] { return std::make_unique<Twin>(args...); };
}

struct Case {
  std::string spec;
  MakeTwin make;
};

const std::vector<Case>& exact_cases() {
  static const std::vector<Case> kCases = {
      {"bfs", twin<naive::Bfs>()},
      {"dfs", twin<naive::Dfs>()},
      {"backlink", twin<naive::Backlink>()},
      {"location", twin<naive::Location>()},
      {"omniscient", twin<naive::Omniscient>()},
      {"opic", twin<naive::Opic>()},
      {"fica", twin<naive::Fica>()},
      {"ieca", twin<naive::Ieca>()},
      {"fpr", twin<naive::Fpr>(1.0)},
      {"fpr@100", twin<naive::Fpr>(100.0)},
      {"rankmass", twin<naive::RankMass>()},
      {"windowed-rankmass@5", twin<naive::WindowedRankMass>(5.0)},
      {"windowed-rankmass@30", twin<naive::WindowedRankMass>(30.0)},
      {"similar", twin<naive::Similar>(std::make_shared<naive::Bfs>(), 3.0)},
      {"similar:variant=basic", twin<naive::Similar>(std::make_shared<naive::Bfs>(), 0.0)},
      {"similar:by=dfs,within=2", twin<naive::Similar>(std::make_shared<naive::Dfs>(), 2.0)},
      {"similar:by=backlink,within=1", twin<naive::Similar>(std::make_shared<naive::Backlink>(), 1.0)},
      {"similar:by=backlink,variant=basic", twin<naive::Similar>(std::make_shared<naive::Backlink>(), 0.0)},
  };
  return kCases;
}

// Webs of many shapes with one, two or many seeds.
struct Setting {
  TestWeb web;
  std::vector<PageId> seeds;
};
std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto pages = static_cast<PageId>(30 + 15 * seed);
    const auto hosts = static_cast<HostId>(1 + seed % 4 * 4);
    std::vector<PageId> seeds;
    for (PageId i = 0; i <= seed % 3 * 4; ++i) seeds.push_back((i * 7 + static_cast<PageId>(seed)) % pages);
    all.push_back({random_web(seed, pages, hosts), seeds});
  }
  return all;
}

TEST(Orderings, CrawlInTheOrderOfTheirTwins) {
  for (const Case& one : exact_cases()) {
    for (const Setting& setting : settings()) {
      const auto ordering = one.make();
      naive::Crawl naive(setting.web, setting.seeds, *ordering);
      EXPECT_EQ(crawl(setting.web, {.policy = one.spec, .seeds = setting.seeds}), naive.run().order)
          << one.spec << " on " << setting.web.pages() << " pages";
    }
  }
}

// Follows the product's order and checks that each page was among the best by plain arithmetic.
void expect_good_choices(const Case& one, const Setting& setting, double relative, double absolute) {
  const auto ordering = one.make();
  naive::Crawl naive(setting.web, setting.seeds, *ordering);
  for (const PageId page : crawl(setting.web, {.policy = one.spec, .seeds = setting.seeds})) {
    const double best = naive.world().score[naive.best()];
    ASSERT_GE(naive.world().score[page], best - std::fabs(best) * relative - absolute)
        << one.spec << " on " << setting.web.pages() << " pages, after " << naive.world().order.size();
    naive.visit(page);
  }
}

TEST(Orderings, ChooseWhatPlainArithmeticWouldChoose) {
  for (const Setting& setting : settings()) {
    expect_good_choices({"fpr", twin<naive::PlainFpr>(1.0)}, setting, 1e-9, 0);
    expect_good_choices({"fpr@20", twin<naive::PlainFpr>(20.0)}, setting, 1e-9, 0);
    expect_good_choices({"batch-pagerank", twin<naive::PageRankOrdering>(false)}, setting, 0, 2e-5);
    expect_good_choices({"partial-pagerank", twin<naive::PageRankOrdering>(true)}, setting, 0, 2e-5);
  }
}

TEST(Orderings, BeforeTheirFirstComputationPageRanksAreBreadthFirst) {
  const TestWeb web = random_web(4, 100);
  const std::vector<PageId> bfs = crawl(web, {.policy = "bfs", .seeds = {2, 3}});
  for (const char* spec : {"batch-pagerank:k=1000", "partial-pagerank:k=1000"}) {
    EXPECT_EQ(crawl(web, {.policy = spec, .seeds = {2, 3}}), bfs) << spec;
  }
}

TEST(Orderings, RandomIsUniformOverWhatIsDiscovered) {
  // The seed reveals a and b; b reveals c and d. All remaining pages are equally likely at any moment.
  const TestWeb web = {.out = {{1, 2}, {}, {3, 4}, {}, {}}, .host = {}, .location = {}};
  constexpr int kRuns = 3000;
  int first[5] = {}, second_after_b[5] = {};
  for (int run = 0; run < kRuns; ++run) {
    const auto order = crawl(web, {.policy = "random:seed=" + std::to_string(run)});
    ++first[order[1]];
    if (order[1] == 2) ++second_after_b[order[2]];
  }
  EXPECT_NEAR(first[1], kRuns / 2.0, 150);
  EXPECT_EQ(first[1] + first[2], kRuns);
  for (const PageId page : {1, 3, 4}) EXPECT_NEAR(second_after_b[page], kRuns / 6.0, 110) << page;
}

TEST(Orderings, RandomDependsOnItsSeed) {
  const TestWeb web = random_web(2, 100);
  EXPECT_EQ(crawl(web, {.policy = "random", .seed = 7}), crawl(web, {.policy = "random:seed=7"}));
  EXPECT_NE(crawl(web, {.policy = "random:seed=7"}), crawl(web, {.policy = "random:seed=8"}));
}

// The worked example 3: p links to q and s; q has 3 links, one of them t; s has 2 links, one of them v.
TEST(Orderings, FicaWithoutDiscountIsTheLogarithmicDistance) {
  const TestWeb web = {.out = {{1, 2}, {3, 4, 5}, {6, 7}, {}, {}, {}, {}, {}}, .host = {}, .location = {}};
  const auto frontier = make_frontier(web, {.policy = "fica:gamma=1,alpha=1"}, {});
  give_seeds(*frontier, {0});
  crawl_on(*frontier, web, 3);
  EXPECT_DOUBLE_EQ(*frontier->score(3), -(std::log10(2) + std::log10(3)));
  EXPECT_DOUBLE_EQ(*frontier->score(6), -(std::log10(2) + std::log10(2)));
  EXPECT_EQ(frontier->next(Time{})->page, 6u);
}

// Either queue is in the order of the other ordering, to the last bit: if no page looks like the topic, or
// every page does, nothing changes.
TEST(Orderings, SimilarToNothingIsTheOrderingWithin) {
  for (const std::string by :
       {"fpr@100", "lipr", "opic", "rankmass", "random", "(ieca:k=3)", "batch-pagerank"}) {
    const TestWeb web = random_web(9, 150);
    const std::string plain = by.front() == '(' ? by.substr(1, by.size() - 2) : by;
    for (const bool all : {false, true}) {
      const auto hints = [all](PageId) { return PageHints{0, 0, all}; };
      const auto order = [&](const std::string& spec) {
        auto policy =
            make_policy(spec, {.expected_pages = 150, .hosts = [&](PageId p) { return web.host_of(p); }});
        auto frontier = std::move(Frontier::make({}, std::move(*policy), hints)).value();
        give_seeds(*frontier, {3, 4});
        std::vector<PageId> pages;
        while (const auto job = frontier->next(Time{})) {
          std::vector<Link> links = web.links(job->page);
          for (Link& link : links) link.on_topic = false;
          frontier->complete(job->page, links);
          pages.push_back(job->page);
        }
        return pages;
      };
      EXPECT_EQ(order("similar:by=" + by), order(plain)) << by << (all ? ", all hot" : "");
    }
  }
}

// 0 -> 1 ... 4; 1 -> 5; 5 -> 6; 6 -> 7; 7 -> 8. Page 3 is hot by its anchor, page 1 is about the topic: its
// links, theirs and those of theirs are hot, no further.
TEST(Orderings, SimilarFollowsAnchorsAndThreeLinksFromAPageOnTheTopic) {
  const std::vector<std::vector<PageId>> out = {{1, 2, 3, 4}, {5}, {}, {}, {}, {6}, {7}, {8}, {}};
  const auto order = [&](const std::string& spec) {
    auto frontier = std::move(Frontier::make({}, std::move(make_policy(spec, {})).value())).value();
    give_seeds(*frontier, {0});
    std::vector<PageId> pages;
    while (const auto job = frontier->next(Time{})) {
      std::vector<Link> links;
      for (const PageId to : out[job->page]) links.push_back({to, false, LinkRoute::kLocal, to == 3});
      frontier->complete(job->page, links, job->page == 1);
      pages.push_back(job->page);
    }
    return pages;
  };
  using testing::ElementsAre;
  EXPECT_THAT(order("similar"), ElementsAre(0, 3, 1, 5, 6, 7, 2, 4, 8));
  EXPECT_THAT(order("similar:within=1"), ElementsAre(0, 3, 1, 5, 2, 4, 6, 7, 8));
  EXPECT_THAT(order("similar:variant=basic"), ElementsAre(0, 3, 1, 2, 4, 5, 6, 7, 8));
}

// After a chain along which masses halve, x links to three pages and y to one. That one holds more than the
// three and must be taken before them, though it was found later. In plain doubles all would hold 0 and the
// order would be first come, first served.
TEST(Orderings, MassesDoNotUnderflowIntoFirstComeFirstServed) {
  constexpr PageId kChain = 3000;  // 2^-3000 is far below the smallest double
  constexpr PageId kX = kChain + 1, kY = kChain + 2, kOfX = kChain + 3, kOfY = kChain + 6;
  TestWeb web;
  web.out.resize(kOfY + 1 + kChain);
  for (PageId i = 0; i < kChain; ++i) web.out[i] = {i + 1, kOfY + 1 + i};  // on, and to a dead end
  web.out[kChain] = {kX, kY};
  web.out[kX] = {kOfX, kOfX + 1, kOfX + 2};
  web.out[kY] = {kOfY};
  for (const char* spec : {"fpr", "fpr@100", "rankmass", "windowed-rankmass@5"}) {
    const std::vector<PageId> order = crawl(web, {.policy = spec});
    const auto place = [&](PageId page) { return std::find(order.begin(), order.end(), page); };
    EXPECT_LT(place(kX), place(kY)) << spec;
    EXPECT_LT(place(kOfY), place(kOfX)) << spec;
    EXPECT_LT(place(kOfX), place(kOfX + 1)) << spec;
  }
}

}  // namespace
}  // namespace bowerbird
