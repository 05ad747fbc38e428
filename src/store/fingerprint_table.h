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
#include <vector>

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
    if (homes_ == 0) return kNoPage;
    const auto low = static_cast<std::uint32_t>(fingerprint),
               high = static_cast<std::uint32_t>(fingerprint >> 32);
    for (std::size_t i = home(fingerprint); i < slots_.size(); ++i) {
      const Slot& slot = slots_[i];
      if (slot.page == 0) return kNoPage;
      if (slot.low == low && slot.high == high) return slot.page - 1;
    }
    return kNoPage;
  }
  void prefetch(std::uint64_t fingerprint) const {
    if (homes_ == 0) return;
    const Slot* const at = slots_.data() + home(fingerprint);
    __builtin_prefetch(at);
    __builtin_prefetch(at +
                       6);  // a search that finds nothing goes through eight or nine slots of a full table
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

  // Calls visit(entry) in ascending order of fingerprints.
  template <typename Visit>
  void for_each_sorted(Visit&& visit) const {
    std::vector<FingerprintEntry> cluster;
    for (std::size_t i = 0; i <= slots_.size(); ++i) {
      if (i < slots_.size() && slots_[i].page != 0) {
        cluster.push_back({std::uint64_t{slots_[i].high} << 32 | slots_[i].low, slots_[i].page - 1});
        continue;
      }
      if (cluster.size() > 1) std::sort(cluster.begin(), cluster.end());
      for (const FingerprintEntry& entry : cluster) visit(entry);
      cluster.clear();
    }
  }

 private:
  struct Slot {
    std::uint32_t low, high;  // of the fingerprint
    PageId page;              // plus 1; 0: free
  };
  static_assert(sizeof(Slot) == kSlotBytes);
  static constexpr std::size_t kBehind = 1024;  // for the last cluster, which does not wrap

  std::size_t home(std::uint64_t fingerprint) const {
    return static_cast<std::size_t>(to_below(fingerprint, homes_));
  }

  LazyArray<Slot> slots_;
  std::uint64_t homes_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace bowerbird
