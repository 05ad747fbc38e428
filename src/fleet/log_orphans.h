// The orphaned states of lost processes, read from their logs on the broker.
//
// Problem: the disk of a lost process may be lost too, and a process that seems lost may still work. So its
// state is read from its log, even if its folder can be read and is newer: the log has all that has left the
// process. The log is written into a folder below ours, which is read like any crawl folder and removed. A
// claim after the last message that was read keeps the lost process from continuing; if that fails, it works.
// Threads: one.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "fleet/bus.h"
#include "fleet/fleet_options.h"
#include "fleet/member_log.h"
#include "fleet/orphan.h"

namespace bowerbird {

class LogOrphans {
 public:
  LogOrphans(Bus& bus, std::string fleet_id, const FleetOptions& options)
      : bus_(bus), fleet_id_(std::move(fleet_id)), options_(options) {}

  // Whether there is room for its state in memory and on disk. If not, another process may have more.
  Result<bool> is_here(const LostMember& lost);
  // Claims it too.
  Result<ReadOrphan> read(const LostMember& lost);
  // We have claimed it and do not take it over.
  void withdraw(const std::string& name);
  // Why we cannot take over a lost process; empty: we can.
  std::string no_room() const;

 private:
  MemberLog log_of(const LostMember& lost) const {
    return MemberLog::of(options_.names(), fleet_id_, lost.name, lost.id);
  }
  Result<ReadOrphan> read_state(const LostMember& lost, const MemberLog& log, const LogTail& tail);
  bool has_archive(const LostMember& lost, std::uint64_t commit) const;

  struct Claim {
    MemberLog log;
    LogClaim claim;
    std::uint64_t last = 0;  // its sequence
  };

  Bus& bus_;
  const std::string fleet_id_;
  const FleetOptions& options_;
  mutable Mutex mutex_;
  std::map<std::string, Claim> claims_ GUARDED_BY(mutex_);
  std::string no_room_ GUARDED_BY(mutex_);
};

}  // namespace bowerbird
