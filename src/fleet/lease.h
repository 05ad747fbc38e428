// Our right to work: an entry in the broker's store that expires unless we renew it in time.
//
// Problem: exactly one process may own a partition, and processes die, stall or lose the network without
// notice. A process may work while its lease is valid. It renews the lease by revision (the fencing token).
// If it has failed to for most of the lease's time, held() is false: it starts, commits and sends nothing
// until it knows that no process has claimed its partitions. A claimed process never gets its lease back.
// A process takes an entry that another one left only if that was in the same folder, whose lock we have now;
// an entry from any other place must expire first, because a copy of our folder may be at work there.
// Threads: renew() and release() from one thread at a time, held() from any.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/commit_fence.h"
#include "fleet/fleet_options.h"
#include "sys/clock.h"

namespace bowerbird {

class Lease {
 public:
  // fence: tells others whether the lease is held.
  Lease(BusStore& records, BusStore& leases, const FleetOptions& options, const Clock& clock,
        std::shared_ptr<CommitFence> fence)
      : records_(records),
        leases_(leases),
        options_(options),
        clock_(clock),
        fence_(std::move(fence)),
        joined_(options.identity.joined) {}

  // Renews it, or acquires it if we have none. After an error of another kind than kRetry the lease is lost
  // for good.
  Status renew(Heartbeat heartbeat);
  bool held() const { return fence_->held(); }
  // commit: the number of our last one.
  void release(std::uint64_t commit);

  // Whether a process with these options can be the one in this record.
  static Status check_identity(const MemberRecord& record, const FleetOptions& options);

 private:
  Status renew_entry(const std::string& heartbeat);
  Status acquire(const std::string& heartbeat);
  Status take_entry(const std::string& heartbeat);
  Status look_for_fleet();
  Status note_commit(std::uint64_t commit);

  BusStore& records_;
  BusStore& leases_;
  const FleetOptions& options_;
  const Clock& clock_;
  const std::shared_ptr<CommitFence> fence_;
  std::optional<std::uint64_t> revision_;  // none: we hold no lease
  std::uint64_t foreign_ = 0;              // revision of an entry from another place
  int without_fleet_ = 0;                  // how often in a row the broker did not know the fleet
  bool joined_;
  std::uint64_t noted_commit_ = 0;  // that the broker knows
};

}  // namespace bowerbird
