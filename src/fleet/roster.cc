#include "fleet/roster.h"

namespace bowerbird {

Result<Roster> read_roster(BusStore& kept, BusStore& leases) {
  Roster roster;
  BB_TRY(const auto known, kept.keys());
  for (const std::string& key : known) {
    if (!key.starts_with(kMemberPrefix)) continue;
    BB_TRY(const auto entry, kept.get(key));
    if (!entry) continue;
    const auto record = MemberRecord::from_json(entry->value);
    if (!record.ok()) continue;
    RosterEntry& one = roster[key.substr(kMemberPrefix.size())];
    one.record = *record;
    one.revision = entry->revision;
  }
  BB_TRY(const auto alive, leases.keys());
  for (const std::string& key : alive) {
    if (!key.starts_with(kMemberPrefix)) continue;
    BB_TRY(const auto entry, leases.get(key));
    if (entry) roster[key.substr(kMemberPrefix.size())].sign = LifeSign::from_json(entry->value);
  }
  return roster;
}

}  // namespace bowerbird
