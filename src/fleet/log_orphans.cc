#include "fleet/log_orphans.h"

#include <filesystem>

#include "base/units.h"
#include "fleet/fleet_check.h"
#include "fleet/identity.h"
#include "sys/disk.h"
#include "sys/memory.h"

namespace bowerbird {

namespace {

// The restored state takes about this much memory for each of its URLs, with the messages made from it.
constexpr std::uint64_t kBytesPerUrl = 600;
// What our own crawl still needs.
constexpr std::uint64_t kSpare = std::uint64_t{64} << 20;

// Removes a folder at its end.
class WorkFolder {
 public:
  explicit WorkFolder(std::string path) : path_(std::move(path)) { remove(); }
  ~WorkFolder() { remove(); }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  void remove() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path_;
};

}  // namespace

Result<bool> LogOrphans::is_here(const LostMember& lost) {
  BB_TRY(const auto tail, read_tail(bus_, log_of(lost)));
  std::string why;
  if (tail && tail->commit) {
    const std::uint64_t disk = Disk::real().free_bytes(options_.folder), memory = available_memory();
    // The blocks of a log may get larger when they are compressed again.
    const std::uint64_t disk_needed = tail->commit->bytes * 2 + kSpare;
    const std::uint64_t memory_needed = tail->commit->position.records[0] * kBytesPerUrl + kSpare;
    if (disk > 0 && disk < disk_needed) {
      why = fmt::format("{} needs {} on disk, and {} are free", lost.name, format_bytes(disk_needed),
                        format_bytes(disk));
    } else if (memory > 0 && memory < memory_needed) {
      why = fmt::format("{} needs {} of memory, and {} are free", lost.name, format_bytes(memory_needed),
                        format_bytes(memory));
    }
  }
  const MutexLock lock(mutex_);
  no_room_ = why;
  return why.empty();
}

std::string LogOrphans::no_room() const {
  const MutexLock lock(mutex_);
  return no_room_;
}

Result<ReadOrphan> LogOrphans::read(const LostMember& lost) {
  const MemberLog log = log_of(lost);
  BB_TRY_VOID(bus_.make_log(log.stream, log.subject));
  BB_TRY(const auto tail, read_tail(bus_, log));
  if (!tail) return error(ErrorKind::kRetry, "the log of {} is not there", lost.name);
  BB_TRY(ReadOrphan found, read_state(lost, log, *tail));
  Claim claim{log, {options_.member, tail->commit ? tail->commit->position.commit : 0, false}, tail->last};
  const std::string message = write_log_record({log.fleet, log.member, claim.claim}, log.key);
  BB_TRY(const bool claimed, append_after(bus_, log, message, claim.last));
  if (!claimed) return error(ErrorKind::kRetry, "{} is still working", lost.name);
  const MutexLock lock(mutex_);
  claims_[lost.name] = std::move(claim);
  return found;
}

Result<ReadOrphan> LogOrphans::read_state(const LostMember& lost, const MemberLog& log, const LogTail& tail) {
  const std::uint64_t commit = tail.commit ? tail.commit->position.commit : 0;
  if (commit < lost.commit) {
    // The broker has lost the log. Only the folder has the rest.
    if (is_folder_of(lost.folder, lost.id)) return read_orphan(lost);
    return error(ErrorKind::kNeedsUser,
                 "its log on the NATS server ends at commit {}, but the fleet knows commit {}", commit,
                 lost.commit);
  }
  if (commit == 0) {
    // Nothing has left it.
    ReadOrphan nothing;
    nothing.orphan.member = lost.name;
    return nothing;
  }
  const WorkFolder folder(options_.folder + "/takeover/" + lost.name);
  BB_TRY_VOID(restore_log(bus_, log, tail, folder.path()));
  LostMember restored = lost;
  restored.folder = folder.path();
  restored.lost_archive = !has_archive(lost, commit);
  return read_orphan(restored);
}

bool LogOrphans::has_archive(const LostMember& lost, std::uint64_t commit) const {
  const auto there = is_folder_of(lost.folder, lost.id) ? last_commit_in(lost.folder) : std::uint64_t{0};
  return there.ok() && *there >= commit;
}

void LogOrphans::withdraw(const std::string& name) {
  Claim claim;
  {
    const MutexLock lock(mutex_);
    const auto found = claims_.find(name);
    if (found == claims_.end()) return;
    claim = std::move(found->second);
    claims_.erase(found);
  }
  claim.claim.withdrawn = true;
  const std::string message =
      write_log_record({claim.log.fleet, claim.log.member, claim.claim}, claim.log.key);
  static_cast<void>(append_after(bus_, claim.log, message, claim.last).ok());
}

}  // namespace bowerbird
