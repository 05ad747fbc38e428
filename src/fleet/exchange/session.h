// The crawl's side of a fleet: applies received messages, releases messages once they are durable, and moves
// partitions.
//
// A commit is requested first and durable later, when the writer's thread has finished, and still later it is
// in the log on the broker (state_log.h). Messages and receipts wait here until then. While two commits wait
// for the log, nothing more is fetched or committed. A partition that is to move is drained first: no page of
// it is started from then on. When the last one in flight has ended, or after a few seconds, it moves with
// all its state. Ownership: the state outlives it. Threads: one, the crawl's.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crawl/config/seeds.h"
#include "crawl/state/crawl_state.h"
#include "fleet/exchange/exchange.h"
#include "fleet/exchange/inbox.h"

namespace bowerbird {

// What a commit lets leave the process.
struct ReleasedByCommit {
  std::uint64_t commit = 0;
  std::vector<Message> messages;
  std::vector<MessageId> receipts;
  std::vector<std::string> absorbed;
  Epochs held;
  std::uint64_t progress = 0;
};

class FleetSession {
 public:
  // The seeds of a partition are enqueued when a process owns it for the first time.
  FleetSession(CrawlState& state, std::unique_ptr<Exchange> exchange, std::vector<CrawlSeed> seeds,
               std::function<void()> wake);

  // Applies what has arrived. True if the frontier may have more to do. requisites: those in flight.
  bool step(Time now, const std::set<PageId>& requisites = {});
  bool may_work() const { return exchange_->may_work(); }
  bool leaving(PageId page);
  Time slot(const std::vector<SharedGate>& gates, Time now) { return exchange_->slot(gates, now); }

  // Before a commit is requested, after that, and when it is durable. number: of the last durable commit.
  void before_commit(Time now, bool idle);
  void commit_asked();
  void durable(std::uint64_t number);

  // Two commits wait for the log: nothing may be fetched or committed.
  bool log_is_behind() const { return unlogged() >= kMostWaiting; }
  std::uint64_t unlogged() const { return waiting_.size(); }

  bool stop() const { return news_.stop; }
  bool ended() const { return news_.ended; }
  std::optional<std::uint64_t> page_limit() const { return news_.page_limit; }
  const std::string& lost() const { return news_.lost; }
  void report(const CrawlStatus& status, bool idle);
  std::function<Status()> fence() const { return exchange_->fence(); }
  void end_waiting() { exchange_->end_waiting(); }
  void finish();

 private:
  static constexpr std::size_t kMostWaiting = 2;

  void release();
  bool has_receipts() const;
  std::uint64_t progress() const;
  bool ours(std::uint32_t partition) const;
  void take_turns(Time now);
  void warn_of_rejected(const MessageId& id, std::string_view why);
  void enqueue_seeds(std::uint32_t partition);
  void give_what_is_drained(Time now, const std::set<PageId>& requisites);

  CrawlState& state_;
  std::unique_ptr<Exchange> exchange_;
  std::vector<CrawlSeed> seeds_;
  double seed_weight_ = 0;
  Inbox inbox_;
  FleetNews news_;
  std::vector<bool> wanted_;  // by partition; empty: no plan yet
  std::vector<std::uint32_t> leaving_;
  Time leave_by_{};
  Time last_flush_{};
  std::vector<MessageId> receipts_;
  std::vector<std::string> absorbed_;

  std::optional<ReleasedByCommit> requested_;  // by the requested commit
  std::deque<ReleasedByCommit> waiting_;       // by commits that are not in the log yet
  bool changed_ = false;
  Epochs held_;                 // by the last commit in the log
  std::uint64_t progress_ = 0;  // at that commit
};

}  // namespace bowerbird
