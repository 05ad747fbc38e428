// A sorted run of fingerprints with their pages, in a file that is written once.
//
// Problem: fingerprints that do not fit into memory must be found with few reads, many at a time. The
// file consists of blocks of 512 bytes that can be read separately:
//   u64 smallest fingerprint, u32 CRC-32 of the rest, u16 entries, u8 bits per fingerprint, u8 bits per
//   page, then the packed entries in ascending order: fingerprint minus the smallest one, page minus the
//   run's first one.
// The smallest fingerprint of each block and a filter are in memory. With 10^8 URLs an entry takes 9.3
// bytes of disk and 1.4 of memory. As memory allows, blocks at the front of the file are also kept in
// memory; reading those needs no system call. A run has the fingerprints of one range (FingerprintRange)
// and of an interval of page ids. It can be rebuilt from the URL texts, so it is never synced and is not
// part of commits. Threads: one user; any number of cursors may read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/lazy_array.h"
#include "base/result.h"
#include "store/fingerprint_filter.h"
#include "store/fingerprint_table.h"
#include "sys/disk.h"

namespace bowerbird {

// A fingerprint to look up.
struct FingerprintQuery {
  std::uint64_t fingerprint = 0;
  PageId page = kNoPage;  // the result
};

// Reads from disk, because the block was not in memory.
struct FingerprintReads {
  std::uint64_t queries = 0;
  std::uint64_t blocks = 0;
};

class FingerprintRun {
 public:
  static constexpr std::size_t kBlock = 512;

  PageId first_page() const { return first_page_; }
  PageId end_page() const { return end_page_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t smallest() const { return firsts_.front(); }
  const std::string& path() const { return path_; }
  std::uint64_t memory() const { return filter_.bytes() + firsts_.capacity() * sizeof(std::uint64_t); }
  std::uint64_t disk_bytes() const { return firsts_.size() * kBlock; }

  const FingerprintFilter& filter() const { return filter_; }
  // Sets the pages of the fingerprints that the run has. The queries must be ascending. Each block is
  // read at most once, and the kernel is asked to read all of them before waiting for the first.
  Result<FingerprintReads> find(std::span<FingerprintQuery*> queries) const;

  // Size of the blocks that are kept in memory.
  std::uint64_t kept() const { return kept_.size(); }
  // Keeps up to `bytes` more in memory, in whole blocks. Keeps none if a block is damaged.
  Status keep_more(std::uint64_t bytes);
  void keep_at_most(std::uint64_t bytes) { kept_.shrink_to(bytes / kBlock * kBlock); }

  // Reads all entries in order, for merging.
  class Cursor {
   public:
    explicit Cursor(const FingerprintRun& run) : run_(&run) {}
    // False at the end.
    Result<bool> next(FingerprintEntry& entry);

   private:
    const FingerprintRun* run_;
    std::string piece_;
    std::size_t block_ = 0;     // the next block of the file to be read
    std::size_t in_piece_ = 0;  // offset in piece_ after the current block
    std::string_view current_;
    std::uint32_t entry_ = 0, entries_ = 0;
  };

 private:
  friend class FingerprintRunWriter;
  Error damaged(std::size_t block, std::string_view what) const;
  // Checks the block.
  Status check(std::size_t block, std::string_view bytes) const;
  Status read_kept(std::size_t from);
  void cut_slices();
  std::size_t guess(std::uint64_t fingerprint) const;
  std::size_t place(std::uint64_t fingerprint) const;
  double share(std::size_t block, std::uint64_t fingerprint) const;
  void find_in_block(std::size_t block, const char* bytes, FingerprintQuery& query) const;
  bool is_kept(std::size_t block) const { return block < kept_.size() / kBlock; }

  std::string path_;
  std::shared_ptr<const DiskFile> file_;
  PageId first_page_ = 0, end_page_ = 0;
  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> firsts_;  // smallest fingerprint of each block
  std::vector<std::size_t>
      slices_;  // first block of each slice of the range (slices have equal width), and the end
  FingerprintFilter filter_;
  LazyArray<char> kept_;  // blocks at the front of the file; all valid
};

// Writes a run. Entries must be added in ascending order, with pages in [first, end). `entries` may be
// approximate; it sizes the filter.
class FingerprintRunWriter {
 public:
  static Result<FingerprintRunWriter> create(Disk& disk, std::string path, PageId first, PageId end,
                                             std::uint64_t entries);

  Status add(const FingerprintEntry& entry);
  Result<std::shared_ptr<FingerprintRun>> finish();
  std::uint64_t memory() const { return run_->filter_.bytes(); }

 private:
  FingerprintRunWriter() = default;
  Status cut();

  std::shared_ptr<FingerprintRun> run_;
  std::unique_ptr<DiskFile> file_;
  unsigned page_bits_ = 0;
  std::vector<FingerprintEntry> block_;
  std::string buffer_;
};

// Merges runs with consecutive intervals of pages. `stop` is called now and then; if it returns true, the
// result is null.
Result<std::shared_ptr<FingerprintRun>> merge_runs(Disk& disk, std::string path,
                                                   std::span<const std::shared_ptr<FingerprintRun>> runs,
                                                   const std::function<bool()>& stop);

}  // namespace bowerbird
