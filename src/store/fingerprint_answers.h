// The lookup results of one batch of fingerprints.
//
// Problem: a batch is looked up at once and then used one by one; by then the parts of the large tables
// that it touched have left the CPU cache. This table is small enough to stay there: 16 bytes per slot,
// at most half full. Slots have the number of their batch, so that all can be dropped at once. Assumes
// well-mixed fingerprints. Threads: one owner.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace bowerbird {

class FingerprintAnswers {
 public:
  // Starts a batch of at most `most` fingerprints.
  void begin(std::size_t most) {
    if (2 * most > slots_.size()) slots_ = std::vector<Slot>(std::bit_ceil(2 * most));
    forget();
  }
  void forget() {
    if (++batch_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot());
    batch_ = 1;
  }
  // Null: no result.
  const PageId* find(std::uint64_t fingerprint) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(fingerprint)];
    return slot.batch == batch_ ? &slot.page : nullptr;
  }
  // False: the batch already has this fingerprint.
  bool add(std::uint64_t fingerprint, PageId page) {
    Slot& slot = slots_[place(fingerprint)];
    if (slot.batch == batch_) return false;
    slot = {fingerprint, page, batch_};
    return true;
  }
  // Sets the result of a fingerprint that was added since begin(). Does nothing if the batch was dropped.
  void set(std::uint64_t fingerprint, PageId page) {
    Slot& slot = slots_[place(fingerprint)];
    if (slot.batch == batch_) slot.page = page;
  }
  std::uint64_t bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint64_t fingerprint = 0;
    PageId page = kNoPage;
    std::uint32_t batch = 0;
  };

  // The slot of the fingerprint, or the free slot where it would be.
  std::size_t place(std::uint64_t fingerprint) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(fingerprint) & mask;
    while (slots_[at].batch == batch_ && slots_[at].fingerprint != fingerprint) at = (at + 1) & mask;
    return at;
  }

  std::vector<Slot> slots_;
  std::uint32_t batch_ = 1;
};

}  // namespace bowerbird
