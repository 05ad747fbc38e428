// `lipr` compared with its naive implementation, and its guarantees: the same order for any number of threads
// and thinned samples, little memory.
#include <gtest/gtest.h>

#include "frontier/crawl_testing.h"
#include "frontier/naive_lipr.h"

namespace bowerbird {
namespace {

using namespace testing_web;

// Follows the product's order and checks that the naive implementation would have taken each page, or an
// equal one.
void expect_choices_of_the_twin(const TestWeb& web, const std::vector<PageId>& seeds) {
  naive::Lipr twin;
  naive::Crawl crawl_of_twin(web, seeds, twin);
  naive::World& world = crawl_of_twin.world();
  for (const PageId page : crawl(web, {.policy = "lipr", .seeds = seeds})) {
    twin.confirm(world, crawl_of_twin);
    const double best = world.score[crawl_of_twin.best()];
    ASSERT_GE(world.score[page], best - 1e-4)
        << "page " << page << " after " << world.order.size() << " of " << web.pages() << " pages";
    crawl_of_twin.visit(page);
  }
  EXPECT_EQ(world.order.size(), web.reachable(seeds).size());
}

TEST(Lipr, ChoosesWhatItsTwinWouldChoose) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto pages = static_cast<PageId>(40 + 60 * seed);
    const auto hosts = static_cast<HostId>(1 + seed % 4 * 4);
    expect_choices_of_the_twin(random_web(seed, pages, hosts), {0, 7, 33});
  }
}

TEST(Lipr, DoesNotDependOnTheNumberOfThreads) {
  const TestWeb web = random_web(5, 1500);
  const auto one = crawl(web, {.policy = "lipr", .threads = 1});
  EXPECT_EQ(crawl(web, {.policy = "lipr", .threads = 2}), one);
  EXPECT_EQ(crawl(web, {.policy = "lipr", .threads = 5}), one);
}

TEST(Lipr, GoesOnFromASnapshotAfterItsSamplesWereThinned) {
  const TestWeb web = random_web(6, 2500);
  const CrawlSetup setup = {.policy = "lipr:samples=1000"};
  const auto before = make_frontier(web, setup, {});
  give_seeds(*before, setup.seeds);
  crawl_on(*before, web, 1500);
  std::string bytes;
  ByteWriter writer(bytes);
  before->save(writer);
  const auto after = make_frontier(web, setup, {});
  ByteReader reader(bytes);
  ASSERT_TRUE(after->load(reader).ok());
  EXPECT_EQ(crawl_on(*after, web), crawl_on(*before, web));
}

// Links that a strategy holds back get their scores when they enter, perhaps right after a snapshot.
TEST(Lipr, GoesOnFromASnapshotAtAnyPageWhereLinksAreHeldBack) {
  const TestWeb web = random_web(9, 150);
  const CrawlSetup setup = {.policy = "lipr:first=7", .strategy = "sydney@1"};
  for (std::uint64_t pages = 1; pages < 150; ++pages) {
    const auto before = make_frontier(web, setup, {});
    give_seeds(*before, setup.seeds);
    crawl_on(*before, web, pages);
    std::string bytes;
    ByteWriter writer(bytes);
    before->save(writer);
    const auto after = make_frontier(web, setup, {});
    ByteReader reader(bytes);
    ASSERT_TRUE(after->load(reader).ok());
    ASSERT_EQ(crawl_on(*after, web, 1), crawl_on(*before, web, 1));
    for (PageId page = 0; page < web.pages(); ++page) {
      ASSERT_EQ(after->score(page), before->score(page)) << "after " << pages << " pages";
    }
  }
}

TEST(Lipr, RecomputesItsRanksWhenItIsToldTo) {
  const TestWeb web = random_web(8, 100);
  const CrawlSetup setup = {.policy = "lipr"};
  const auto frontier = make_frontier(web, setup, {});
  give_seeds(*frontier, setup.seeds);
  frontier->recompute_ranks();
  EXPECT_EQ(frontier->recomputations(), 0u) << "nothing is crawled";
  const auto order = crawl_on(*frontier, web);
  EXPECT_EQ(frontier->recomputations(), 0u) << "the first is after 128 pages";
  frontier->recompute_ranks();
  frontier->recompute_ranks();
  EXPECT_EQ(frontier->recomputations(), 1u);
  double sum = 0;
  for (const PageId page : order) sum += frontier->policy().rank(page);
  EXPECT_NEAR(sum, 1, 1e-6) << "all pages are crawled; ranks are floats";
}

TEST(Lipr, RefusesASnapshotThatIsCutShort) {
  const TestWeb web = random_web(7, 200);
  const auto before = make_frontier(web, {.policy = "lipr"}, {});
  give_seeds(*before, {0});
  crawl_on(*before, web, 120);
  std::string bytes;
  ByteWriter writer(bytes);
  before->policy().save(writer);
  for (std::size_t length = 0; length < bytes.size(); length += 97) {
    const std::string cut = bytes.substr(0, length);
    const auto policy = make_policy("lipr", {}).value();
    ByteReader reader(cut);
    policy->load(reader);
    EXPECT_FALSE(reader.ok()) << length;
  }
}

TEST(Lipr, NamesThePartThatCannotBeLeftOut) {
  EXPECT_TRUE(make_policy("lipr:without=hosts+bonus+prior", {}).ok());
  const auto made = make_policy("lipr:without=hosts+luck", {});
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().text.find("without=luck"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
