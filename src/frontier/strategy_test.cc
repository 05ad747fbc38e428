// Frontier strategies [002], alone and with every ordering, compared with their naive implementation.
#include "frontier/strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "frontier/crawl_testing.h"
#include "frontier/naive_crawl.h"

namespace bowerbird {
namespace {

using namespace testing_web;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

struct CrawlRun {
  std::vector<PageId> order;
  FrontierCounts counts;
  std::uint64_t longest = 0;  // of |P| + |S|, as seen between the steps
};

CrawlRun run_crawl(const TestWeb& web, const CrawlSetup& setup) {
  const std::vector<double> truth = web.truth();
  const auto frontier = make_frontier(web, setup, truth);
  give_seeds(*frontier, setup.seeds);
  CrawlRun result;
  while (const auto job = frontier->next(Time{})) {
    if (!job->links_only) result.order.push_back(job->page);
    frontier->complete(job->page, web.links(job->page));
    const FrontierCounts& counts = frontier->counts();
    result.longest = std::max(result.longest, counts.primary + counts.secondary);
  }
  result.counts = frontier->counts();
  return result;
}

struct Pair {
  std::string spec;
  std::function<std::unique_ptr<naive::Ordering>()> make;
};

const std::vector<Pair>& orderings() {
  static const std::vector<Pair> kPairs = {
      {"bfs", [] { return std::make_unique<naive::Bfs>(); }},
      {"dfs", [] { return std::make_unique<naive::Dfs>(); }},
      {"backlink", [] { return std::make_unique<naive::Backlink>(); }},
      {"location", [] { return std::make_unique<naive::Location>(); }},
      {"omniscient", [] { return std::make_unique<naive::Omniscient>(); }},
      {"opic", [] { return std::make_unique<naive::Opic>(); }},
      {"fica", [] { return std::make_unique<naive::Fica>(); }},
      {"ieca", [] { return std::make_unique<naive::Ieca>(); }},
      {"fpr@100", [] { return std::make_unique<naive::Fpr>(100.0); }},
  };
  return kPairs;
}

struct Named {
  std::string spec;
  naive::Strategy twin;
};

const std::vector<Named>& strategies() {
  static const std::vector<Named> kStrategies = {
      {"all", {}},
      {"sydney@1", {"sydney", 1}},
      {"sydney@3", {"sydney", 3}},
      {"shallow@2", {"shallow", 2}},
      {"truncated@2", {"truncated", 2}},
      {"sydney@3:budget=20", {"sydney", 3, 20}},
      {"shallow@3:budget=9", {"shallow", 3, 9}},
      {"truncated@4:budget=12", {"truncated", 4, 12}},
      {"all:budget=15", {"all", 0, 15}},
      {"sydney@3:budget=2", {"sydney", 3, 2}},  // there are three seeds
  };
  return kStrategies;
}

TEST(Strategies, DoWhatTheirTwinsDoWithEveryOrdering) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const TestWeb web = random_web(seed, static_cast<PageId>(40 + 15 * seed));
    const std::vector<PageId> seeds = {static_cast<PageId>(seed), 30, 12};
    for (const Pair& ordering : orderings()) {
      for (const Named& strategy : strategies()) {
        const auto twin_ordering = ordering.make();
        naive::Crawl twin(web, seeds, *twin_ordering, strategy.twin);
        const naive::Outcome expected = twin.run();
        const CrawlRun got =
            run_crawl(web, {.policy = ordering.spec, .strategy = strategy.spec, .seeds = seeds});
        const std::string what = ordering.spec + " with " + strategy.spec + " on web " + std::to_string(seed);
        ASSERT_EQ(got.order, expected.order) << what;
        ASSERT_EQ(got.counts.links_only, expected.links_only) << what;
        ASSERT_EQ(got.counts.dropped, expected.dropped) << what;
        ASSERT_EQ(got.counts.peak, expected.peak) << what;
      }
    }
  }
}

class EveryPair : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

std::vector<std::string> every_spec() {
  std::vector<std::string> specs;
  for (const PolicyInfo& info : all_policies()) specs.emplace_back(info.example);
  return specs;
}

