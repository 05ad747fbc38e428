// The part of the queue that is not in memory: sorted runs in a SpillStore, read from their best end.
//
// A run holds entries best first. A few blocks of each run are read ahead; no unread entry is better than the
// last of those. An entry is stale if its page has returned to memory because its score was changed. `live`
// detects this. Stale entries are skipped, and dropped when runs are merged because there are too many.
// Entries are stored as columns of differences: pages revealed by the same page have equal scores and
// adjacent discovery numbers, and take two or three bytes each.
//
// Ownership: the store outlives this object. A read error is kept in failure(): the rest of that run is
// dropped, and the queue rebuilds it from its marks. Threads: one owner.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/spill_store.h"
#include "frontier/queue_item.h"

namespace bowerbird {

class SpilledRuns {
 public:
  using Live = std::function<bool(const QueueItem&)>;
  using Visit = std::function<void(const QueueItem&)>;

  // Entries per block, maximum number of runs, and about how many entries are read ahead in total.
  struct Limits {
    std::size_t block = 4096;
    std::size_t runs = 64;
    std::size_t ahead = 1 << 16;
  };

  SpilledRuns(SpillStore& store, Live live) : store_(store), live_(std::move(live)) {}
  void set_limits(const Limits& limits) { limits_ = limits; }

  bool empty() const { return runs_.empty(); }
  std::uint64_t runs() const { return runs_.size(); }
  // Not yet taken, including stale ones.
  std::uint64_t entries() const { return entries_; }

  // Adds a run of these entries, best first. After an error none of it counts.
  Status add(std::span<const QueueItem> items);
  // Reads ahead. Every entry that is not below the returned bar has then been read.
  QueueItem bar();
  // Takes all entries not below `bar` (at least bar()), and passes live ones to `visit`.
  void take(const QueueItem& bar, const Visit& visit);
  // Passes live entries to `visit`, in no particular order; then no run is left. The visitor may add().
  void take_all(const Visit& visit);
  void remove_all();
  // Merges runs if there are too many, or too many of their entries are stale.
  void tidy(std::uint64_t live_entries);
  // An estimate of the number of entries with a larger score, from the fences (Run::fences).
  std::uint64_t count_above(Score score) const;

  const std::string& failure() const { return failure_; }
  std::string take_failure() { return std::exchange(failure_, {}); }

  std::uint64_t bytes() const;

  void save(ByteWriter& out) const;
  // Restores the runs. Every entry that has not been taken is passed to `visit`, those of newer runs first:
  // the first entry of a page counts. Fails if a run is missing or damaged; the error describes its contents.
  Status load(ByteReader& in, const Visit& visit);

 private:
  struct Run {
    RunId id = 0;
    std::uint64_t items = 0;
    std::uint64_t taken = 0;        // entries before this have been taken
    std::uint64_t next_block = 0;   // to read
    std::uint64_t read = 0;         // entries in the blocks before that
    std::uint32_t block = 0;        // entries per block
    std::uint64_t stride = 1;       // blocks from fence to fence
    std::vector<Score> fences;      // scores of entries at equal distances, a few dozen
    std::vector<QueueItem> buffer;  // entries from `taken` on that have been read
    std::size_t at = 0;

    bool all_read() const { return read == items; }
  };

  class Writer;
  bool fill(Run& run, std::size_t wanted);
  bool next(Run& run, QueueItem& item);
  void give_up(Run& run, const Error& error);
  void merge(std::vector<Run> parts);
  void drop_empty();
  static std::string described(const Run& run);

  SpillStore& store_;
  Live live_;
  Limits limits_;
  std::vector<Run> runs_;
  std::uint64_t entries_ = 0;
  RunId next_id_ = 1;
  std::string failure_;
};

// A block of entries, best first, as bytes and back; an error if the bytes are not such a block.
std::string encode_entries(std::span<const QueueItem> items);
Status decode_entries(std::string_view bytes, std::vector<QueueItem>& items);

}  // namespace bowerbird
