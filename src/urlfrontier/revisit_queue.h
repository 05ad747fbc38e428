// The completed URLs that are to be fetched again: first by their dates, then, once due, by their scores.
//
// Problem: an ordering counts a page once, so a page that is due again must not enter its queue a second
// time. It enters a frontier of its own here, with the score that it had when it was completed, next to the
// frontier of the pages that were never fetched; both have the same gates, and the better of their best pages
// is next. Pages whose date has not come are in a queue by date. Both queues put what does not fit into
// memory into their spill stores, which outlive this object. Threads: one owner.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "base/result.h"
#include "frontier/frontier.h"
#include "frontier/score_queue.h"
#include "urlfrontier/queue_table.h"

namespace bowerbird {

struct RevisitQueueOptions {
  std::uint64_t queue_bytes = 0;  // memory limit of each of the two queues; 0: none
  SpillStore* dates = nullptr;    // with a limit
  SpillStore* scores = nullptr;
};

class RevisitQueue {
 public:
  // Date and score of a scheduled page.
  struct Facts {
    Time due = 0;
    Score score = 0;
  };
  using FactsOf = std::function<Facts(PageId)>;

  static Result<std::unique_ptr<RevisitQueue>> make(const RevisitQueueOptions& options, HostSource queue_of,
                                                    FactsOf facts_of);

  // The page is in neither queue. facts_of(page) must return the same date later.
  void schedule(PageId page, Time due);
  // Takes it out of either queue, whatever its state; it need not be in one.
  void remove(PageId page);
  // Pages whose date has come become candidates. Returns whether there were any.
  bool wake(Time now);

  bool is_scheduled(PageId page) const { return ScoreQueue::is_queued(dates_.mark(page)); }
  // Of a page whose date has come: queued, in flight, or waiting for a retry.
  PageState state(PageId page) const { return due_->state(page); }
  // Whether it is in either queue, in any state.
  bool contains(PageId page) const { return is_scheduled(page) || state(page) != PageState::kUndiscovered; }
  // The pages whose date has come.
  Frontier& due() { return *due_; }
  const Frontier& due() const { return *due_; }
  std::optional<Time> next_date() const;
  std::uint64_t scheduled() const { return dates_.size(); }

  std::uint64_t bytes() const { return dates_.bytes() + due_->bytes(); }
  Status status() const { return dates_.status().ok() ? due_->status() : dates_.status(); }
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  RevisitQueue(const RevisitQueueOptions& options, FactsOf facts_of)
      : options_(options), facts_of_(std::move(facts_of)) {}

  RevisitQueueOptions options_;
  FactsOf facts_of_;
  // Scores are dates before `base_`: spilled scores are rounded, and small numbers are rounded less.
  ScoreQueue dates_;
  std::optional<Time> base_;
  std::unique_ptr<Frontier> due_;
};

}  // namespace bowerbird
