// The regular duties of a process in its fleet, a few times a second, except for renewing its lease.
//
// It reads the plan and the stop flag, makes the queues of its partitions deliver here, shares the page
// budget, and takes over lost processes. If it is elected, it also runs the coordinator. It passes the
// results to the crawl through the mailbox. If the broker does not answer, the next tick tries again; any
// other error ends our membership. Ownership: everything passed in outlives it. Threads: tick() and finish()
// from one thread at a time; the const methods from any.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "fleet/bus.h"
#include "fleet/coordinator.h"
#include "fleet/fleet_options.h"
#include "fleet/lease.h"
#include "fleet/mailbox.h"
#include "fleet/members.h"
#include "fleet/partition_queues.h"
#include "fleet/plan.h"
#include "fleet/takeover.h"
#include "sys/clock.h"

namespace bowerbird {

// The stores of a fleet on its broker.
struct FleetStores {
  BusStore& records;
  BusStore& leases;
};

class ControlLoop {
 public:
  static constexpr std::int64_t kTickMs = 300;

  ControlLoop(Bus& bus, FleetStores stores, const FleetOptions& options, const Lease& lease, Mailbox& mailbox,
              const Clock& clock, OrphanFolders folders = {});

  void tick();
  // Call after the crawl has ended: records that we have left, if we were leaving, or that we will be back.
  // Withdraws claims, and resigns as coordinator.
  void finish();

  // The process that grants the slots of a gate: the owner of the partition of its name or, while that has no
  // lease, another one. Empty while there is no plan.
  std::string granter_of(const std::string& gate) const;
  // When that last changed for any gate, in ms; 0: never.
  std::int64_t granters_changed_ms() const;
  // The last round of FleetControl that we have seen.
  std::uint64_t round() const { return round_; }
  // The page budget is nearly used up: all processes check and report more often.
  bool near_budget() const { return near_budget_; }
  // For tests: waits until the folder of a lost process has been read.
  void wait_for_takeover() { takeover_.wait(); }

 private:
  Status work(std::int64_t now_ms);
  Status read_control();
  Status read_plan();
  bool has_plan() const;
  bool follows_plan(const std::string& text) const;
  std::set<std::string> lost_owners() const REQUIRES(mutex_);
  void note_alive(const Members& members, std::int64_t now_ms);
  Status share_budget(const Members& members);
  Status lead(const Members& members, std::int64_t now_ms);
  Status write_end();
  Status stay_if_alone(const Members& members, std::int64_t now_ms);

  FleetStores stores_;
  const FleetOptions& options_;
  const Lease& lease_;
  Mailbox& mailbox_;
  const Clock& clock_;
  Coordinator coordinator_;
  PartitionQueues queues_;
  Takeover takeover_;
  std::atomic<bool> near_budget_ = false;
  std::atomic<std::uint64_t> round_ = 0;
  mutable Mutex mutex_;
  FleetPlan plan_ GUARDED_BY(mutex_);
  std::set<std::string> alive_ GUARDED_BY(mutex_);  // processes with a lease, ours included; empty: unknown
  std::int64_t granters_changed_ms_ GUARDED_BY(mutex_) = 0;
  std::uint64_t plan_revision_ = 0;
  FleetControl control_;
  // of our coordinator entry; none: another process is the coordinator
  std::optional<std::uint64_t> leadership_;
  std::int64_t led_ms_ = 0, looked_ms_ = 0, checked_ms_ = 0;
  bool leaving_ = false;
  std::optional<std::int64_t> alone_since_;  // when the last process that stays ended
  bool left_ = false;                        // we have given up all partitions
};

}  // namespace bowerbird
