// Copies what a restore of a crawl needs, commit by commit: the journal, URLs, links and terms.
//
// Problem: the state of a process of a fleet must survive the loss of its disk. So a copy is kept elsewhere
// that is never far behind and always ends with a whole commit. ChangeReader reads what each commit has
// added, also while the crawl runs. FolderCopy writes it into another folder, which a CrawlReader can then
// read. Logs are copied as records and compressed again, because their blocks end at every commit and
// compress badly. Archive, fetches.log, crawl.jsonl, snapshots and spilled data are not copied: the last
// commit of a copy says that they are empty. Threads: one user at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/block_log.h"
#include "store/journal.h"
#include "sys/disk.h"

namespace bowerbird {

enum class CopiedFile : std::uint8_t { kJournal, kUrls, kLinks, kTerms };
inline constexpr std::size_t kCopiedLogs = 3;

// A commit, and where it ends in each file.
struct CopyPosition {
  std::uint64_t commit = 0;                          // 0: the beginning
  std::uint64_t journal = 0;                         // bytes
  std::array<std::uint64_t, kCopiedLogs> records{};  // of urls.log, links.log and terms.log
  friend bool operator==(const CopyPosition&, const CopyPosition&) = default;
};

// Bytes that a commit has appended to the journal, or a block of a log.
struct FolderChange {
  CopiedFile file = CopiedFile::kJournal;
  std::string_view bytes;     // of a log: its records
  std::uint32_t records = 0;  // of a log
};

class ChangeReader {
 public:
  // The folder must have the commit at which it begins.
  static Result<std::unique_ptr<ChangeReader>> open(Disk& disk, const std::string& folder,
                                                    const CopyPosition& begin);
  // Reads what the next commit has added, which must be on disk. Views are valid during the call.
  Status next(const std::function<Status(const FolderChange&)>& visit);
  const CopyPosition& position() const { return position_; }
  // At position(): of all copied files, as they are on disk.
  std::uint64_t bytes() const { return bytes_; }

 private:
  ChangeReader(std::string name, std::unique_ptr<DiskFile> journal, const CopyPosition& begin)
      : name_(std::move(name)), journal_(std::move(journal)), position_(begin) {}
  Status read_log(std::size_t log, const CommitRecord& commit,
                  const std::function<Status(const FolderChange&)>& visit);

  std::string name_;
  std::unique_ptr<DiskFile> journal_;
  std::array<std::unique_ptr<BlockReader>, kCopiedLogs> logs_;
  CopyPosition position_;
  std::uint64_t bytes_ = 0;
};

class FolderCopy {
 public:
  // Creates the folder; its files must not exist.
  static Result<std::unique_ptr<FolderCopy>> create(Disk& disk, const std::string& folder);
  Status add_journal(std::string_view bytes);
  Status add_block(CopiedFile file, Block block);  // its `first` is ignored
  // What was added since the last call is a whole commit; drop_commit() removes it instead.
  void end_commit();
  Status drop_commit();
  // Writes the last commit. An error: what was added is not the journal of a crawl.
  Status finish();

 private:
  struct File {
    std::unique_ptr<DiskFile> file;
    std::uint64_t bytes = 0, records = 0;
    std::uint64_t committed_bytes = 0, committed_records = 0;
  };
  explicit FolderCopy(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
  std::array<File, 1 + kCopiedLogs> files_;  // by CopiedFile
  BlockEncoder encoder_;
  std::string encoded_;
};

}  // namespace bowerbird
