// The pages that are uncrawled but not in the queue: in flight, waiting for a second try, or parked behind a
// closed gate. Few compared with the queue, so they may cost more.
//
// A slot number is stable while its page stays aside, and used again after. Threads: one owner.
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "frontier/score_queue.h"

namespace bowerbird {

using Time = std::int64_t;

enum class PageState : std::uint8_t { kUndiscovered, kQueued, kInFlight, kWaiting, kDone };

struct Aside {
  QueueItem item;
  PageState state = PageState::kUndiscovered;  // kQueued: parked
  std::uint32_t place = 0;                     // parked: where it stands in its host's heap
  Time due = 0;                                // waiting: until when
};

class Asides {
 public:
  using Slot = std::uint32_t;

  Slot add(const QueueItem& item, PageState state) {
    if (free_.empty()) {
      CHECK(slots_.size() < ScoreQueue::kMostAside);
      free_.push_back(static_cast<Slot>(slots_.size()));
      slots_.emplace_back();
    }
    const Slot slot = free_.back();
    free_.pop_back();
    slots_[slot] = {item, state, 0, 0};
    return slot;
  }
  QueueItem remove(Slot slot) {
    free_.push_back(slot);
    slots_[slot].state = PageState::kUndiscovered;
    return slots_[slot].item;
  }

  Aside& operator[](Slot slot) { return slots_[slot]; }
  const Aside& operator[](Slot slot) const { return slots_[slot]; }
  std::size_t size() const { return slots_.size() - free_.size(); }
  std::uint64_t bytes() const { return slots_.capacity() * sizeof(Aside) + free_.capacity() * sizeof(Slot); }

  // visit(aside) for each page aside, in no particular order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Aside& aside : slots_) {
      if (aside.state != PageState::kUndiscovered) visit(aside);
    }
  }
  template <typename Visit>
  void for_each(Visit&& visit) {
    for (Aside& aside : slots_) {
      if (aside.state != PageState::kUndiscovered) visit(aside);
    }
  }

 private:
  std::vector<Aside> slots_;
  std::vector<Slot> free_;
};

}  // namespace bowerbird
