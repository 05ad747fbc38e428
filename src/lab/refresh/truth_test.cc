#include "lab/refresh/truth.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr char kHead[] = "{\"web\":true,\"scale\":86400,\"monotonic_us\":5000000}\n";
constexpr char kPages[] =
    "{\"page\":0,\"url\":\"http://a.test/\",\"rate\":0.5,\"born\":0,\"changes\":[2,6]}\n"
    "{\"page\":1,\"url\":\"http://a.test/b\",\"rate\":0,\"born\":5,\"changes\":[]}\n";

class TruthFile {
 public:
  Result<WebTruth> read(const std::string& text, PageId pages = 2) {
    std::ofstream(folder_ / "truth") << text;
    return read_truth(folder_ / "truth", pages);
  }

 private:
  TemporaryFolder folder_;
};

RefreshWorld two_pages() {
  RefreshWorld world;
  world.importance = {0.75, 0.25};
  world.rates = {0, 0};
  world.in_graph = world.of_graph = {0, 1};
  world.seeds = {0};
  return world;
}

TEST(WebTruth, IsReadAndRelatesTheClockToDays) {
  const auto truth = TruthFile().read(std::string(kHead) + kPages);
  ASSERT_TRUE(truth.ok()) << truth.error().text;
  EXPECT_EQ(truth->pages[0].rate, 0.5);
  EXPECT_EQ(truth->pages[0].changes, (std::vector<double>{2, 6}));
  EXPECT_EQ(truth->pages[1].born, 5);
  EXPECT_DOUBLE_EQ(truth->day_of(8'000'000), 3);
}

TEST(WebTruth, OtherFilesThanTruthFilesAreRefused) {
  TruthFile file;
  EXPECT_FALSE(read_truth("/no/such/file", 2).ok());
  for (const std::string& bad :
       {std::string(), std::string("x\n"), std::string(kPages), kHead + std::string("[]\n"),
        kHead + std::string("{\"page\":7,\"rate\":0,\"born\":0,\"changes\":[]}\n"),
        kHead + std::string("{\"page\":0,\"rate\":-1,\"born\":0,\"changes\":[]}\n"),
        kHead + std::string("{\"page\":0,\"rate\":1,\"born\":0,\"changes\":[3,1]}\n")}) {
    EXPECT_FALSE(file.read(bad).ok()) << bad;
  }
  EXPECT_FALSE(file.read(std::string(kHead) + kPages, 3).ok()) << "a page is missing";
}

// Page 0 is fetched on days 1, 4 and 7, and stale in (2, 4) and (6, 7); page 1 appears on day 5 and is
// fetched on day 8.
TEST(WebTruth, JudgesFetches) {
  const auto truth = TruthFile().read(std::string(kHead) + kPages);
  ASSERT_TRUE(truth.ok());
  RefreshWorld world = two_pages();
  set_truth(*truth, 1, world);
  EXPECT_EQ(world.changes[0], (std::vector<double>{1, 5}));
  EXPECT_EQ(world.born[1], 4);
  RefreshRun run;
  run.days = 9;
  run.warm_up = 0;
  const std::vector<TruthFetch> fetches = {{0, 1}, {0, 4}, {0, 7}, {1, 8}};
  const RefreshResult result = judge_fetches(world, fetches, 1, run);
  const double exists = 0.75 * 9 + 0.25 * 5;
  EXPECT_NEAR(result.means.freshness, (0.75 * (9 - 3) + 0.25 * 2) / exists, 1e-12);
  EXPECT_NEAR(result.means.age, 0.75 * (2 * 2 / 2.0 + 1 / 2.0) / exists, 1e-12);
  EXPECT_NEAR(result.means.held, (0.75 * 9 + 0.25 * 2) / exists, 1e-12);
  EXPECT_EQ(result.fetches, 4u);
  EXPECT_EQ(result.new_fetches, 2u);
  EXPECT_DOUBLE_EQ(result.changed, 1);
}

// From day 3 on, when page 0 was stale for a day already.
TEST(WebTruth, WhatWasFetchedBeforeIsHeld) {
  const auto truth = TruthFile().read(std::string(kHead) + kPages);
  ASSERT_TRUE(truth.ok());
  RefreshWorld world = two_pages();
  const std::vector<TruthFetch> fetches = {{0, 1}, {0, 4}, {1, 8}};
  EXPECT_EQ(all_held(*truth, fetches, world), 1) << "page 1 came later";
  set_truth(*truth, 3, world);
  RefreshRun run;
  run.days = 3;
  run.warm_up = 0;
  run.slices = 3;
  const RefreshResult result = judge_fetches(world, fetches, 3, run);
  const double exists = 0.75 * 3 + 0.25 * 1;
  EXPECT_NEAR(result.means.freshness, 0.75 * 2 / exists, 1e-12);
  EXPECT_NEAR(result.means.age, 0.75 * (2 * 2 - 1) / 2.0 / exists, 1e-12);
  EXPECT_EQ(result.fetches, 1u);
  EXPECT_EQ(result.new_fetches, 0u);
}

// The lab fetches a page per day. Page 1 appears on day 5 and is the oldest on day 7.
TEST(WebTruth, IsSimulated) {
  const auto truth = TruthFile().read(std::string(kHead) + kPages);
  ASSERT_TRUE(truth.ok());
  RefreshWorld world = two_pages();
  set_truth(*truth, 0, world);
  RefreshRun run;
  run.policy = "uniform";
  run.per_day = 1;
  run.days = 10;
  run.warm_up = 0;
  const auto result = simulate_refresh(world, run, std::atomic<bool>(false));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->fetches, 10u);
  EXPECT_EQ(result->new_fetches, 1u);
  EXPECT_NEAR(result->means.held, (0.75 * 10 + 0.25 * 3) / (0.75 * 10 + 0.25 * 5), 1e-9);
}

}  // namespace
}  // namespace bowerbird
