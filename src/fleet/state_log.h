// Keeps a copy of our committed state in our log on the broker.
//
// Problem: the state of a process is on its own disk. If the machine is lost, other processes need all that
// was committed, and nothing may have left the process that is not in the log: a receiver would have
// confirmed what nobody remembers. So the session waits for accepted() before it sends, confirms or reports
// anything (exchange/session.h). Commits are read from the folder, so that what is missing after a restart,
// or after the broker has lost the end of the log, is appended by the same code. Threads: one; blocks for the
// broker.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/log_record.h"
#include "fleet/member_log.h"
#include "store/folder_copy.h"

namespace bowerbird {

class StateLog {
 public:
  // member: our name. retry: called before a call of the broker is repeated; false: give up.
  StateLog(Bus& bus, MemberLog log, std::string member, std::string folder, std::function<bool()> retry)
      : bus_(bus),
        log_(std::move(log)),
        member_(std::move(member)),
        folder_(std::move(folder)),
        retry_(std::move(retry)) {}

  // Appends all commits up to this one, which must be on disk. kRetry: given up, it may be called again.
  // Other errors: the log is no longer ours, or the folder cannot be read.
  Status append_until(std::uint64_t commit);
  // The last commit in the log.
  std::uint64_t accepted() const { return accepted_; }
  // Of all messages that were appended.
  std::uint64_t bytes() const { return bytes_; }

 private:
  Status open();
  Status append_next();
  Status add(const FolderChange& change);
  Status send(const std::optional<LoggedCommit>& last);
  template <typename Call>
  auto repeat(const Call& call) -> decltype(call());

  Bus& bus_;
  const MemberLog log_;
  const std::string member_;
  const std::string folder_;
  const std::function<bool()> retry_;
  std::unique_ptr<ChangeReader> reader_;  // null: not compared with the log yet
  std::uint64_t last_ = 0;                // sequence of the last message
  LogPiece piece_;                        // being filled
  std::size_t piece_bytes_ = 0;
  std::uint64_t accepted_ = 0;
  bool shorter_ = false;  // the broker has lost the end of the log
  std::uint64_t bytes_ = 0;
};

}  // namespace bowerbird
