#include "store/commit_group.h"

#include <algorithm>

#include "store/archive_files.h"

namespace bowerbird {

namespace {

constexpr std::size_t kBufferBytes = 1 << 18;
constexpr char kJournal[] = "journal";
constexpr char kNewJournal[] = "journal.new";
constexpr std::string_view kOpen = ".open";

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

// Removes the remains of a crawl that was killed before its first commit. Other files are not touched.
Status remove_empty(Disk& disk, const std::string& path) {
  if (!disk.exists(path)) return {};
  BB_TRY(const std::unique_ptr<DiskFile> file, disk.open(path, Disk::Open::kRead));
  BB_TRY(const std::uint64_t size, file->size());
  if (size > 0) return error("{}: this file does not belong to a crawl; use an empty folder", path);
  return disk.remove(path);
}

}  // namespace

Status GroupFile::flush() {
  if (buffer_.empty()) return {};
  BB_TRY_VOID(file_->append(buffer_));
  written_ += buffer_.size();
  buffer_.clear();
  return {};
}

Status GroupFile::append(std::string_view bytes) {
  if (bytes.empty()) return {};
  dirty_ = true;
  if (buffer_.size() + bytes.size() > kBufferBytes) BB_TRY_VOID(flush());
  if (bytes.size() >= kBufferBytes) {
    BB_TRY_VOID(file_->append(bytes));
    written_ += bytes.size();
    return {};
  }
  if (buffer_.capacity() < kBufferBytes && buffer_.size() + bytes.size() > buffer_.capacity()) {
    buffer_.reserve(std::min(kBufferBytes, std::max(buffer_.capacity() * 4, bytes.size())));
  }
  buffer_.append(bytes);
  return {};
}

Result<std::shared_ptr<const DiskFile>> GroupFile::readable() {
  BB_TRY_VOID(flush());
  return std::shared_ptr<const DiskFile>(file_);
}

bool CommitGroup::exists(Disk& disk, const std::string& folder) {
  return disk.exists(folder + "/" + kJournal);
}

Result<std::unique_ptr<CommitGroup>> CommitGroup::create(Disk& disk, const std::string& folder,
                                                         std::string_view about,
                                                         const std::vector<std::string>& files,
                                                         const Options& options) {
  auto group = std::unique_ptr<CommitGroup>(new CommitGroup(disk, folder, options));
  group->about_ = about;
  std::vector<std::string> all = files;
  all.emplace_back(kArchiveList);
  for (const std::string& name : all) {
    BB_TRY_VOID(remove_empty(disk, group->path(name)));
    auto file = std::make_unique<GroupFile>();
    BB_TRY(file->file_, disk.open(group->path(name), Disk::Open::kCreate));
    group->files_.emplace(name, std::move(file));
  }
  BB_TRY(const std::vector<SnapshotId> snapshots, list_snapshots(disk, folder));
  if (!snapshots.empty()) return error("{}: the snapshots of another crawl are in this folder", folder);
  group->unsynced_.push_back(folder);
  // The folder contains a crawl once it has a journal of this name, which then has a commit.
  const std::string temporary = group->path(kNewJournal);
  if (disk.exists(temporary)) BB_TRY_VOID(disk.remove(temporary));
  BB_TRY(group->journal_.file_, disk.open(temporary, Disk::Open::kCreate));
  BB_TRY_VOID(group->journal_.append(encode_header(about)));
  BB_TRY_VOID(group->commit({}, {}, 0));
  BB_TRY_VOID(disk.rename(temporary, group->path(kJournal)));
  group->unsynced_.push_back(folder);
  BB_TRY_VOID(group->sync_folders());
  return group;
}

Result<std::unique_ptr<CommitGroup>> CommitGroup::recover(Disk& disk, const std::string& folder,
                                                          const Options& options) {
  BB_TRY(CommittedFolder found, look_at_folder(disk, folder));
  auto group = std::unique_ptr<CommitGroup>(new CommitGroup(disk, folder, options));
  group->about_ = std::move(found.about);
  BB_TRY_VOID(group->check_files(found.last.record));
  BB_TRY_VOID(group->recover_files(found.last));
  group->last_ = std::move(found.last.record);
  group->last_offset_ = found.last.offset;
  return group;
}

// Checks before anything is changed.
Status CommitGroup::check_files(const CommitRecord& commit) {
  for (const CommittedFile& file : commit.files) {
    if (file.open) continue;  // check_archive() checks the others
    BB_TRY(const std::unique_ptr<DiskFile> opened, disk_.open(path(file.name), Disk::Open::kRead));
    BB_TRY(const std::uint64_t size, opened->size());
    if (size >= file.bytes) continue;
    return error("{}: has {} bytes, but {} were there at the last commit: restore the file from a copy",
                 path(file.name), size, file.bytes);
  }
  BB_TRY(const std::vector<ArchiveProblem> problems, check_archive(disk_, folder_, commit));
  if (!problems.empty()) return error("{}: {}", problems.front().file, problems.front().text);
  for (const CommittedFile& file : commit.files) {
    if (file.open && !file.sealed && !disk_.exists(path_on_disk(file.name, true)))
      return error(
          "{}: this file was completed after the journal's last commit, so the journal is older than the "
          "rest "
          "of the folder: restore the whole folder from one copy",
          path(file.name));
  }
  return {};
}

Status CommitGroup::recover_files(const LastCommit& last) {
  for (const CommittedFile& file : last.record.files) BB_TRY_VOID(recover_file(file));
  BB_TRY_VOID(remove_strays());
  BB_TRY(journal_.file_, disk_.open(path(kJournal), Disk::Open::kAppend));
  BB_TRY(const std::uint64_t size, journal_.file_->size());
  // Bytes that are cut off must not reappear after frames that are written now.
  if (size > last.end) BB_TRY_VOID(journal_.file_->truncate(last.end));
  if (options_.durable) BB_TRY_VOID(journal_.file_->sync());
  journal_.written_ = last.end;
  return sync_folders();
}

Status CommitGroup::recover_file(const CommittedFile& file) {
  const std::string final_path = path(file.name);
  if (file.sealed) {
    if (disk_.exists(final_path)) return {};
    BB_TRY_VOID(disk_.rename(path_on_disk(file.name, true), final_path));
    unsynced_.push_back(folder_of(final_path));
    return {};
  }
  const std::string where = path_on_disk(file.name, file.open);
  auto group_file = std::make_unique<GroupFile>();
  BB_TRY(group_file->file_, disk_.open(where, Disk::Open::kAppend));
  BB_TRY(const std::uint64_t size, group_file->file_->size());
  if (size > file.bytes) {
    BB_TRY_VOID(group_file->file_->truncate(file.bytes));
    group_file->dirty_ = true;
  }
  group_file->written_ = file.bytes;
  group_file->records = file.records;
  group_file->open_ = file.open;
  files_.emplace(file.name, std::move(group_file));
  return {};
}

// Removes files that were created after the last commit.
Status CommitGroup::remove_strays() {
  const std::string folder = path(kArchiveFolder);
  BB_TRY(const std::vector<std::string> names, disk_.list(folder));
  for (const std::string& name : names) {
    const std::string_view stem =
        std::string_view(name).substr(0, name.size() - std::min(name.size(), kOpen.size()));
    if (!name.ends_with(kOpen) || files_.contains(fmt::format("{}/{}", kArchiveFolder, stem))) continue;
    BB_TRY_VOID(disk_.remove(folder + "/" + name));
    unsynced_.push_back(folder);
  }
  return {};
}

GroupFile& CommitGroup::file(const std::string& name) {
  const auto found = files_.find(name);
  CHECK(found != files_.end());
  return *found->second;
}

std::vector<std::string> CommitGroup::open_files() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) {
    const bool sealing = std::find(sealing_.begin(), sealing_.end(), name) != sealing_.end();
    if (file->open_ && !sealing) names.push_back(name);
  }
  return names;
}

