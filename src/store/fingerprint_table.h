// Fingerprints and their pages in memory: an open-addressing table in the order of the fingerprints.
//
// Problem: a lookup must be one memory access, and it must be possible to write the table to disk as a
// sorted run without a second copy. The home slot of a fingerprint is proportional to its value, so
// clusters of full slots are in ascending order, and sorting each cluster sorts the table. 12 bytes per
// slot, at most three quarters full; untouched slots use no memory (LazyArray). Assumes well-mixed
// fingerprints. Threads: one owner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/ids.h"
#include "base/lazy_array.h"
#include "base/rng.h"

namespace bowerbird {

struct FingerprintEntry {
  std::uint64_t fingerprint = 0;
  PageId page = kNoPage;
  friend bool operator<(const FingerprintEntry& a, const FingerprintEntry& b) {
    return a.fingerprint < b.fingerprint;
  }
};

class FingerprintTable {
 public:
  FingerprintTable() = default;
  explicit FingerprintTable(std::uint64_t slots)
      : slots_(static_cast<std::size_t>(slots) + kBehind), homes_(slots) {}

  std::uint64_t size() const { return size_; }
  std::uint64_t homes() const { return homes_; }
  bool full() const { return (size_ + 1) * 4 > homes_ * 3; }
  std::uint64_t bytes() const { return slots_.size() * sizeof(Slot); }
  static constexpr std::uint64_t kSlotBytes = 12;

  PageId find(std::uint64_t fingerprint) const {
    return search(fingerprint, [](const Slot&) { return false; });
  }
  // The same, faster for missing fingerprints, if nothing was added since sort().
  PageId find_sorted(std::uint64_t fingerprint) const {
    return search(fingerprint, [&](const Slot& slot) { return slot.fingerprint() > fingerprint; });
  }
  void prefetch(std::uint64_t fingerprint) const {
    if (homes_ == 0) return;
    const Slot* const at = slots_.data() + home(fingerprint);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 3);  // most searches end before this
  }
  // The fingerprint must not be in the table. False: there is no free slot after its home slot, whatever
  // full() says.
  bool add(std::uint64_t fingerprint, PageId page) {
    for (std::size_t i = home(fingerprint); i < slots_.size(); ++i) {
      if (slots_[i].page != 0) continue;
      slots_[i] = {static_cast<std::uint32_t>(fingerprint), static_cast<std::uint32_t>(fingerprint >> 32),
                   page + 1};
      ++size_;
      return true;
    }
    return false;
  }

  // Sorts each cluster, which sorts the whole table.
  void sort() {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const std::size_t begin = i;
      while (i < slots_.size() && slots_[i].page != 0) ++i;
      if (i - begin < 2) continue;
      std::sort(slots_.data() + begin, slots_.data() + i,
                [](const Slot& a, const Slot& b) { return a.fingerprint() < b.fingerprint(); });
    }
  }
  // Calls visit(entry) in the order of the slots; after sort(), in the order of the fingerprints.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Slot& slot : slots_.view()) {
      if (slot.page != 0) visit(FingerprintEntry{slot.fingerprint(), slot.page - 1});
    }
  }

 private:
  struct Slot {
    std::uint32_t low, high;  // of the fingerprint
    PageId page;              // page + 1; 0: free
    std::uint64_t fingerprint() const { return std::uint64_t{high} << 32 | low; }
  };
  static_assert(sizeof(Slot) == kSlotBytes);
  static constexpr std::size_t kBehind = 1024;  // for the last cluster, which does not wrap around

  std::size_t home(std::uint64_t fingerprint) const {
    return static_cast<std::size_t>(to_below(fingerprint, homes_));
  }

  template <typename Past>
  PageId search(std::uint64_t fingerprint, const Past& past) const {
    if (homes_ == 0) return kNoPage;
    for (std::size_t i = home(fingerprint); i < slots_.size(); ++i) {
      const Slot& slot = slots_[i];
      if (slot.page == 0 || past(slot)) return kNoPage;
      if (slot.fingerprint() == fingerprint) return slot.page - 1;
    }
    return kNoPage;
  }

  LazyArray<Slot> slots_;
  std::uint64_t homes_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace bowerbird
