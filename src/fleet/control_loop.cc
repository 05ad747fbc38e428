#include "fleet/control_loop.h"

#include <algorithm>

#include "base/hash.h"
#include "fleet/fleet_check.h"
#include "url/partition.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kLookMs = 1000;     // between two reads of all members
constexpr std::int64_t kCheckMs = 10'000;  // between two checks of the queues
constexpr std::int64_t kAloneMs = 10'000;  // before a leaving process without others stays
// With fewer pages left the budget is checked more often.
constexpr std::uint64_t kFewPages = 20'000;

}  // namespace

ControlLoop::ControlLoop(Bus& bus, FleetStores stores, const FleetOptions& options, const Lease& lease,
                         Mailbox& mailbox, const Clock& clock, OrphanFolders folders)
    : stores_(stores),
      options_(options),
      lease_(lease),
      mailbox_(mailbox),
      clock_(clock),
      coordinator_(bus, stores.records, options.names(), options.coordinator),
      queues_(bus, options.names(), options.member, lease),
      takeover_(stores.records, stores.leases, options, mailbox, std::move(folders)),
      looked_ms_(-kLookMs),
      checked_ms_(-kCheckMs) {}

void ControlLoop::tick() {
  if (!lease_.held()) {
    takeover_.forget_missing();
    return;
  }
  const Status done = work(clock_.now_us() / 1000);
  if (!done.ok() && done.error().kind != ErrorKind::kRetry) mailbox_.lose(done.error().text);
}

Status ControlLoop::work(std::int64_t now_ms) {
  BB_TRY_VOID(takeover_.close_claims());
  BB_TRY_VOID(read_control());
  BB_TRY_VOID(read_plan());
  const bool look = now_ms - looked_ms_ >= kLookMs;
  if (look || ((leadership_ || near_budget_) && now_ms - led_ms_ >= kTickMs)) {
    BB_TRY(const Members members, read_members(stores_.records, stores_.leases));
    if (const auto own = members.find(options_.member); own != members.end() && own->second.record) {
      leaving_ = own->second.record->state == MemberRecord::State::kLeaving;
    }
    BB_TRY_VOID(stay_if_alone(members, now_ms));
    if (look) looked_ms_ = now_ms;
    note_alive(members, now_ms);
    BB_TRY_VOID(share_budget(members));
    BB_TRY_VOID(lead(members, now_ms));
    if (look) BB_TRY_VOID(takeover_.resolve_claims(members));
    const bool may_take_over = !leaving_ && !control_.stop && !control_.ended;
    if (look && may_take_over) BB_TRY_VOID(takeover_.look(members, now_ms));
  }
  if (now_ms - checked_ms_ < kCheckMs) return {};
  checked_ms_ = now_ms;
  return queues_.check();
}

Status ControlLoop::read_control() {
  BB_TRY(const auto entry, stores_.records.get(kControlKey));
  control_ = entry ? FleetControl::from_json(entry->value) : FleetControl();
  round_ = control_.round;
  const auto report = mailbox_.last_report();
  left_ = leaving_ && !alone_since_ && !takeover_.busy() && report && report->held.empty() &&
          report->to_send == 0 && plan_revision_ > 0 && queues_.none();
  if (control_.stop || control_.ended || left_) {
    mailbox_.update([&](FleetNews& news) {
      news.stop = control_.stop || left_;
      news.ended = control_.ended;
    });
  }
  return {};
}

Status ControlLoop::read_plan() {
  BB_TRY(const auto entry, stores_.records.get(kPlanKey));
  if (!entry || entry->revision == plan_revision_) return {};
  // Something else in its place is ignored; the coordinator puts the plan back.
  if (has_plan() && !follows_plan(entry->value)) return {};
  BB_TRY(FleetPlan plan, plan_or_copy(stores_.records, entry->value));
  BB_TRY_VOID(plan.accepts(options_.coordinator.partitions, options_.coordinator.settings));
  const std::vector<bool> ours = plan.of(options_.member);
  // The crawl must know the plan before the messages of new partitions arrive, or it would send them back.
  mailbox_.update([&](FleetNews& news) { news.plan = {ours, plan.epochs}; });
  if (!queues_.follow(ours)) return {};
  plan_revision_ = entry->revision;
  coordinator_.remember(plan);
  const MutexLock lock(mutex_);
  plan_ = std::move(plan);
  alive_.clear();  // new owners may have joined since
  return {};
}

bool ControlLoop::has_plan() const {
  const MutexLock lock(mutex_);
  return !plan_.owners.empty();
}

bool ControlLoop::follows_plan(const std::string& text) const {
  const auto plan = FleetPlan::from_json(text);
  const MutexLock lock(mutex_);
  return plan.ok() && plan->follows(plan_);
}

// By rendezvous hashing, all processes that see the same members choose the same one.
std::string ControlLoop::granter_of(const std::string& gate) const {
  const MutexLock lock(mutex_);
  if (plan_.owners.empty()) return {};
  const std::string& owner =
      plan_.owners[partition_of(gate, static_cast<std::uint32_t>(plan_.owners.size()))];
  if (alive_.empty() || alive_.contains(owner)) return owner;
  return *std::ranges::max_element(alive_, {},
                                   [&](const std::string& one) { return hash64(one, hash64(gate)); });
}

std::int64_t ControlLoop::granters_changed_ms() const {
  const MutexLock lock(mutex_);
  return granters_changed_ms_;
}

