#include "fleet/coordinator.h"

#include <algorithm>
#include <numeric>

#include "fleet/batch/message.h"
#include "fleet/fleet_check.h"
#include "fleet/seal.h"
#include "fleet/wire.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kBalanceEveryMs = 5000;
// What one process has sent may not be in the report of the other yet.
constexpr int kRequisiteChecks = 3;

}  // namespace

std::vector<BusRequest> first_messages(const FleetNames& names,
                                       const std::vector<std::uint32_t>& partitions) {
  PartitionTransfer empty;
  empty.epoch = 1;
  empty.first = empty.last = true;
  Message message;
  message.content = std::make_shared<const std::string>(pack(empty));
  std::vector<BusRequest> requests;
  for (const std::uint32_t p : partitions) {
    message.id = {kOrigin, p, 1};
    requests.push_back(
        {names.partition(p), sealed(write_envelope(kOrigin, message), MessageKind::kEnvelope, names.key)});
  }
  return requests;
}

Status Coordinator::work(const Members& members, std::int64_t now_ms) {
  BB_TRY(const auto entry, records_.get(kPlanKey));
  if (!entry) return begin(members);
  const auto plan = FleetPlan::from_json(entry->value);
  if (!plan.ok() || (good_ && !plan->follows(*good_))) return restore(*entry);
  BB_TRY_VOID(replan(members, *entry, *plan, now_ms));
  return look_for_end(members, *plan);
}

Status Coordinator::restore(const BusEntry& entry) {
  if (!good_) {
    BB_TRY(good_, plan_or_copy(records_, entry.value));
  }
  BB_TRY_VOID(records_.update(kPlanKey, good_->to_json(), entry.revision));
  return {};
}

// Every partition begins as a message to its first owner. If two processes do this, receivers drop the
// repeats.
Status Coordinator::begin(const Members& members) {
  std::vector<std::string> available;
  for (const auto& [name, entry] : members) {
    if (entry.heartbeat && entry.record && entry.record->in_fleet()) available.push_back(name);
  }
  if (available.empty() || available.size() < options_.procs) return {};
  std::vector<std::uint32_t> all(options_.partitions);
  std::iota(all.begin(), all.end(), 0u);
  const std::vector<bool> taken = bus_.publish_kept(first_messages(names_, all));
  if (std::find(taken.begin(), taken.end(), false) != taken.end()) {
    return error(ErrorKind::kRetry, "the broker rejected the partitions");
  }
  FleetPlan plan = first_plan(options_.partitions, available);
  plan.settings = options_.settings;
  BB_TRY(const auto made, records_.create(kPlanKey, plan.to_json()));
  if (made) BB_TRY_VOID(records_.put(kPlanCopyKey, plan.to_json()));
  return {};
}

Status Coordinator::replan(const Members& members, const BusEntry& entry, FleetPlan plan,
                           std::int64_t now_ms) {
  std::map<std::string, PlanMember> available;
  std::map<std::string, Epochs> given;  // what each has given away, or would give
  std::map<std::string, std::size_t> owned;
  for (const std::string& owner : plan.owners) ++owned[owner];
  bool plan_reached = true;  // every process owns what the plan says
  for (const auto& [name, one] : members) {
    if (!one.record) continue;
    if (one.record->state == MemberRecord::State::kAbsorbed) given[name] = one.record->given;
    if (!one.heartbeat || !one.record->in_fleet()) continue;
    for (const auto& [p, epoch] : one.heartbeat->held) given[name][p] = epoch + 1;
    if (one.record->state != MemberRecord::State::kIn) continue;
    available[name].load = one.heartbeat->queued;
    plan_reached = plan_reached && one.heartbeat->held.size() == owned[name];
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t p = 0; p < plan.owners.size(); ++p) {
    const std::string& owner = plan.owners[p];
    const bool held = given.contains(owner) && given[owner].contains(p);
    plan_reached = plan_reached && held && available.contains(owner);
    const auto one = members.find(owner);
    const bool is_member = one != members.end() && one->second.record;
    if (!is_member) free.push_back(p);  // members are never forgotten
    if (!is_member) continue;
    const MemberRecord::State state = one->second.record->state;
    // A leaving process gives away only what it owns. What is still being sent to it moves on from there.
    const bool leaves = state == MemberRecord::State::kLeaving && held;
    const bool is_gone = state == MemberRecord::State::kAbsorbed || state == MemberRecord::State::kLeft;
    if (leaves || is_gone) free.push_back(p);
  }
  const FleetPlan before = plan;
  bool changed = rebalance(plan, available, free, plan_reached && !options_.dynamic);
  if (!changed && plan_reached && options_.dynamic && now_ms - last_balance_ms_ >= kBalanceEveryMs) {
    last_balance_ms_ = now_ms;
    changed = balance_load(plan, available);
  }
  if (!changed) return {};
  note_epochs(before, given, plan);
  BB_TRY(const auto written, records_.update(kPlanKey, plan.to_json(), entry.revision));
  if (written) BB_TRY_VOID(records_.put(kPlanCopyKey, plan.to_json()));
  return {};
}

