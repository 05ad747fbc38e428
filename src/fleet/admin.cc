#include "fleet/admin.h"

#include <algorithm>

namespace bowerbird {

namespace {

Result<FleetMember> known_member(const Members& members, const std::string& name) {
  const auto found = members.find(name);
  if (found == members.end() || !found->second.record)
    return error("there is no process named {} in the fleet", name);
  return found->second;
}

}  // namespace

Result<std::unique_ptr<FleetAdmin>> FleetAdmin::open(const std::string& url, const std::string& fleet) {
  BB_TRY(auto bus, Bus::connect(url));
  return open(std::move(bus), fleet);
}

Result<std::unique_ptr<FleetAdmin>> FleetAdmin::open(std::unique_ptr<Bus> bus, const std::string& fleet) {
  auto admin = std::make_unique<FleetAdmin>();
  admin->bus_ = std::move(bus);
  const FleetNames names{fleet};
  BB_TRY(admin->records_, admin->bus_->existing_store(names.records()));
  BB_TRY(admin->leases_, admin->bus_->existing_store(names.leases()));
  return admin;
}

Result<FleetView> FleetAdmin::look() {
  FleetView view;
  BB_TRY(view.members, read_members(*records_, *leases_));
  BB_TRY(const auto plan, records_->get(kPlanKey));
  if (plan) {
    BB_TRY(view.plan, FleetPlan::from_json(plan->value));
  }
  BB_TRY(const auto control, records_->get(kControlKey));
  if (control) view.control = FleetControl::from_json(control->value);
  return view;
}

Result<bool> FleetAdmin::knows_fleet() {
  BB_TRY(const auto fleet, records_->get(kFleetKey));
  return fleet.has_value();
}

Status FleetAdmin::set_stop(bool stop) {
  BB_TRY(const auto entry, records_->get(kControlKey));
  FleetControl control = entry ? FleetControl::from_json(entry->value) : FleetControl();
  control.stop = stop;
  control.reason = stop ? kAskedToStop : "";
  if (!stop) control.ended = false;
  BB_TRY_VOID(records_->put(kControlKey, control.to_json()));
  return {};
}

Status FleetAdmin::write(const std::string& member, const MemberRecord& record, std::uint64_t revision) {
  BB_TRY(const auto changed, records_->update(FleetNames::member(member), record.to_json(), revision));
  return changed ? Status() : error("{} has just changed; try again", member);
}

Status FleetAdmin::leave(const std::string& member) {
  BB_TRY(const Members members, read_members(*records_, *leases_));
  BB_TRY(const FleetMember one, known_member(members, member));
  MemberRecord record = *one.record;
  if (record.state != MemberRecord::State::kIn) {
    return error("{} is {} already", member, name_of(record.state));
  }
  if (!one.heartbeat && record.stopped) {
    record.stopped = false;
    return write(member, record, one.revision);
  }
  if (!one.heartbeat) {
    return error(
        "{} does not respond. Other processes take over its partitions if they can read {} on {}; otherwise "
        "start it again",
        member, record.folder, record.machine);
  }
  const bool others = std::any_of(members.begin(), members.end(), [&](const auto& other) {
    return other.first != member && other.second.heartbeat && other.second.record &&
           other.second.record->state == MemberRecord::State::kIn;
  });
  if (!others) return error("{} is the only process; stop the fleet instead", member);
  record.state = MemberRecord::State::kLeaving;
  return write(member, record, one.revision);
}

Status FleetAdmin::stay(const std::string& member) {
  BB_TRY(const Members members, read_members(*records_, *leases_));
  BB_TRY(const FleetMember one, known_member(members, member));
  MemberRecord record = *one.record;
  if (record.state != MemberRecord::State::kLeaving) return error("{} is not leaving", member);
  record.state = MemberRecord::State::kIn;
  return write(member, record, one.revision);
}

}  // namespace bowerbird
