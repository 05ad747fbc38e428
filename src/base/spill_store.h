// Storage for data that does not fit into memory: numbered runs of blocks, written once from beginning to
// end, read back in the same order, then removed.
//
// Problem: frontier and orderings do no I/O, yet the queue and the growing graph may outgrow memory. They use
// this interface: a folder of the crawl or of the lab (store/spill_folder.h), or memory in tests. The
// contents of blocks are up to the caller. Errors leave the store usable: what cannot be read is lost, what
// cannot be written stays with the caller. Ownership: outlives its users. Threads: one owner, but read() from
// several at a time while nothing else is called.
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
  // Reserves 2^32 run numbers, starting with the result. Smaller ones belong to the queue. Users that are
  // created in the same order get the same numbers again.
  RunId claim_runs() { return ++claimed_ << 32; }

  // Appends the next block of a run; a run begins with its first block. Nothing may follow finish().
  virtual Status append(RunId run, std::string_view block) = 0;
  virtual Status finish(RunId run) = 0;
  // Reads block number `block` of a run. Fast if blocks are read in order.
  virtual Result<std::string> read(RunId run, std::uint64_t block) = 0;
  // Removes a run that is no longer needed; it need not exist.
  virtual void remove(RunId run) = 0;
  // The storage used by the runs with these numbers, [from, to); or by all.
  virtual std::uint64_t bytes(RunId from, RunId to) const = 0;
  std::uint64_t bytes() const { return bytes(0, ~RunId{0}); }

 private:
  std::uint64_t claimed_ = 0;
};

// When a write that failed is tried again. After an error the data stays in memory until it has grown by an
// eighth; after several errors in a row the limit cannot be kept, which is itself an error.
class SpillRetry {
 public:
  static constexpr unsigned kMostFailures = 4;

  // in_memory: in any unit, the same each time.
  bool is_due(std::uint64_t in_memory) const { return status_.ok() && in_memory >= next_; }
  void succeeded() { next_ = failures_ = 0; }
  void failed(std::uint64_t in_memory, std::string_view what, const Error& why) {
    next_ = in_memory + in_memory / 8 + 1;
    if (++failures_ == kMostFailures) give_up(what, why);
  }
  void give_up(std::string_view what, const Error& why) {
    status_ =
        error(why.kind, "{} exceeds its memory limit and cannot be written to disk: {}", what, why.text);
  }
  const Status& status() const { return status_; }

 private:
  std::uint64_t next_ = 0;
  std::uint64_t failures_ = 0;
  Status status_;
};

// In memory: for tests, and for inspecting a running crawl. Runs that it does not have itself are read from
// `base`, which it never changes.
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
  using SpillStore::bytes;
  std::uint64_t bytes(RunId from, RunId to) const override {
    std::uint64_t sum = 0;
    for (auto run = runs_.lower_bound(from); run != runs_.end() && run->first < to; ++run) {
      for (const std::string& block : run->second) sum += block.size();
    }
    return sum;
  }
  std::map<RunId, std::vector<std::string>>& runs() { return runs_; }

 private:
  SpillStore* base_;
  std::map<RunId, std::vector<std::string>> runs_;
};

}  // namespace bowerbird
