#include "store/folder_copy.h"

#include <algorithm>

#include "base/check.h"
#include "store/archive_files.h"
#include "store/crawl_reader.h"

namespace bowerbird {

namespace {

constexpr char kJournalName[] = "journal";
constexpr const char* kLogNames[kCopiedLogs] = {crawl_files::kUrls, crawl_files::kLinks, crawl_files::kTerms};

}  // namespace

Result<std::unique_ptr<ChangeReader>> ChangeReader::open(Disk& disk, const std::string& folder,
                                                         const CopyPosition& begin) {
  const std::string name = folder + "/" + kJournalName;
  BB_TRY(std::unique_ptr<DiskFile> journal, disk.open(name, Disk::Open::kRead));
  std::unique_ptr<ChangeReader> made(new ChangeReader(name, std::move(journal), begin));
  BB_TRY(const CommittedFolder found, look_at_folder(disk, folder));
  const CommitRecord& last = found.last.record;
  if (begin.commit > last.number || begin.journal > found.last.end)
    return error("{}: it does not have commit {}", name, begin.commit);
  for (std::size_t i = 0; i < kCopiedLogs; ++i) {
    const CommittedFile* const file = last.find(kLogNames[i]);
    if (file == nullptr || file->records < begin.records[i])
      return error("{}: {} does not match commit {}", name, kLogNames[i], begin.commit);
    const std::string log = folder + "/" + kLogNames[i];
    BB_TRY(std::shared_ptr<const DiskFile> opened, disk.open(log, Disk::Open::kRead));
    made->logs_[i] = std::make_unique<BlockReader>(std::move(opened), log, file->bytes);
    if (begin.records[i] > 0) BB_TRY_VOID(made->logs_[i]->seek(begin.records[i]));
  }
  return made;
}

Status ChangeReader::next(const std::function<Status(const FolderChange&)>& visit) {
  BB_TRY(const std::uint64_t size, journal_->size());
  FrameReader frames(*journal_, position_.journal, size);
  std::string bytes;
  for (;;) {
    BB_TRY(const std::optional<Frame> frame, frames.next());
    if (!frame)
      return error("{}: byte {}: commit {} cannot be read", name_, frames.at(), position_.commit + 1);
    bytes.clear();
    append_frame(bytes, frame->kind, frame->payload);
    BB_TRY_VOID(visit({CopiedFile::kJournal, bytes, 0}));
    if (frame->kind != FrameKind::kCommit) continue;
    const auto commit = CommitRecord::decode(frame->payload);
    if (!commit || commit->number != position_.commit + 1)
      return error("{}: byte {}: this is not commit {}", name_, frame->offset, position_.commit + 1);
    bytes_ = frame->end;
    for (std::size_t i = 0; i < kCopiedLogs; ++i) BB_TRY_VOID(read_log(i, *commit, visit));
    position_.commit = commit->number;
    position_.journal = frame->end;
    return {};
  }
}

Status ChangeReader::read_log(std::size_t log, const CommitRecord& commit,
                              const std::function<Status(const FolderChange&)>& visit) {
  const CommittedFile* const file = commit.find(kLogNames[log]);
  if (file == nullptr) return error("{}: commit {} has no {}", name_, commit.number, kLogNames[log]);
  logs_[log]->extend(file->bytes);
  bytes_ += file->bytes;
  while (position_.records[log] < file->records) {
    BB_TRY(const Block* block, logs_[log]->next());
    if (block == nullptr || block->first != position_.records[log] ||
        block->records > file->records - position_.records[log])
      return error("{}: does not match commit {}", kLogNames[log], commit.number);
    BB_TRY_VOID(visit({static_cast<CopiedFile>(log + 1), block->raw, block->records}));
    position_.records[log] += block->records;
  }
  return {};
}

Result<std::unique_ptr<FolderCopy>> FolderCopy::create(Disk& disk, const std::string& folder) {
  BB_TRY_VOID(disk.make_folder(folder + "/" + kArchiveFolder));
  std::unique_ptr<FolderCopy> made(new FolderCopy(folder));
  BB_TRY(made->files_[0].file, disk.open(folder + "/" + kJournalName, Disk::Open::kCreate));
  for (std::size_t i = 0; i < kCopiedLogs; ++i) {
    BB_TRY(made->files_[i + 1].file, disk.open(folder + "/" + kLogNames[i], Disk::Open::kCreate));
  }
  // Visits are restored from the journal.
  for (const char* const name :
       {crawl_files::kFetches, crawl_files::kLog, kArchiveList, crawl_files::kVisits}) {
    BB_TRY(const auto empty, disk.open(folder + "/" + name, Disk::Open::kCreate));
  }
  return made;
}

Status FolderCopy::add_journal(std::string_view bytes) {
  File& journal = files_[0];
  journal.bytes += bytes.size();
  return journal.file->append(bytes);
}

Status FolderCopy::add_block(CopiedFile file, Block block) {
  File& log = files_[static_cast<std::size_t>(file)];
  CHECK(file != CopiedFile::kJournal);
  if (block.raw.size() > kLargestBlock || block.records == 0) return error("a block of a log is damaged");
  block.first = log.records;
  encoded_.clear();
  encoder_.encode(block, encoded_);
  log.records += block.records;
  log.bytes += encoded_.size();
  return log.file->append(encoded_);
}

void FolderCopy::end_commit() {
  for (File& file : files_) {
    file.committed_bytes = file.bytes;
    file.committed_records = file.records;
  }
}

Status FolderCopy::drop_commit() {
  for (File& file : files_) {
    if (file.bytes > file.committed_bytes) BB_TRY_VOID(file.file->truncate(file.committed_bytes));
    file.bytes = file.committed_bytes;
    file.records = file.committed_records;
  }
  return {};
}

// The last commit has the lengths of the files as they are here.
Status FolderCopy::finish() {
  BB_TRY_VOID(drop_commit());
  File& journal = files_[0];
  const std::string name = folder_ + "/" + kJournalName;
  BB_TRY(std::optional<LastCommit> last, find_last_commit(*journal.file, name, 0));
  if (!last || last->end != journal.bytes) return error("{}: it does not end with a commit", name);
  for (CommittedFile& file : last->record.files) {
    file.bytes = file.records = 0;
    for (std::size_t i = 0; i < kCopiedLogs; ++i) {
      if (file.name != kLogNames[i]) continue;
      file.bytes = files_[i + 1].bytes;
      file.records = files_[i + 1].records;
    }
  }
  std::erase_if(last->record.files, [](const CommittedFile& file) { return file.open; });
  BB_TRY_VOID(journal.file->truncate(last->offset));
  std::string frame;
  append_frame(frame, FrameKind::kCommit, last->record.encode());
  return journal.file->append(frame);
}

}  // namespace bowerbird
