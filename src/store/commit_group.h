// Files that only grow, and that after a crash all stand where they stood together at one moment: the last
// commit.
//
// Problem: a crawl writes to a dozen files; a page must be in all of them or in none. commit() makes every
// file's content durable, then writes one record with all lengths to the journal and makes that durable too.
// recover() cuts every file to the length in the last such record, removes files begun since, and finishes
// what a commit had promised (a sealed file gets its final name). An error (disk full ...) is final: what was
// committed stays, nothing more is written. Snapshots are state of the crawl at a commit, in files of their
// own, so that a resume need not read the whole journal. A folder whose files do not belong together (one is
// missing or too short, or the journal is older than the others) is refused, and nothing is changed. Files:
// docs/formats/crawl-folder.md. Threads: one user at a time (the store's writer thread).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/journal.h"
#include "store/snapshot.h"
#include "sys/disk.h"

namespace bowerbird {

// One of the files; buffered.
class GroupFile {
 public:
  Status append(std::string_view bytes);
  std::uint64_t bytes() const { return written_ + buffer_.size(); }
  std::uint64_t records = 0;  // whatever the owner counts; kept by commits
  // For reading what has been appended: flushes first.
  Result<std::shared_ptr<const DiskFile>> readable();

 private:
  friend class CommitGroup;
  Status flush();

  std::shared_ptr<DiskFile> file_;
  std::uint64_t written_ = 0;
  std::string buffer_;
  bool dirty_ = false;  // something is not yet synced
  bool open_ = false;   // called NAME.open until sealed
};

struct Snapshot {
  SavedState state;
  std::uint64_t journal_end = 0;  // events behind this follow it
  CommitRecord commit;            // at which it was taken
};

class CommitGroup {
 public:
  struct Options {
    bool durable =
        true;  // false: no sync; what a killed process leaves is still right, what a power failure leaves not
  };

  static bool exists(Disk& disk, const std::string& folder);
  // A new group with these (empty) files, as its first commit. `about` is kept for ever.
  static Result<std::unique_ptr<CommitGroup>> create(Disk& disk, const std::string& folder,
                                                     std::string_view about,
                                                     const std::vector<std::string>& files,
                                                     const Options& options);
  static Result<std::unique_ptr<CommitGroup>> recover(Disk& disk, const std::string& folder,
                                                      const Options& options);
  CommitGroup(const CommitGroup&) = delete;
  CommitGroup& operator=(const CommitGroup&) = delete;

  const std::string& about() const { return about_; }
  const CommitRecord& last_commit() const { return last_; }
  Result<std::shared_ptr<const DiskFile>> journal() { return journal_.readable(); }

  // A file of the group, which exists. Lives as long as the group, or until it is sealed.
  GroupFile& file(const std::string& name);
  std::vector<std::string> open_files() const;  // those that wait to be sealed
  // A new WARC file (is_archive_name), called name.open until it is sealed.
  Result<GroupFile*> begin_file(const std::string& name);
  // Nothing more is appended to it. At the next commit it is whole and gets its name.
  Status seal(const std::string& name);

  Status add_events(std::string_view events);
  // From now on a commit is written only if this returns no error. It may block.
  void set_fence(std::function<Status()> may_commit) { may_commit_ = std::move(may_commit); }
  // Makes all that was appended durable, under these states.
  Status commit(std::string_view store_state, std::string_view state, std::int64_t time_us);
  // Right after a commit: the draft belongs to it. Older snapshots go.
  Status publish_snapshot(const SnapshotDraft& draft);

 private:
  CommitGroup(Disk& disk, std::string folder, const Options& options)
      : disk_(disk), folder_(std::move(folder)), options_(options) {}
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string path_on_disk(const std::string& name, bool open) const {
    return path(name) + (open ? ".open" : "");
  }
  Status check_files(const CommitRecord& commit);
  Status recover_files(const LastCommit& last);
  Status recover_file(const CommittedFile& file);
  Status remove_strays();
  Status sync_files();
  Status finish_sealed();
  Status sync_folders();

  Disk& disk_;
  std::string folder_;
  Options options_;
  std::string about_;
  GroupFile journal_;
  std::map<std::string, std::unique_ptr<GroupFile>> files_;
  std::vector<std::string> sealing_;   // since the last commit
  std::vector<std::string> unsynced_;  // folders in which names changed
  std::function<Status()> may_commit_;
  CommitRecord last_;
  std::uint64_t last_offset_ = 0;  // of its frame
};

// What is in a folder, for a reader that does not own it: nothing is changed.
struct CommittedFolder {
  std::string about;
  LastCommit last;
  std::shared_ptr<const DiskFile> journal;
};
Result<CommittedFolder> look_at_folder(Disk& disk, const std::string& folder);
// The newest sound snapshot; none if there is none.
Result<std::optional<Snapshot>> read_snapshot(Disk& disk, const std::string& folder);

}  // namespace bowerbird
