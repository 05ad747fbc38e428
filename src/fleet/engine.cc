#include "fleet/engine.h"

#include <algorithm>

namespace bowerbird {

Result<std::unique_ptr<FleetEngine>> FleetEngine::open(const std::string& url, const std::string& fleet) {
  auto engine = std::make_unique<FleetEngine>();
  BB_TRY(engine->bus_, Bus::connect(url));
  const FleetNames names{fleet};
  BB_TRY(engine->kept_, engine->bus_->existing_store(names.kept()));
  BB_TRY(engine->leases_, engine->bus_->existing_store(names.leases()));
  return engine;
}

Result<FleetView> FleetEngine::look() {
  FleetView view;
  BB_TRY(view.roster, read_roster(*kept_, *leases_));
  BB_TRY(const auto plan, kept_->get(kPlanKey));
  if (plan) {
    BB_TRY(view.plan, FleetPlan::from_json(plan->value));
  }
  BB_TRY(const auto control, kept_->get(kControlKey));
  if (control) view.control = FleetControl::from_json(control->value);
  return view;
}

Status FleetEngine::set_stop(bool stop) {
  BB_TRY(const auto entry, kept_->get(kControlKey));
  FleetControl control = entry ? FleetControl::from_json(entry->value) : FleetControl();
  control.stop = stop;
  control.reason = stop ? kAskedToStop : "";
  if (!stop) control.ended = false;
  BB_TRY_VOID(kept_->put(kControlKey, control.to_json()));
  return {};
}

Status FleetEngine::leave(const std::string& member) {
  BB_TRY(const Roster roster, read_roster(*kept_, *leases_));
  const auto found = roster.find(member);
  if (found == roster.end() || !found->second.record) {
    return error("there is no process called {} in the fleet", member);
  }
  MemberRecord record = *found->second.record;
  if (record.state != MemberRecord::State::kIn) {
    return error("{} is {} already", member, name_of(record.state));
  }
  if (!found->second.sign) {
    return error(
        "{} is not heard of: others take over what it held, if they can read {} (on {}); if not, start it "
        "again",
        member, record.folder, record.machine);
  }
  const bool others = std::any_of(roster.begin(), roster.end(), [&](const auto& one) {
    return one.first != member && one.second.sign && one.second.record &&
           one.second.record->state == MemberRecord::State::kIn;
  });
  if (!others) return error("nobody else is there to take over from {}: stop the fleet instead", member);
  record.state = MemberRecord::State::kLeaving;
  const auto changed = kept_->update(FleetNames::member(member), record.to_json(), found->second.revision);
  if (!changed.ok()) return changed.error();
  if (!*changed) return error("{} has just changed; try again", member);
  return {};
}

}  // namespace bowerbird
