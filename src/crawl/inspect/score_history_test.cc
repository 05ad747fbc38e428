#include "crawl/inspect/score_history.h"

#include <gtest/gtest.h>

#include <cmath>

#include "crawl/state/restored_crawl.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// a and b are seeds. a links to b and c, b links to c.
void write_history(const std::string& folder, const std::string& policy) {
  CrawlOptions options;
  options.out = folder;
  options.order.policy = policy;
  options.storage.durable = false;
  const auto crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
  ASSERT_TRUE(crawl->restore().ok());
  CrawlState& state = crawl->state();
  state.record_to(&crawl->store());
  const PageId a = state.intern("http://a.test/"), b = state.intern("http://b.test/"),
               c = state.intern("http://c.test/");
  state.add_seeds({{a, 2, false}, {b, 1, false}});
  for (int i = 0; i < 2; ++i) {
    const auto page = state.next(Time{1ms});
    ASSERT_TRUE(page);
    std::vector<StoredLink> links = {{c, kLinkOtherHost}};
    if (*page == a) links.push_back({b, kLinkOtherHost});
    state.complete({*page, links});
  }
  crawl->store().commit("");
  ASSERT_TRUE(crawl->store().wait_for_commits().ok());
}

TEST(ScoreHistory, ContributionsSumUpToTheScore) {
  TemporaryFolder folder;
  write_history(folder / "crawl", "opic");
  for (const PageId page : {0u, 1u, 2u}) {
    const auto crawl = std::move(RestoredCrawl::open_to_read(folder / "crawl")).value();
    ASSERT_TRUE(crawl->make_state().ok());
    ScoreHistory history(crawl->state(), page);
    ASSERT_TRUE(crawl->replay_from_beginning(std::ref(history)).ok());
    ASSERT_TRUE(history.score());
    double sum = history.from_seed() + history.elsewhere();
    for (const LinkContribution& link : history.links()) sum += link.gave;
    EXPECT_NEAR(sum, history.worth(), 1e-12) << page;
    EXPECT_EQ(history.is_seed(), page < 2) << page;
    EXPECT_EQ(history.links().size(), page == 0 ? 0u : page == 1 ? 1u : 2u) << page;
    if (page == 1) {
      EXPECT_EQ(history.links()[0].from, 0u);
      EXPECT_FALSE(history.links()[0].late);
    }
  }
}

// Seeds of lipr come first by a huge number, which a link replaces.
TEST(ScoreHistory, ASeedThatALinkHasScoredGotNothingAsASeed) {
  TemporaryFolder folder;
  write_history(folder / "crawl", "lipr");
  for (const PageId page : {0u, 1u}) {
    const auto crawl = std::move(RestoredCrawl::open_to_read(folder / "crawl")).value();
    ASSERT_TRUE(crawl->make_state().ok());
    ScoreHistory history(crawl->state(), page);
    ASSERT_TRUE(crawl->replay_from_beginning(std::ref(history)).ok());
    EXPECT_TRUE(history.is_seed());
    EXPECT_EQ(history.from_seed(), 0) << page;
    EXPECT_LT(std::abs(history.elsewhere()), 1000) << page;
    for (const LinkContribution& link : history.links()) EXPECT_GE(link.gave, 0) << page;
  }
}

}  // namespace
}  // namespace bowerbird
