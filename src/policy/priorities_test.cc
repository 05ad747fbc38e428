#include "policy/priorities.h"

#include <gtest/gtest.h>

#include "policy/registry.h"

namespace bowerbird {
namespace {

PolicyContext context_of_two_hosts() {
  PolicyContext context;
  context.hosts = [](PageId page) { return HostId{page % 2}; };
  context.groups = [](PageId page) { return page; };
  return context;
}

const std::vector<std::string> kOrders = {"bfs", "fpr@100", "lipr", "opic", "backlink", "similar:by=lipr"};

TEST(Priorities, AFactorMovesAScoreUpAndDownAndBack) {
  for (const std::string& order : kOrders) {
    SCOPED_TRACE(order);
    const auto policy = std::move(make_policy(order, context_of_two_hosts())).value();
    Seed seed;
    seed.page = 1;
    seed.share = 0.25;
    seed.light = true;
    const Score score = policy->seed(seed);
    EXPECT_GE(policy->scaled(score, 4), score);
    EXPECT_LE(policy->scaled(score, 0.25), score);
    EXPECT_NEAR(policy->scaled(policy->scaled(score, 3), 1.0 / 3), score, 1e-9);
  }
}

TEST(Priorities, PagesWithoutOneKeepTheirScoresAndOthersAreScaled) {
  for (const std::string& order : kOrders) {
    SCOPED_TRACE(order);
    const auto plain = std::move(make_policy(order, context_of_two_hosts())).value();
    const auto raised = with_priorities(std::move(make_policy(order, context_of_two_hosts())).value(),
                                        [](PageId page) { return page == 2 ? 8.0 : 1.0; });
    Visit visit;
    visit.score = plain->seed({0, 0, 1, {}, false});
    EXPECT_EQ(raised->seed({0, 0, 1, {}, false}), visit.score);
    visit.links = 2;
    visit.crawled = visit.known = 1;
    const std::vector<PageId> all = {1, 2};
    std::vector<OpenLink> links(2), others(2);
    for (std::vector<OpenLink>* const list : {&links, &others}) {
      for (std::size_t i = 0; i < 2; ++i) {
        (*list)[i].page = all[i];
        (*list)[i].discovered = static_cast<std::uint32_t>(i + 1);
        (*list)[i].is_new = true;
      }
    }
    plain->crawled(visit, all);
    plain->give(visit, links);
    raised->crawled(visit, all);
    raised->give(visit, others);
    EXPECT_EQ(others[0].score, links[0].score) << "bit for bit";
    EXPECT_EQ(others[1].score, plain->scaled(links[1].score, 8));
    EXPECT_NEAR(raised->plain(2, others[1].score), links[1].score, 1e-9);
    EXPECT_EQ(raised->confirm(1, others[0].score), plain->confirm(1, links[0].score));
  }
}

}  // namespace
}  // namespace bowerbird
