// Two frontiers that share a crawl: one has the even pages, the other the odd ones [001].
#include <gtest/gtest.h>

#include <array>

#include "frontier/crawl_testing.h"

namespace bowerbird {
namespace {

using namespace testing_web;

struct OrderPair {
  std::array<std::unique_ptr<Frontier>, 2> both;
  std::vector<PageId> order;

  OrderPair(const TestWeb& web, const CrawlSetup& setup) {
    for (auto& frontier : both) frontier = make_frontier(web, setup, {});
    give_seeds(*both[0], {0});
  }

  // Crawls one page of `side` and sends its remote links at once; false if it has none.
  bool step(const TestWeb& web, unsigned side, LinkRoute foreign = LinkRoute::kRemote) {
    const auto job = both[side]->next(Time{});
    if (!job) return false;
    std::vector<Link> links = web.links(job->page), sent;
    for (Link& link : links) {
      if (link.page % 2 == side) continue;
      sent.push_back(link);
      link.route = foreign;
    }
    const Visit visit = both[side]->complete(job->page, links);
    if (job->links_only) return true;
    order.push_back(job->page);
    if (foreign == LinkRoute::kRemote) both[1 - side]->receive(visit, sent);
    return true;
  }

  double cash(const TestWeb& web, unsigned side) const {
    double sum = 0;
    for (PageId page = 0; page < web.pages(); ++page) sum += both[side]->score(page).value_or(0);
    return sum;
  }
};

double account(const Frontier& frontier, std::string_view name) {
  for (const Account& account : frontier.policy().accounts()) {
    if (account.name == name) return account.value;
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(Exchange, CashIsOnOneSideOrTheOther) {
  for (const char* strategy : {"all", "sydney@2", "truncated@2", "all:budget=20"}) {
    const TestWeb web = random_web(7, 200);
    OrderPair pair(web, {.policy = "opic", .strategy = strategy});
    while (pair.step(web, 0) || pair.step(web, 1)) {
      pair.step(web, 1);
      for (const unsigned side : {0u, 1u}) {
        const Frontier& frontier = *pair.both[side];
        ASSERT_NEAR(pair.cash(web, side) + account(frontier, "sink") + account(frontier, "pending") +
                        account(frontier, "sent"),
                    account(frontier, "issued") + account(frontier, "received"), 1e-9)
            << strategy;
      }
      ASSERT_NEAR(account(*pair.both[0], "sent"), account(*pair.both[1], "received"), 1e-9) << strategy;
    }
    EXPECT_GT(account(*pair.both[0], "sent"), 0);
  }
}

// The worth of a link does not depend on which process scores it: the scores of all queued pages together are
// those of one frontier that crawls in the same order.
TEST(Exchange, ALinkIsWorthTheSameToItsOwner) {
  for (const char* policy : {"backlink", "opic", "fpr", "fpr@100"}) {
    const TestWeb web = random_web(3, 120);
    OrderPair pair(web, {.policy = policy});
    const auto alone = make_frontier(web, {.policy = policy}, {});
    give_seeds(*alone, {0});
    for (int steps = 0; steps < 40; ++steps) {
      // The frontier with the page that a single frontier would take, takes it.
      const auto job = alone->next(Time{});
      ASSERT_TRUE(job.has_value());
      ASSERT_TRUE(pair.step(web, job->page % 2)) << policy;
      ASSERT_EQ(pair.order.back(), job->page) << policy;
      alone->complete(job->page, web.links(job->page));
      for (PageId page = 0; page < web.pages(); ++page) {
        const auto expected = alone->score(page);
        const auto got = pair.both[page % 2]->score(page);
        ASSERT_EQ(expected.has_value(), got.has_value()) << policy << " " << page;
        ASSERT_DOUBLE_EQ(expected.value_or(0), got.value_or(0)) << policy << " " << page;
      }
    }
  }
}

// lipr: what another process's page passes on counts at once, and still does after the ranks have been
// recomputed.
TEST(Exchange, LiprHearsOfLinksFromElsewhere) {
  constexpr PageId kChain = 60, kForeign = 61;
  TestWeb web = {.out = std::vector<std::vector<PageId>>(kForeign + 1), .host = {}, .location = {}};
  for (PageId page = 0; page + 2 < kChain; ++page) web.out[page] = {page + 1, page + 2};
  const auto after = [&](Score sent, unsigned recomputations) {
    const auto frontier = make_frontier(web, {.policy = "lipr:first=20"}, {});
    give_seeds(*frontier, {0});
    Visit visit;
    visit.score = sent;
    visit.links = 4;
    const Link link{kForeign, true};
    frontier->receive(visit, {&link, 1});
    while (account(*frontier, "recomputations") < recomputations)
      EXPECT_EQ(crawl_on(*frontier, web, 1).size(), 1u);
    return frontier->score(kForeign).value();
  };
  for (const unsigned recomputations : {0u, 1u, 2u})
    EXPECT_GT(after(-3, recomputations), after(-6, recomputations)) << recomputations;
}

TEST(Exchange, TwoWithLiprCrawlEverythingAndGoOnFromASnapshotAlike) {
  const TestWeb web = random_web(11, 600);
  const CrawlSetup setup{.policy = "lipr:first=40"};
  OrderPair pair(web, setup);
  for (int i = 0; i < 150; ++i) pair.step(web, static_cast<unsigned>(i % 2));
  std::string saved;
  ByteWriter out(saved);
  pair.both[1]->save(out);
  OrderPair again(web, setup);
  again.both[1] = make_frontier(web, setup, {});
  ByteReader in(saved);
  ASSERT_TRUE(again.both[1]->load(in).ok());
  const auto rest = crawl_on(*pair.both[1], web);
  EXPECT_FALSE(rest.empty());
  EXPECT_EQ(crawl_on(*again.both[1], web), rest);
}

TEST(Exchange, LinksThatLeadNowhereCountInTheOutDegreeOnly) {
  const TestWeb web = {.out = {{1, 2, 4}, {}, {}, {}, {}}, .host = {}, .location = {}};
  OrderPair pair(web, {.policy = "opic"});
  pair.step(web, 0, LinkRoute::kDropped);
  EXPECT_NEAR(*pair.both[0]->score(2), 1 + 1.0 / 3, 1e-12);
  EXPECT_FALSE(pair.both[0]->score(1).has_value());
  EXPECT_NEAR(account(*pair.both[0], "sink"), 1.0 / 3, 1e-12);
  EXPECT_EQ(pair.both[0]->counts().discovered, 3u);
}

TEST(Exchange, ABudgetTurnsNewLinksAway) {
  const TestWeb web = {.out = {{1, 3, 5, 7}, {}, {}, {}, {}, {}, {}, {}}, .host = {}, .location = {}};
  OrderPair pair(web, {.policy = "bfs", .strategy = "all:budget=2"});
  pair.step(web, 0);
  EXPECT_EQ(pair.both[1]->counts().primary, 2u);
  EXPECT_EQ(pair.both[1]->counts().dropped, 2u);
}

}  // namespace
}  // namespace bowerbird
