#include "fleet/state_log.h"

#include <algorithm>
#include <utility>

#include "fleet/fleet_check.h"
#include "fleet/identity.h"
#include "sys/disk.h"

namespace bowerbird {

template <typename Call>
auto StateLog::repeat(const Call& call) -> decltype(call()) {
  for (;;) {
    auto result = call();
    if (result.ok() || result.error().kind != ErrorKind::kRetry || !retry_()) return result;
  }
}

Status StateLog::append_until(std::uint64_t commit) {
  if (!reader_) BB_TRY_VOID(open());
  while (accepted() < commit) {
    const Status done = append_next();
    if (done.ok()) continue;
    reader_.reset();  // a commit that was appended in part begins again
    if (!std::exchange(shorter_, false) || !retry_()) return done;
    BB_TRY_VOID(open());
  }
  return {};
}

// Compares the log with the folder.
Status StateLog::open() {
  BB_TRY_VOID(repeat([&] { return bus_.make_log(log_.stream, log_.subject); }));
  BB_TRY(const auto tail, repeat([&] { return read_tail(bus_, log_); }));
  if (!tail) return error(ErrorKind::kRetry, "the log of {} is not there", member_);
  if (tail->claim) return taken_over(member_, tail->claim->by);
  const CopyPosition begin = tail->commit ? tail->commit->position : CopyPosition();
  BB_TRY(const std::uint64_t there, last_commit_in(folder_));
  BB_TRY_VOID(check_commit(folder_, there, begin.commit));
  BB_TRY(reader_, ChangeReader::open(Disk::real(), folder_, begin));
  last_ = tail->last;
  accepted_ = begin.commit;
  return {};
}

Status StateLog::append_next() {
  piece_ = LogPiece();
  piece_.commit = accepted() + 1;
  piece_bytes_ = 0;
  BB_TRY_VOID(reader_->next([this](const FolderChange& change) { return add(change); }));
  BB_TRY_VOID(send(LoggedCommit{reader_->position(), reader_->bytes()}));
  accepted_ = reader_->position().commit;
  return {};
}

Status StateLog::add(const FolderChange& change) {
  std::string_view rest = change.bytes;
  do {
    const std::size_t size = std::min(rest.size(), kPieceBytes - piece_bytes_);
    const bool ends = size == rest.size();
    piece_.parts.push_back({change.file, ends ? change.records : 0, std::string(rest.substr(0, size))});
    rest.remove_prefix(size);
    piece_bytes_ += size;
    if (piece_bytes_ >= kPieceBytes) BB_TRY_VOID(send(std::nullopt));
  } while (!rest.empty());
  return {};
}

Status StateLog::send(const std::optional<LoggedCommit>& last) {
  piece_.last = last;
  const std::string message = write_log_record({log_.fleet, log_.member, piece_}, log_.key);
  BB_TRY(const bool ours, repeat([&] { return append_after(bus_, log_, message, last_); }));
  if (!ours) {
    BB_TRY(const auto tail, repeat([&] { return read_tail(bus_, log_); }));
    if (tail && tail->claim) return taken_over(member_, tail->claim->by);
    shorter_ = tail && tail->last <= last_;
    return error(ErrorKind::kNeedsUser, "{}: another process with a copy of this folder is running", member_);
  }
  bytes_ += message.size();
  piece_.parts.clear();
  piece_bytes_ = 0;
  ++piece_.number;
  return {};
}

}  // namespace bowerbird
