#include "crawl/config/memory_budget.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(MemoryWatch, EntersStagesAtOnceAndLeavesThemWithHysteresis) {
  MemoryWatch watch(1000);
  EXPECT_EQ(watch.look(500), MemoryStage::kEasy);
  EXPECT_EQ(watch.look(870), MemoryStage::kCaches);
  EXPECT_EQ(watch.look(840), MemoryStage::kCaches);  // a little below is not enough
  EXPECT_EQ(watch.look(820), MemoryStage::kEasy);
  EXPECT_EQ(watch.look(950), MemoryStage::kFull);  // at once
  EXPECT_EQ(watch.look(920), MemoryStage::kFull);
  EXPECT_EQ(watch.look(900), MemoryStage::kSpill);
  EXPECT_EQ(watch.look(100), MemoryStage::kEasy);
  EXPECT_EQ(watch.peak(), 950u);
}

TEST(MemoryWatch, WithoutABudgetHasNoStages) {
  MemoryWatch watch(0);
  EXPECT_EQ(watch.look(std::uint64_t{1} << 40), MemoryStage::kEasy);
}

TEST(MemoryWatch, LetsACacheUseTheMemoryBelowTheFirstStage) {
  MemoryWatch watch(1000);
  EXPECT_EQ(watch.room(500, 0), 320u);
  EXPECT_EQ(watch.room(820, 320), 320u);  // full: it stays as it is
  EXPECT_EQ(watch.room(850, 320), 290u);  // the others grew
  EXPECT_EQ(watch.room(1200, 320), 0u);
  EXPECT_EQ(watch.look(500 + watch.room(500, 0)), MemoryStage::kEasy);
  EXPECT_EQ(MemoryWatch(0).room(500, 100), 0u);
}

TEST(MemoryShares, LeaveMoreThanHalfForThePages) {
  const MemoryShares shares = memory_shares(std::uint64_t{2} << 30);
  EXPECT_LT(shares.known_urls + shares.url_cache + shares.store_queue + shares.payloads,
            std::uint64_t{1} << 30);
  EXPECT_EQ(memory_shares(0).known_urls, 0u);
}

}  // namespace
}  // namespace bowerbird
