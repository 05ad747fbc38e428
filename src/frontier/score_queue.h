// The queue of discovered pages by score, and the mark of every page: where it stands.
//
// Problem: a crawl knows billions of pages, moves their scores with every link, and always wants the best
// one. Here one 4-byte mark per page id says "undiscovered", "done", "aside" (held by the frontier outside of
// the queue, in the slot the mark names) or the page's place in the queue, whose 16-byte items are all that
// is kept of a queued page. The score of a queued page lives in its item and nowhere else.
//
// A heap over millions of items waits for memory at every step down. So the queue is cut at a bar: items at
// or above it are in the hot part, a heap that fits into the processor's cache; items below it lie in the
// cold part in no order, where a new score is one write. Pages are only ever taken from the hot part. When it
// runs dry, the bar is lowered so that the best few per cent of the cold part come over, in one pass over
// memory; when it grows too large, the bar is raised.
//
// Order: larger score first, then smaller discovery number. Both are packed into one 128-bit number, so that
// a comparison has no branches; discovery numbers are unique, so the order is total and the result does not
// depend on where the bar is. Invariant: hot items >= bar > cold items, and the hot part is empty only if the
// queue is.
//
// Memory: 4 bytes per page id, 16 per queued page at the peak; nothing is copied when it grows. Threads: one
// owner. Pages beyond the largest id seen are undiscovered.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

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
  // Better than every page.
  static QueueItem best_of_all() {
    QueueItem item;
    item.low_ = item.high_ = ~std::uint64_t{0};
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
  static constexpr Mark kAside = 0xe0000000u;  // | slot
  static constexpr Mark kMostAside = 1u << 29;

  static bool is_aside(Mark mark) { return mark >= kAside; }
  static bool is_queued(Mark mark) { return mark >= kFirstCold && !is_aside(mark); }

  // hot: how many items are worth a heap; more only if the queue is much longer. Tests take it small.
  explicit ScoreQueue(std::size_t hot = std::size_t{1} << 15) : hot_least_(hot) {}

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

  bool empty() const { return size() == 0; }
  std::uint64_t size() const { return hot_size() + cold_size_; }
  const QueueItem& top() const { return hot_[Heap::kRoot]; }
  const QueueItem& item(Mark mark) const { return *place(mark); }

  // The page must not be queued.
  void push(const QueueItem& item);
  // Takes the best item, top(), out. Its mark is stale until the caller sets it.
  void pop();
  void update(Mark mark, Score score);
  // Takes a queued page out. Its mark is stale until the caller sets it.
  void remove(Mark mark);

  // Gives every queued page the score that rescore(item) answers.
  template <typename Rescore>
  void rescore_all(Rescore&& rescore) {
    cool_all();
    for (std::size_t i = 0; i < cold_size_; ++i) cold_[i] = cold_[i].with(rescore(cold_[i]));
    heat();
  }
  // All queued pages, in no particular order, in two parts.
  std::span<const QueueItem> hot_items() const { return hot_.view().subspan(Heap::kRoot, hot_size()); }
  std::span<const QueueItem> cold_items() const { return cold_.view().first(cold_size_); }

  // How many queued pages have a larger score.
  std::uint64_t count_above(Score score) const;

  // Ask memory for what will be looked at soon.
  void prefetch_mark(PageId page) const { __builtin_prefetch(marks_.data() + page); }
  void prefetch_item(Mark mark) const { __builtin_prefetch(place(mark), 1); }

  std::uint64_t bytes() const {
    return marks_.size() * sizeof(Mark) + (hot_.size() + cold_.size()) * sizeof(QueueItem);
  }

 private:
  using Heap = DaryHeap<4>;
  static constexpr Mark kFirstCold = 2;      // + place in the cold part
  static constexpr Mark kHot = 0xc0000000u;  // | place in the heap

  // What the heap calls for each item it puts down.
  struct NotePlace {
    Mark* marks;
    void operator()(const QueueItem& item, std::size_t at) const {
      marks[item.page()] = kHot | static_cast<Mark>(at);
    }
  };

  static bool is_hot(Mark mark) { return mark >= kHot; }  // of queued ones
  const QueueItem* place(Mark mark) const {
    return is_hot(mark) ? hot_.data() + (mark & ~kHot) : cold_.data() + (mark - kFirstCold);
  }
  std::uint64_t hot_size() const { return hot_end_ - Heap::kRoot; }
  // What the hot part should hold: a share of the queue, so that passes over the cold part are rare.
  std::size_t hot_target() const { return std::max<std::size_t>(hot_least_, size() / 32); }
  bool belongs_to_hot(const QueueItem& item) const { return !bar_.better_than(item); }

  void add_hot(const QueueItem& item);
  void add_cold(const QueueItem& item);
  void remove_hot(std::size_t at);
  void remove_cold(std::size_t at);
  // The bar is lowered, and what is above it becomes hot; raised, and what is below it becomes cold.
  void heat();
  void cool();
  void cool_all();
  QueueItem quantile(std::span<const QueueItem> items, std::size_t best);

  LazyArray<Mark> marks_;
  LazyArray<QueueItem> hot_;  // from the root's place on
  LazyArray<QueueItem> cold_;
  std::size_t hot_end_ = Heap::kRoot;
  std::size_t cold_size_ = 0;
  std::size_t hot_least_;
  QueueItem bar_;  // the worst item there can be: all are hot
  std::vector<QueueItem> sample_;
};

}  // namespace bowerbird
