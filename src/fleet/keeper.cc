// What the keeper of a process does, a few times a second: reads the plan and what everybody is to do, looks
// after the queues and after those who are not heard of; where it leads, it makes the plan. The lease is
// renewed by a thread of its own: a busy engine answers slowly, and the keeper has many questions.
#include <algorithm>
#include <chrono>
#include <filesystem>

#include "fleet/clock_ms.h"
#include "fleet/member.h"
#include "fleet/takeover.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kTickMs = 300;
constexpr std::int64_t kRenewMs = 900;
constexpr std::int64_t kLookMs = 1000;
constexpr std::int64_t kWatchMs = 10'000;
constexpr std::size_t kQueuesAtOnce = 32;
// From here on a budget is looked at more often.
constexpr std::uint64_t kFewPages = 20'000;
// A process whose lease is gone has so long to take it up again.
constexpr std::int64_t kMissingMs = 3000;
// So much of a lease is not relied on.
constexpr double kMargin = 0.2;

}  // namespace

void FleetMember::keep() {
  std::unique_lock lock(mutex_);
  while (!finished_ && news_.lost.empty()) {
    lock.unlock();
    tick();
    lock.lock();
    changed_.wait_for(lock, std::chrono::milliseconds(kTickMs), [this] { return finished_; });
  }
}

// An engine that does not answer is asked again at the next tick.
void FleetMember::tick() {
  const std::int64_t now = now_ms();
  if (!may_work()) {
    // Who cannot be heard by us may well be heard by others.
    missing_since_.clear();
    return;
  }
  if (!close_claims().ok() || !read_control().ok() || !read_plan().ok()) return;
  if (now - looked_ms_ >= kLookMs || ((leadership_ || hurried_) && now - led_ms_ >= kTickMs)) {
    const auto roster = read_roster(*kept_, *leases_);
    if (!roster.ok()) return;
    if (const auto own = roster->find(options_.member); own != roster->end() && own->second.record) {
      leaving_ = own->second.record->state == MemberRecord::State::kLeaving;
    }
    share_budget(*roster);
    static_cast<void>(lead(*roster, now).ok());
    if (now - looked_ms_ >= kLookMs) {
      looked_ms_ = now;
      static_cast<void>(settle_claims(*roster).ok());
      static_cast<void>(look_for_orphans(*roster, now).ok());
    }
  }
  if (now - watched_ms_ >= kWatchMs) {
    watched_ms_ = now;
    static_cast<void>(watch_queues().ok());
  }
}

// ---- the lease

LifeSign FleetMember::life_sign() {
  const std::lock_guard lock(mutex_);
  LifeSign sign;
  sign.machine = machine_;
  sign.folder = options_.folder;
  sign.round = control_.round;
  if (!report_) return sign;
  sign.quiet = report_->quiet && news_.messages.empty();
  sign.activity = report_->activity;
  sign.held = report_->held;
  sign.pages = report_->status.counts.pages;
  sign.completed = report_->status.counts.completed;
  sign.bytes = report_->status.counts.bytes;
  sign.queued = report_->status.queued;
  sign.known = report_->status.known;
  sign.urls_sent = report_->exchange.urls_sent;
  sign.urls_received = report_->exchange.urls_received;
  sign.messages_sent = report_->exchange.messages_sent;
  sign.bytes_sent = report_->exchange.bytes_sent;
  sign.to_send = report_->to_send;
  sign.pages_per_second = report_->status.pages_per_second;
  sign.seconds = report_->status.seconds;
  return sign;
}

void FleetMember::lose(std::string why) {
  tell([&](FleetNews& news) {
    news.lost = std::move(why);
    lease_until_ms_ = 0;
  });
}

void FleetMember::hold_lease() {
  std::unique_lock lock(mutex_);
  while (!finished_ && news_.lost.empty()) {
    lock.unlock();
    const std::int64_t begun = now_ms();
    const bool renewed = renew();
    lock.lock();
    if (renewed && news_.lost.empty()) {
      lease_until_ms_ = begun + static_cast<std::int64_t>(options_.lease_s * 1000 * (1 - kMargin));
    }
    changed_.wait_for(lock, std::chrono::milliseconds(renewed && !hurried_ ? kRenewMs : kTickMs),
                      [this] { return finished_; });
  }
}

