// Crawls within a memory budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/lab_testing.h"
#include "lab/memory_need.h"
#include "lab/plan.h"
#include "lab/run.h"
#include "policy/registry.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;

RunResult run(const Setting& setting, const std::string& policy, std::uint64_t memory,
              const std::string& strategy = "all") {
  RunRequest request;
  request.policy = policy;
  request.strategy = strategy;
  request.memory = memory;
  return run_whole(setting, request);
}

// All pages are known after the first one, so that nearly all are queued at once.
Web wide_web(PageId pages) {
  std::vector<std::vector<PageId>> rows(pages);
  for (PageId page = 1; page < pages; ++page) {
    rows[0].push_back(page);
    rows[page].push_back(static_cast<PageId>(draw(1, page) % pages));
  }
  return web_of(std::move(rows));
}

TEST(Budget, IsKeptAndLosesNothing) {
  constexpr PageId kPages = 60'000;
  const Setting setting = setting_of(wide_web(kPages), "ids:0", Importance::kNone);
  // The frontier's working memory for a page is proportional to the links of the page.
  constexpr std::uint64_t kScratch = kPages * sizeof(OpenLink);
  constexpr std::uint64_t kBudget = kPages * 8 + (160 << 10);
  for (const char* policy : {"bfs", "backlink", "fpr", "opic"}) {
    const RunResult free = run(setting, policy, 0);
    const RunResult limited = run(setting, policy, kBudget);
    EXPECT_EQ(limited.crawled, kPages) << policy;
    EXPECT_LE(limited.peak_bytes, kBudget + kScratch) << policy;
    EXPECT_GT(free.peak_bytes, kBudget + kScratch) << policy;
    EXPECT_GT(limited.spilled.peak, kPages / 2) << policy;
    EXPECT_TRUE(limited.troubles.empty()) << policy;
  }
}

TEST(Budget, ChangesNoOrderWhereScoresAreCounts) {
  const Setting setting = setting_of(random_web(20'000));
  for (const char* policy : {"bfs", "dfs", "backlink", "location"}) {
    const RunResult free = run(setting, policy, 0);
    const RunResult limited = run(setting, policy, 20'000 * 8 + (80 << 10));
    EXPECT_GT(limited.spilled.written, 100u) << policy;
    EXPECT_EQ(limited.scores.measured.front().cumulative, free.scores.measured.front().cumulative) << policy;
  }
}

TEST(Budget, ChangesAnOrderByNoMoreThanRounding) {
  const Setting setting = setting_of(random_web(20'000));
  for (const char* policy : {"fpr", "opic", "ieca"}) {
    const RunResult free = run(setting, policy, 0);
    const RunResult limited = run(setting, policy, 20'000 * 8 + (80 << 10));
    EXPECT_GT(limited.spilled.returned, 100u) << policy;
    EXPECT_LT(limited.spilled.rounding, 4e-6) << policy;
    EXPECT_NEAR(limited.scores.measured.front().auc, free.scores.measured.front().auc, 0.001) << policy;
  }
}

// The memory stated in the registry is sufficient.
TEST(Budget, EveryOrderingStaysBelowWhatItSays) {
  for (const PageId pages : {PageId{3000}, PageId{20'000}}) {
    const Setting setting = setting_of(random_web(pages));
    for (const PolicyInfo& info : all_policies()) {
      const std::string spec(info.example);
      const RunResult result = run(setting, spec, 0);
      const PolicyMemory own = memory_of(spec).value();
      const auto known = static_cast<double>(result.known), links = static_cast<double>(result.links);
      const std::uint64_t stated = own.bytes(known, links, links * own.graph) + 20 * result.known + 65'536;
      EXPECT_LE(result.peak_bytes, stated) << spec << " of " << pages;
    }
  }
}

TEST(Budget, AGrowingGraphGoesToDisk) {
  const Setting setting = setting_of(random_web(20'000));
  for (const char* policy : {"lipr:samples=1000", "batch-pagerank", "partial-pagerank"}) {
    const RunResult free = run(setting, policy, 0);
    const RunResult limited = run(setting, policy, 20'000 * 100);
    EXPECT_EQ(limited.crawled, free.crawled) << policy;
    EXPECT_LT(limited.peak_bytes, free.peak_bytes) << policy;
    EXPECT_TRUE(limited.troubles.empty()) << policy;
    // The rest of the difference is that of rounded scores in the queue.
    EXPECT_NEAR(limited.scores.measured.front().auc, free.scores.measured.front().auc, 0.01) << policy;
  }
}

TEST(Budget, WhatCannotFitIsRefusedAndSomethingElseNamed) {
  const Setting setting = setting_of(random_web(20'000));
  PlanOptions options;
  options.memory = 20'000 * 12 + (80 << 10);
  options.policies = {"lipr"};
  const auto refused = make_plan(options, setting);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().text, HasSubstr("lipr does not fit into"));
  EXPECT_THAT(refused.error().text, HasSubstr("opic fits"));
  options.policies = {"all"};
  const auto plan = make_plan(options, setting);
  ASSERT_TRUE(plan.ok()) << plan.error().text;
  EXPECT_EQ(plan->memory, options.memory);
  for (const PlannedGroup& group : plan->groups) EXPECT_NE(group.policy, "lipr");
  EXPECT_THAT(plan->notes, testing::Contains(HasSubstr("lipr is omitted")));
}

TEST(Budget, IfNothingFitsTheErrorSaysWhy) {
  const Setting setting = setting_of(random_web(20'000));
  PlanOptions options;
  options.memory = 1024;
  options.policies = {"all"};
  const auto refused = make_plan(options, setting);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().text, HasSubstr("bfs is omitted: bfs does not fit into"));
  EXPECT_THAT(refused.error().text, HasSubstr("no ordering is left to run"));
}

}  // namespace
}  // namespace bowerbird
