#include "frontier/score_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/rng.h"

namespace bowerbird {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(QueueItem, ComparesAsScoresDo) {
  const std::vector<double> ascending = {-kInfinity, -1e300, -2, -1,  -1e-300, -5e-324, 0,
                                         5e-324,     1e-300, 1,  1.5, 2,       1e300,   kInfinity};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    EXPECT_EQ(QueueItem(7, 9, ascending[i]).score(), ascending[i]);
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      if (i == j) continue;
      EXPECT_EQ(QueueItem(1, 1, ascending[i]).better_than(QueueItem(2, 2, ascending[j])), i > j);
    }
  }
}

TEST(QueueItem, PrefersTheEarlierDiscoveredAmongEquals) {
  EXPECT_TRUE(QueueItem(9, 3, 1.0).better_than(QueueItem(2, 4, 1.0)));
  EXPECT_TRUE(QueueItem(9, 3, 0.0).better_than(QueueItem(2, 4, -0.0)));
  EXPECT_TRUE(QueueItem(9, 3, -0.0).better_than(QueueItem(2, 4, 0.0)));
}

TEST(QueueItem, KeepsPageAndDiscoveryNumber) {
  const QueueItem item(0xfffffff0u, 0xfffffff1u, -3.25);
  EXPECT_EQ(item.page(), 0xfffffff0u);
  EXPECT_EQ(item.discovered(), 0xfffffff1u);
  EXPECT_EQ(item.with(2).score(), 2);
  EXPECT_EQ(item.with(2).page(), item.page());
}

// The naive implementation: an unordered list, searched completely.
class NaiveQueue {
 public:
  void push(const QueueItem& item) { items_.push_back(item); }
  void update(PageId page, Score score) {
    auto found = find(page);
    *found = found->with(score);
  }
  std::vector<QueueItem>::iterator find(PageId page) {
    return std::find_if(items_.begin(), items_.end(), [&](const QueueItem& i) { return i.page() == page; });
  }
  QueueItem pop() {
    auto best = items_.begin();
    for (auto i = items_.begin(); i != items_.end(); ++i) {
      if (i->score() > best->score() ||
          (i->score() == best->score() && i->discovered() < best->discovered())) {
        best = i;
      }
    }
    const QueueItem item = *best;
    items_.erase(best);
    return item;
  }
  std::vector<QueueItem>& items() { return items_; }

 private:
  std::vector<QueueItem> items_;
};

TEST(ScoreQueue, AgreesWithANaiveQueueUnderRandomWork) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    ScoreQueue queue(std::size_t{1} << (seed % 6 * 2));  // so that most of it is cold, or all of it hot
    NaiveQueue naive;
    if (seed % 2 == 0) queue.reserve(500);
    std::uint32_t discovered = 0;
    auto score = [&] { return static_cast<double>(rng.below(40)) - 20; };
    for (int step = 0; step < 2000; ++step) {
      const auto page = static_cast<PageId>(rng.below(500));
      const ScoreQueue::Mark mark = queue.mark(page);
      const std::uint64_t action = rng.below(100);
      if (action == 0) {
        queue.rescore_all([](const QueueItem& item) { return -item.score() / 2; });
        for (QueueItem& item : naive.items()) item = item.with(-item.score() / 2);
      } else if (action < 35 && !queue.empty()) {
        const QueueItem best = queue.top();
        queue.pop();
        queue.set_mark(best.page(), ScoreQueue::kDone);
        ASSERT_EQ(best.page(), naive.pop().page());
      } else if (action < 40) {
        const double limit = score();
        const auto above = std::count_if(naive.items().begin(), naive.items().end(),
                                         [&](const QueueItem& item) { return item.score() > limit; });
        ASSERT_EQ(queue.count_above(limit), static_cast<std::uint64_t>(above));
      } else if (mark == ScoreQueue::kUndiscovered) {
        const QueueItem item(page, discovered++, score());
        queue.push(item);
        naive.push(item);
      } else if (ScoreQueue::is_queued(mark)) {
        const double s = score();
        queue.update(page, mark, s);
        naive.update(page, s);
      }
      ASSERT_EQ(queue.size(), naive.items().size());
      for (const QueueItem& item : naive.items()) {
        ASSERT_EQ(queue.item(item.page(), queue.mark(item.page())).score(), item.score());
      }
    }
  }
}

TEST(ScoreQueue, KnowsNothingOfPagesItNeverSaw) {
  ScoreQueue queue;
  EXPECT_EQ(queue.mark(1'000'000'000), ScoreQueue::kUndiscovered);
  EXPECT_TRUE(queue.empty());
}

// Scores that only rise or only fall push everything into one part of the queue, or out of it.
TEST(ScoreQueue, KeepsTheOrderWhateverWayScoresArrive) {
  for (const int kind : {0, 1, 2}) {
    ScoreQueue queue(8);
    constexpr PageId kPages = 5000;
    for (PageId page = 0; page < kPages; ++page) {
      const double score = kind == 0 ? page : kind == 1 ? -static_cast<double>(page) : page % 3;
      queue.push({page, page, score});
    }
    QueueItem last = QueueItem::best_of_all();
    for (PageId i = 0; i < kPages; ++i) {
      const QueueItem item = queue.top();
      queue.pop();
      ASSERT_TRUE(last.better_than(item));
      last = item;
    }
    EXPECT_TRUE(queue.empty());
  }
}

TEST(ScoreQueue, TakesMemoryOnlyForWhatItHolds) {
  constexpr PageId kPages = 1'000'000;
  ScoreQueue queue;
  queue.reserve(kPages);
  for (PageId page = 0; page < kPages / 2; ++page) queue.push({page, page, -static_cast<double>(page)});
  EXPECT_LT(queue.bytes(), kPages * 4 + kPages / 2.0 * 16 * 1.3);
}

}  // namespace
}  // namespace bowerbird
