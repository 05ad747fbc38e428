// The known URLs by fingerprint, each with a dense id: 0, 1, 2 ... in the order in which they were added.
// In memory up to a limit, the rest on disk.
//
// Problem: a crawler sees billions of links to pages that it already knows, and they do not fit into
// memory. Only 64-bit fingerprints are compared: a new URL is mistaken for a known one with a probability of
// n/2^64 (5 in 10^12 at 100 million URLs), and is then not fetched.
// Fingerprints are keyed hashes (base/keyed_hash.h), so an attacker cannot choose URLs that collide. The
// key changes with every run; a resume recomputes the fingerprints from the URLs. Three tiers:
//   - a table of recently added or found URLs, in two generations. When the young generation is full, its
//     new entries are written to sorted runs on disk and it becomes the old one; the previous old one is
//     dropped. URLs found in the old generation move to the young one, so popular URLs stay in memory;
//   - a Bloom filter per run in memory, which recognises most new URLs;
//   - the runs (fingerprint_run.h). A background thread merges them, as in a log-structured merge tree,
//     so there are few. Fingerprints are divided into ranges with separate runs. One range is merged at a
//     time, so that little is on disk twice. Blocks are kept in memory up to limit_blocks(); each call of
//     prefetch() reads a few.
// find() is always exact; if it needs the disk, it reads for one URL. prefetch() looks up many URLs in
// sorted batches, as Mercator and IRLbot do, so that the disk does not limit the speed. Runs are derived
// from the URL texts: they are rebuilt after a crash, and when one is found to be damaged. Ownership: the
// files in its folder, which it empties at the beginning and at the end. Threads: one owner; a background
// thread merges.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "store/fingerprint_answers.h"
#include "store/fingerprint_run.h"
#include "store/fingerprint_table.h"
#include "sys/disk.h"

namespace bowerbird {

struct KnownUrlsOptions {
  std::uint64_t memory = 0;  // for the table of recent URLs; 0: no limit, and nothing on disk
  std::string folder;        // for the runs
  Disk* disk = &Disk::real();
  bool background = true;  // false: merge synchronously (tests)
};

struct KnownUrlsCounts {
  std::uint64_t memory = 0;      // bytes, including filters and blocks
  std::uint64_t filters = 0;     // part of `memory`
  std::uint64_t blocks = 0;      // part of `memory`: blocks of runs
  std::uint64_t disk = 0;        // bytes
  std::uint64_t spilled = 0;     // URLs whose fingerprints are on disk
  std::uint64_t runs = 0;        // on disk
  std::uint64_t spills = 0;      // runs written by spilling
  std::uint64_t merges = 0;      // of runs
  std::uint64_t asked_disk = 0;  // lookups that needed the disk
  std::uint64_t reads = 0;       // blocks read for these lookups
  std::uint64_t repaired = 0;    // damaged runs that were rebuilt
};

class KnownUrls {
 public:
  explicit KnownUrls(const KnownUrlsOptions& options);
  ~KnownUrls();
  KnownUrls(const KnownUrls&) = delete;
  KnownUrls& operator=(const KnownUrls&) = delete;

  static std::uint64_t fingerprint(std::string_view canonical);

  // Reads the fingerprints of the pages [first, end) in order, to rebuild a run.
  using Reread =
      std::function<Status(PageId first, PageId end, const std::function<void(std::uint64_t)>& take)>;
  void set_reread(Reread reread) { reread_ = std::move(reread); }

  PageId size() const { return size_; }
  // The page of this fingerprint; kNoPage: unknown.
  PageId find(std::uint64_t fingerprint);
  // Looks these up in one batch, and keeps the results for find() until the next prefetch(). If the table
  // spills, some results are dropped earlier.
  void prefetch(std::span<const std::uint64_t> fingerprints);
  // Adds a fingerprint that is not known yet, and returns its page.
  PageId add(std::uint64_t fingerprint);
  // Whether nothing is on disk, so that find() never reads from it.
  bool all_in_memory() const { return spilled_ == 0; }

  // Changes the memory limit. Excess memory is freed at once.
  void limit(std::uint64_t memory);
  // Limit for blocks of runs in memory, in addition; 0 at first. Excess memory is freed at once.
  void limit_blocks(std::uint64_t bytes);
  // Frees memory that can be read from disk again. Returns the number of bytes.
  std::uint64_t shrink();

  KnownUrlsCounts counts() const;
  // Reports about damage and its repair since the last call.
  std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }
  // A disk error that could not be repaired: later results of find() may be wrong.
  const Status& status() const { return status_; }

 private:
  using Run = std::shared_ptr<FingerprintRun>;
  struct Merge;

  bool may_be_on_disk(std::uint64_t fingerprint) const;
  void ask_disk(std::vector<FingerprintQuery>& queries);
  bool ask_range(std::size_t range, std::span<FingerprintQuery> queries);
  void keep(std::uint64_t fingerprint, PageId page);
  void keep_blocks();
  void make_room();
  void grow(std::uint64_t homes);
  void spill();
  Result<std::vector<Run>> write_young();
  Result<FingerprintRunWriter> new_run(PageId first, PageId end, std::uint64_t entries);
  Result<Run> rebuild(std::size_t range, PageId first, PageId end);
  void want_merge();
  bool begin_merge(std::size_t range);
  void take_merge();
  void drop_merge();
  bool repair(std::size_t range, Run damaged, const Error& why, bool again);
  std::string run_path();
  void remove(const Run& run);
  template <typename Visit>
  void for_each_run(Visit&& visit) const;
  std::uint64_t most_homes() const;

  KnownUrlsOptions options_;
  Reread reread_;
  FingerprintTable young_, old_;
  // By range of fingerprints; within a range by page.
  std::array<std::vector<Run>, FingerprintRange::kCount> runs_;
  std::uint64_t blocks_limit_ = 0;
  PageId size_ = 0;
  PageId spilled_ = 0;          // pages below this are in runs
  FingerprintAnswers answers_;  // of the last prefetch(); dropped by the next spill
  std::unique_ptr<Merge> merge_;
  std::uint64_t runs_made_ = 0;
  KnownUrlsCounts counts_;
  std::vector<std::string> reports_;
  Status status_;
};

}  // namespace bowerbird
