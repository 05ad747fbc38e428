// The plan of a fleet: which process owns which partition, and how that changes when processes join, leave or
// have more work than others.
//
// Pure functions; the coordinator (coordinator.h) applies them. Few partitions move: those of processes that
// are gone, and the surplus of processes with too many.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet/batch/message.h"

namespace bowerbird {

struct FleetPlan {
  std::vector<std::string> owners;  // by partition
  // By partition: the epoch under which its owner gets it, or the one before. If a process is lost after it
  // has accepted a partition and before the sender knows, the same move may also be delivered to the next
  // owner. The epoch distinguishes it from the move that counts.
  std::vector<std::uint64_t> epochs;
  std::string settings;  // options that must agree in all processes, with their values, as JSON

  std::string to_json() const;
  static Result<FleetPlan> from_json(std::string_view text);
  std::vector<bool> of(const std::string& member) const;
  // Whether this can be a later version of `earlier`.
  bool follows(const FleetPlan& earlier) const {
    return owners.size() == earlier.owners.size() && settings == earlier.settings;
  }
  // Whether a process with these settings may join; the error names each option that differs.
  Status accepts(std::uint32_t partitions, std::string_view ours) const;
  // The value of an option in the settings; empty if there is none.
  std::string setting(const std::string& option) const;
};

// Partition p goes to process p modulo n, ordered by name, as in the lab.
FleetPlan first_plan(std::uint32_t partitions, const std::vector<std::string>& members);

// A process that may own partitions.
struct PlanMember {
  std::uint64_t load = 0;  // pages it has to fetch
};

// Free partitions go to the processes with the fewest. Then processes with too many give to those with too
// few, so that their counts differ by at most one. True if anything changed. plan_reached: every process owns
// what the plan says, so partitions of living processes may move too.
bool rebalance(FleetPlan& plan, const std::map<std::string, PlanMember>& members,
               const std::vector<std::uint32_t>& free, bool plan_reached);

// Dynamic coordination: the process with the most pages to fetch gives some of its partitions to the one with
// the fewest, if it has more than twice as many.
bool balance_load(FleetPlan& plan, const std::map<std::string, PlanMember>& members);

// Sets the epoch of each partition whose owner has changed to the epoch under which the former owner gives it
// away, from `given`. If the former owner never had the partition, the epoch stays.
void note_epochs(const FleetPlan& before, const std::map<std::string, Epochs>& given, FleetPlan& plan);

}  // namespace bowerbird
