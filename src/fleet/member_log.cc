#include "fleet/member_log.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fleet/identity.h"
#include "store/folder_copy.h"

namespace bowerbird {

namespace {

// Messages requested at once, each of about kPieceBytes at most.
constexpr std::size_t kReadAtOnce = 32;

bool is_of(const LogRecord& record, const MemberLog& log) {
  return record.fleet == log.fleet && record.member == log.member;
}

// Writes the pieces of a log, in order, into a folder.
class LogReplay {
 public:
  explicit LogReplay(FolderCopy& copy) : copy_(copy) {}

  // A commit whose process ended while it was appended begins again.
  Status add(LogPiece piece) {
    if (piece.number == 0) {
      BB_TRY_VOID(copy_.drop_commit());
      for (std::string& one : pending_) one.clear();
    } else if (piece.number != next_ || piece.commit != commit_) {
      return damaged();
    }
    if (piece.commit != done_ + 1) return damaged();
    commit_ = piece.commit;
    next_ = piece.number + 1;
    for (LogPart& part : piece.parts) BB_TRY_VOID(add(std::move(part)));
    if (!piece.last) return {};
    copy_.end_commit();
    done_ = piece.commit;
    return {};
  }
  std::uint64_t done() const { return done_; }
  static Error damaged() { return error("its log on the broker is damaged"); }

 private:
  Status add(LogPart part) {
    if (part.file == CopiedFile::kJournal) return copy_.add_journal(part.bytes);
    std::string& pending = pending_[static_cast<std::size_t>(part.file)];
    if (pending.size() + part.bytes.size() > kLargestBlock) return damaged();
    pending += part.bytes;
    if (part.records == 0) return {};
    return copy_.add_block(part.file, {std::exchange(pending, {}), 0, part.records});
  }

  FolderCopy& copy_;
  std::array<std::string, 1 + kCopiedLogs> pending_;  // parts of a block, by file
  std::uint64_t done_ = 0, commit_ = 0, next_ = 0;
};

}  // namespace

MemberLog MemberLog::of(const FleetNames& names, const std::string& fleet, const std::string& member,
                        const std::string& id) {
  return {names.log(member), names.to("log", member), fleet, id, names.key};
}

// From the end backwards, because a log may be long.
Result<std::optional<LogTail>> read_tail(Bus& bus, const MemberLog& log) {
  BB_TRY(const std::optional<LogEnd> end, bus.end_of_log(log.stream));
  if (!end) return std::optional<LogTail>();
  LogTail tail;
  tail.last = end->last;
  tail.bytes = end->bytes;
  bool newest = true;
  for (std::uint64_t at = end->last; at > 0 && at >= end->first;) {
    BB_TRY(const std::vector<LogMessage> read, bus.read_log(log.stream, at, 1));
    const auto record = read.empty() ? std::nullopt : read_log_head(read.front().data, log.key);
    if (!record || !is_of(*record, log)) {
      --at;
      continue;
    }
    if (const auto* const claim = std::get_if<LogClaim>(&record->content)) {
      if (newest && !claim->withdrawn) tail.claim = *claim;
      newest = false;
      --at;
      continue;
    }
    newest = false;
    const auto& piece = std::get<LogPiece>(record->content);
    if (piece.last) {
      tail.commit = piece.last;
      break;
    }
    --at;
  }
  return std::optional(std::move(tail));
}

// Messages that are not of this fleet are skipped.
Result<bool> append_after(Bus& bus, const MemberLog& log, const std::string& message, std::uint64_t& last) {
  for (;;) {
    const AppendResult result = bus.append(log.stream, log.subject, message, last);
    if (result == AppendResult::kAccepted) {
      ++last;
      return true;
    }
    BB_TRY(const std::vector<LogMessage> next, bus.read_log(log.stream, last + 1, 1));
    if (next.empty()) {
      if (result == AppendResult::kConflict) return false;
      return error(ErrorKind::kRetry, "the broker does not answer (log)");
    }
    if (next.front().data == message) {
      ++last;
      return true;
    }
    const auto record = read_log_head(next.front().data, log.key);
    if (record && is_of(*record, log)) return false;
    ++last;
  }
}

Status restore_log(Bus& bus, const MemberLog& log, const LogTail& tail, const std::string& folder) {
  if (!tail.commit) return error("its log on the broker is empty");
  BB_TRY(const std::unique_ptr<FolderCopy> copy, FolderCopy::create(Disk::real(), folder));
  LogReplay replay(*copy);
  for (std::uint64_t at = 1; at <= tail.last; at += kReadAtOnce) {
    BB_TRY(const std::vector<LogMessage> messages,
           bus.read_log(log.stream, at,
                        static_cast<std::size_t>(std::min<std::uint64_t>(kReadAtOnce, tail.last + 1 - at))));
    for (const LogMessage& one : messages) {
      auto record = read_log_record(one.data, log.key);
      if (!record || !is_of(*record, log)) continue;
      if (auto* const piece = std::get_if<LogPiece>(&record->content))
        BB_TRY_VOID(replay.add(std::move(*piece)));
    }
  }
  if (replay.done() != tail.commit->position.commit) return LogReplay::damaged();
  BB_TRY_VOID(copy->finish());
  return write_identity(folder, {log.fleet, log.member, true});
}

Error taken_over(const std::string& member, const std::string& by) {
  return error(
      ErrorKind::kNeedsUser,
      "{}: {} has taken over the partitions of this process, which was silent for too long. Its committed "
      "work is kept for `fleet merge`. To continue, start a process with another --member and --out",
      member, by);
}

}  // namespace bowerbird
