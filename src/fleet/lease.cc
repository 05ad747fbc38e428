#include "fleet/lease.h"

#include "fleet/fleet_check.h"
#include "fleet/member_log.h"

namespace bowerbird {

namespace {

// The part of the lease's time that we do not rely on: others may see it expire earlier.
constexpr double kMargin = 0.2;
// A broker that has just started may not know its stores yet.
constexpr int kMostWithoutFleet = 5;

Error just_changed() {
  return error(ErrorKind::kRetry, "the lease has just changed");
}

}  // namespace

Status Lease::renew(Heartbeat heartbeat) {
  const std::int64_t begun_ms = clock_.now_us() / 1000;
  heartbeat.machine = options_.machine;
  heartbeat.folder = options_.folder;
  heartbeat.place = place_of(options_.folder);
  Status done = revision_ ? renew_entry(heartbeat.to_json()) : acquire(heartbeat.to_json());
  if (done.ok()) done = note_commit(heartbeat.commit);
  if (!done.ok() && done.error().kind == ErrorKind::kRetry && !held()) {
    if (const Status lost = look_for_fleet(); !lost.ok()) done = lost;
  }
  if (done.ok()) {
    fence_->hold_until(begun_ms + static_cast<std::int64_t>(options_.lease_s * 1000 * (1 - kMargin)));
  } else if (done.error().kind != ErrorKind::kRetry && options_.broken != FleetOptions::Broken::kFencing) {
    fence_->lose(done.error().text);
  }
  return done;
}

Status Lease::renew_entry(const std::string& heartbeat) {
  BB_TRY(revision_, leases_.update(FleetNames::member(options_.member), heartbeat, *revision_));
  return revision_ ? Status() : just_changed();
}

// Whether the broker still has the stores of the fleet, if it answers.
Status Lease::look_for_fleet() {
  const auto fleet = records_.get(kFleetKey);
  without_fleet_ = fleet.ok() && !*fleet ? without_fleet_ + 1 : 0;
  return without_fleet_ >= kMostWithoutFleet ? Status(broker_lost_data(options_)) : Status();
}

// An expired lease may be acquired again as long as nobody has claimed our partitions. Our record is written
// afterwards, so that a claim by a process that had not seen our lease fails.
Status Lease::acquire(const std::string& heartbeat) {
  const std::string key = FleetNames::member(options_.member);
  MemberRecord record;
  record.id = options_.identity.member;
  record.folder = options_.folder;
  record.machine = options_.machine;
  BB_TRY(auto known, records_.get(key));
  if (!known) {
    BB_TRY(const auto fleet, records_.get(kFleetKey));
    if (!fleet) return error(ErrorKind::kRetry, "the broker does not know the fleet");
    if (joined_) return broker_lost_data(options_);
    BB_TRY(const auto made, records_.create(key, record.to_json()));
    if (!made) return just_changed();
    known = BusEntry{record.to_json(), *made};
  }
  BB_TRY(record, MemberRecord::from_json(known->value));
  BB_TRY_VOID(check_identity(record, options_));
  record.folder = options_.folder;
  record.machine = options_.machine;
  record.problem.clear();
  record.given_up = false;
  record.takers.clear();
  record.stopped = false;
  if (record.state == MemberRecord::State::kLeft) record.state = MemberRecord::State::kIn;
  BB_TRY_VOID(take_entry(heartbeat));
  if (!joined_ && options_.on_joined) BB_TRY_VOID(options_.on_joined());
  joined_ = true;
  const auto written = records_.update(key, record.to_json(), known->revision);
  if (written.ok() && *written) return {};
  revision_.reset();
  return written.ok() ? just_changed() : Status(written.error());
}

Status Lease::take_entry(const std::string& heartbeat) {
  const std::string key = FleetNames::member(options_.member);
  BB_TRY(const auto held, leases_.get(key));
  if (!held) {
    BB_TRY(revision_, leases_.create(key, heartbeat));
    return revision_ ? Status() : just_changed();
  }
  const Heartbeat other = Heartbeat::from_json(held->value);
  if (other.place == Heartbeat::from_json(heartbeat).place) {
    BB_TRY(revision_, leases_.update(key, heartbeat, held->revision));
    return revision_ ? Status() : just_changed();
  }
  const bool renewed = foreign_ != 0 && foreign_ != held->revision;
  foreign_ = held->revision;
  if (renewed) {
    return error(ErrorKind::kNeedsUser,
                 "another process named {} is running with a copy of this folder ({} on {}): only one of "
                 "them may continue",
                 options_.member, other.folder, other.machine);
  }
  return error(ErrorKind::kRetry, "waiting until an earlier lease expires");
}

Status Lease::note_commit(std::uint64_t commit) {
  if (commit <= noted_commit_) return {};
  BB_TRY_VOID(records_.put(FleetNames::commit(options_.member), std::to_string(commit)));
  noted_commit_ = commit;
  return {};
}

void Lease::release(std::uint64_t commit) {
  if (revision_) {
    static_cast<void>(note_commit(commit).ok());
    static_cast<void>(leases_.remove(FleetNames::member(options_.member)).ok());
  }
  revision_.reset();
  fence_->hold_until(0);
}

Status Lease::check_identity(const MemberRecord& record, const FleetOptions& options) {
  if (record.id != options.identity.member) {
    return error(ErrorKind::kNeedsUser,
                 "the fleet {} already has a process named {}, with the folder {} on {}: give this process "
                 "another --member, or, if it belongs to another crawl, another --fleet-name",
                 options.fleet, options.member, record.folder, record.machine);
  }
  if (record.state == MemberRecord::State::kAbsorbing || record.state == MemberRecord::State::kAbsorbed) {
    return taken_over(options.member, record.by);
  }
  return {};
}

}  // namespace bowerbird
