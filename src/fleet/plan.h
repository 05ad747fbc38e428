// The plan of a fleet: which process owns which partition, and how that changes when processes join, leave or
// have more work than others.
//
// Pure functions; the coordinator (coordinator.h) applies them. Few partitions move: those of processes that
// are gone, and those that one process has too many of.
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
  std::string settings;  // options that all processes must agree on, with their values, as JSON

  std::string to_json() const;
  static Result<FleetPlan> from_json(std::string_view text);
  std::vector<bool> of(const std::string& member) const;
  // Whether a process with these settings may take part; the error names each option that differs.
  Status accepts(std::uint32_t partitions, std::string_view ours) const;
  // The one value of an option in the settings; empty if there is none.
  std::string setting(const std::string& option) const;
};

// Partition p goes to process p modulo n, in the order of names, as in the lab.
FleetPlan first_plan(std::uint32_t partitions, const std::vector<std::string>& members);

// A process that may own partitions.
struct PlanMember {
  std::uint64_t load = 0;  // pages it has to fetch
};

// Free partitions go to the processes with the fewest; then processes with too many give to those with too
// few, so that their numbers differ by at most one. True if anything changed.
// plan_reached: every process holds what the plan says, so partitions of living processes may move too.
bool rebalance(FleetPlan& plan, const std::map<std::string, PlanMember>& members,
               const std::vector<std::uint32_t>& free, bool plan_reached);

// Dynamic coordination: the process with the most to fetch gives some of its partitions to the one with the
// least, if it has more than twice as much.
bool balance_load(FleetPlan& plan, const std::map<std::string, PlanMember>& members);

// Where the owner is another than before, the epoch is that under which the former owner gives it, by
// `given`; a partition that it never held comes to the next owner as it would have come to it.
void note_epochs(const FleetPlan& before, const std::map<std::string, Epochs>& given, FleetPlan& plan);

}  // namespace bowerbird
