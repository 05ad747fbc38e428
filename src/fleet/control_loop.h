// What a process does for its fleet a few times a second, besides renewing its lease.
//
// It reads the plan and whether to stop, has the queues of its partitions deliver here, shares the page
// budget, and takes over lost processes. If it is elected, it also runs the coordinator. The crawl hears of
// all this through the mailbox. A broker that does not answer is asked again at the next tick; any other
// error ends our part in the fleet. Ownership: everything passed in outlives it. Threads: tick() and finish()
// from one thread at a time; the const methods from any.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
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
  // The last word, after the crawl's: we have left, if we were to, and lead no longer.
  void finish();

  // Who holds the partition of this name; empty while there is no plan.
  std::string owner_of(const std::string& name) const;
  // The round of FleetControl that we have seen.
  std::uint64_t round() const { return round_; }
  // The page budget is nearly used up: everybody looks and reports more often.
  bool hurried() const { return hurried_; }
  // For tests: until the folder of a lost process has been read.
  void wait_for_takeover() { takeover_.wait(); }

 private:
  Status work(std::int64_t now_ms);
  Status read_control();
  Status read_plan();
  Status share_budget(const Members& members);
  Status lead(const Members& members, std::int64_t now_ms);
  Status write_left();

  FleetStores stores_;
  const FleetOptions& options_;
  const Lease& lease_;
  Mailbox& mailbox_;
  const Clock& clock_;
  Coordinator coordinator_;
  PartitionQueues queues_;
  Takeover takeover_;
  std::atomic<bool> hurried_ = false;
  std::atomic<std::uint64_t> round_ = 0;
  mutable Mutex mutex_;
  FleetPlan plan_ GUARDED_BY(mutex_);
  std::uint64_t plan_revision_ = 0;
  FleetControl control_;
  std::optional<std::uint64_t> leadership_;  // its revision; none: another process leads
  std::int64_t led_ms_ = 0, looked_ms_ = 0, checked_ms_ = 0;
  bool leaving_ = false;
  bool left_ = false;  // we have given up all partitions
};

}  // namespace bowerbird