Result<GroupFile*> CommitGroup::begin_file(const std::string& name) {
  auto file = std::make_unique<GroupFile>();
  BB_TRY(file->file_, disk_.open(path_on_disk(name, true), Disk::Open::kCreate));
  file->open_ = true;
  unsynced_.push_back(folder_of(path(name)));
  GroupFile* const raw = file.get();
  files_.emplace(name, std::move(file));
  return raw;
}

Status CommitGroup::seal(const std::string& name) {
  CHECK(file(name).open_);
  sealing_.push_back(name);
  return file(kArchiveList).append(archive_line(name, file(name).bytes()));
}

Status CommitGroup::add_events(std::string_view events) {
  std::string frame;
  append_frame(frame, FrameKind::kEvents, events);
  return journal_.append(frame);
}

Status CommitGroup::sync_folders() {
  std::sort(unsynced_.begin(), unsynced_.end());
  unsynced_.erase(std::unique(unsynced_.begin(), unsynced_.end()), unsynced_.end());
  if (options_.durable) {
    for (const std::string& folder : unsynced_) BB_TRY_VOID(disk_.sync_folder(folder));
  }
  unsynced_.clear();
  return {};
}

Status CommitGroup::sync_files() {
  for (const auto& [name, file] : files_) {
    BB_TRY_VOID(file->flush());
    if (file->dirty_ && options_.durable) BB_TRY_VOID(file->file_->sync());
    file->dirty_ = false;
  }
  return sync_folders();
}

