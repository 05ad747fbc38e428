#include "frontier/score_queue.h"

#include "base/rng.h"

namespace bowerbird {

namespace {

// Items sampled to estimate a quantile.
constexpr std::size_t kSample = 2048;
// The hot part may grow to this many times its target before the bar is raised.
constexpr std::size_t kTolerated = 4;

}  // namespace

void ScoreQueue::reserve(PageId pages) {
  marks_.grow_to(pages);
  cold_.reserve(pages);
}

void ScoreQueue::push(const QueueItem& item) {
  marks_.grow_to(std::size_t{item.page()} + 1);
  if (belongs_to_hot(item)) {
    add_hot(item);
    if (hot_size() > kTolerated * hot_target()) cool();
  } else {
    add_cold(item);
    if (hot_size() == 0) heat();
  }
  if (is_too_long()) {
    spill();
    if (hot_size() == 0) heat();
  }
}

void ScoreQueue::pop() {
  remove_hot(Heap::kRoot);
  if (hot_size() == 0) heat();
}

void ScoreQueue::update(PageId page, Mark mark, Score score) {
  if (is_spilled(mark)) [[unlikely]]
    return return_page(page, mark, score);
  const QueueItem item = address(mark)->with(score);
  if (is_hot(mark)) {
    const std::size_t at = mark & ~kHot;
    if (!belongs_to_hot(item)) {
      remove_hot(at);
      add_cold(item);
      if (hot_size() == 0) heat();
    } else if (item.better_than(hot_[at])) {
      Heap::rise(hot_.data(), at, item, kBetter, NotePosition{marks_.data()});
    } else {
      Heap::sink(hot_.data(), at, hot_end_, item, kBetter, NotePosition{marks_.data()});
    }
  } else if (belongs_to_hot(item)) {
    remove_cold(mark - kFirstCold);
    push(item);
  } else {
    cold_[mark - kFirstCold] = item;
  }
}

void ScoreQueue::remove(PageId page, Mark mark) {
  if (is_spilled(mark)) {
    --counts_.now;
    marks_[page] = kUndiscovered;
  } else if (is_hot(mark)) {
    remove_hot(mark & ~kHot);
    if (hot_size() == 0) heat();
  } else {
    remove_cold(mark - kFirstCold);
  }
}

QueueItem ScoreQueue::take_any() {
  CHECK(runs_ == nullptr);
  if (cold_size_ > 0) return cold_[--cold_size_];
  return hot_[--hot_end_];  // the last item of a heap is a leaf
}

// Only a score below the bar needs the cold part.
std::uint64_t ScoreQueue::count_above(Score score) const {
  std::uint64_t larger = 0;
  for (const QueueItem& item : hot_items()) larger += item.score() > score ? 1 : 0;
  if (score >= bar_.score()) return larger;
  for (const QueueItem& item : cold_items()) larger += item.score() > score ? 1 : 0;
  return larger + (runs_ ? std::min(runs_->count_above(score), counts_.now) : 0);
}

void ScoreQueue::add_hot(const QueueItem& item) {
  CHECK(hot_end_ < kOffQueue - kHot);
  hot_.grow_to(hot_end_ + 1);
  Heap::rise(hot_.data(), hot_end_++, item, kBetter, NotePosition{marks_.data()});
}

void ScoreQueue::add_cold(const QueueItem& item) {
  CHECK(cold_size_ < kSpilled - kFirstCold);
  cold_.grow_to(cold_size_ + 1);
  marks_[item.page()] = kFirstCold + static_cast<Mark>(cold_size_);
  cold_[cold_size_++] = item;
}

void ScoreQueue::remove_hot(std::size_t at) {
  const QueueItem last = hot_[--hot_end_];
  if (at < hot_end_) {
    const NotePosition moved{marks_.data()};
    const std::size_t hole = Heap::dig(hot_.data(), at, hot_end_, kBetter, moved);
    Heap::rise(hot_.data(), hole, last, kBetter, moved);
  }
}

void ScoreQueue::remove_cold(std::size_t at) {
  const QueueItem last = cold_[--cold_size_];
  if (at < cold_size_) {
    cold_[at] = last;
    marks_[last.page()] = kFirstCold + static_cast<Mark>(at);
  }
}

void ScoreQueue::heat() {
  do {
    if (cold_size_ + counts_.now == 0) return;
    CHECK(cold_size_ > 0 || !runs_->empty());
    heat_once();
  } while (hot_size() == 0);
}

// Afterwards the hot part is empty only if all entries that were read are stale.
void ScoreQueue::heat_once() {
  const std::size_t target = hot_target();
  bar_ = cold_size_ <= 2 * target ? QueueItem() : quantile(cold_items(), target);
  if (runs_) {
    if (const QueueItem bar = runs_->bar(); bar.better_than(bar_)) bar_ = bar;
  }
  for (std::size_t i = 0; i < cold_size_;) {
    if (!belongs_to_hot(cold_[i])) {
      ++i;
      continue;
    }
    hot_.grow_to(hot_end_ + 1);
    hot_[hot_end_++] = cold_[i];
    remove_cold(i);
  }
  if (runs_) take_from_runs();
  Heap::build(hot_.data(), hot_end_, kBetter, NotePosition{marks_.data()});
}

void ScoreQueue::cool() {
  bar_ = quantile(hot_items(), hot_target());
  const std::size_t end = hot_end_;
  hot_end_ = Heap::kRoot;
  for (std::size_t at = Heap::kRoot; at < end; ++at) {
    const QueueItem item = hot_[at];
    if (belongs_to_hot(item)) {
      hot_[hot_end_++] = item;
    } else {
      add_cold(item);
    }
  }
  Heap::build(hot_.data(), hot_end_, kBetter, NotePosition{marks_.data()});
}

void ScoreQueue::cool_all() {
  bar_ = QueueItem::best_of_all();
  for (const QueueItem& item : hot_items()) add_cold(item);
  hot_end_ = Heap::kRoot;
}

// An item above which there are about `best` of the items, estimated by a deterministic sample. It is one of
// the items, so that at least one is not below it.
QueueItem ScoreQueue::quantile(std::span<const QueueItem> items, std::size_t best) {
  sample_.clear();
  const std::size_t count = std::min(kSample, items.size());
  for (std::size_t i = 0; i < count; ++i) sample_.push_back(items[to_below(draw(count, i), items.size())]);
  const std::size_t at = std::min(count - 1, count * best / items.size());
  std::nth_element(sample_.begin(), sample_.begin() + static_cast<std::ptrdiff_t>(at), sample_.end(),
                   kBetter);
  return sample_[at];
}

}  // namespace bowerbird
