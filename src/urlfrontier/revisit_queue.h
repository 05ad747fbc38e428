// The completed URLs that are to be fetched again: by date until they are due, then by score.
//
// Problem: an ordering counts a page once, so a page that is due again must not enter its queue a second
// time. It enters a separate frontier here, with the score it had when it was completed. Both frontiers
// have the same gates, and the better of their best pages is next. Pages that are not due yet are in a
// queue by date. Both queues spill to stores that outlive this object. Threads: one owner.
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
  SpillStore* dates = nullptr;    // required with a limit
  SpillStore* scores = nullptr;
  // Limit of discovery numbers; every visit takes one. When it is reached, the pages are numbered again.
  std::uint64_t most_numbers = kMaxPages - 1;
};

class RevisitQueue {
 public:
  // Date and score of a scheduled page.
  struct Facts {
    Time due{};
    Score score = 0;
  };
  using FactsOf = std::function<Facts(PageId)>;

  static Result<std::unique_ptr<RevisitQueue>> make(const RevisitQueueOptions& options, HostSource queue_of,
                                                    FactsOf facts_of);

  // The page must be in neither queue. facts_of(page) must return the same date later.
  void schedule(PageId page, Time due);
  // Removes the page from either queue, in any state. It need not be in one.
  void remove(PageId page);
  // Moves pages that are due to the frontier. Returns whether there were any.
  bool wake(Time now);

  bool is_scheduled(PageId page) const { return ScoreQueue::is_queued(dates_.mark(page)); }
  // The state of a page that is due: queued, in flight, or waiting for a retry.
  PageState state(PageId page) const { return due_->state(page); }
  // Whether the page is in either queue, in any state.
  bool contains(PageId page) const { return is_scheduled(page) || state(page) != PageState::kUndiscovered; }
  // The frontier of pages that are due.
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

  void renumber(Time now);

  RevisitQueueOptions options_;
  FactsOf facts_of_;
  // Scores are the dates relative to `base_`: spilled scores are rounded, and small numbers less so.
  ScoreQueue dates_;
  std::optional<Time> base_;
  std::unique_ptr<Frontier> due_;
};

}  // namespace bowerbird