bool FleetMember::renew() {
  if (!lease_) return acquire().ok() && lease_.has_value();
  const auto renewed = leases_->update(FleetNames::member(options_.member), life_sign().to_json(), *lease_);
  if (!renewed.ok()) return false;
  lease_ = *renewed;
  return lease_.has_value();
}

// Whether that is what the fleet knows of us.
Status FleetMember::may_be(const MemberRecord& record) const {
  // A folder may be moved, with all that is in it.
  std::error_code failed;
  const bool there = std::filesystem::exists(record.folder, failed) || failed;
  const bool moved = record.machine == machine_ && !there;
  if (!moved && (record.folder != options_.folder || record.machine != machine_)) {
    return error(
        "the fleet {} has another process called {}, with the folder {} on {}: give this one another "
        "--member, "
        "or, if it is of another crawl, another --fleet-name",
        options_.fleet, options_.member, record.folder, record.machine);
  }
  if (record.state == MemberRecord::State::kAbsorbing || record.state == MemberRecord::State::kAbsorbed) {
    return error(
        "{}: {} has taken over the part of this process, which was not heard of for too long. What it had "
        "committed counts and is merged with the rest; begin anew with another --member and --out",
        options_.member, record.by);
  }
  return {};
}

// A lease that was lost may be taken up again as long as nobody has claimed what we hold. Our record is
// written anew after that: a claim by one who did not see our lease yet comes too late then.
Status FleetMember::acquire() {
  const std::string key = FleetNames::member(options_.member);
  MemberRecord record;
  record.folder = options_.folder;
  record.machine = machine_;
  BB_TRY(auto known, kept_->get(key));
  if (!known) {
    BB_TRY(const auto made, kept_->create(key, record.to_json()));
    if (!made) return {};
    known = BusEntry{record.to_json(), *made};
  }
  BB_TRY(record, MemberRecord::from_json(known->value));
  if (const Status good = may_be(record); !good.ok()) {
    lose(good.error().text);
    return {};
  }
  record.folder = options_.folder;
  if (record.state == MemberRecord::State::kLeft) record.state = MemberRecord::State::kIn;
  // An earlier process of this folder is dead: we have its lock.
  BB_TRY(const auto held, leases_->get(key));
  const std::string sign = life_sign().to_json();
  if (held) {
    BB_TRY(lease_, leases_->update(key, sign, held->revision));
  } else {
    BB_TRY(lease_, leases_->create(key, sign));
  }
  if (!lease_) return {};
  const auto said = kept_->update(key, record.to_json(), known->revision);
  if (!said.ok() || !*said) lease_.reset();
  return said.ok() ? Status() : Status(said.error());
}

// ---- what everybody is to do

Status FleetMember::read_control() {
  BB_TRY(const auto entry, kept_->get(kControlKey));
  const FleetControl control = entry ? FleetControl::from_json(entry->value) : FleetControl();
  {
    const std::lock_guard lock(mutex_);
    control_ = control;
    gone_ = leaving_ && !absorbing_ && report_ && report_->held.empty() && report_->to_send == 0 &&
            plan_revision_ > 0 && std::find(mine_.begin(), mine_.end(), true) == mine_.end();
  }
  if (control.stop || control.ended || gone_) {
    tell([&](FleetNews& news) {
      news.stop = control.stop || gone_;
      news.ended = control.ended;
    });
  }
  return {};
}

