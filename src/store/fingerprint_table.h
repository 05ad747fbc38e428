// Fingerprints and their pages in memory: an open table whose slots lie in the order of the fingerprints.
//
// Problem: membership must be one look into memory, and the table must be able to leave for the disk as a
// sorted run without a second copy of itself. A fingerprint's home is its share of the table (its value as a
// fraction, times the slots), so that clusters of full slots follow one another in ascending order; sorting
// each cluster on its own sorts the whole. 12 bytes a slot, at most three quarters full; untouched slots cost
// nothing (LazyArray). Fingerprints are taken to be well mixed. Threads: one owner.
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
  // The same, where nothing was added since sort(): it is soon clear that a fingerprint is not there.
  PageId find_sorted(std::uint64_t fingerprint) const {
    return search(fingerprint, [&](const Slot& slot) { return slot.fingerprint() > fingerprint; });
  }
  void prefetch(std::uint64_t fingerprint) const {
    if (homes_ == 0) return;
    const Slot* const at = slots_.data() + home(fingerprint);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 3);  // most searches end before
  }
  // The fingerprint is not there yet. False: there is no room at its place, whatever full() says.
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

  // Each cluster on its own, which sorts the whole.
  void sort() {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const std::size_t begin = i;
      while (i < slots_.size() && slots_[i].page != 0) ++i;
      if (i - begin < 2) continue;
      std::sort(slots_.data() + begin, slots_.data() + i,
                [](const Slot& a, const Slot& b) { return a.fingerprint() < b.fingerprint(); });
    }
  }
  // Calls visit(entry) in the order of the slots: after sort(), in that of the fingerprints.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Slot& slot : slots_.view()) {
      if (slot.page != 0) visit(FingerprintEntry{slot.fingerprint(), slot.page - 1});
    }
  }

 private:
  struct Slot {
    std::uint32_t low, high;  // of the fingerprint
    PageId page;              // plus 1; 0: free
    std::uint64_t fingerprint() const { return std::uint64_t{high} << 32 | low; }
  };
  static_assert(sizeof(Slot) == kSlotBytes);
  static constexpr std::size_t kBehind = 1024;  // for the last cluster, which does not wrap

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
