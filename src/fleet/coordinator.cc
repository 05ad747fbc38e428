#include "fleet/coordinator.h"

#include <algorithm>

#include "crawl/parcel.h"
#include "fleet/outgoing.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kBalanceEveryMs = 5000;

bool in_fleet(const RosterEntry& entry) {
  return entry.record && (entry.record->state == MemberRecord::State::kIn ||
                          entry.record->state == MemberRecord::State::kLeaving);
}

}  // namespace

Status Coordinator::work(const Roster& roster, std::int64_t now_ms) {
  BB_TRY(const auto entry, kept_.get(kPlanKey));
  if (!entry) return begin(roster);
  BB_TRY(FleetPlan plan, FleetPlan::from_json(entry->value));
  BB_TRY_VOID(replan(roster, *entry, plan, now_ms));
  return look_for_end(roster, plan);
}

// Every partition begins as a parcel to its first holder. Should two processes do this, receivers drop the
// repeats.
Status Coordinator::begin(const Roster& roster) {
  std::vector<std::string> members;
  for (const auto& [name, entry] : roster) {
    if (entry.sign && in_fleet(entry)) members.push_back(name);
  }
  if (members.empty() || members.size() < options_.procs) return {};
  MoveParcel empty;
  empty.tenure = 1;
  empty.first = empty.last = true;
  Parcel parcel;
  parcel.content = std::make_shared<const std::string>(pack(empty));
  std::vector<BusLetter> letters;
  for (std::uint32_t p = 0; p < options_.partitions; ++p) {
    parcel.id = {kOrigin, p, 1};
    letters.push_back({names_.partition(p), Outgoing::envelope(kOrigin, parcel)});
  }
  const std::vector<bool> taken = bus_.publish_kept(letters);
  if (std::find(taken.begin(), taken.end(), false) != taken.end()) {
    return error("the fleet's engine does not take the partitions");
  }
  FleetPlan plan = first_plan(options_.partitions, members);
  plan.settings = options_.settings;
  BB_TRY_VOID(kept_.create(kPlanKey, plan.to_json()));
  return {};
}

Status Coordinator::replan(const Roster& roster, const BusEntry& entry, FleetPlan plan, std::int64_t now_ms) {
  std::map<std::string, PlanMember> members;
  std::vector<std::string> gone;
  std::map<std::string, std::uint64_t> owned;
  for (const std::string& owner : plan.owners) ++owned[owner];
  // A piece that is not confirmed may be sent again, and must find the one who has taken it: a third process
  // would take it for new.
  bool settled = true;
  for (const auto& [name, one] : roster) {
    settled = settled && (!one.sign || one.sign->moving == 0);
    if (!one.record) continue;
    if (one.record->state == MemberRecord::State::kAbsorbed) gone.push_back(name);
    if (one.record->state == MemberRecord::State::kLeaving && one.sign) gone.push_back(name);
    if (one.record->state == MemberRecord::State::kIn && one.sign) {
      members[name].load = one.sign->queued;
      settled = settled && one.sign->partitions == owned[name];
    }
  }
  for (const auto& [owner, count] : owned) settled = settled && members.contains(owner);
  bool changed = rebalance(plan, members, gone, settled && !options_.dynamic);
  if (!changed && settled && options_.dynamic && now_ms - last_balance_ms_ >= kBalanceEveryMs) {
    last_balance_ms_ = now_ms;
    changed = balance_load(plan, members);
  }
  if (!changed) return {};
  BB_TRY_VOID(kept_.update(kPlanKey, plan.to_json(), entry.revision));
  return {};
}

Status Coordinator::look_for_end(const Roster& roster, const FleetPlan& plan) {
  BB_TRY(const auto entry, kept_.get(kControlKey));
  FleetControl control;
  if (entry) control = FleetControl::from_json(entry->value);
  const std::uint64_t revision = entry ? entry->revision : 0;
  if (control.ended || control.stop) return {};

  std::uint64_t pages = 0, bytes = 0;
  double seconds = 0;
  std::map<std::string, std::uint64_t> activity;
  bool all_quiet = true, all_asked = true;
  for (const auto& [name, one] : roster) {
    if (one.sign) {
      pages += one.sign->pages;
      bytes += one.sign->bytes;
      seconds = std::max(seconds, one.sign->seconds);
      all_quiet = all_quiet && one.sign->quiet;
      all_asked = all_asked && one.sign->round == control.round;
      activity[name] = one.sign->activity;
    } else if (one.record && one.record->state != MemberRecord::State::kAbsorbed &&
               one.record->state != MemberRecord::State::kLeft) {
      all_quiet = false;  // nobody knows what it left
    }
  }
  for (const std::string& owner : plan.owners) all_quiet = all_quiet && activity.contains(owner);
  const auto over = [](auto used, auto most) { return most > 0 && used >= most; };
  if (over(pages, options_.pages) || over(bytes, options_.bytes) || over(seconds, options_.time_s)) {
    control.stop = true;
    control.reason = over(pages, options_.pages)   ? "the budget of pages is used up"
                     : over(bytes, options_.bytes) ? "the budget of bytes is used up"
                                                   : "the time is over";
    return change(control, revision);
  }
  if (!all_quiet) {
    quiet_.clear();
    return {};
  }
  if (!all_asked) return {};
  control.ended = quiet_ == activity;
  quiet_ = activity;
  ++control.round;
  return change(control, revision);
}

Status Coordinator::change(const FleetControl& control, std::uint64_t revision) {
  if (revision == 0) {
    BB_TRY_VOID(kept_.create(kControlKey, control.to_json()));
  } else {
    BB_TRY_VOID(kept_.update(kControlKey, control.to_json(), revision));
  }
  return {};
}

}  // namespace bowerbird
