// The queue of discovered pages by score, and a mark per page with its state and position.
//
// Problem: a crawl knows billions of pages, changes their scores with every link, and always needs the best
// one. One 4-byte mark per page id says "undiscovered", "done", "off queue" (held by the frontier outside of
// the queue, in the slot given in the mark) or the page's position in the queue. A queue item of 16 bytes is
// all that is stored for a queued page, and the only place of its score.
//
// Every step down a heap of millions of items is a cache miss. So the queue is split at a bar. Items at or
// above it are in the hot part, a heap that fits into the processor's cache. Items below it are unsorted in
// the cold part, where a new score is one write. Pages are only taken from the hot part. When it is empty,
// the bar is lowered so that the best few per cent of the cold part move over, in one pass over memory; when
// it grows too large, the bar is raised.
//
// Order: larger score first, then smaller discovery number. Both are packed into one 128-bit number, so that
// a comparison has no branches. Discovery numbers are unique, so the order is total and the result does not
// depend on the bar. Invariant: hot items >= bar > cold items, and the hot part is empty only if the queue
// is.
//
// Memory: 4 bytes per page id, 16 per queued page at the peak; nothing is copied when it grows. With a limit
// (limit_to) the worst part of the cold part goes to sorted runs outside of memory whenever the items would
// exceed it. The bar takes the runs into account, so that the order stays the same. For a spilled page the
// discovery number (4 bytes) and the score rounded to 18 bits after the point (in its mark) stay in memory. A
// page whose score changes returns to memory at once, with a score computed from the rounded one; its entry
// in the runs is then stale. Rounding is randomised, so that many small gains are not lost. This is the only
// difference from a queue without a limit; rounding() returns its size. Threads: one owner. Pages beyond the
// largest id seen are undiscovered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/dary_heap.h"
#include "base/ids.h"
#include "base/lazy_array.h"
#include "frontier/queue_item.h"
#include "frontier/spilled_runs.h"

namespace bowerbird {

class ScoreQueue {
 public:
  using Mark = std::uint32_t;
  static constexpr Mark kUndiscovered = 0;
  static constexpr Mark kDone = 1;
  static constexpr Mark kOffQueue = 0xe0000000u;  // | slot
  static constexpr Mark kMostOffQueue = 1u << 29;

  static bool is_off_queue(Mark mark) { return mark >= kOffQueue; }
  static bool is_queued(Mark mark) { return mark >= kFirstCold && !is_off_queue(mark); }

  // hot: the size of the heap; it is larger only if the queue is much longer. Tests use a small one.
  explicit ScoreQueue(std::size_t hot = std::size_t{1} << 15) : hot_least_(hot) {}

  // Pages below this are expected: their marks never move in memory.
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
  std::uint64_t size() const { return hot_size() + cold_size_ + counts_.now; }
  const QueueItem& top() const { return hot_[Heap::kRoot]; }
  // Of a queued page with this mark.
  QueueItem item(PageId page, Mark mark) const {
    return is_spilled(mark) ? spilled_item(page, mark) : *address(mark);
  }

  // The page must not be queued.
  void push(const QueueItem& item);
  // Removes the best item, top(). Its mark is stale until the caller sets it.
  void pop();
  void update(PageId page, Mark mark, Score score);
  // Removes any page. Its mark is stale until the caller sets it.
  void remove(PageId page, Mark mark);
  // Removes and returns any page that is cheap to remove. The queue must not be empty. Only without a limit.
  QueueItem take_any();

  // Limits the memory of the items; the others go to the store, which outlives the queue. At least
  // kLeastBytes. What exceeds the new limit is written at once.
  void limit_to(std::uint64_t bytes, SpillStore& store);
  static constexpr std::uint64_t kLeastBytes = 256;
  struct SpillCounts {
    std::uint64_t now = 0;       // pages that are not in memory
    std::uint64_t peak = 0;      // maximum of `now`
    std::uint64_t written = 0;   // entries, in total
    std::uint64_t returned = 0;  // pages whose score was changed while they were spilled
    double rounding = 0;         // largest relative change of a score by rounding
  };
  const SpillCounts& spilled() const { return counts_; }
  // An error: the limit cannot be kept.
  const Status& status() const { return retry_.status(); }
  // Errors of the runs since the last call: only precision is lost.
  std::vector<std::string> take_troubles() { return std::exchange(troubles_, {}); }

