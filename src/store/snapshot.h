// Snapshots: the state of a crawl at a commit, each in a file of its own that is whole or not there.
//
// snapshot-N holds the state at commit N and where that commit lies in the journal. It is written in two
// steps, so that the state is never in memory as a whole: a draft under another name, by whoever has the
// state, at the moment that the commit is asked for; and once the commit is done, the end of the file, which
// says what commit that was, and its name. One that is damaged is passed over: the journal holds everything
// anyway.
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

// A state that is written and has no name yet.
struct SnapshotDraft {
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
};
// Writes the state; an error: it cannot be read, and there is no snapshot.
using SaveState = std::function<Status(ByteWriter&)>;

// There is one draft in a folder at a time.
Result<SnapshotDraft> write_snapshot_draft(Disk& disk, const std::string& folder, const SaveState& save);
// The draft becomes the folder's snapshot, and earlier ones go.
Status publish_snapshot(Disk& disk, const std::string& folder, const SnapshotId& id,
                        const SnapshotDraft& draft, bool durable);

// Where the snapshots of a folder belong, the newest first. Only their ends are looked at.
Result<std::vector<SnapshotId>> list_snapshots(Disk& disk, const std::string& folder);

// The state in a file that was found sound.
class SavedState {
 public:
  SavedState(std::shared_ptr<const DiskFile> file, std::uint64_t bytes)
      : file_(std::move(file)), bytes_(bytes) {}
  ByteReader reader() const;

 private:
  std::shared_ptr<const DiskFile> file_;
  std::uint64_t bytes_;
};
// None where it is damaged or gone.
Result<std::optional<SavedState>> open_snapshot(Disk& disk, const std::string& folder, const SnapshotId& id);

bool is_snapshot_name(std::string_view name);

}  // namespace bowerbird
