// The crawl's side of a fleet: what has come is taken in, what is durable is let out, partitions are given
// and taken.
//
// Between a commit that is asked for and the same commit being durable lies the writer's thread; messages and
// receipts wait here for the second. A partition that is to go is drained first: no page of it is begun any
// more, and when the last one under way has ended (or after a few seconds) it goes with all its state.
// Ownership: the state outlives it. Threads: one, the crawl's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crawl/config/seeds.h"
#include "crawl/state/crawl_state.h"
#include "fleet/exchange/exchange.h"
#include "fleet/exchange/inbox.h"

namespace bowerbird {

class FleetSession {
 public:
  // seeds: those of them that lie in a partition enter when it is first held by anybody.
  FleetSession(CrawlState& state, std::unique_ptr<Exchange> exchange, std::vector<CrawlSeed> seeds,
               std::function<void()> wake);

  // Takes in what has come; true if the frontier may have more to do.
  bool step(Time now);
  bool may_work() const { return exchange_->may_work(); }
  bool leaving(PageId page);
  Time slot(const std::vector<SharedGate>& gates, Time now) { return exchange_->slot(gates, now); }

  // Before a commit is asked for, after, and when it is durable.
  void before_commit(Time now, bool idle);
  void commit_asked();
  void durable();

  bool stop() const { return news_.stop; }
  bool ended() const { return news_.ended; }
  std::optional<std::uint64_t> page_limit() const { return news_.page_limit; }
  const std::string& lost() const { return news_.lost; }
  void report(const CrawlStatus& status, bool idle);
  void finish() { exchange_->finish(); }

 private:
  bool ours(std::uint32_t partition) const;
  void take_turns();
  void warn_of_rejected(const MessageId& id, std::string_view why);
  void enqueue_seeds(std::uint32_t partition);
  void give_what_is_drained(Time now);

  CrawlState& state_;
  std::unique_ptr<Exchange> exchange_;
  std::vector<CrawlSeed> seeds_;
  double seed_weight_ = 0;
  Inbox inbox_;
  FleetNews news_;
  std::vector<bool> wanted_;  // by partition; empty: no plan yet
  std::vector<std::uint32_t> leaving_;
  Time leave_by_ = 0;
  Time last_flush_ = 0;
  std::vector<MessageId> receipts_;
  std::vector<std::string> absorbed_;

  // Of the commit that was asked for.
  std::vector<Message> asked_messages_;
  std::vector<MessageId> asked_receipts_;
  std::vector<std::string> asked_absorbed_;
  Epochs asked_held_;
  bool asked_ = false;
  bool changed_ = false;
  Epochs held_;  // by the last commit
};

}  // namespace bowerbird
