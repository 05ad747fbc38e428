// The interface between a crawl and its fleet. Its implementation has threads that talk to the broker; no
// call here waits for the network.
//
// The crawl reports what it has committed and gets what has arrived. Messages (message.h) passed to send()
// are kept by the exchange until they are confirmed, and are resent until then. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crawl/state/crawl_status.h"
#include "crawl/state/hosts.h"
#include "fleet/batch/fleet_state.h"
#include "fleet/batch/message.h"

namespace bowerbird {

// What a process reports about itself to the fleet.
struct MemberReport {
  CrawlStatus status;
  std::optional<RunBudgets> budgets;  // of the whole fleet, if a command may have changed them
  ExchangeCounts exchange;
  Epochs held;                     // by the last commit
  std::uint64_t to_send = 0;       // unconfirmed messages
  std::uint64_t requisites = 0;    // pending ones, and batches of them that are to be sent
  bool quiet = false;              // nothing to fetch, to send or to receive
  std::uint64_t activity = 0;      // grows with everything it does
  std::set<std::string> absorbed;  // processes whose orphaned state is ours
};

// What a lost process had still to send, read from its folder by another process.
struct Orphan {
  std::string member;
  std::vector<Message> messages;
};

// What the plan of the fleet means for us, by partition.
struct PlannedPart {
  std::vector<bool> ours;
  std::vector<std::uint64_t> epochs;  // a move under an earlier epoch is stale
};

struct FleetNews {
  std::vector<Message> messages;
  std::vector<MessageId> confirmed;
  std::optional<PlannedPart> plan;
  std::vector<Orphan> orphans;
  std::vector<std::string> warnings;  // for the user, each reported once
  bool stop = false;                  // all processes are to stop; they can be resumed
  bool ended = false;                 // no process has anything left to do
  // We may fetch at most this many pages until the limit changes; none: no limit.
  std::optional<std::uint64_t> page_limit;
  std::string lost;  // why we are no longer a member; uncommitted work is lost
};

class Exchange {
 public:
  virtual ~Exchange() = default;
  // We own the folder: from now on we renew our lease, however long it takes to read the folder.
  virtual void live() = 0;
  // `wake` is called, from any thread, when there is news.
  virtual void begin(std::function<void()> wake) = 0;
  virtual void take(FleetNews& news) = 0;
  // False while we may have lost our partitions: nothing may be started or committed.
  virtual bool may_work() const = 0;
  virtual void send(std::vector<Message> messages) = 0;
  virtual void received(const std::vector<MessageId>& ids) = 0;
  // These will never be received: nobody has sent them.
  virtual void dropped(const std::vector<MessageId>& ids) = 0;
  virtual void absorbed(const std::string& member) = 0;
  // The condition of every commit, for the writer's thread; may block. It fails once our partitions are lost.
  virtual std::function<Status()> fence() const = 0;
  // The process ends: from now on the condition does not block.
  virtual void end_waiting() = 0;
  // A commit is requested; the commit with this number is durable.
  virtual void committing() = 0;
  virtual void committed(std::uint64_t number) = 0;
  // The last commit that outlives this machine, because the log on the broker has it; if there is no log, the
  // last durable one. None: the log does not have all that was durable when the process started. Nothing may
  // leave the process before.
  virtual std::optional<std::uint64_t> logged() const = 0;
  // Waits some seconds until the log has all commits.
  virtual void wait_for_log() = 0;
  virtual void report(MemberReport report) = 0;
  // When a request may start if other processes send requests to the same address, domain or host: `now`,
  // which uses up the slots, or when to ask again.
  virtual Time slot(const std::vector<SharedGate>& gates, Time now) = 0;
  // The last call: waits a few seconds for the remaining messages to be sent.
  virtual void finish() = 0;
};

}  // namespace bowerbird
