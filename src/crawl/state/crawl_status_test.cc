#include "crawl/state/crawl_status.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sys/disk.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(CrawlStatus, CountsComeBackFromTheirText) {
  CrawlCounts counts;
  counts.pages = 7;
  counts.rejected_worth = 0.5;
  counts.outcomes[static_cast<std::size_t>(Outcome::kNotFound)] = 3;
  counts.add_unwanted("application/zip");
  counts.add_failed_seed({"http://a.test/", "no such host"});
  CrawlMoment moment;
  moment.queued = 11;
  moment.guaranteed = 0.25;
  moment.memory.resident = 1000;
  moment.memory.parts.push_back({"queue", 10});
  const std::string text = counts_to_state(counts, CrawlEnd::kPages, moment);
  CrawlCounts again;
  CrawlEnd end = CrawlEnd::kNotYet;
  CrawlMoment then;
  ASSERT_TRUE(counts_from_state(text, again, end, &then));
  EXPECT_EQ(end, CrawlEnd::kPages);
  EXPECT_EQ(then.queued, 11u);
  EXPECT_EQ(counts_to_state(again, end, then), text);
}

TEST(CrawlStatus, HostileTextIsRejectedOrIgnored) {
  CrawlCounts counts;
  CrawlEnd end = CrawlEnd::kPages;
  for (const char* const bad : {"", "[]", "3", "{"}) EXPECT_FALSE(counts_from_state(bad, counts, end)) << bad;
  CrawlMoment moment;
  ASSERT_TRUE(counts_from_state(
      R"({"pages":-1,"bytes":"x","end":99,"outcomes":[],"excluded":3,"failed_seeds":[1,{"url":2}],)"
      R"("unwanted_types":{"a":"b"},"memory":{"parts":{"q":"x"},"stage":7},"turned_away_worth":"x"})",
      counts, end, &moment));
  EXPECT_EQ(counts.pages, 0u);
  EXPECT_EQ(end, CrawlEnd::kNotYet);
  EXPECT_TRUE(counts.unwanted_types.empty());
}

TEST(CrawlStatus, InvalidUtf8DoesNotPreventACommit) {
  CrawlCounts counts;
  counts.add_unwanted("\xff/\xfe");
  counts.add_failed_seed({"http://a.test/", "\xc3"});
  CrawlCounts again;
  CrawlEnd end = CrawlEnd::kNotYet;
  EXPECT_TRUE(counts_from_state(counts_to_state(counts, CrawlEnd::kNotYet), again, end));
  CrawlStatus status;
  status.counts = counts;
  EXPECT_TRUE(nlohmann::json::parse(status_json(status, end), nullptr, false).is_object());
}

TEST(CrawlStatus, OnlyTheFirstTypesAndSeedsAreNamed) {
  CrawlCounts counts;
  for (int i = 0; i < 100; ++i) {
    counts.add_unwanted("x/" + std::to_string(i));
    counts.add_failed_seed({"http://a.test/", ""});
  }
  counts.add_unwanted(std::string(65, 'x'));
  EXPECT_LE(counts.unwanted_types.size(), 17u);
  EXPECT_GT(counts.unwanted_types["any"], 80u);
  EXPECT_EQ(counts.failed_seeds.size(), kFailedSeedsNamed);
  CrawlCounts sum;
  sum.add(counts);
  EXPECT_EQ(sum.seeds_failed, 100u);
}

TEST(CrawlStatus, CountsOfProcessesAddUp) {
  CrawlCounts one;
  one.pages = 3;
  one.on_topic = 2;
  one.sitemap_unreadable = 1;
  one.rejected = 4;
  one.run_ms = 100;
  one.excluded[0] = 5;
  one.unwanted_types["pdf"] = 6;
  one.longest.step_us = 7;
  CrawlCounts sum = one;
  one.run_ms = 50;
  sum.add(one);
  EXPECT_EQ(sum.pages, 6u);
  EXPECT_EQ(sum.on_topic, 4u);
  EXPECT_EQ(sum.sitemap_unreadable, 2u);
  EXPECT_EQ(sum.rejected, 8u);
  EXPECT_EQ(sum.run_ms, 100u) << "at the same time";
  EXPECT_EQ(sum.excluded[0], 10u);
  EXPECT_EQ(sum.unwanted_types["pdf"], 12u);
  EXPECT_EQ(sum.longest.step_us, 7u);
}

TEST(CrawlStatus, AFolderIsRunningKilledFailedOrEnded) {
  TemporaryFolder folder;
  EXPECT_EQ(crawl_state_text(folder.path(), CrawlEnd::kNotYet), "killed, can be resumed");
  EXPECT_EQ(crawl_state_text(folder.path(), CrawlEnd::kPages), crawl_end_text(CrawlEnd::kPages));
  auto lock = std::move(Disk::real().lock(folder / "lock")).value();
  EXPECT_EQ(crawl_state_text(folder.path(), CrawlEnd::kNotYet).find("running (pid "), 0u);
  lock->leave_note("the disk is full");
  lock.reset();
  EXPECT_EQ(crawl_state_text(folder.path(), CrawlEnd::kNotYet), "failed, can be resumed: the disk is full");
}

TEST(CrawlStatus, TheJsonOfAFleetHasItsCounts) {
  CrawlStatus status;
  EXPECT_EQ(status_json(status, CrawlEnd::kNotYet).find("urls_sent"), std::string::npos);
  status.sharing.on = true;
  status.sharing.urls_sent = 5;
  const auto json = nlohmann::json::parse(status_json(status, CrawlEnd::kStopped));
  EXPECT_EQ(json["urls_sent"], 5);
  EXPECT_EQ(json["end"], "stopped");
  for (int end = 0; end <= static_cast<int>(CrawlEnd::kNoDns); ++end) {
    EXPECT_FALSE(crawl_end_text(static_cast<CrawlEnd>(end)).empty());
  }
}

}  // namespace
}  // namespace bowerbird
