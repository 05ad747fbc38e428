// Everybody in a fleet, as its engine knows them at a moment.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/names.h"
#include "fleet/plan.h"

namespace bowerbird {

struct RosterEntry {
  std::optional<MemberRecord> record;
  std::uint64_t revision = 0;    // of the record
  std::optional<LifeSign> sign;  // none: not heard of lately
};

using Roster = std::map<std::string, RosterEntry>;
Result<Roster> read_roster(BusStore& kept, BusStore& leases);

}  // namespace bowerbird
