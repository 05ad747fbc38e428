// The part of the queue that is not in memory: sorted runs in a SpillStore, read back from their best end.
//
// A run holds entries best first. What is read of each is a few blocks ahead; no entry that is not yet read
// is better than the last of those. An entry whose page has moved on meanwhile (its score was changed, so it
// was brought back to memory) is stale: `live` tells, and stale ones are passed over, and left out when runs
// are merged because they have become too many. Entries are stored as columns of differences: pages that one
// page revealed have equal scores and neighbouring numbers, and cost two or three bytes.
//
// Ownership: the store outlives this. An error of reading is kept in trouble(): what the run still held is
// not here any more, and the queue puts it together again from its marks. Threads: one owner.
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

  // Blocks of so many entries; at most so many runs, and about so many entries read ahead of all of them.
  struct Limits {
    std::size_t block = 4096;
    std::size_t runs = 64;
    std::size_t ahead = 1 << 16;
  };

  SpilledRuns(SpillStore& store, Live live) : store_(store), live_(std::move(live)) {}
  void set_limits(const Limits& limits) { limits_ = limits; }

  bool empty() const { return runs_.empty(); }
  std::uint64_t runs() const { return runs_.size(); }
  // Not yet taken, stale ones among them.
  std::uint64_t entries() const { return entries_; }

  // A run of these, best first. After an error nothing of it counts.
  Status add(std::span<const QueueItem> items);
  // Reads ahead. What is not below the answer is all in what was read.
  QueueItem bar();
  // Takes what is not below `bar` (which is no less than bar()), live entries to `visit`.
  void take(const QueueItem& bar, const Visit& visit);
  // Live entries to `visit`, in no particular order; after that there is no run. The visitor may add().
  void take_all(const Visit& visit);
  void remove_all();
  // Merges runs where there are too many, or too many of their entries are stale.
  void tidy(std::uint64_t live_entries);
  // How many entries have a larger score, counted by fences.
  std::uint64_t count_above(Score score) const;

  const std::string& trouble() const { return trouble_; }
  std::string take_trouble() { return std::exchange(trouble_, {}); }

  std::uint64_t bytes() const;

  void save(ByteWriter& out) const;
  // The runs as they were. Every entry that has not been taken goes to `visit`, those of newer runs first:
  // the first one of a page is the one that counts. Fails where a run is missing or damaged, and says what it
  // held.
  Status load(ByteReader& in, const Visit& visit);

 private:
  struct Run {
    RunId id = 0;
    std::uint64_t items = 0;
    std::uint64_t taken = 0;        // entries before this are dealt with
    std::uint64_t next_block = 0;   // to read
    std::uint64_t read = 0;         // entries in the blocks before that
    std::uint32_t block = 0;        // entries per block
    std::uint64_t stride = 1;       // blocks from fence to fence
    std::vector<Score> fences;      // scores of entries at equal distances, a few dozen
    std::vector<QueueItem> buffer;  // entries from `taken` on, as far as they were read
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
  std::string trouble_;
};

// A block of entries, best first, as bytes and back; an error where the bytes are no such block.
std::string encode_entries(std::span<const QueueItem> items);
Status decode_entries(std::string_view bytes, std::vector<QueueItem>& items);

}  // namespace bowerbird
