#include "crawl/loop/memory_guard.h"

#include <gtest/gtest.h>

#include "crawl/state/restored_crawl.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr std::uint64_t kBudget = std::uint64_t{256} << 20;

struct GuardedCrawl {
  TemporaryFolder folder;
  CrawlOptions options;
  std::unique_ptr<RestoredCrawl> crawl;
  std::unique_ptr<MemoryGuard> guard;
  std::uint64_t resident = 0;

  explicit GuardedCrawl(double stop_at_importance = 0) {
    options.out = folder / "crawl";
    options.order.policy = "opic";
    options.storage.durable = false;
    options.memory.budget = kBudget;
    options.budget.bound = true;
    options.budget.stop_at_importance = stop_at_importance;
    crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
    EXPECT_TRUE(crawl->restore().ok());
    guard = std::make_unique<MemoryGuard>(options);
    guard->read_from([this] { return resident; });
  }
  void watch(Time now, double share) {
    resident = static_cast<std::uint64_t>(share * static_cast<double>(kBudget));
    guard->watch(now, crawl->state(), crawl->store());
  }
};

TEST(MemoryGuard, DropsTheBoundBeforeItRejectsNewUrls) {
  GuardedCrawl guarded;
  guarded.watch(Time(1s), 0.5);
  EXPECT_NE(guarded.crawl->state().bound(), nullptr);
  guarded.watch(Time(3s), 0.91);
  EXPECT_EQ(guarded.crawl->state().bound(), nullptr);
  EXPECT_TRUE(guarded.guard->bound_dropped());
  EXPECT_FALSE(guarded.guard->is_full());
  guarded.watch(Time(5s), 0.95);
  EXPECT_TRUE(guarded.guard->is_full());
  guarded.watch(Time(5100ms), 0.80);  // immediately, although other actions are a second apart
  EXPECT_FALSE(guarded.guard->is_full());
}

TEST(MemoryGuard, KeepsTheBoundForStopAtImportance) {
  GuardedCrawl guarded(0.9);
  guarded.watch(Time(3s), 0.95);
  EXPECT_NE(guarded.crawl->state().bound(), nullptr);
  EXPECT_FALSE(guarded.guard->bound_dropped());
}

TEST(MemoryGuard, OnlyMeasuresWithoutABudget) {
  CrawlOptions options;
  MemoryGuard guard(options);
  guard.read_from([] { return std::uint64_t{1} << 40; });
  EXPECT_FALSE(guard.is_full());
  EXPECT_EQ(guard.bodies_limit(), 0u);
  EXPECT_EQ(guard.use().resident, std::uint64_t{1} << 40);
}

}  // namespace
}  // namespace bowerbird
