#include "fleet/roster.h"

namespace bowerbird {

Result<Roster> read_roster(BusStore& kept, BusStore& leases) {
  Roster roster;
  BB_TRY(const auto known, kept.all());
  for (const auto& [key, entry] : known) {
    if (!key.starts_with(kMemberPrefix)) continue;
    const auto record = MemberRecord::from_json(entry.value);
    if (!record.ok()) continue;
    RosterEntry& one = roster[key.substr(kMemberPrefix.size())];
    one.record = *record;
    one.revision = entry.revision;
  }
  BB_TRY(const auto alive, leases.all());
  for (const auto& [key, entry] : alive) {
    if (!key.starts_with(kMemberPrefix)) continue;
    roster[key.substr(kMemberPrefix.size())].sign = LifeSign::from_json(entry.value);
  }
  return roster;
}

}  // namespace bowerbird
