// Who is to hold which partition: the plan of a fleet, and how it changes when processes come, go or have
// more to do than others.
//
// Pure functions of what is known; the coordinator (coordinator.h) applies them. Few partitions move: only
// those of processes that are gone, and those that one process has too many of.
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
  // By partition: the epoch under which it comes to its owner, or one before that. A process that is lost
  // after it has taken a partition and before the sender knows leaves a move that may be delivered to the
  // next owner too; this tells it from the one that counts.
  std::vector<std::uint64_t> epochs;
  std::string settings;  // what all processes must agree upon: options and values as JSON

  std::string to_json() const;
  static Result<FleetPlan> from_json(std::string_view text);
  std::vector<bool> of(const std::string& member) const;
  // Whether a process with these settings may take part; the error names each option that differs.
  Status accepts(std::uint32_t partitions, std::string_view ours) const;
  // The one value of an option in the settings; empty if there is none.
  std::string setting(const std::string& option) const;
};

// Partition p goes to process p modulo n, in the order of names: as the lab has it.
FleetPlan first_plan(std::uint32_t partitions, const std::vector<std::string>& members);

// A process of which the plan may make use.
struct PlanMember {
  std::uint64_t load = 0;  // pages it has to fetch
};

// Partitions that are free go to those with the fewest; then those with too many give to those with too few,
// so that numbers differ by one at most. True if anything changed.
// settled: nothing is on its way, so that partitions of living processes may move too.
bool rebalance(FleetPlan& plan, const std::map<std::string, PlanMember>& members,
               const std::vector<std::uint32_t>& free, bool settled);

// Dynamic coordination: the process with the most to fetch gives some of its partitions to the one with the
// least, if it has more than twice as much.
bool balance_load(FleetPlan& plan, const std::map<std::string, PlanMember>& members);

// Where the owner is another than before, the epoch is that under which the former owner gives it, by
// `given`; a partition that it never held comes to the next owner as it would have come to it.
void note_epochs(const FleetPlan& before, const std::map<std::string, Epochs>& given, FleetPlan& plan);

}  // namespace bowerbird
