// The runs of a SpillStore as files of a folder: one file per run, each block a zstd frame with its sizes
// and a checksum.
//
// A crawl's snapshot refers to runs, so they must live as long as the snapshot. begin_snapshot() makes
// every run durable, and keeps the existing runs from then on. end_snapshot(), called when the snapshot
// is durable, removes those that only earlier snapshots refer to. Runs started after the last snapshot
// are useless after a crash; keep_only_used() removes those that were not read when the snapshot was
// loaded. Without snapshots (lab) remove() removes a run at once. A run may grow after a snapshot that
// refers to it, and a crash may leave a torn block at its end; the snapshot only refers to blocks before
// that. Threads: one owner; read() from several. Format: docs/formats/crawl-folder.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/spill_store.h"
#include "sys/disk.h"

namespace bowerbird {

struct SpillFolderOptions {
  bool durable = false;
  bool snapshots = false;  // removed runs stay while a snapshot may refer to them
  Disk* disk = &Disk::real();
};

class SpillFolder final : public SpillStore {
 public:
  // The folder is created with the first run.
  explicit SpillFolder(std::string folder, const SpillFolderOptions& options = {});
  ~SpillFolder() override;
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;

  Status append(RunId run, std::string_view block) override;
  Status finish(RunId run) override;
  Result<std::string> read(RunId run, std::uint64_t block) override;
  void remove(RunId run) override;
  using SpillStore::bytes;
  std::uint64_t bytes(RunId from, RunId to) const override;

  Status begin_snapshot();
  void end_snapshot();
  // The snapshot failed: the one before it stays valid.
  void abandon_snapshot() { asked_.reset(); }
  void keep_only_used();

 private:
  struct Run;
  struct Packer;

  std::string path_of(RunId run) const;
  Result<const Run*> open_run(RunId run);
  static Status index(Run& run);
  bool needed(RunId run) const { return kept_.contains(run) || (asked_ && asked_->contains(run)); }
  void erase_file(RunId run);

  std::string folder_;
  SpillFolderOptions options_;
  bool made_ = false;
  std::mutex opening_;  // serialises readers that open a run
  std::map<RunId, std::unique_ptr<Run>> runs_;
  std::set<RunId> kept_;                  // referred to by the last snapshot
  std::optional<std::set<RunId>> asked_;  // referred to by the snapshot being written, if any
  std::set<RunId> removed_;               // but a snapshot still refers to them
  std::unique_ptr<Packer> packer_;
};

// A temporary folder for runs, removed with this object.
class TemporarySpill {
 public:
  static Result<std::unique_ptr<TemporarySpill>> make();
  ~TemporarySpill();
  TemporarySpill(const TemporarySpill&) = delete;
  TemporarySpill& operator=(const TemporarySpill&) = delete;
  SpillStore& store() { return *store_; }

 private:
  explicit TemporarySpill(std::string folder);
  std::string folder_;
  std::unique_ptr<SpillFolder> store_;
};

}  // namespace bowerbird
