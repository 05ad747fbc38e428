// The log of one member on the broker: where it is, how it ends, and a folder made from it.
//
// Invariant: every message of a log was appended with the sequence of the one before it, so that of several
// processes only one continues it. The member appends pieces of commits (state_log.h). Whoever takes it over
// appends a claim after the last message that it has read; from then on the member's appends fail. Threads:
// any; blocks for the broker.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/keyed_hash.h"
#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/log_record.h"
#include "fleet/names.h"

namespace bowerbird {

struct MemberLog {
  std::string stream, subject;
  std::string fleet, member;  // ids
  HashKey key = {};

  // id: of the member's folder.
  static MemberLog of(const FleetNames& names, const std::string& fleet, const std::string& member,
                      const std::string& id);
};

struct LogTail {
  std::uint64_t last = 0;              // sequence of the last message; 0: none
  std::uint64_t bytes = 0;             // of the log
  std::optional<LoggedCommit> commit;  // the last one; none: there is none yet
  std::optional<LogClaim> claim;       // after it, and not withdrawn
};
// None: there is no log.
Result<std::optional<LogTail>> read_tail(Bus& bus, const MemberLog& log);

// Appends a message after message `last`, and increases `last`. False: another process has continued the log,
// or it has become shorter. An error (kRetry): no answer; call it again with the same message, which is
// appended once.
Result<bool> append_after(Bus& bus, const MemberLog& log, const std::string& message, std::uint64_t& last);

// Writes a crawl folder with the state at the last commit. The folder must not exist.
Status restore_log(Bus& bus, const MemberLog& log, const LogTail& tail, const std::string& folder);

// Another process has taken over the partitions of this one.
Error taken_over(const std::string& member, const std::string& by);

}  // namespace bowerbird