INSTANTIATE_TEST_SUITE_P(Strategies, EveryPair,
                         testing::Combine(testing::ValuesIn(every_spec()),
                                          testing::Values("sydney@1", "sydney@4", "shallow@2")),
                         [](const auto& one) {
                           std::string name = std::get<0>(one.param) + "_" + std::get<1>(one.param);
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

TEST_P(EveryPair, KeepsFullCoverageAndCrawlsNothingTwice) {
  const auto& [policy, strategy] = GetParam();
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const TestWeb web = random_web(seed, 150);
    const CrawlRun got = run_crawl(web, {.policy = policy, .strategy = strategy, .seeds = {1, 2}});
    EXPECT_THAT(got.order, UnorderedElementsAreArray(web.reachable({1, 2})));
    EXPECT_EQ(got.counts.peak, got.longest);
  }
}

TEST_P(EveryPair, GoesOnFromASnapshotAsIfUndisturbed) {
  const auto& [policy, strategy] = GetParam();
  const TestWeb web = random_web(21, 120);
  const CrawlSetup setup = {.policy = policy, .strategy = strategy, .seeds = {4, 8}};
  const std::vector<PageId> undisturbed = crawl(web, setup);
  const std::vector<double> truth = web.truth();
  for (const std::uint64_t stop : {3, 30, 80, 110}) {
    const auto before = make_frontier(web, setup, truth);
    give_seeds(*before, setup.seeds);
    std::vector<PageId> pages = crawl_on(*before, web, stop);
    std::string bytes;
    ByteWriter writer(bytes);
    before->save(writer);
    const auto after = make_frontier(web, setup, truth);
    ByteReader reader(bytes);
    ASSERT_TRUE(after->load(reader).ok());
    const std::vector<PageId> rest = crawl_on(*after, web);
    pages.insert(pages.end(), rest.begin(), rest.end());
    EXPECT_EQ(pages, undisturbed) << "stopped after " << stop;
  }
}

TEST(Strategies, ABudgetIsNeverExceeded) {
  const TestWeb web = random_web(3, 300);
  for (const char* policy : {"bfs", "fpr", "batch-pagerank"}) {
    for (const char* strategy : {"sydney@4:budget=25", "all:budget=25", "sydney@4:budget=10%"}) {
      const CrawlRun got = run_crawl(web, {.policy = policy, .strategy = strategy});
      EXPECT_LE(got.longest,
                strategy[std::string_view(strategy).size() - 1] == '%' ? web.reachable({0}).size() / 10 : 25)
          << policy << " " << strategy;
      EXPECT_GT(got.counts.dropped, 0u);
    }
  }
}

// What a budget does to a queue by backlinks, by looking at all pages each time.
class BudgetTwin {
 public:
  BudgetTwin(PageId pages, std::size_t budget) : pages_(pages), budget_(budget) {}

  void seed(PageId page) { discover(page, 0); }
  std::optional<PageId> next(Time now) {
    std::optional<PageId> best;
    for (PageId i = 0; i < pages_.size(); ++i) {
      Page& page = pages_[i];
      if (page.state == PageState::kWaiting && page.due <= now) page.state = PageState::kQueued;
      if (page.state != PageState::kQueued) continue;
      if (!best || page.score > pages_[*best].score ||
          (page.score == pages_[*best].score && page.number < pages_[*best].number)) {
        best = i;
      }
    }
    if (best) pages_[*best].state = PageState::kInFlight;
    return best;
  }
  void retry(PageId page, Time due) {
    pages_[page].state = PageState::kWaiting;
    pages_[page].due = due;
  }
  void complete(PageId page, const std::vector<PageId>& links) {
    pages_[page].state = PageState::kDone;
    std::size_t taken = 0;
    for (const Page& one : pages_)
      taken += one.state != PageState::kUndiscovered && one.state != PageState::kDone ? 1 : 0;
    for (const PageId link : links) {
      if (pages_[link].state != PageState::kUndiscovered) {
        pages_[link].score += 1;
      } else if (taken < budget_) {
        discover(link, 1);
        ++taken;
      } else {
        ++dropped_;
      }
    }
  }
  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Page {
    PageState state = PageState::kUndiscovered;
    double score = 0;
    int number = 0;
    Time due{};
  };
  void discover(PageId page, double score) {
    pages_[page] = {PageState::kQueued, score, next_number_++, Time{}};
  }
  std::vector<Page> pages_;
  std::size_t budget_;
  int next_number_ = 0;
  std::uint64_t dropped_ = 0;
};

TEST(Strategies, ABudgetHoldsOverWhatIsInFlightWaitsAndIsOnDisk) {
  constexpr std::size_t kBudget = 120;
  std::uint64_t spilled = 0, retries = 0, dropped = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TestWeb web = random_web(seed, 600);
    MemorySpill store;
    auto made = Frontier::make({.strategy = "all:budget=120", .queue_bytes = 512, .spill = &store},
                               std::move(*make_policy("backlink", {})));
    ASSERT_TRUE(made.ok());
    Frontier& frontier = **made;
    BudgetTwin twin(web.pages(), kBudget);
    give_seeds(frontier, {0});
    twin.seed(0);
    Rng rng(seed);
    std::vector<PageId> under_way;
    for (Time now{};; now += 1ms) {
      if (under_way.size() < 10) {
        const auto job = frontier.next(now);
        ASSERT_EQ(job ? std::optional(job->page) : std::nullopt, twin.next(now));
        if (job) under_way.push_back(job->page);
        if (!job && under_way.empty() && frontier.counts().waiting == 0) break;
      }
      if (!under_way.empty() && rng.below(3) > 0) {
        std::swap(under_way[rng.below(under_way.size())], under_way.back());
        const PageId page = under_way.back();
        under_way.pop_back();
        if (rng.below(4) == 0) {
          const Time due = now + Duration{rng.below(30)};
          frontier.retry(page, due);
          twin.retry(page, due);
          ++retries;
        } else {
          frontier.complete(page, web.links(page));
          twin.complete(page, web.out[page]);
        }
      }
      ASSERT_LE(frontier.counts().primary + frontier.counts().secondary, kBudget);
      spilled = std::max(spilled, frontier.spilled().now);
    }
    EXPECT_EQ(frontier.counts().dropped, twin.dropped());
    dropped += twin.dropped();
  }
  EXPECT_GT(dropped, 100u);
  EXPECT_GT(spilled, 10u);
  EXPECT_GT(retries, 10u);
}

