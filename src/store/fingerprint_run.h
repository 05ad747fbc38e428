// A sorted run of fingerprints with their pages, in a file that is written once.
//
// Problem: what does not fit into memory must be found again with few reads, many at a time. The file is
// blocks of 512 bytes, each of which is read alone:
//   u64 smallest fingerprint, u32 CRC-32 of all else, u16 entries, u8 bits of a fingerprint, u8 bits of a
//   page, then the entries in ascending order, packed: fingerprint less the smallest, page less the run's
//   first one.
// In memory stays the smallest fingerprint of each block, and a filter. With 10^8 URLs an entry takes 9.3
// bytes of disk and 1.4 of memory. Blocks can be kept in memory besides, the first ones of the file, as many
// as there is room for: a look into those needs no call of the system. A run holds the fingerprints of one
// range (FingerprintRange) and of pages of one range of ids: it can be made anew from their texts, so that it
// is never made durable and belongs to no commit. Threads: one user, except that any number of cursors may
// read.
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

// A fingerprint that is looked for.
struct FingerprintQuery {
  std::uint64_t fingerprint = 0;
  PageId page = kNoPage;  // where it was found
};

// What the disk was asked for, because it was not in memory.
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
  // Fills in the pages of those that are here. Ascending; each block is read at most once, and the system is
  // told of all of them before the first is waited for.
  Result<FingerprintReads> find(std::span<FingerprintQuery*> queries) const;

  // Bytes of the blocks that are kept in memory.
  std::uint64_t kept() const { return kept_.size(); }
  // Keeps so many bytes more, in whole blocks, as far as there are; none where one of them is damaged.
  Status keep_more(std::uint64_t bytes);
  void keep_at_most(std::uint64_t bytes) { kept_.shrink_to(bytes / kBlock * kBlock); }

  // All entries in order, for merging.
  class Cursor {
   public:
    explicit Cursor(const FingerprintRun& run) : run_(&run) {}
    // False at the end.
    Result<bool> next(FingerprintEntry& entry);

   private:
    const FingerprintRun* run_;
    std::string piece_;
    std::size_t block_ = 0;     // of the file, the next to be read
    std::size_t in_piece_ = 0;  // bytes behind the current block
    std::string_view current_;
    std::uint32_t entry_ = 0, entries_ = 0;
  };

 private:
  friend class FingerprintRunWriter;
  Error damaged(std::size_t block, std::string_view what) const;
  // The block, if it is sound.
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
  std::vector<std::uint64_t> firsts_;  // of each block
  std::vector<std::size_t> slices_;    // of the range, of equal width: their first blocks; and the end
  FingerprintFilter filter_;
  LazyArray<char> kept_;  // the blocks at the front of the file, as they are there; all sound
};

// Entries go in in ascending order, all of pages in [first, end). How many there are is to be known nearly:
// the filter is made for so many.
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

// One run from several whose pages follow one another. `stop`: asked now and then; true gives up (a null
// run).
Result<std::shared_ptr<FingerprintRun>> merge_runs(Disk& disk, std::string path,
                                                   std::span<const std::shared_ptr<FingerprintRun>> runs,
                                                   const std::function<bool()>& stop);

}  // namespace bowerbird
