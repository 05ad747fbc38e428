#include "fleet/members.h"

namespace bowerbird {

Result<Members> read_members(BusStore& records, BusStore& leases) {
  Members members;
  const std::string prefix(kMemberPrefix);
  BB_TRY(const auto known, records.all(prefix));
  for (const auto& [key, entry] : known) {
    const auto record = MemberRecord::from_json(entry.value);
    if (!record.ok()) continue;
    FleetMember& one = members[key.substr(kMemberPrefix.size())];
    one.record = *record;
    one.revision = entry.revision;
  }
  BB_TRY(const auto alive, leases.all(prefix));
  for (const auto& [key, entry] : alive) {
    members[key.substr(kMemberPrefix.size())].heartbeat = Heartbeat::from_json(entry.value);
  }
  return members;
}

}  // namespace bowerbird