TEST(Strategies, WhatABudgetTurnedAwayMayBeFoundAgain) {
  // 0 finds 1 and 2 but there is room for one; 1 finds 2 again.
  const TestWeb web = {.out = {{1, 2}, {2}, {}}, .host = {}, .location = {}};
  const CrawlRun got = run_crawl(web, {.policy = "backlink", .strategy = "all:budget=1"});
  EXPECT_THAT(got.order, ElementsAre(0, 1, 2));
  EXPECT_EQ(got.counts.dropped, 1u);
}

TEST(Strategies, ScoredOrderingsTakeTheBestLinksFirst) {
  TestWeb web = {.out = {{1, 2, 3, 4}, {}, {}, {}, {}}, .host = {}, .location = {0, 0.2, 0.9, 0.1, 0.5}};
  const CrawlRun got = run_crawl(web, {.policy = "location", .strategy = "sydney@2"});
  EXPECT_THAT(got.order, ElementsAre(0, 2, 4, 1, 3));
  EXPECT_EQ(got.counts.links_only, 1u);
}

TEST(Strategies, LinksThatWereHeldBackEnterWithTheShareOfTheFirstVisit) {
  // 0 shares its cash 1 over 4 links; 3 and 4 enter when 0 is visited again, and 4 was found by 1 meanwhile.
  const TestWeb web = {.out = {{1, 2, 3, 4}, {4}, {}, {}, {}}, .host = {}, .location = {}};
  const auto frontier = make_frontier(web, {.policy = "opic", .strategy = "sydney@2"}, {});
  give_seeds(*frontier, {0});
  EXPECT_THAT(crawl_on(*frontier, web, 3), ElementsAre(0, 1, 4));
  EXPECT_FALSE(frontier->score(3).has_value());
  EXPECT_THAT(crawl_on(*frontier, web, 2), ElementsAre(2));
  EXPECT_EQ(*frontier->score(3), 1.25);
}

