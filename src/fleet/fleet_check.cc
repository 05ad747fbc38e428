#include "fleet/fleet_check.h"

#include "base/units.h"
#include "fleet/lease.h"

namespace bowerbird {

namespace {

Result<std::string> fleet_id(BusStore& records, const FleetOptions& options) {
  BB_TRY(auto entry, records.get(kFleetKey));
  if (!entry && !options.identity.fleet.empty()) return broker_lost_data(options);
  if (!entry) {
    const FleetRecord made{random_id()};
    BB_TRY(const auto created, records.create(kFleetKey, made.to_json()));
    if (created) return made.id;
    return error(ErrorKind::kRetry, "another process has just created the fleet");
  }
  BB_TRY(const FleetRecord fleet, FleetRecord::from_json(entry->value));
  if (!options.identity.fleet.empty() && options.identity.fleet != fleet.id) {
    return error(
        ErrorKind::kNeedsUser,
        "{}: this folder does not belong to the fleet named {} on this server, but to another one: give "
        "the --fleet-name or --fleet of its own fleet, or another --out",
        options.folder, options.fleet);
  }
  return fleet.id;
}

}  // namespace

Result<FleetPlan> plan_or_copy(BusStore& records, const std::string& text) {
  auto plan = FleetPlan::from_json(text);
  if (plan.ok()) return plan;
  BB_TRY(const auto copy, records.get(kPlanCopyKey));
  return copy ? FleetPlan::from_json(copy->value) : plan;
}

Error broker_lost_data(const FleetOptions& options) {
  return error(
      ErrorKind::kNeedsUser,
      "{}: the NATS server does not know the fleet of this folder: the server has lost its data, or it is "
      "the wrong server. If it has lost its data, stop all processes and run `bowerbird fleet recover` with "
      "the folders of all processes; nothing that was committed is lost",
      options.folder);
}

Result<std::uint64_t> known_commit(BusStore& records, const std::string& member) {
  BB_TRY(const auto entry, records.get(FleetNames::commit(member)));
  if (!entry) return std::uint64_t{0};
  const auto number = parse_count(entry->value);
  return number.ok() ? *number : std::uint64_t{0};
}

Status check_commit(const std::string& folder, std::uint64_t commit, std::uint64_t known) {
  if (commit >= known) return {};
  return error(
      ErrorKind::kNeedsUser,
      "{}: this folder is an older copy: its last commit is number {}, but the fleet knows number {}. "
      "Continue with the newest copy. If there is none, this process cannot return",
      folder, commit, known);
}

Result<std::string> check_member(BusStore& records, const FleetOptions& options) {
  BB_TRY(const std::string id, fleet_id(records, options));
  BB_TRY(const auto plan, records.get(kPlanKey));
  if (plan) {
    BB_TRY(const FleetPlan there, plan_or_copy(records, plan->value));
    BB_TRY_VOID(there.accepts(options.coordinator.partitions, options.coordinator.settings));
  }
  BB_TRY(const auto record, records.get(FleetNames::member(options.member)));
  if (!record) {
    if (options.identity.joined) return broker_lost_data(options);
    return id;
  }
  BB_TRY(const MemberRecord known, MemberRecord::from_json(record->value));
  BB_TRY_VOID(Lease::check_identity(known, options));
  BB_TRY(const std::uint64_t commit, known_commit(records, options.member));
  BB_TRY_VOID(check_commit(options.folder, options.commit, commit));
  return id;
}

}  // namespace bowerbird
