// Takes over the partitions of lost processes.
//
// A member whose lease has been gone for some seconds is lost; longer, if it was stopped and may be
// restarted. A process that can read its folder claims it by the revision of its record, reads the folder in
// another thread, and passes the orphaned state to the crawl. When the crawl has committed it, the record
// says so (close_claims), and the plan gives its partitions to others. A folder that cannot be read is
// retried if the cause is temporary. Other errors are reported once, in the record of the member and as a
// warning. Those that need the user are retried now and then, permanent ones never. A state may be too large
// for its taker, or end it by a bug: it is tried by two processes at most. Threads: one user, the control
// loop's.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "fleet/fleet_options.h"
#include "fleet/mailbox.h"
#include "fleet/members.h"
#include "fleet/orphan.h"

namespace bowerbird {

// How folders are read; tests replace it.
struct OrphanFolders {
  std::function<Result<bool>(const LostMember& lost)> is_here = orphan_is_here;
  std::function<Result<ReadOrphan>(const LostMember& lost)> read = read_orphan;
  // What was read is not taken over.
  std::function<void(const std::string& name)> withdraw = [](const std::string&) {};
};

class Takeover {
 public:
  Takeover(BusStore& records, BusStore& leases, const FleetOptions& options, Mailbox& mailbox,
           OrphanFolders folders = {});
  ~Takeover() { wait(); }
  Takeover(const Takeover&) = delete;
  Takeover& operator=(const Takeover&) = delete;

  // Claims a lost member, if there is one.
  Status look(const Members& members, std::int64_t now_ms);
  // Restarts the waiting time of all missing members: it may be us who lost the connection.
  void forget_missing() {
    missing_since_.clear();
    unresolved_since_.clear();
  }
  // Records whose orphaned state the crawl has committed.
  Status close_claims();
  // Claims that we made before a restart: committed, or to be repeated.
  Status resolve_claims(const Members& members);
  bool busy() const { return busy_; }
  // The crawl has ended: a claim whose orphaned state it has not committed is withdrawn.
  void withdraw();
  // Waits until the folder that is being read is finished.
  void wait();

 private:
  bool due(const std::string& name, std::int64_t now_ms) const;
  bool is_lost(const std::string& name, const FleetMember& one, std::int64_t now_ms);
  bool is_unresolved(const std::string& name, const Members& members, std::int64_t now_ms);
  std::int64_t patience_ms(const std::string& name, const MemberRecord& record) const;
  Status try_to_claim(const std::string& name, const FleetMember& lost, std::int64_t now_ms);
  Status claim(const std::string& name, const FleetMember& lost, std::int64_t now_ms);
  // before, claim: the record before our claim and with it.
  void absorb(const std::string& name, const MemberRecord& before, MemberRecord claim, std::uint64_t revision,
              std::int64_t now_ms);
  Status hand_over(const std::string& name, MemberRecord claim, std::uint64_t revision);
  Status resolve_claims_of(const Members& members, const std::string& who,
                           const std::set<std::string>& absorbed);
  void postpone(const std::string& name, ErrorKind kind, std::int64_t now_ms);
  Status report(const std::string& name, MemberRecord record, std::uint64_t revision, const Error& error);

  BusStore& records_;
  BusStore& leases_;
  const FleetOptions& options_;
  Mailbox& mailbox_;
  OrphanFolders folders_;
  std::map<std::string, std::int64_t> missing_since_;
  std::set<std::string> seen_;                            // members that had a lease since we run
  std::map<std::string, std::int64_t> unresolved_since_;  // claims whose taker has no lease
  std::string claimed_;                                   // the last member that we have claimed
  std::atomic<bool> busy_ = false;  // from a claim until the orphaned state is committed or given up
  mutable Mutex mutex_;
  std::map<std::string, std::int64_t> not_before_ GUARDED_BY(mutex_);  // earliest next attempt
  std::thread reader_;
};

}  // namespace bowerbird