Status FleetMember::read_plan() {
  BB_TRY(const auto entry, kept_->get(kPlanKey));
  if (!entry || entry->revision == plan_revision_) return {};
  BB_TRY(FleetPlan plan, FleetPlan::from_json(entry->value));
  const CoordinatorOptions& ours = options_.coordinator;
  if (const Status fits = plan.accepts(ours.partitions, ours.settings); !fits.ok()) {
    lose(fits.error().text);
    return {};
  }
  const std::vector<bool> mine = plan.of(options_.member);
  mine_.resize(mine.size());
  // The crawl hears of it before what comes with it, which it would send back otherwise.
  tell([&](FleetNews& news) { news.plan = {mine, plan.epochs}; });
  std::vector<std::uint32_t> fresh;
  for (std::uint32_t p = 0; p < mine.size(); ++p) {
    if (mine[p] && !mine_[p]) {
      fresh.push_back(p);
    } else {
      mine_[p] = mine[p];
    }
  }
  if (!take_queues(fresh)) return {};
  plan_revision_ = entry->revision;
  {
    const std::lock_guard lock(mutex_);
    plan_ = std::move(plan);
  }
  return {};
}

std::vector<BusQueue> FleetMember::queues_of(std::span<const std::uint32_t> partitions) const {
  std::vector<BusQueue> queues;
  for (const std::uint32_t p : partitions) queues.push_back({FleetNames::queue(p), names_.partition(p)});
  return queues;
}

// The messages of these partitions are to come to us; false if not all of them do yet.
bool FleetMember::take_queues(std::span<const std::uint32_t> partitions) {
  bool all = true;
  while (!partitions.empty()) {
    if (!may_work()) return false;  // this may take a while
    const auto some = partitions.first(std::min(kQueuesAtOnce, partitions.size()));
    partitions = partitions.subspan(some.size());
    const auto taken = bus_->take_over(names_.stream(), queues_of(some), names_.to("in", options_.member));
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (taken[i]) mine_[some[i]] = true;
      all = all && taken[i];
    }
  }
  return all;
}

// A queue that is gone, goes elsewhere, or has messages waiting and delivers none, is made anew.
Status FleetMember::watch_queues() {
  std::vector<std::uint32_t> ours, anew;
  for (std::uint32_t p = 0; p < mine_.size(); ++p) {
    if (mine_[p]) ours.push_back(p);
  }
  BB_TRY(const auto infos, bus_->look_at(names_.stream(), queues_of(ours)));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto& info = infos[i];
    const auto seen = seen_queues_.find(ours[i]);
    const bool stalled = info && info->waiting > 0 && seen != seen_queues_.end() &&
                         seen->second.waiting > 0 && seen->second.delivered == info->delivered;
    if (!info || info->to != names_.to("in", options_.member) || stalled) anew.push_back(ours[i]);
    if (info) seen_queues_[ours[i]] = *info;
  }
  static_cast<void>(take_queues(anew));  // what fails is seen at the next look
  return {};
}

// What is left of the budget is for all: each takes half of its part at a time, as reports are late.
void FleetMember::share_budget(const Roster& roster) {
  static_cast<void>(coordinator_->watch_budgets(roster).ok());
  if (options_.coordinator.pages == 0) return;
  std::size_t active = 0;
  std::uint64_t told = 0;  // of our pages
  for (const auto& [name, one] : roster) {
    if (!one.sign) continue;
    active += !one.sign->quiet || name == options_.member ? 1 : 0;
    if (name == options_.member) told = one.sign->pages;
  }
  std::uint64_t ours = 0;
  {
    const std::lock_guard lock(mutex_);
    if (report_) ours = std::max(told, report_->status.counts.pages);
  }
  const std::uint64_t left =
      coordinator_->pages_left() - std::min(coordinator_->pages_left(), ours - std::min(ours, told));
  const std::uint64_t part = left / (2 * std::max<std::size_t>(1, active));
  hurried_ = left < kFewPages;
  tell([&](FleetNews& news) { news.page_limit = ours + (left > 0 ? std::max<std::uint64_t>(1, part) : 0); });
}

Status FleetMember::lead(const Roster& roster, std::int64_t now) {
  if (!leadership_) {
    // It may be ours without our knowing: what was said in time may be answered too late.
    BB_TRY(const auto entry, leases_->get(kCoordinatorKey));
    if (entry && entry->value != options_.member) return {};
    if (entry) leadership_ = entry->revision;
  }
  if (leadership_) {
    BB_TRY(leadership_, leases_->update(kCoordinatorKey, options_.member, *leadership_));
  } else {
    BB_TRY(leadership_, leases_->create(kCoordinatorKey, options_.member));
  }
  if (!leadership_) return {};
  led_ms_ = now;
  return coordinator_->work(roster, now);
}

