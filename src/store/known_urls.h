// The URLs that are known, by fingerprint, each with a dense id: 0, 1, 2 ... in the order in which they came.
// In memory as far as it is allowed to, on disk beyond.
//
// Problem: a crawler sees billions of links to pages it knows already, and cannot keep all it knows in
// memory. Membership is exact up to the equality of 64-bit fingerprints: a new URL is taken for a known one
// with a probability of n/2^64 (5 in 10^12 at 100 million URLs), and is then not fetched. Fingerprints are
// keyed hashes (base/keyed_hash.h), so nobody outside can choose URLs that collide; they change from run to
// run and are rebuilt from the URLs when a crawl is resumed. Three tiers:
//   - a table of what came or was asked for lately, in two generations: the young one is filled; when it is
//     full, its new entries leave for sorted runs on disk, it becomes the old one, which still answers, and
//     the old one goes. What is found in the old one moves to the young one, so that popular URLs never
//     leave;
//   - a filter for each run in memory, which knows most of the new URLs as new;
//   - the runs (fingerprint_run.h). Few: they are merged in the background, as in a log-structured merge
//     tree. Fingerprints are divided into ranges, each with runs of its own, and one range is merged at a
//     time, so that little is on disk twice. Blocks are kept in memory as far as limit_blocks() allows;
//     prefetch() reads them, a piece in each call.
// find() is always exact; where it has to ask the disk, it does so for one URL. prefetch() asks for many at
// once, in sorted batches as Mercator and IRLbot do, so that the disk does not set the pace. Runs are derived
// from the texts: after a crash they are made anew, and one that turns out to be damaged is too. Ownership:
// the files in its folder, which it empties at birth and at its end. Threads: one owner; a thread of its own
// merges.
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
  std::uint64_t memory = 0;  // for the table of what came lately; 0: no limit, and no disk
  std::string folder;        // for the runs
  Disk* disk = &Disk::real();
  bool background = true;  // false: merges are done at once (tests)
};

struct KnownUrlsCounts {
  std::uint64_t memory = 0;      // bytes, those of filters and blocks among them
  std::uint64_t filters = 0;     // of those
  std::uint64_t blocks = 0;      // of those: kept of the runs
  std::uint64_t disk = 0;        // bytes
  std::uint64_t spilled = 0;     // URLs whose fingerprints are on disk
  std::uint64_t runs = 0;        //
  std::uint64_t spills = 0;      // runs written
  std::uint64_t merges = 0;      //
  std::uint64_t asked_disk = 0;  // look-ups that memory could not answer
  std::uint64_t reads = 0;       // blocks read for them
  std::uint64_t repaired = 0;    // runs that were damaged and made anew
};

class KnownUrls {
 public:
  explicit KnownUrls(const KnownUrlsOptions& options);
  ~KnownUrls();
  KnownUrls(const KnownUrls&) = delete;
  KnownUrls& operator=(const KnownUrls&) = delete;

  static std::uint64_t fingerprint(std::string_view canonical);

  // The fingerprints of the pages [first, end) in order, for a run that has to be made anew.
  using Reread =
      std::function<Status(PageId first, PageId end, const std::function<void(std::uint64_t)>& take)>;
  void set_reread(Reread reread) { reread_ = std::move(reread); }

  PageId size() const { return size_; }
  // The page of this fingerprint, or kNoPage.
  PageId find(std::uint64_t fingerprint);
  // find() does not ask the disk for these until prefetch() is called again, or (for a few of them) the table
  // spills.
  void prefetch(std::span<const std::uint64_t> fingerprints);
  // One that is not known yet; its page.
  PageId add(std::uint64_t fingerprint);
  // Nothing is on disk: find() is one look into memory.
  bool all_in_memory() const { return spilled_ == 0; }

  // The limit from here on; what is too much goes at once.
  void limit(std::uint64_t memory);
  // How many bytes the blocks of runs may take beside that; at first none. What is too much goes at once.
  void limit_blocks(std::uint64_t bytes);
  // Gives back what can be had again from the disk; how many bytes.
  std::uint64_t shrink();

  KnownUrlsCounts counts() const;
  // What was found damaged, and what was done about it; empties the list.
  std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }
  // An error of the disk that could not be mended: what find() has answered since may be wrong.
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
  Result<Run> make_anew(std::size_t range, PageId first, PageId end);
  void want_merge();
  bool begin_merge(std::size_t range);
  void take_merge();
  void drop_merge();
  bool mend(std::size_t range, Run damaged, const Error& why, bool again);
  std::string run_path();
  void remove(const Run& run);
  template <typename Visit>
  void for_each_run(Visit&& visit) const;
  std::uint64_t most_homes() const;

  KnownUrlsOptions options_;
  Reread reread_;
  FingerprintTable young_, old_;
  // Of each range of fingerprints; by page, the first ones first.
  std::array<std::vector<Run>, FingerprintRange::kCount> runs_;
  std::uint64_t blocks_limit_ = 0;
  PageId size_ = 0;
  PageId spilled_ = 0;          // pages below this are in runs
  FingerprintAnswers answers_;  // of the last prefetch(); void from the next spill on
  std::unique_ptr<Merge> merge_;
  std::uint64_t runs_made_ = 0;
  KnownUrlsCounts counts_;
  std::vector<std::string> reports_;
  Status status_;
};

}  // namespace bowerbird
