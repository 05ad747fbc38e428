// Where memory that is short puts what it can do without for now: numbered runs of blocks, written once from
// beginning to end, read back the same way, removed.
//
// Problem: the frontier decides and does no I/O, yet its queue may outgrow memory. It is given one of these:
// a folder of the crawl or of the lab (store/spill_folder.h), or memory in tests. What a block means is the
// caller's. Errors leave the store usable: what cannot be read is lost, what cannot be written is still with
// the caller. Ownership: outlives its user. Threads: one owner.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

using RunId = std::uint64_t;

class SpillStore {
 public:
  virtual ~SpillStore() = default;
  // The next block of a run; a run begins with its first block. Nothing follows finish().
  virtual Status append(RunId run, std::string_view block) = 0;
  virtual Status finish(RunId run) = 0;
  // Block number `block` of a finished run. Reading them in order is what is fast.
  virtual Result<std::string> read(RunId run, std::uint64_t block) = 0;
  // The run is not wanted any more; a run that is not there is fine.
  virtual void remove(RunId run) = 0;
  // What all runs take where they are.
  virtual std::uint64_t bytes() const = 0;
};

// In memory: for tests, and for looking at a crawl that goes on elsewhere. Runs that it does not have itself
// are read from `base`, which it never changes.
class MemorySpill : public SpillStore {
 public:
  explicit MemorySpill(SpillStore* base = nullptr) : base_(base) {}

  Status append(RunId run, std::string_view block) override {
    runs_[run].emplace_back(block);
    return {};
  }
  Status finish(RunId) override { return {}; }
  Result<std::string> read(RunId run, std::uint64_t block) override {
    const auto found = runs_.find(run);
    if (found == runs_.end() && base_ != nullptr) return base_->read(run, block);
    if (found == runs_.end() || block >= found->second.size())
      return error("there is no block {} of run {}", block, run);
    return found->second[block];
  }
  void remove(RunId run) override { runs_.erase(run); }
  std::uint64_t bytes() const override {
    std::uint64_t sum = 0;
    for (const auto& [run, blocks] : runs_) {
      for (const std::string& block : blocks) sum += block.size();
    }
    return sum;
  }
  std::map<RunId, std::vector<std::string>>& runs() { return runs_; }

 private:
  SpillStore* base_;
  std::map<RunId, std::vector<std::string>> runs_;
};

}  // namespace bowerbird
