// The names of a fleet's stores, streams and subjects on its broker, and the records in its stores.
//
// Store "BB-<fleet>" (permanent): `fleet` with the id of the fleet, `plan` and a copy of it, `control`, and
// for each process `member.<name>` with its state and `commit.<name>` with the number of its last commit.
// Store "BB-<fleet>-lease" (values expire unless renewed): `member.<name>` with the heartbeat of each
// process, and `coordinator`. Store "BB-<fleet>-key" (permanent): `key` of its messages. Stream "BB-<fleet>",
// subjects bb.<fleet>.p.<partition>. Stream "BB-<fleet>-log-<name>", subject bb.<fleet>.log.<name>: the log
// of a process (member_log.h). Not stored: bb.<fleet>.in.<name> (delivered messages), .ok.<name>
// (confirmations), .ask.<name> and .slot.<name> (time slots).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"
#include "base/result.h"
#include "fleet/batch/message.h"

namespace bowerbird {

struct FleetNames {
  std::string fleet;
  HashKey key = {};  // of its messages (seal.h)

  std::string records() const { return "BB-" + fleet; }
  std::string leases() const { return "BB-" + fleet + "-lease"; }
  std::string keys() const { return "BB-" + fleet + "-key"; }
  std::string stream() const { return "BB-" + fleet; }
  std::string log(std::string_view member) const { return "BB-" + fleet + "-log-" + std::string(member); }
  std::string subjects() const { return "bb." + fleet + ".p.*"; }
  std::string partition(std::uint32_t p) const { return "bb." + fleet + ".p." + std::to_string(p); }
  static std::string queue(std::uint32_t p) { return "p" + std::to_string(p); }
  std::string to(std::string_view what, std::string_view member) const {
    return "bb." + fleet + "." + std::string(what) + "." + std::string(member);
  }
  static std::string member(std::string_view name) { return "member." + std::string(name); }
  static std::string commit(std::string_view name) { return "commit." + std::string(name); }
};

inline constexpr char kFleetKey[] = "fleet";
inline constexpr char kPlanKey[] = "plan";
// The same plan, in case the other is overwritten.
inline constexpr char kPlanCopyKey[] = "plan-copy";
inline constexpr char kControlKey[] = "control";
inline constexpr char kCoordinatorKey[] = "coordinator";
inline constexpr std::string_view kMemberPrefix = "member.";
// The sender of a partition to its first owner.
inline constexpr char kOrigin[] = "+origin";

// Whether the text can be a random id (identity.h): 128 bits in hexadecimal digits.
bool is_random_id(std::string_view text);

// The fleet itself; permanent, created once.
struct FleetRecord {
  std::string id;

  std::string to_json() const;
  static Result<FleetRecord> from_json(std::string_view text);
};

// The state of a process; permanent.
struct MemberRecord {
  enum class State : std::uint8_t {
    kIn,         // a member, alive or not
    kLeaving,    // its partitions are to move to others while it lives
    kAbsorbing,  // `by` is taking over its partitions
    kAbsorbed,   // `by` has taken them over
    kLeft,       // it has given away all partitions and ended
  };
  State state = State::kIn;
  // It ended in good order and is expected back; only of a member that is alive or was.
  bool stopped = false;
  bool in_fleet() const { return state == State::kIn || state == State::kLeaving; }
  std::string id;  // of its folder (identity.h)
  std::string folder;
  std::string machine;
  std::string by;
  // Processes that claimed it and ended before they had its state, or that has claimed it now.
  std::vector<std::string> takers;
  // Why it could not be taken over, as reported to the user; given_up: nobody tries again.
  std::string problem;
  bool given_up = false;
  // Only of a process that has left or was taken over.
  Epochs given;  // its partitions at the takeover, with the epochs under which they move
  std::uint64_t pages = 0, bytes = 0;

  std::string to_json() const;
  static Result<MemberRecord> from_json(std::string_view text);
};
std::string_view name_of(MemberRecord::State state);

// The reason for a stop by `fleet stop` or an interrupt of `fleet start`.
inline constexpr std::string_view kAskedToStop = "asked to stop";

// What all processes are to do; permanent.
struct FleetControl {
  bool stop = false;
  bool ended = false;
  std::string reason;
  std::uint64_t round = 0;  // of checking whether any process has work left

  std::string to_json() const;
  static FleetControl from_json(std::string_view text);
};

// What is not in the log on the broker yet.
struct LogLag {
  std::uint64_t commits = 0;  // on disk and not in the log
  double seconds = 0;         // since the oldest of them was on disk
};

// What a process reports with its lease.
struct Heartbeat {
  std::string machine;
  std::string folder;
  std::string place;         // of the folder (identity.h)
  std::uint64_t commit = 0;  // the last one
  std::uint64_t round = 0;
  std::uint64_t time = 0;  // when it was sent, by the clock of its machine; ms since 1970. 0: not known
  bool quiet = false;
  std::uint64_t activity = 0;
  Epochs held;  // by the last commit
  std::uint64_t pages = 0, completed = 0, bytes = 0, queued = 0, known = 0;
  std::uint64_t urls_sent = 0, urls_received = 0, messages_sent = 0, bytes_sent = 0, to_send = 0;
  std::uint64_t requisites = 0;  // pending or to be sent
  double pages_per_second = 0, seconds = 0;
  LogLag lag;
  std::string no_room;  // why it cannot take over a lost process; empty: it can

  std::string to_json() const;
  static Heartbeat from_json(std::string_view text);
};

// The same for all processes on this machine.
std::string machine_name();

}  // namespace bowerbird
