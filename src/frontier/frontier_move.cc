// Pages that move from one process to another, with their state and score [001].
#include <algorithm>

#include "base/check.h"
#include "frontier/frontier.h"

namespace bowerbird {

std::vector<MovedPage> Frontier::release(std::span<const PageId> pages) {
  if (!behind_.empty()) {
    release_all();
    behind_.clear();
  }
  std::vector<MovedPage> moved;
  for (const PageId page : pages) {
    const ScoreQueue::Mark mark = queue_.mark(page);
    if (mark == ScoreQueue::kUndiscovered) continue;
    if (mark == ScoreQueue::kDone) {
      moved.push_back({page, 0, true, 0});
      continue;
    }
    const QueueItem item = item_of(page, mark);
    moved.push_back({page, item.discovered(), false, item.score()});
    if (ScoreQueue::is_queued(mark)) {
      queue_.remove(page, mark);
    } else {
      const OffQueue::Slot slot = mark & ~ScoreQueue::kOffQueue;
      if (off_queue_[slot].state == PageState::kWaiting) {
        waiting_.erase({off_queue_[slot].due, page});
      } else if (off_queue_[slot].state == PageState::kQueued) {
        gates_.remove(hosts_(page), slot);
      } else {
        --counts_.in_flight;
      }
      off_queue_.remove(slot);
    }
    queue_.set_mark(page, ScoreQueue::kUndiscovered);
    if (gates_.in_use() && gates_.representative(hosts_(page)) == page) {
      gates_.set_representative(hosts_(page), kNoPage);
      if (!gates_.closed(hosts_(page), now_)) release_better(gates_, hosts_(page));
    }
    drop_representative(page);
  }
  std::stable_sort(moved.begin(), moved.end(), [](const MovedPage& a, const MovedPage& b) {
    return a.done != b.done ? a.done : a.discovered < b.discovered;
  });
  note_lengths();
  return moved;
}

void Frontier::restart_numbers() {
  CHECK(primary() == 0 && counts_.in_flight == 0);
  counts_.discovered = 0;
}

void Frontier::forget(PageId page) {
  const ScoreQueue::Mark mark = queue_.mark(page);
  CHECK(ScoreQueue::is_off_queue(mark));
  const OffQueue::Slot slot = mark & ~ScoreQueue::kOffQueue;
  CHECK(off_queue_[slot].state == PageState::kInFlight);
  off_queue_.remove(slot);
  queue_.set_mark(page, ScoreQueue::kUndiscovered);
  --counts_.in_flight;
  note_lengths();
}

void Frontier::adopt(PageId page, bool done, Score score) {
  if (queue_.mark(page) != ScoreQueue::kUndiscovered) return;
  if (done) {
    queue_.set_mark(page, ScoreQueue::kDone);
  } else if (strategy_.room(budget_used()) == 0) {
    ++counts_.dropped;
    counts_.dropped_worth += policy_->judges() ? policy_->merit(score) : 0;
    return;
  } else {
    enqueue({page, static_cast<std::uint32_t>(counts_.discovered), score});
  }
  ++counts_.discovered;
  CHECK(counts_.discovered < kMaxPages);
  note_lengths();
}

void Frontier::reopen(PageId page, Score score) {
  if (queue_.mark(page) != ScoreQueue::kDone) return;
  queue_.set_mark(page, ScoreQueue::kUndiscovered);
  adopt(page, false, score);
}

// The cold part of the queue is unsorted, so a search there takes time in proportion to its length.
std::vector<QueueItem> Frontier::best_queued(std::size_t most) const {
  constexpr std::size_t kFewCold = 1'000'000;
  const auto hot = queue_.hot_items();
  std::vector<QueueItem> found(hot.begin(), hot.end());
  off_queue_.for_each([&](const OffQueuePage& entry) {
    if (entry.state == PageState::kQueued || entry.state == PageState::kWaiting) found.push_back(entry.item);
  });
  const auto cold = queue_.cold_items();
  if (found.size() < most && cold.size() <= kFewCold) found.insert(found.end(), cold.begin(), cold.end());
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size()));
  std::partial_sort(found.begin(), end, found.end(), kBetter);
  found.erase(end, found.end());
  return found;
}

}  // namespace bowerbird
