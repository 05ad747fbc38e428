#include "fleet/lease.h"

#include <filesystem>

namespace bowerbird {

namespace {

// The part of the lease's time that we do not rely on: others may see it expire earlier.
constexpr double kMargin = 0.2;

Error just_changed() {
  return error(ErrorKind::kRetry, "the lease has just changed");
}

}  // namespace

Status Lease::renew(Heartbeat heartbeat) {
  const std::int64_t begun_ms = clock_.now_us() / 1000;
  heartbeat.machine = options_.machine;
  heartbeat.folder = options_.folder;
  const Status done = revision_ ? renew_entry(heartbeat.to_json()) : acquire(heartbeat.to_json());
  if (done.ok()) {
    until_ms_ = begun_ms + static_cast<std::int64_t>(options_.lease_s * 1000 * (1 - kMargin));
  } else if (done.error().kind != ErrorKind::kRetry) {
    until_ms_ = 0;
  }
  return done;
}

Status Lease::renew_entry(const std::string& heartbeat) {
  BB_TRY(revision_, leases_.update(FleetNames::member(options_.member), heartbeat, *revision_));
  return revision_ ? Status() : just_changed();
}

// An expired lease may be acquired again as long as nobody has claimed our partitions. Our record is written
// afterwards, so that a claim by a process that had not seen our lease fails.
Status Lease::acquire(const std::string& heartbeat) {
  const std::string key = FleetNames::member(options_.member);
  MemberRecord record;
  record.folder = options_.folder;
  record.machine = options_.machine;
  BB_TRY(auto known, records_.get(key));
  if (!known) {
    BB_TRY(const auto made, records_.create(key, record.to_json()));
    if (!made) return just_changed();
    known = BusEntry{record.to_json(), *made};
  }
  BB_TRY(record, MemberRecord::from_json(known->value));
  BB_TRY_VOID(check_identity(record, options_));
  record.folder = options_.folder;
  record.problem.clear();
  record.given_up = false;
  if (record.state == MemberRecord::State::kLeft) record.state = MemberRecord::State::kIn;
  // An earlier process of this folder is dead, because we have its lock.
  BB_TRY(const auto held, leases_.get(key));
  if (held) {
    BB_TRY(revision_, leases_.update(key, heartbeat, held->revision));
  } else {
    BB_TRY(revision_, leases_.create(key, heartbeat));
  }
  if (!revision_) return just_changed();
  const auto written = records_.update(key, record.to_json(), known->revision);
  if (written.ok() && *written) return {};
  revision_.reset();
  return written.ok() ? just_changed() : Status(written.error());
}

void Lease::release() {
  if (revision_) static_cast<void>(leases_.remove(FleetNames::member(options_.member)).ok());
  revision_.reset();
  until_ms_ = 0;
}

Status Lease::check_identity(const MemberRecord& record, const FleetOptions& options) {
  // A folder may be moved with its contents.
  std::error_code failed;
  const bool there = std::filesystem::exists(record.folder, failed) || failed;
  const bool moved = record.machine == options.machine && !there;
  if (!moved && (record.folder != options.folder || record.machine != options.machine)) {
    return error(ErrorKind::kNeedsUser,
                 "the fleet {} already has a process named {}, with the folder {} on {}: give this process "
                 "another --member, or, if it belongs to another crawl, another --fleet-name",
                 options.fleet, options.member, record.folder, record.machine);
  }
  if (record.state == MemberRecord::State::kAbsorbing || record.state == MemberRecord::State::kAbsorbed) {
    return error(
        ErrorKind::kNeedsUser,
        "{}: {} has taken over the partitions of this process, which was silent for too long. Its committed "
        "work is kept for `fleet merge`. To continue, start a process with another --member and --out",
        options.member, record.by);
  }
  return {};
}

}  // namespace bowerbird
