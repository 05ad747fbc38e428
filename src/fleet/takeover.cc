#include "fleet/takeover.h"

#include <fmt/ranges.h>

#include <utility>

#include "fleet/fleet_check.h"

namespace bowerbird {

namespace {

// A process whose lease is gone may acquire it again within this time.
constexpr std::int64_t kMissingMs = 3000;
// The same for a process that we have never seen: all may have been down, and start one after the other.
constexpr std::int64_t kUnseenMs = 30'000;
// For a claim whose taker is lost: if its folder can be read, others take it over earlier and know.
constexpr std::int64_t kUnresolvedMs = 30'000;
// When to try again to read a folder.
constexpr std::int64_t kRetryMs = 5000;
constexpr std::int64_t kAfterUserMs = 60'000;
constexpr std::size_t kMostTakers = 2;

Error too_many_takers(const std::vector<std::string>& takers) {
  return error(
      "{} ended during the takeover: the state may be damaged, or may need more memory than they have",
      fmt::join(takers, " and "));
}

}  // namespace

Takeover::Takeover(BusStore& records, BusStore& leases, const FleetOptions& options, Mailbox& mailbox,
                   OrphanFolders folders)
    : records_(records),
      leases_(leases),
      options_(options),
      mailbox_(mailbox),
      folders_(std::move(folders)) {}

void Takeover::wait() {
  if (reader_.joinable()) reader_.join();
}

bool Takeover::due(const std::string& name, std::int64_t now_ms) const {
  const MutexLock lock(mutex_);
  const auto found = not_before_.find(name);
  return found == not_before_.end() || found->second <= now_ms;
}

Status Takeover::look(const Members& members, std::int64_t now_ms) {
  for (const auto& [name, one] : members) {
    const bool lost = is_lost(name, one, now_ms);
    const bool unresolved = is_unresolved(name, members, now_ms);
    if ((lost || unresolved) && !busy_ && !one.record->given_up && due(name, now_ms))
      BB_TRY_VOID(try_to_claim(name, one, now_ms));
  }
  return {};
}

bool Takeover::is_lost(const std::string& name, const FleetMember& one, std::int64_t now_ms) {
  if (one.heartbeat) seen_.insert(name);
  if (one.heartbeat || !one.record || !one.record->in_fleet() || name == options_.member) {
    missing_since_.erase(name);
    return false;
  }
  const auto [since, fresh] = missing_since_.try_emplace(name, now_ms);
  return now_ms - since->second >= patience_ms(name, *one.record);
}

std::int64_t Takeover::patience_ms(const std::string& name, const MemberRecord& record) const {
  if (record.stopped) return static_cast<std::int64_t>(options_.restart_within_s * 1000);
  return seen_.contains(name) ? kMissingMs : kUnseenMs;
}

// A claim by a process that is lost itself, and that nobody can take over: whether it had committed is
// unknown. It is safe to read the state again. The messages are those that it may have sent, with the same
// numbers.
bool Takeover::is_unresolved(const std::string& name, const Members& members, std::int64_t now_ms) {
  const auto& record = members.at(name).record;
  const auto is_claim = [](const std::optional<MemberRecord>& one) {
    return one && one->state == MemberRecord::State::kAbsorbing;
  };
  bool waits = is_claim(record) && record->by != options_.member && name != options_.member;
  if (waits) {
    const auto by = members.find(record->by);
    waits = by == members.end() || (!by->second.heartbeat && !is_claim(by->second.record));
  }
  if (!waits) {
    unresolved_since_.erase(name);
    return false;
  }
  const auto [since, fresh] = unresolved_since_.try_emplace(name, now_ms);
  return now_ms - since->second >= kUnresolvedMs;
}

Status Takeover::try_to_claim(const std::string& name, const FleetMember& lost, std::int64_t now_ms) {
  if (lost.record->takers.size() >= kMostTakers)
    return report(name, *lost.record, lost.revision, too_many_takers(lost.record->takers));
  const auto here = folders_.is_here({name, lost.record->id, lost.record->folder, 0});
  if (!here.ok()) {
    postpone(name, here.error().kind, now_ms);
    return report(name, *lost.record, lost.revision, here.error());
  }
  return *here ? claim(name, lost, now_ms) : Status();
}

Status Takeover::claim(const std::string& name, const FleetMember& lost, std::int64_t now_ms) {
  MemberRecord claim = *lost.record;
  claim.state = MemberRecord::State::kAbsorbing;
  claim.by = options_.member;
  claim.takers.push_back(options_.member);
  BB_TRY(const auto claimed, records_.update(FleetNames::member(name), claim.to_json(), lost.revision));
  if (!claimed) return {};  // another process was faster
  wait();
  busy_ = true;
  claimed_ = name;
  reader_ = std::thread([this, name, before = *lost.record, claim, revision = *claimed, now_ms] {
    absorb(name, before, claim, revision, now_ms);
  });
  return {};
}

// Runs in the reading thread. After an error the record is restored to its state before the claim, so that
// others may try.
void Takeover::absorb(const std::string& name, const MemberRecord& before, MemberRecord claim,
                      std::uint64_t revision, std::int64_t now_ms) {
  if (const Status done = hand_over(name, std::move(claim), revision); !done.ok()) {
    postpone(name, done.error().kind, now_ms);
    folders_.withdraw(name);
    const auto undone = records_.update(FleetNames::member(name), before.to_json(), revision);
    if (undone.ok() && *undone) static_cast<void>(report(name, before, **undone, done.error()).ok());
    busy_ = false;
  }
}

Status Takeover::hand_over(const std::string& name, MemberRecord claim, std::uint64_t revision) {
  BB_TRY(const std::uint64_t commit, known_commit(records_, name));
  BB_TRY(ReadOrphan found, folders_.read({name, claim.id, claim.folder, commit}));
  BB_TRY(const Members members, read_members(records_, leases_));
  BB_TRY_VOID(resolve_claims_of(members, name, found.absorbed));
  // The coordinator reads this record once the orphaned state is committed here.
  claim.problem.clear();
  claim.given = found.given;
  claim.pages = found.counts.pages;
  claim.bytes = found.counts.bytes;
  BB_TRY(const auto written, records_.update(FleetNames::member(name), claim.to_json(), revision));
  if (!written) return error(ErrorKind::kRetry, "the record of {} has just changed", name);
  mailbox_.update([&](FleetNews& news) { news.orphans.push_back(std::move(found.orphan)); });
  return {};
}

void Takeover::withdraw() {
  wait();
  if (!busy_ || !close_claims().ok() || !busy_) return;
  const auto entry = records_.get(FleetNames::member(claimed_));
  if (!entry.ok() || !*entry) return;
  auto record = MemberRecord::from_json((*entry)->value);
  if (!record.ok() || record->state != MemberRecord::State::kAbsorbing || record->by != options_.member)
    return;
  folders_.withdraw(claimed_);
  record->state = MemberRecord::State::kIn;
  record->by.clear();
  record->given.clear();
  std::erase(record->takers, options_.member);
  static_cast<void>(
      records_.update(FleetNames::member(claimed_), record->to_json(), (*entry)->revision).ok());
  busy_ = false;
}

void Takeover::postpone(const std::string& name, ErrorKind kind, std::int64_t now_ms) {
  const MutexLock lock(mutex_);
  not_before_[name] = now_ms + (kind == ErrorKind::kRetry ? kRetryMs : kAfterUserMs);
}

Status Takeover::report(const std::string& name, MemberRecord record, std::uint64_t revision,
                        const Error& error) {
  if (error.kind == ErrorKind::kRetry || record.problem == error.text) return {};
  record.problem = error.text;
  record.given_up = error.kind == ErrorKind::kPermanent;
  BB_TRY(const auto written, records_.update(FleetNames::member(name), record.to_json(), revision));
  if (!written) return {};  // another process has changed it
  mailbox_.update([&](FleetNews& news) {
    news.warnings.push_back(
        fmt::format("the process {} is lost and cannot be taken over: {}. Its pages wait until it is "
                    "restarted; if its folder is damaged, restore it from a copy first",
                    name, error.text));
  });
  return {};
}

// For each claim of `who`: it has committed it, or it has not.
Status Takeover::resolve_claims_of(const Members& members, const std::string& who,
                                   const std::set<std::string>& absorbed) {
  for (const auto& [name, one] : members) {
    if (!one.record || one.record->state != MemberRecord::State::kAbsorbing || one.record->by != who) {
      continue;
    }
    MemberRecord record = *one.record;
    record.state = absorbed.contains(name) ? MemberRecord::State::kAbsorbed : MemberRecord::State::kIn;
    BB_TRY_VOID(records_.update(FleetNames::member(name), record.to_json(), one.revision));
  }
  return {};
}

Status Takeover::resolve_claims(const Members& members) {
  if (busy_) return {};
  const auto report = mailbox_.last_report();
  return report ? resolve_claims_of(members, options_.member, report->absorbed) : Status();
}

Status Takeover::close_claims() {
  for (const std::string& name : mailbox_.absorbed()) {
    BB_TRY(const auto entry, records_.get(FleetNames::member(name)));
    if (entry) {
      BB_TRY(MemberRecord record, MemberRecord::from_json(entry->value));
      record.state = MemberRecord::State::kAbsorbed;
      record.by = options_.member;
      BB_TRY(const auto written,
             records_.update(FleetNames::member(name), record.to_json(), entry->revision));
      if (!written) continue;
    }
    mailbox_.close(name);
    busy_ = false;
  }
  return {};
}

}  // namespace bowerbird
