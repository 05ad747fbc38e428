// The one process that makes the fleet's plan and sees when there is nothing left; elected by a lease.
//
// It knows no more than the engine's stores say, and any process can go on where another left off. That
// nothing is left is found out in two rounds: everybody was quiet, and in a second look that began after the
// first was complete, everybody still was and had done nothing in between. Threads: one user.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/names.h"
#include "fleet/plan.h"
#include "fleet/roster.h"

namespace bowerbird {

struct CoordinatorOptions {
  std::uint32_t partitions = 0;
  std::uint64_t procs = 1;  // to wait for before the first plan
  std::string settings;
  bool dynamic = false;
  std::uint64_t pages = 0, bytes = 0;  // budgets of the whole fleet; 0: none
  double time_s = 0;
};

class Coordinator {
 public:
  Coordinator(Bus& bus, BusStore& kept, BusStore& leases, FleetNames names, CoordinatorOptions options)
      : bus_(bus), kept_(kept), leases_(leases), names_(std::move(names)), options_(std::move(options)) {}

  Status work(const Roster& roster, std::int64_t now_ms);
  // Whoever sees that a budget is used up has all stop: the coordinator may be the one that was lost.
  Status watch_budgets(const Roster& roster);
  // Of the budget, as of then.
  std::uint64_t pages_left() const { return pages_left_; }

 private:
  Status begin(const Roster& roster);
  Status replan(const Roster& roster, const BusEntry& entry, FleetPlan plan, std::int64_t now_ms);
  Status look_for_end(const Roster& roster, const FleetPlan& plan);
  Status change(const FleetControl& control, std::uint64_t revision);

  Bus& bus_;
  BusStore& kept_;
  BusStore& leases_;
  FleetNames names_;
  CoordinatorOptions options_;
  struct Used {
    std::uint64_t pages = 0, bytes = 0;
  };
  std::map<std::string, Used> used_;  // by member, as far as was ever heard
  std::uint64_t pages_left_ = 0;
  std::map<std::string, std::uint64_t> quiet_;  // activity by member, in the round before
  std::int64_t last_balance_ms_ = 0;
};

}  // namespace bowerbird
