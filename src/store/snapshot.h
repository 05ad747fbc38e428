// Snapshots: the state of a crawl's brain at a commit, each in a file of its own that is whole or not there.
//
// snapshot-N holds the state at commit N and where that commit lies in the journal; it is written under
// another name, made durable and renamed, after its commit. One that is damaged is passed over: the journal
// holds everything anyway.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sys/disk.h"

namespace bowerbird {

struct SnapshotPlace {
  std::uint64_t commit = 0;
  std::uint64_t journal_offset = 0;  // of the commit's frame
};

Status write_snapshot_file(Disk& disk, const std::string& folder, const SnapshotPlace& place,
                           std::string_view state, bool durable);

// Where the snapshots of a folder belong, the newest first. Only their heads are looked at.
Result<std::vector<SnapshotPlace>> snapshot_places(Disk& disk, const std::string& folder);
// The state in one of them; none where it is damaged or gone.
Result<std::optional<std::string>> read_snapshot_file(Disk& disk, const std::string& folder,
                                                      const SnapshotPlace& place);

bool is_snapshot_name(std::string_view name);

}  // namespace bowerbird