  // Sets the score of every queued page to rescore(item).
  template <typename Rescore>
  void rescore_all(Rescore&& rescore) {
    cool_all();
    for (std::size_t i = 0; i < cold_size_; ++i) cold_[i] = cold_[i].with(rescore(cold_[i]));
    if (runs_) {
      take_back([&](const QueueItem& item) { return item.with(rescore(item)); });
    }
    heat();
  }
  // All queued pages in memory, in no particular order, in two parts.
  std::span<const QueueItem> hot_items() const {
    return hot_size() == 0 ? std::span<const QueueItem>() : hot_.view().subspan(Heap::kRoot, hot_size());
  }
  std::span<const QueueItem> cold_items() const { return cold_.view().first(cold_size_); }

  // How many queued pages have a larger score; for spilled pages an estimate.
  std::uint64_t count_above(Score score) const;

  // Prefetches what will be read soon.
  void prefetch_mark(PageId page) const { __builtin_prefetch(marks_.data() + page); }
  void prefetch_item(Mark mark) const {
    if (!is_spilled(mark)) __builtin_prefetch(address(mark), 1);
  }

  std::uint64_t bytes() const {
    return marks_.size() * sizeof(Mark) + (hot_.size() + cold_.size()) * sizeof(QueueItem) +
           discovered_.size() * sizeof(std::uint32_t) + (runs_ ? runs_->bytes() : 0);
  }

  // The runs and their contents. The owner saves the items in memory and push()es them again before
  // load_runs().
  void save_runs(ByteWriter& out) const;
  // accept(item): whether such a page can exist. Without a limit everything is read into memory from `store`.
  // An error names the missing run and its contents.
  Status load_runs(ByteReader& in, SpillStore* store, const std::function<bool(const QueueItem&)>& accept);

 private:
  using Heap = DaryHeap<4>;
  static constexpr Mark kFirstCold = 2;          // + index in the cold part
  static constexpr Mark kSpilled = 0x80000000u;  // | rounded score
  static constexpr Mark kHot = 0xc0000000u;      // | index in the heap

  // The heap calls this for each item it moves.
  struct NotePosition {
    Mark* marks;
    void operator()(const QueueItem& item, std::size_t at) const {
      marks[item.page()] = kHot | static_cast<Mark>(at);
    }
  };

  // For marks of queued pages:
  static bool is_hot(Mark mark) { return mark >= kHot; }
  static bool is_spilled(Mark mark) { return mark >= kSpilled && mark < kHot; }
  const QueueItem* address(Mark mark) const {
    return is_hot(mark) ? hot_.data() + (mark & ~kHot) : cold_.data() + (mark - kFirstCold);
  }
  std::uint64_t hot_size() const { return hot_end_ - Heap::kRoot; }
  std::uint64_t in_memory() const { return hot_size() + cold_size_; }
  // The target size of the hot part: a share of the queue, so that passes over the cold part are rare.
  std::size_t hot_target() const {
    return std::min<std::size_t>(std::max<std::size_t>(hot_least_, size() / 32), hot_most_);
  }
  bool belongs_to_hot(const QueueItem& item) const { return !bar_.better_than(item); }

  void add_hot(const QueueItem& item);
  void add_cold(const QueueItem& item);
  void remove_hot(std::size_t at);
  void remove_cold(std::size_t at);
  // heat() lowers the bar: items above it become hot. cool() raises it: items below it become cold.
  void heat();
  void heat_once();
  void cool();
  void cool_all();
  QueueItem quantile(std::span<const QueueItem> items, std::size_t best);

  // score_queue_spill.cc
  QueueItem spilled_item(PageId page, Mark mark) const;
  bool is_live(const QueueItem& item) const;
  void take_from_runs();
  void return_page(PageId page, Mark mark, Score score);
  bool is_too_long() const { return in_memory() > most_ && retry_.is_due(in_memory()); }
  void spill();
  QueueItem round_for_spill(const QueueItem& item);
  void mark_spilled(const QueueItem& item);
  void take_back(const std::function<QueueItem(const QueueItem&)>& change);
  void rebuild_runs();
  void add_warning(std::string text);

  LazyArray<Mark> marks_;
  LazyArray<QueueItem> hot_;  // from the root on
  LazyArray<QueueItem> cold_;
  std::size_t hot_end_ = Heap::kRoot;
  std::size_t cold_size_ = 0;
  std::size_t hot_least_;
  QueueItem bar_;  // initially the worst item possible: all items are hot
  std::vector<QueueItem> sample_;

  // Only with a limit:
  std::size_t most_ = ~std::size_t{0};  // items in memory
  std::size_t hot_most_ = ~std::size_t{0};
  std::unique_ptr<SpilledRuns> runs_;
  LazyArray<std::uint32_t> discovered_;  // by page, of spilled ones
  SpillCounts counts_;
  std::vector<std::string> troubles_;
  SpillRetry retry_;
  unsigned rebuilt_ = 0;
  bool rebuilding_ = false;
};

}  // namespace bowerbird