TEST(Strategies, PagesInFlightDoNotGetTheSameShareTwice) {
  const TestWeb web = {.out = {{1, 2, 3, 4}, {}, {}, {}, {}}, .host = {}, .location = {}};
  const auto frontier = make_frontier(web, {.policy = "backlink", .strategy = "sydney@2"}, {});
  give_seeds(*frontier, {0});
  crawl_on(*frontier, web, 1);
  EXPECT_EQ(frontier->next(Time{})->page, 1u);
  EXPECT_EQ(frontier->next(Time{})->page, 2u);
  const auto again = frontier->next(Time{});
  EXPECT_TRUE(again->links_only);
  frontier->complete(again->page, web.links(0));
  EXPECT_EQ(frontier->score(1), 1);
  EXPECT_EQ(frontier->score(3), 1);
}

// Frontier + sink + pending = all cash ever issued.
TEST(Strategies, NeverLoseCash) {
  for (const Named& strategy : strategies()) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const TestWeb web = random_web(seed, 200);
      const auto frontier = make_frontier(web, {.policy = "opic", .strategy = strategy.spec}, {});
      give_seeds(*frontier, {0, 5, 9});
      while (const auto job = frontier->next(Time{})) {
        double cash = 0;
        for (PageId page = 0; page < web.pages(); ++page) cash += frontier->score(page).value_or(0);
        const std::vector<Account> accounts = frontier->policy().accounts();
        ASSERT_EQ(accounts.size(), 5u);
        ASSERT_NEAR(cash + accounts[1].value + accounts[2].value, accounts[0].value, 1e-9) << strategy.spec;
        frontier->complete(job->page, web.links(job->page));
      }
      EXPECT_NEAR(frontier->policy().accounts()[2].value, 0, 1e-9) << strategy.spec;
    }
  }
}

TEST(Strategies, SampleEveryLinkAsOften) {
  Strategy strategy = *Strategy::make("sydney@3", 0, 1);
  int taken[10] = {};
  constexpr int kRuns = 5000;
  for (int step = 0; step < kRuns; ++step) {
    std::vector<OpenLink> links(11);
    for (PageId i = 0; i < 10; ++i) links[i].page = i;
    for (OpenLink& link : links) link.is_new = true;
    links[10].page = 77;
    links[10].is_new = false;
    ASSERT_EQ(strategy.sample(links, 3, false, static_cast<std::uint64_t>(step)), 4u);
    ASSERT_EQ(links[3].page, 77u);
    for (int i = 0; i < 3; ++i) ++taken[links[static_cast<std::size_t>(i)].page];
  }
  for (const int count : taken) EXPECT_NEAR(count, kRuns * 0.3, 150);
}

TEST(Strategies, RefuseWhatTheyDoNotKnow) {
  EXPECT_THAT(Strategy::make("sidney@8", 0, 1).error().text, HasSubstr("did you mean 'sydney'?"));
  EXPECT_THAT(Strategy::make("sydney", 0, 1).error().text, HasSubstr("write for example sydney@8"));
  EXPECT_THAT(Strategy::make("sydney@8:budget=5%", 0, 1).error().text, HasSubstr("write a number"));
  EXPECT_THAT(Strategy::make("all@3", 0, 1).error().text, HasSubstr("takes no value"));
  EXPECT_FALSE(Strategy::make("sydney@8:budget=0", 0, 1).ok());
  EXPECT_FALSE(Strategy::make("sydney@8:budget=200%", 100, 1).ok());
  EXPECT_FALSE(Strategy::make("sydney@x", 0, 1).ok());
  EXPECT_TRUE(Strategy::make("sydney@8:budget=5%", 1000, 1).ok());
}

TEST(Strategies, ShallowNeedsToKnowDepths) {
  auto policy = make_policy("bfs", {});
  EXPECT_THAT(Frontier::make({.strategy = "shallow@8"}, std::move(*policy)).error().text,
              HasSubstr("needs the URLs"));
}

}  // namespace
}  // namespace bowerbird
