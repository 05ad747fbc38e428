// What was found out for a batch of fingerprints, for as long as it holds.
//
// Problem: a batch is looked up at once, and then used one by one; by then what it touched of the large
// tables has left the processor's cache. This is small enough to stay there: 16 bytes a slot, at most half
// full. Slots are marked with the number of their batch, so that all of them are forgotten at once.
// Fingerprints are taken to be well mixed. Threads: one owner.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace bowerbird {

class FingerprintAnswers {
 public:
  // For at most so many fingerprints.
  void begin(std::size_t most) {
    if (2 * most > slots_.size()) slots_ = std::vector<Slot>(std::bit_ceil(2 * most));
    forget();
  }
  void forget() {
    if (++batch_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot());
    batch_ = 1;
  }
  // Null: nothing is known of it.
  const PageId* find(std::uint64_t fingerprint) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(fingerprint)];
    return slot.batch == batch_ ? &slot.page : nullptr;
  }
  // False: it is there already.
  bool add(std::uint64_t fingerprint, PageId page) {
    Slot& slot = slots_[place(fingerprint)];
    if (slot.batch == batch_) return false;
    slot = {fingerprint, page, batch_};
    return true;
  }
  // One that was added since begin(); nothing where all are forgotten.
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

  // Of its slot, or of the free one where it would be.
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