std::set<std::string> ControlLoop::lost_owners() const {
  std::set<std::string> lost;
  if (alive_.empty()) return lost;
  for (const std::string& owner : plan_.owners) {
    if (!alive_.contains(owner)) lost.insert(owner);
  }
  return lost;
}

void ControlLoop::note_alive(const Members& members, std::int64_t now_ms) {
  std::set<std::string> alive = {options_.member};
  for (const auto& [name, one] : members) {
    if (one.heartbeat) alive.insert(name);
  }
  const MutexLock lock(mutex_);
  const std::set<std::string> before = lost_owners();
  const bool same = alive == alive_;
  alive_ = std::move(alive);
  const std::set<std::string> after = lost_owners();
  if (before != after || (!same && !after.empty())) granters_changed_ms_ = now_ms;
}

// Divides what is left of the budget. Each process takes half of its part at a time, because reports are
// late.
Status ControlLoop::share_budget(const Members& members) {
  const auto report = mailbox_.last_report();
  // A resumed process does not know the changed budgets until it has read its folder; others watch them.
  if (!report) return {};
  if (report->budgets) coordinator_.set_budgets(*report->budgets);
  const Status watched = coordinator_.watch_budgets(members);
  if (!coordinator_.has_page_budget()) {
    near_budget_ = false;
    mailbox_.update([](FleetNews& news) { news.page_limit.reset(); });
    return watched;
  }
  std::size_t active = 0;
  std::uint64_t reported = 0;  // our own pages
  for (const auto& [name, one] : members) {
    if (!one.heartbeat) continue;
    active += !one.heartbeat->quiet || name == options_.member ? 1 : 0;
    if (name == options_.member) reported = one.heartbeat->pages;
  }
  const std::uint64_t ours = std::max(reported, report->status.counts.pages);
  const std::uint64_t unreported = ours - std::min(ours, reported);
  const std::uint64_t left = coordinator_.pages_left() - std::min(coordinator_.pages_left(), unreported);
  const std::uint64_t part = left / (2 * std::max<std::size_t>(1, active));
  near_budget_ = left < kFewPages;
  mailbox_.update(
      [&](FleetNews& news) { news.page_limit = ours + (left > 0 ? std::max<std::uint64_t>(1, part) : 0); });
  return watched;
}

Status ControlLoop::lead(const Members& members, std::int64_t now_ms) {
  if (!leadership_) {
    // We may be the coordinator without knowing it, if the answer to an earlier request came too late.
    BB_TRY(const auto entry, stores_.leases.get(kCoordinatorKey));
    if (entry && entry->value != options_.member) return {};
    if (entry) leadership_ = entry->revision;
  }
  if (leadership_) {
    BB_TRY(leadership_, stores_.leases.update(kCoordinatorKey, options_.member, *leadership_));
  } else {
    BB_TRY(leadership_, stores_.leases.create(kCoordinatorKey, options_.member));
  }
  if (!leadership_) return {};
  led_ms_ = now_ms;
  return coordinator_.work(members, now_ms);
}

// Errors do not matter: the entries expire by themselves, and a process that leaves may be started again.
void ControlLoop::finish() {
  takeover_.withdraw();
  static_cast<void>(write_end().ok());
  if (leadership_) static_cast<void>(stores_.leases.remove(kCoordinatorKey).ok());
}

// Tells the others that nothing of ours needs to be taken over, or not soon.
Status ControlLoop::write_end() {
  const std::string key = FleetNames::member(options_.member);
  const auto report = mailbox_.last_report();
  BB_TRY(const auto entry, stores_.records.get(key));
  if (!entry) return {};
  BB_TRY(MemberRecord record, MemberRecord::from_json(entry->value));
  if (!record.in_fleet()) return {};
  if (left_ && report && record.state == MemberRecord::State::kLeaving) {
    record.state = MemberRecord::State::kLeft;
    record.pages = report->status.counts.pages;
    record.bytes = report->status.counts.bytes;
  } else {
    record.stopped = true;
  }
  BB_TRY_VOID(stores_.records.update(key, record.to_json(), entry->revision));
  return {};
}

// A process that leaves does not take over others, and nobody takes its partitions if it is the last one.
// Then it stays. If the others were stopped, it waits for their return.
Status ControlLoop::stay_if_alone(const Members& members, std::int64_t now_ms) {
  bool others = false, stopped = false;
  for (const auto& [name, one] : members) {
    if (name == options_.member || !one.record || one.record->state != MemberRecord::State::kIn) continue;
    others = others || one.heartbeat;
    stopped = stopped || one.record->stopped;
  }
  if (!leaving_ || others) {
    alone_since_.reset();
    return {};
  }
  if (!alone_since_) alone_since_ = now_ms;
  const std::int64_t patience =
      stopped ? static_cast<std::int64_t>(options_.restart_within_s * 1000) : kAloneMs;
  if (now_ms - *alone_since_ < patience) return {};
  const FleetMember& own = members.at(options_.member);
  MemberRecord record = *own.record;
  record.state = MemberRecord::State::kIn;
  BB_TRY(const auto changed,
         stores_.records.update(FleetNames::member(options_.member), record.to_json(), own.revision));
  if (!changed) return {};
  leaving_ = false;
  alone_since_.reset();
  mailbox_.update([](FleetNews& news) {
    news.warnings.emplace_back("this process stays in the fleet, because all other processes have ended");
  });
  return {};
}

}  // namespace bowerbird