Status Coordinator::watch_budgets(const Members& members) {
  std::uint64_t pages = 0, bytes = 0;
  double seconds = 0;
  for (const auto& [name, one] : members) {
    // The maximum known, because a process that still reads its folder reports nothing.
    Used& used = used_[name];
    if (one.heartbeat) {
      used.raise({one.heartbeat->pages, one.heartbeat->bytes});
      seconds = std::max(seconds, one.heartbeat->seconds);
    }
    if (one.record) used.raise({one.record->pages, one.record->bytes});
    pages += used.pages;
    bytes += used.bytes;
  }
  pages_left_ = options_.pages > pages ? options_.pages - pages : 0;
  const auto over = [](auto used, auto most) { return most > 0 && used >= most; };
  const bool awaits = awaits_requisites(members);
  const std::string reason = over(pages, options_.pages) && !awaits ? "page budget reached"
                             : over(bytes, options_.bytes)          ? "byte budget reached"
                             : over(seconds, options_.time_s)       ? "time limit reached"
                                                                    : "";
  if (reason.empty()) return {};
  BB_TRY(const auto entry, records_.get(kControlKey));
  FleetControl control = entry ? FleetControl::from_json(entry->value) : FleetControl();
  if (control.ended || control.stop) return {};
  control.stop = true;
  control.reason = reason;
  return change(control, entry ? entry->revision : 0);
}

void Coordinator::set_budgets(const RunBudgets& budgets) {
  options_.pages = budgets.pages;
  options_.bytes = budgets.bytes;
  options_.time_s = budgets.seconds;
}

// The last pages get what they need, too. Requisites of a lost process wait for its takeover or its return.
bool Coordinator::awaits_requisites(const Members& members) {
  const bool pending = std::any_of(members.begin(), members.end(), [](const auto& member) {
    return member.second.heartbeat && member.second.heartbeat->requisites > 0;
  });
  if (pending) checks_left_ = kRequisiteChecks;
  if (!pending && checks_left_ > 0) --checks_left_;
  return checks_left_ > 0;
}

Status Coordinator::look_for_end(const Members& members, const FleetPlan& plan) {
  BB_TRY(const auto entry, records_.get(kControlKey));
  FleetControl control;
  if (entry) control = FleetControl::from_json(entry->value);
  const std::uint64_t revision = entry ? entry->revision : 0;
  if (control.ended || control.stop) return {};

  std::map<std::string, std::uint64_t> activity;
  bool all_quiet = true, all_asked = true;
  for (const auto& [name, one] : members) {
    if (one.heartbeat) {
      all_quiet = all_quiet && one.heartbeat->quiet;
      all_asked = all_asked && one.heartbeat->round == control.round;
      activity[name] = one.heartbeat->activity;
    } else if (one.record && one.record->state != MemberRecord::State::kAbsorbed &&
               one.record->state != MemberRecord::State::kLeft) {
      all_quiet = false;  // nobody knows what work it left
    }
  }
  for (const std::string& owner : plan.owners) all_quiet = all_quiet && activity.contains(owner);
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
    BB_TRY_VOID(records_.create(kControlKey, control.to_json()));
  } else {
    BB_TRY_VOID(records_.update(kControlKey, control.to_json(), revision));
  }
  return {};
}

}  // namespace bowerbird
