#include "frontier/score_queue.h"

#include <algorithm>

namespace bowerbird {

namespace {

constexpr auto kBetter = [](const QueueItem& a, const QueueItem& b) { return a.better_than(b); };

auto note_place(ScoreQueue::Mark* marks) {
  return [marks](const QueueItem& item, std::size_t at) {
    marks[item.page()] = static_cast<ScoreQueue::Mark>(at);
  };
}

}  // namespace

void ScoreQueue::reserve(PageId pages) {
  marks_.grow_to(pages);
  items_.reserve(std::size_t{pages} + Heap::kRoot + 1);
}

void ScoreQueue::push(const QueueItem& item) {
  CHECK(end_ < kAside);
  marks_.grow_to(std::size_t{item.page()} + 1);
  items_.grow_to(end_ + 1);
  Heap::rise(items_.data(), end_++, item, kBetter, note_place(marks_.data()));
  peak_ = std::max(peak_, size());
}

QueueItem ScoreQueue::pop() {
  const QueueItem best = top();
  --end_;
  if (end_ > Heap::kRoot) {
    const auto moved = note_place(marks_.data());
    const QueueItem last = items_[end_];
    const std::size_t hole = Heap::dig(items_.data(), Heap::kRoot, end_, kBetter, moved);
    Heap::rise(items_.data(), hole, last, kBetter, moved);
  }
  return best;
}

void ScoreQueue::update(Mark mark, Score score) {
  const QueueItem old = items_[mark];
  const QueueItem item = old.with(score);
  if (item.better_than(old)) {
    Heap::rise(items_.data(), mark, item, kBetter, note_place(marks_.data()));
  } else {
    Heap::sink(items_.data(), mark, end_, item, kBetter, note_place(marks_.data()));
  }
}

void ScoreQueue::rebuild() {
  Heap::build(items_.data(), end_, kBetter, note_place(marks_.data()));
}

}  // namespace bowerbird