// ---- those who are not heard of

Status FleetMember::look_for_orphans(const Roster& roster, std::int64_t now) {
  for (const auto& [name, one] : roster) {
    if (one.sign || !one.record || !one.record->in_fleet() || name == options_.member) {
      missing_since_.erase(name);
      continue;
    }
    const auto [since, fresh] = missing_since_.try_emplace(name, now);
    if (fresh || now - since->second < kMissingMs || absorbing_ || leaving_ || control_.stop ||
        control_.ended) {
      continue;
    }
    if (!can_read_orphan(one.record->folder, name)) continue;
    MemberRecord claim = *one.record;
    claim.state = MemberRecord::State::kAbsorbing;
    claim.by = options_.member;
    BB_TRY(const auto claimed, kept_->update(FleetNames::member(name), claim.to_json(), one.revision));
    if (!claimed) continue;
    if (absorber_.joinable()) absorber_.join();
    absorbing_ = true;
    absorber_ = std::thread(
        [this, name = name, record = *one.record, revision = *claimed] { absorb(name, record, revision); });
  }
  return {};
}

void FleetMember::absorb(const std::string& name, const MemberRecord& record, std::uint64_t revision) {
  auto found = read_orphan(record.folder, name);
  const auto roster = read_roster(*kept_, *leases_);
  if (!found.ok() || !roster.ok() || !settle_claims_of(*roster, name, found->absorbed).ok()) {
    // Somebody else may have more luck, or we later.
    static_cast<void>(kept_->update(FleetNames::member(name), record.to_json(), revision).ok());
    absorbing_ = false;
    return;
  }
  // The plan goes by what is said here, once the orphan is safe with us.
  MemberRecord claim = record;
  claim.state = MemberRecord::State::kAbsorbing;
  claim.by = options_.member;
  claim.given = found->given;
  claim.pages = found->counts.pages;
  claim.bytes = found->counts.bytes;
  const auto said = kept_->update(FleetNames::member(name), claim.to_json(), revision);
  if (!said.ok() || !*said) {
    absorbing_ = false;
    return;
  }
  tell([&](FleetNews& news) { news.orphans.push_back(std::move(found->orphan)); });
}

// What `who` was about to absorb it has, or it has not.
Status FleetMember::settle_claims_of(const Roster& roster, const std::string& who,
                                     const std::set<std::string>& absorbed) {
  for (const auto& [name, one] : roster) {
    if (!one.record || one.record->state != MemberRecord::State::kAbsorbing || one.record->by != who) {
      continue;
    }
    MemberRecord record = *one.record;
    record.state = absorbed.contains(name) ? MemberRecord::State::kAbsorbed : MemberRecord::State::kIn;
    BB_TRY_VOID(kept_->update(FleetNames::member(name), record.to_json(), one.revision));
  }
  return {};
}

// A claim that we made before we were started again: committed, or to be made anew.
Status FleetMember::settle_claims(const Roster& roster) {
  if (absorbing_) return {};
  std::set<std::string> ours;
  {
    const std::lock_guard lock(mutex_);
    if (!report_) return {};
    ours = report_->absorbed;
  }
  return settle_claims_of(roster, options_.member, ours);
}

// Says whose orphan is safe with us.
Status FleetMember::close_claims() {
  std::vector<std::string> names;
  {
    const std::lock_guard lock(mutex_);
    names = absorbed_;
  }
  for (const std::string& name : names) {
    BB_TRY(const auto entry, kept_->get(FleetNames::member(name)));
    if (entry) {
      BB_TRY(MemberRecord record, MemberRecord::from_json(entry->value));
      record.state = MemberRecord::State::kAbsorbed;
      record.by = options_.member;
      BB_TRY(const auto said, kept_->update(FleetNames::member(name), record.to_json(), entry->revision));
      if (!said) continue;
    }
    const std::lock_guard lock(mutex_);
    std::erase(absorbed_, name);
    absorbing_ = false;
  }
  return {};
}

}  // namespace bowerbird
