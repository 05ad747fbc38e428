// The pages that are uncrawled but not in the queue: in flight, waiting for a retry, or parked behind a
// closed gate or a better page of their host. In most crawls they are few compared with the queue, so they
// may use more memory each.
//
// A slot number is stable while its page is here, and is reused afterwards. Threads: one owner.
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "base/lazy_array.h"
#include "base/time.h"
#include "frontier/score_queue.h"

namespace bowerbird {

enum class PageState : std::uint8_t { kUndiscovered, kQueued, kInFlight, kWaiting, kDone };

// A gate that several hosts share, such as that of an address or a domain: any number but 0.
using SharedGateId = std::uint32_t;
inline constexpr SharedGateId kOwnGate = 0;  // not shared: the gate of the host itself

struct ParkedAt {
  std::uint32_t heap_index = 0;  // position in the heap of the gate
  SharedGateId gate = kOwnGate;  // behind which gate
};

struct OffQueuePage {
  QueueItem item;
  union {
    ParkedAt parked;  // kQueued: the page is parked
    Time due;         // kWaiting: until when
  };
  PageState state;
};
static_assert(sizeof(OffQueuePage) == 32);

class OffQueue {
 public:
  using Slot = std::uint32_t;

  Slot add(const QueueItem& item, PageState state) {
    if (free_.empty()) {
      CHECK(slots_.size() < ScoreQueue::kMostOffQueue);
      free_.push_back(static_cast<Slot>(slots_.size()));
      slots_.grow_to(slots_.size() + 1);
    }
    const Slot slot = free_.back();
    free_.pop_back();
    slots_[slot].item = item;
    slots_[slot].parked = {};
    slots_[slot].state = state;
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
    return slots_.size() * sizeof(OffQueuePage) + free_.capacity() * sizeof(Slot);
  }

  // visit(entry) for each page, in no particular order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const OffQueuePage& entry : slots_.view()) {
      if (entry.state != PageState::kUndiscovered) visit(entry);
    }
  }
  template <typename Visit>
  void for_each(Visit&& visit) {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].state != PageState::kUndiscovered) visit(slots_[i]);
    }
  }

 private:
  LazyArray<OffQueuePage> slots_;
  std::vector<Slot> free_;
};

}  // namespace bowerbird
