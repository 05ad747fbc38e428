// Snapshots: the state of a crawl at a commit, each in a file that is either complete or absent.
//
// snapshot-N has the state at commit N and the position of that commit in the journal. It is written in
// two steps. When the owner of the state starts a commit, it writes a draft under another name, piece by
// piece, so that the encoded state is never in memory as a whole. When the commit is durable, the trailer,
// which identifies the commit, is appended, and the file gets its final name. A damaged snapshot is skipped:
// the journal has all events anyway. Threads: one writer; any number of readers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "sys/disk.h"

namespace bowerbird {

struct SnapshotId {
  std::uint64_t commit = 0;
  std::uint64_t journal_offset = 0;  // of the commit's frame
};

// A state that is written but has no final name yet.
struct SnapshotDraft {
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
};
// Writes the state. An error: the state could not be read, and there is no snapshot.
using SaveState = std::function<Status(ByteWriter&)>;

// A folder has one draft at a time.
Result<SnapshotDraft> write_snapshot_draft(Disk& disk, const std::string& folder, const SaveState& save);
// Turns the draft into the folder's snapshot, and removes earlier ones.
Status publish_snapshot(Disk& disk, const std::string& folder, const SnapshotId& id,
                        const SnapshotDraft& draft, bool durable);

// The commits of the snapshots in a folder, newest first. Only reads their trailers.
Result<std::vector<SnapshotId>> list_snapshots(Disk& disk, const std::string& folder);

// The state in a file whose checksum was right.
class SavedState {
 public:
  SavedState(std::shared_ptr<const DiskFile> file, std::uint64_t bytes)
      : file_(std::move(file)), bytes_(bytes) {}
  ByteReader reader() const;

 private:
  std::shared_ptr<const DiskFile> file_;
  std::uint64_t bytes_;
};
// None: the snapshot is damaged or missing.
Result<std::optional<SavedState>> open_snapshot(Disk& disk, const std::string& folder, const SnapshotId& id);

bool is_snapshot_name(std::string_view name);

}  // namespace bowerbird