Status CommitGroup::commit(std::string_view store_state, std::string_view state, std::int64_t time_us) {
  BB_TRY_VOID(sync_files());
  CommitRecord record;
  record.number = last_.number + 1;
  record.time_us = time_us;
  record.store_state = store_state;
  record.state = state;
  for (const auto& [name, file] : files_) {
    const bool sealed = std::find(sealing_.begin(), sealing_.end(), name) != sealing_.end();
    record.files.push_back({name, file->bytes(), file->records, file->open_, sealed});
  }
  std::string frame;
  append_frame(frame, FrameKind::kCommit, record.encode());
  const std::uint64_t offset = journal_.bytes();
  if (may_commit_) BB_TRY_VOID(may_commit_());
  BB_TRY_VOID(journal_.append(frame));
  BB_TRY_VOID(journal_.flush());
  if (options_.durable) BB_TRY_VOID(journal_.file_->sync());
  last_ = std::move(record);
  last_offset_ = offset;
  return finish_sealed();
}

// The commit that seals them is durable, so they get their final names.
Status CommitGroup::finish_sealed() {
  for (const std::string& name : sealing_) {
    BB_TRY_VOID(disk_.rename(path_on_disk(name, true), path(name)));
    unsynced_.push_back(folder_of(path(name)));
    files_.erase(name);
  }
  sealing_.clear();
  return {};
}

Status CommitGroup::publish_snapshot(const SnapshotDraft& draft) {
  return bowerbird::publish_snapshot(disk_, folder_, {last_.number, last_offset_}, draft, options_.durable);
}

namespace {

// The commit to which a snapshot belongs, if it is at the offset that the snapshot states.
Result<std::optional<LastCommit>> commit_at(const DiskFile& journal, const SnapshotId& id) {
  BB_TRY(const std::uint64_t size, journal.size());
  if (id.journal_offset >= size) return std::optional<LastCommit>();
  FrameReader frames(journal, id.journal_offset, size);
  BB_TRY(const std::optional<Frame> frame, frames.next());
  if (!frame || frame->kind != FrameKind::kCommit) return std::optional<LastCommit>();
  std::optional<CommitRecord> record = CommitRecord::decode(frame->payload);
  if (!record || record->number != id.commit) return std::optional<LastCommit>();
  return std::optional<LastCommit>(LastCommit{std::move(*record), frame->offset, frame->end});
}

}  // namespace

Result<CommittedFolder> look_at_folder(Disk& disk, const std::string& folder) {
  const std::string name = folder + "/" + kJournal;
  if (!disk.exists(name)) return error("{}: there is no crawl in this folder (no file {})", folder, name);
  CommittedFolder found;
  BB_TRY(found.journal, disk.open(name, Disk::Open::kRead));
  BB_TRY(found.about, read_header(*found.journal, name));
  std::uint64_t from = 0;
  BB_TRY(const std::vector<SnapshotId> ids, list_snapshots(disk, folder));
  for (const SnapshotId& id : ids) {
    BB_TRY(const std::optional<LastCommit> commit, commit_at(*found.journal, id));
    if (!commit) {
      // A snapshot gets its name only after its commit is on disk.
      return error(
          "{}: the snapshot of commit {} is there, but the journal does not have that commit, so it is older "
          "than the rest of the folder, or damaged: restore the whole folder from one copy",
          name, id.commit);
    }
    from = commit->offset;
    break;
  }
  BB_TRY(std::optional<LastCommit> last, find_last_commit(*found.journal, name, from));
  if (!last) return error("{}: it has no complete commit; restore the folder from a copy", name);
  found.last = std::move(*last);
  return found;
}

Result<std::optional<Snapshot>> read_snapshot(Disk& disk, const std::string& folder) {
  BB_TRY(const std::unique_ptr<DiskFile> journal, disk.open(folder + "/" + kJournal, Disk::Open::kRead));
  BB_TRY(const std::vector<SnapshotId> ids, list_snapshots(disk, folder));
  for (const SnapshotId& id : ids) {
    BB_TRY(std::optional<LastCommit> commit, commit_at(*journal, id));
    if (!commit) continue;
    BB_TRY(std::optional<SavedState> state, open_snapshot(disk, folder, id));
    if (!state) continue;
    return std::optional<Snapshot>(Snapshot{std::move(*state), commit->end, std::move(commit->record)});
  }
  return std::optional<Snapshot>();
}

}  // namespace bowerbird
