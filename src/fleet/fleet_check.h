// Whether a process may join a fleet: its folder, its options and what the broker knows must belong together.
//
// Threads: any; blocks for the broker.
#pragma once

#include <string>

#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/fleet_options.h"
#include "fleet/plan.h"

namespace bowerbird {

// The id of the fleet, created if this is its first process. Errors of the kind kRetry: try again.
Result<std::string> check_member(BusStore& records, const FleetOptions& options);

// The plan of the fleet: `text`, or its copy if that is no plan.
Result<FleetPlan> plan_or_copy(BusStore& records, const std::string& text);

// The folder belongs to a fleet that the broker does not know.
Error broker_lost_data(const FleetOptions& options);

// The number of the last commit of a member that the broker knows; 0: none.
Result<std::uint64_t> known_commit(BusStore& records, const std::string& member);
// `commit` is the last one in the folder of the member.
Status check_commit(const std::string& folder, std::uint64_t commit, std::uint64_t known);

}  // namespace bowerbird
