// The queue of discovered pages by score, and the mark of every page: where it stands.
//
// Problem: a crawl knows billions of pages, moves their scores with every link, and always wants the best
// one. Here one 4-byte mark per page id says "undiscovered", "done", "aside" (held by the frontier outside of
// the queue, in the slot the mark names) or the page's place in a heap whose 16-byte items are all that is
// kept of a queued page. The score of a queued page lives in its item and nowhere else.
//
// Order: larger score first, then smaller discovery number. Both are packed into one 128-bit number, so that
// a comparison has no branches; discovery numbers are unique, so the order is total and the result does not
// depend on the heap's inner layout.
//
// Memory: 4 bytes per page id, 16 per queued page at the peak; nothing is copied when it grows. Threads: one
// owner. Pages beyond the largest id seen are undiscovered.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "base/check.h"
#include "base/dary_heap.h"
#include "base/ids.h"
#include "base/lazy_array.h"
#include "policy/policy.h"

namespace bowerbird {

// A page with its score and discovery number, ready to be compared.
class QueueItem {
 public:
  QueueItem() = default;
  QueueItem(PageId page, std::uint32_t discovered, Score score)
      : low_(std::uint64_t{~discovered} << 32 | page), high_(ordered(score)) {}

  PageId page() const { return static_cast<PageId>(low_); }
  std::uint32_t discovered() const { return ~static_cast<std::uint32_t>(low_ >> 32); }
  Score score() const { return unordered(high_); }
  QueueItem with(Score score) const {
    QueueItem item = *this;
    item.high_ = ordered(score);
    return item;
  }
  bool better_than(const QueueItem& other) const { return number() > other.number(); }

 private:
  __extension__ using Number = unsigned __int128;

  // Doubles compare as sign and magnitude; turned into integers that compare as they do. -0 becomes 0.
  static std::uint64_t ordered(Score score) {
    const auto bits = std::bit_cast<std::int64_t>(score + 0.0);
    return static_cast<std::uint64_t>(bits ^ ((bits >> 63) | INT64_MIN));
  }
  static Score unordered(std::uint64_t key) {
    const auto bits = static_cast<std::int64_t>(key);
    return std::bit_cast<Score>(bits ^ (~(bits >> 63) | INT64_MIN));
  }
  Number number() const { return Number{high_} << 64 | low_; }

  std::uint64_t low_ = 0;
  std::uint64_t high_ = 0;
};
static_assert(sizeof(QueueItem) == 16);

class ScoreQueue {
 public:
  using Mark = std::uint32_t;
  static constexpr Mark kUndiscovered = 0;
  static constexpr Mark kDone = 1;
  static constexpr Mark kAside = 0x80000000u;  // | slot

  static bool is_aside(Mark mark) { return (mark & kAside) != 0; }
  static bool is_queued(Mark mark) { return !is_aside(mark) && mark >= Heap::kRoot; }

  // Pages below this are known to come: their marks never move in memory.
  void reserve(PageId pages);

  Mark mark(PageId page) const { return page < marks_.size() ? marks_[page] : kUndiscovered; }
  // Not for a queued page, whose mark belongs to the queue.
  void set_mark(PageId page, Mark mark) {
    marks_.grow_to(std::size_t{page} + 1);
    marks_[page] = mark;
  }
  // One past the largest page with a mark.
  PageId pages() const { return static_cast<PageId>(marks_.size()); }

  bool empty() const { return end_ == Heap::kRoot; }
  std::uint64_t size() const { return end_ - Heap::kRoot; }
  const QueueItem& top() const { return items_[Heap::kRoot]; }
  const QueueItem& item(Mark mark) const { return items_[mark]; }

  // The page must not be queued.
  void push(const QueueItem& item);
  // Takes the best item out. Its mark is stale until the caller sets it.
  QueueItem pop();
  void update(Mark mark, Score score);

  // Gives every queued page the score that rescore(item) answers, and orders the queue anew.
  template <typename Rescore>
  void rescore_all(Rescore&& rescore) {
    for (std::size_t at = Heap::kRoot; at < end_; ++at) items_[at] = items_[at].with(rescore(items_[at]));
    rebuild();
  }
  // All queued pages, in no particular order.
  std::span<const QueueItem> items() const { return items_.view().subspan(Heap::kRoot, size()); }

  // Ask memory for what will be looked at soon.
  void prefetch_mark(PageId page) const { __builtin_prefetch(marks_.data() + page); }
  void prefetch_item(Mark mark) const { __builtin_prefetch(items_.data() + mark, 1); }

  std::uint64_t bytes() const { return marks_.size() * sizeof(Mark) + peak_ * sizeof(QueueItem); }

 private:
  using Heap = DaryHeap<8>;

  void rebuild();

  LazyArray<Mark> marks_;
  LazyArray<QueueItem> items_;
  std::size_t end_ = Heap::kRoot;
  std::uint64_t peak_ = 0;
};

}  // namespace bowerbird
