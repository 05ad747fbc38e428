// The members of a fleet, as its broker knows them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/names.h"
#include "fleet/plan.h"

namespace bowerbird {

struct FleetMember {
  std::optional<MemberRecord> record;
  std::uint64_t revision = 0;          // of the record
  std::optional<Heartbeat> heartbeat;  // none: its lease has expired
};

using Members = std::map<std::string, FleetMember>;
Result<Members> read_members(BusStore& records, BusStore& leases);

}  // namespace bowerbird
