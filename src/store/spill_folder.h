// Runs of a SpillStore as files of a folder: one file a run, each block a zstd frame with its sizes and a
// checksum.
//
// A crawl's snapshot names runs, so they must outlive it: begin_snapshot() makes every run durable and from
// then on keeps those there are, end_snapshot() (once the snapshot is durable) lets go of those that only
// earlier ones named. Runs begun since the last snapshot are of no use after a crash; keep_only_used()
// removes what was not read when the snapshot was loaded. Without snapshots (lab) a run goes when it is
// removed. A run may grow on after a snapshot that named it, and a crash may leave a torn block at its end:
// what the snapshot names lies before it. Threads: one owner; read() from several. Format:
// docs/formats/crawl-folder.md.
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
  bool snapshots = false;  // removed runs stay while a snapshot may name them
  Disk* disk = &Disk::real();
};

class SpillFolder final : public SpillStore {
 public:
  // The folder is made with the first run.
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
  // It came to nothing: the one before it counts.
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
  std::mutex opening_;  // of a run, by one of several readers
  std::map<RunId, std::unique_ptr<Run>> runs_;
  std::set<RunId> kept_;                  // named by the last snapshot
  std::optional<std::set<RunId>> asked_;  // named by the one that is being written, if one is
  std::set<RunId> doomed_;                // removed, but needed
  std::unique_ptr<Packer> packer_;
};

// A folder of its own that goes with it, for runs that nobody looks at later.
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
