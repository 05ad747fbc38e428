// A group of append-only files that are all restored to the same commit after a crash.
//
// Problem: a crawl writes to a dozen files, and a page must be in all of them or in none. commit() makes
// the content of every file durable, then writes a record with all lengths to the journal and makes that
// durable too. recover() truncates every file to its length in the last record, removes files created
// later, and completes what the commit had started (a sealed file gets its final name). An error (such as
// a full disk) is final: what was committed stays, and nothing more is written. Snapshots are the state
// of the crawl at a commit, in files of their own, so that a resume need not read the whole journal. If
// the files of a folder do not fit together (one is missing or too short, or the journal is older than
// the others), recover() fails and changes nothing. Files: docs/formats/crawl-folder.md. Threads: one
// user at a time (the store's writer thread).
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

// One file of the group; buffered.
class GroupFile {
 public:
  Status append(std::string_view bytes);
  std::uint64_t bytes() const { return written_ + buffer_.size(); }
  std::uint64_t records = 0;  // counted by the owner; stored in commits
  // For reading: flushes first, so that everything appended can be read.
  Result<std::shared_ptr<const DiskFile>> readable();

 private:
  friend class CommitGroup;
  Status flush();

  std::shared_ptr<DiskFile> file_;
  std::uint64_t written_ = 0;
  std::string buffer_;
  bool dirty_ = false;  // has bytes that are not synced
  bool open_ = false;   // named NAME.open until it is sealed
};

struct Snapshot {
  SavedState state;
  std::uint64_t journal_end = 0;  // later events are after this offset
  CommitRecord commit;            // the commit at which it was taken
};

class CommitGroup {
 public:
  struct Options {
    bool durable = true;  // false: no fsync; safe after a kill, but not after a power failure
  };

  static bool exists(Disk& disk, const std::string& folder);
  // Creates a group with these empty files and makes its first commit. `about` never changes.
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

  // An existing file of the group. Valid until it is sealed, or the group is destroyed.
  GroupFile& file(const std::string& name);
  std::vector<std::string> open_files() const;  // files that are not sealed yet
  // Creates a WARC file (is_archive_name), named name.open until it is sealed.
  Result<GroupFile*> begin_file(const std::string& name);
  // Nothing more is appended to the file. The next commit completes it and gives it its name.
  Status seal(const std::string& name);

  Status add_events(std::string_view events);
  // From now on, a commit is written only if this returns no error. It may block.
  void set_fence(std::function<Status()> may_commit) { may_commit_ = std::move(may_commit); }
  // Makes everything appended so far durable, with these states.
  Status commit(std::string_view store_state, std::string_view state, std::int64_t time_us);
  // To be called right after the commit that the draft belongs to. Removes older snapshots.
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
  std::vector<std::string> sealing_;   // sealed since the last commit
  std::vector<std::string> unsynced_;  // folders with changed names that are not synced
  std::function<Status()> may_commit_;
  CommitRecord last_;
  std::uint64_t last_offset_ = 0;  // of its frame
};

// The committed state of a folder, for readers. Changes nothing.
struct CommittedFolder {
  std::string about;
  LastCommit last;
  std::shared_ptr<const DiskFile> journal;
};
Result<CommittedFolder> look_at_folder(Disk& disk, const std::string& folder);
// The newest valid snapshot; none if there is none.
Result<std::optional<Snapshot>> read_snapshot(Disk& disk, const std::string& folder);

}  // namespace bowerbird
