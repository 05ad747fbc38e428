#include "urlfrontier/revisit_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"

namespace bowerbird {
namespace {

using ::testing::ElementsAre;

// A queue whose pages have these dates and scores, on two hosts.
struct Revisits {
  explicit Revisits(std::uint64_t most_numbers = kMaxPages - 1) {
    RevisitQueueOptions options;
    options.most_numbers = most_numbers;
    queue = std::move(*RevisitQueue::make(
        options, [](PageId page) { return page % 2; }, [this](PageId page) { return facts.at(page); }));
  }
  void schedule(PageId page, Time due, Score score) {
    facts[page] = {due, score};
    queue->schedule(page, due);
  }
  std::map<PageId, RevisitQueue::Facts> facts;
  std::unique_ptr<RevisitQueue> queue;
};

std::vector<PageId> take_all(Revisits& revisits, Time now) {
  std::vector<PageId> pages;
  while (const auto job = revisits.queue->due().next(now)) pages.push_back(job->page);
  return pages;
}

TEST(RevisitQueue, APageIsDueAtItsDateAndThenHasItsScore) {
  Revisits revisits;
  revisits.schedule(4, Time(100ms), 1);
  revisits.schedule(5, Time(50ms), 3);
  revisits.schedule(6, Time(100ms), 2);
  EXPECT_EQ(revisits.queue->next_date(), Time(50ms));
  EXPECT_FALSE(revisits.queue->wake(Time(49ms)));
  EXPECT_TRUE(revisits.queue->is_scheduled(5));
  EXPECT_TRUE(revisits.queue->wake(Time(100ms)));
  EXPECT_FALSE(revisits.queue->is_scheduled(5));
  EXPECT_EQ(revisits.queue->state(5), PageState::kQueued);
  EXPECT_EQ(revisits.queue->scheduled(), 0u);
  EXPECT_THAT(take_all(revisits, Time(100ms)), ElementsAre(5, 6, 4));
}

TEST(RevisitQueue, RemovesPagesInAnyState) {
  Revisits revisits;
  for (PageId page = 1; page <= 4; ++page) revisits.schedule(page, Time(page == 4 ? 90ms : 10ms), 1);
  revisits.queue->wake(Time(10ms));
  ASSERT_EQ(revisits.queue->due().next(Time(10ms))->page, 1u);  // in flight
  ASSERT_EQ(revisits.queue->due().next(Time(10ms))->page, 2u);
  revisits.queue->due().retry(2, Time(20ms));  // waiting
  for (PageId page = 1; page <= 4; ++page) {
    EXPECT_TRUE(revisits.queue->contains(page)) << page;
    revisits.queue->remove(page);
    EXPECT_FALSE(revisits.queue->contains(page)) << page;
  }
  revisits.queue->remove(9);  // it never was there
  revisits.queue->wake(Time(100ms));
  EXPECT_THAT(take_all(revisits, Time(100ms)), ElementsAre());
  EXPECT_EQ(revisits.queue->next_date(), std::nullopt);
}

TEST(RevisitQueue, RunsOutOfNoNumbers) {
  Revisits few(12), many;
  Rng rng(3);
  std::vector<PageId> flying, free;
  for (PageId page = 0; page < 10; ++page) free.push_back(page);
  Time now{};
  for (int step = 0; step < 3000; ++step) {
    now += Duration{rng.below(3)};
    for (Revisits* const one : {&few, &many}) {
      one->queue->wake(now);
      one->queue->due().wait_until(now);
    }
    const std::uint64_t what = rng.below(4);
    if (what == 0 && !free.empty()) {
      const std::size_t i = rng.below(free.size());
      const Time due = now + Duration{rng.below(20)};
      const auto score = static_cast<Score>(rng.below(3));
      for (Revisits* const one : {&few, &many}) one->schedule(free[i], due, score);
      free.erase(free.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (what == 1) {
      const auto job = few.queue->due().next(now), same = many.queue->due().next(now);
      ASSERT_EQ(job.has_value(), same.has_value()) << step;
      if (!job) continue;
      ASSERT_EQ(job->page, same->page) << step;
      flying.push_back(job->page);
      const Time opens = now + Duration{rng.below(5)};
      for (Revisits* const one : {&few, &many}) one->queue->due().set_gate(job->page % 2, opens);
    } else if (what == 2 && !flying.empty()) {
      const PageId page = flying.back();
      flying.pop_back();
      for (Revisits* const one : {&few, &many}) one->queue->due().retry(page, now + 7ms);
    } else if (!flying.empty()) {
      const PageId page = flying.front();
      flying.erase(flying.begin());
      for (Revisits* const one : {&few, &many}) one->queue->remove(page);
      free.push_back(page);
    }
    for (PageId page = 0; page < 10; ++page) {
      ASSERT_EQ(few.queue->state(page), many.queue->state(page)) << step;
      ASSERT_EQ(few.queue->due().due(page), many.queue->due().due(page)) << step;
    }
  }
  EXPECT_LT(few.queue->due().counts().discovered, 13u);
  EXPECT_GT(many.queue->due().counts().discovered, 100u);
}

}  // namespace
}  // namespace bowerbird
