#include "fleet/members.h"

namespace bowerbird {

Result<Members> read_members(BusStore& records, BusStore& leases) {
  Members members;
  BB_TRY(const auto known, records.all());
  for (const auto& [key, entry] : known) {
    if (!key.starts_with(kMemberPrefix)) continue;
    const auto record = MemberRecord::from_json(entry.value);
    if (!record.ok()) continue;
    FleetMember& one = members[key.substr(kMemberPrefix.size())];
    one.record = *record;
    one.revision = entry.revision;
  }
  BB_TRY(const auto alive, leases.all());
  for (const auto& [key, entry] : alive) {
    if (!key.starts_with(kMemberPrefix)) continue;
    members[key.substr(kMemberPrefix.size())].heartbeat = Heartbeat::from_json(entry.value);
  }
  return members;
}

}  // namespace bowerbird
