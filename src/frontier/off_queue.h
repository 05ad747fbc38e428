// The pages that are uncrawled but not in the queue: in flight, waiting for a retry, or parked behind a
// closed gate. They are few compared with the queue, so they may use more memory each.
//
// A slot number is stable while its page is here, and is reused afterwards. Threads: one owner.
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "frontier/score_queue.h"

namespace bowerbird {

using Time = std::int64_t;

enum class PageState : std::uint8_t { kUndiscovered, kQueued, kInFlight, kWaiting, kDone };

// A gate that several hosts share, such as that of an address or a domain: any number but 0.
using SharedGateId = std::uint32_t;
inline constexpr SharedGateId kOwnGate = 0;  // not shared: the gate of the host itself

struct OffQueuePage {
  QueueItem item;
  PageState state = PageState::kUndiscovered;  // kQueued: parked
  std::uint32_t heap_index = 0;                // parked: position in the heap of its gate
  SharedGateId gate = kOwnGate;                // parked: behind which gate
  Time due = 0;                                // waiting: until when
};

class OffQueue {
 public:
  using Slot = std::uint32_t;

  Slot add(const QueueItem& item, PageState state) {
    if (free_.empty()) {
      CHECK(slots_.size() < ScoreQueue::kMostOffQueue);
      free_.push_back(static_cast<Slot>(slots_.size()));
      slots_.emplace_back();
    }
    const Slot slot = free_.back();
    free_.pop_back();
    slots_[slot] = {item, state, 0, kOwnGate, 0};
    return slot;
  }
  QueueItem remove(Slot slot) {
    free_.push_back(slot);
    slots_[slot].state = PageState::kUndiscovered;
    return slots_[slot].item;
  }

  OffQueuePage& operator[](Slot slot) { return slots_[slot]; }
  const OffQueuePage& operator[](Slot slot) const { return slots_[slot]; }
  std::size_t size() const { return slots_.size() - free_.size(); }
  std::uint64_t bytes() const {
    return slots_.capacity() * sizeof(OffQueuePage) + free_.capacity() * sizeof(Slot);
  }

  // visit(entry) for each page, in no particular order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const OffQueuePage& entry : slots_) {
      if (entry.state != PageState::kUndiscovered) visit(entry);
    }
  }
  template <typename Visit>
  void for_each(Visit&& visit) {
    for (OffQueuePage& entry : slots_) {
      if (entry.state != PageState::kUndiscovered) visit(entry);
    }
  }

 private:
  std::vector<OffQueuePage> slots_;
  std::vector<Slot> free_;
};

}  // namespace bowerbird
