// What every ordering of the registry must do, independent of its scores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "frontier/crawl_testing.h"
#include "policy/rankmass_bound.h"

namespace bowerbird {
namespace {

using namespace testing_web;
using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

std::vector<std::string> specs_to_test() {
  std::vector<std::string> specs;
  for (const PolicyInfo& info : all_policies()) {
    for (const std::string_view spec : info.in_all) specs.emplace_back(spec);
    if (specs.empty() || specs.back() != info.example) specs.emplace_back(info.example);
  }
  return specs;
}

class EveryOrdering : public testing::TestWithParam<std::string> {
 protected:
  std::vector<PageId> order(const TestWeb& web, const std::vector<PageId>& seeds) {
    return crawl(web, {.policy = GetParam(), .seeds = seeds});
  }
};

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryOrdering, testing::ValuesIn(specs_to_test()), test_name);

TEST_P(EveryOrdering, CrawlsEachReachablePageOnce) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const TestWeb web = random_web(seed, 120);
    const std::vector<PageId> seeds = {3, 77, 5};
    EXPECT_THAT(order(web, seeds), UnorderedElementsAreArray(web.reachable(seeds)));
  }
}

TEST_P(EveryOrdering, GivesTheSameOrderTwice) {
  const TestWeb web = random_web(11, 150);
  EXPECT_EQ(order(web, {1, 2}), order(web, {1, 2}));
}

TEST_P(EveryOrdering, EndsAtOnceWithoutSeeds) {
  EXPECT_TRUE(order(random_web(1, 5), {}).empty());
}

TEST_P(EveryOrdering, CrawlsALonePage) {
  EXPECT_THAT(order({.out = {{}}, .host = {}, .location = {}}, {0}), ElementsAre(0));
}

TEST_P(EveryOrdering, CrawlsAPageThatLinksToItselfOnce) {
  EXPECT_THAT(order({.out = {{0, 1}, {0, 1}}, .host = {}, .location = {}}, {0}), ElementsAre(0, 1));
}

TEST_P(EveryOrdering, FollowsALongChain) {
  TestWeb web;
  constexpr PageId kLength = 3000;
  for (PageId page = 0; page < kLength; ++page) {
    web.out.push_back(page + 1 < kLength ? std::vector<PageId>{page + 1} : std::vector<PageId>{});
  }
  std::vector<PageId> expected(kLength);
  for (PageId page = 0; page < kLength; ++page) expected[page] = page;
  EXPECT_EQ(order(web, {0}), expected);
}

TEST_P(EveryOrdering, NeverAnswersNotANumber) {
  const TestWeb web = random_web(5, 100);
  const std::vector<double> truth = web.truth();
  const auto frontier = make_frontier(web, {.policy = GetParam()}, truth);
  give_seeds(*frontier, {0, 9});
  while (const auto job = frontier->next(Time{})) {
    frontier->complete(job->page, web.links(job->page));
    for (PageId page = 0; page < web.pages(); ++page) {
      ASSERT_FALSE(std::isnan(frontier->score(page).value_or(0)));
    }
  }
}

TEST_P(EveryOrdering, GoesOnFromASnapshotAsIfUndisturbed) {
  const TestWeb web = random_web(21, 150);
  const CrawlSetup setup = {.policy = GetParam(), .seeds = {4, 8}};
  const std::vector<PageId> undisturbed = crawl(web, setup);
  const std::vector<double> truth = web.truth();
  for (const std::uint64_t stop : {0, 1, 7, 40, 90}) {
    const auto before = make_frontier(web, setup, truth);
    give_seeds(*before, setup.seeds);
    std::vector<PageId> pages = crawl_on(*before, web, stop);
    std::string bytes;
    ByteWriter writer(bytes);
    before->save(writer);

    const auto after = make_frontier(web, setup, truth);
    ByteReader reader(bytes);
    ASSERT_TRUE(after->load(reader).ok());
    EXPECT_EQ(reader.left(), 0u);
    const std::vector<PageId> rest = crawl_on(*after, web);
    pages.insert(pages.end(), rest.begin(), rest.end());
    EXPECT_EQ(pages, undisturbed) << "stopped after " << stop;
  }
}

// PageRank personalised to the seeds, by its definition; pages without links return theirs to the seeds.
std::vector<double> personalised_pagerank(const TestWeb& web, const std::vector<PageId>& seeds) {
  std::vector<double> rank(web.pages(), 0);
  for (int i = 0; i < 300; ++i) {
    std::vector<double> next(web.pages(), 0);
    double back = 1 - kDamping;
    for (PageId page = 0; page < web.pages(); ++page) {
      const double passed = kDamping * rank[page];
      if (web.out[page].empty()) back += passed;
      for (const PageId to : web.out[page]) next[to] += passed / static_cast<double>(web.out[page].size());
    }
    for (const PageId page : seeds) next[page] += back / static_cast<double>(seeds.size());
    rank.swap(next);
  }
  return rank;
}

TEST_P(EveryOrdering, HoldsAtLeastWhatTheRankMassBoundSays) {
  for (const std::uint64_t seed : {31, 32, 33}) {
    const TestWeb web = random_web(seed, 150);
    const std::vector<PageId> seeds = {4, 8, 100};
    const std::vector<double> truth = personalised_pagerank(web, seeds);
    RankMassBound bound;
    for (const PageId page : seeds) bound.seed(page);
    double held = 0;
    for (const PageId page : order(web, seeds)) {
      bound.crawled(page, web.out[page]);
      held += truth[page];
      ASSERT_LE(bound.covered(), held + 1e-12);
    }
    bound.tighten(1e-9, 300);
    EXPECT_NEAR(bound.covered(), 1, 1e-8);
  }
}

// [000], figure 2: A -> {B, C}, B -> {D, E}, C -> {B, E}.
TEST(WorkedExamples, FractionalPageRankOfFigure2) {
  const TestWeb web = {.out = {{1, 2}, {3, 4}, {1, 4}, {}, {}}, .host = {}, .location = {}};
  EXPECT_THAT(crawl(web, {.policy = "fpr"}), ElementsAre(0, 1, 2, 4, 3));
}

}  // namespace
}  // namespace bowerbird
