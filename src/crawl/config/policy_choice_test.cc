#include "crawl/config/policy_choice.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

constexpr std::uint64_t kGib = std::uint64_t{1} << 30;

TEST(PolicyChoice, IsTheOrderingThatTheUserNamed) {
  CrawlOptions options;
  options.order.policy = "bfs";
  options.order.topic = "roses";
  EXPECT_EQ(choose_policy(options, kGib).policy, "bfs");
  EXPECT_EQ(choose_policy(options, kGib).why, "");
}

TEST(PolicyChoice, IsSimilarWithATopic) {
  CrawlOptions options;
  options.order.topic = "roses";
  EXPECT_EQ(choose_policy(options, 1).policy, "similar");
}

TEST(PolicyChoice, IsLiprIfThereIsEnoughMemory) {
  CrawlOptions options;
  options.budget.pages = 1000;
  EXPECT_EQ(choose_policy(options, kGib).policy, "lipr");
  EXPECT_EQ(choose_policy(options, 0).policy, "lipr");
  options.budget.pages = 1'000'000;
  EXPECT_EQ(choose_policy(options, 8 * kGib).policy, "lipr");
  const PolicyChoice short_of_memory = choose_policy(options, kGib);
  EXPECT_EQ(short_of_memory.policy, "fpr@100");
  EXPECT_NE(short_of_memory.why.find("more than half of"), std::string::npos) << short_of_memory.why;
  options.memory.budget = kGib;
  EXPECT_EQ(choose_policy(options, 100 * kGib).policy, "fpr@100") << "a budget counts too";
  options.memory.budget = 0;
  options.order.expected_pages = 1000;
  EXPECT_EQ(choose_policy(options, kGib).policy, "lipr");
  options.order.expected_pages = ~std::uint64_t{0};
  EXPECT_EQ(choose_policy(options, 100 * kGib).policy, "fpr@100");
}

TEST(PolicyChoice, WithoutABudgetAssumesManyPages) {
  const CrawlOptions options;
  EXPECT_EQ(choose_policy(options, 4 * kGib).policy, "lipr");
  EXPECT_EQ(choose_policy(options, 2 * kGib).policy, "fpr@100") << "the graph stays in memory";
  CrawlOptions with_budget;
  with_budget.memory.budget = 2 * kGib;
  EXPECT_EQ(choose_policy(with_budget, 100 * kGib).policy, "lipr");
}

TEST(PolicyChoice, CountsOnlyAShareOfAGraphThatMaySpill) {
  CrawlOptions options;
  options.budget.pages = 1'000'000;
  EXPECT_EQ(policy_bytes(options, "lipr"), 460'000'000u + 16'000'000u + 150'000'000u);
  options.memory.budget = kGib;
  EXPECT_EQ(policy_bytes(options, "lipr"), 460'000'000u + 16'000'000u + kGib / 16);
  options.memory.budget = 2 * kGib;
  EXPECT_EQ(choose_policy(options, 100 * kGib).policy, "lipr") << "half of it is enough";
}

}  // namespace
}  // namespace bowerbird
