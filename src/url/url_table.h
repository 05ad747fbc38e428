// The URLs that are known, each with a dense id: 0, 1, 2 ... in the order in which they came.
//
// Problem: a crawler sees billions of links to pages it knows already; the test must be one look into memory.
// The table holds 64-bit fingerprints of the canonical texts, 12 bytes a slot; two URLs with the same one
// would be taken for one page (with 100 million URLs the chance of a single such pair is 1 in 3,700). Texts
// are kept without their host, which the caller numbers: scheme bit and target, in blocks that never move.
// Ownership: views live as long as the table. Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace bowerbird {

class UrlTable {
 public:
  UrlTable();

  static std::uint64_t fingerprint(std::string_view canonical);

  // The id of the URL with this fingerprint, or kNoPage.
  PageId find(std::uint64_t fingerprint) const;
  void prefetch(std::uint64_t fingerprint) const { __builtin_prefetch(&slots_[slot_of(fingerprint)]); }
  // A URL that is not there yet; its id.
  PageId add(std::uint64_t fingerprint, HostId host, bool https, std::string_view target);

  PageId size() const { return static_cast<PageId>(pages_.size()); }
  HostId host(PageId page) const { return pages_[page].host; }
  bool https(PageId page) const { return pages_[page].https != 0; }
  std::string_view target(PageId page) const;

  std::uint64_t bytes() const;

 private:
  struct Slot {
    std::uint32_t low, high;  // of the fingerprint
    PageId page;
  };
  struct Page {
    std::uint64_t at : 47;
    std::uint64_t https : 1;
    std::uint64_t size : 16;
    HostId host;
  } __attribute__((packed));

  static constexpr std::size_t kBlock = std::size_t{1} << 20;

  std::size_t slot_of(std::uint64_t fingerprint) const { return fingerprint >> shift_; }
  void place(std::uint64_t fingerprint, PageId page);
  void grow();
  std::uint64_t keep(std::string_view text);

  std::vector<Slot> slots_;
  unsigned shift_;
  std::vector<Page> pages_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t used_ = kBlock;  // of the last block
};

}  // namespace bowerbird
