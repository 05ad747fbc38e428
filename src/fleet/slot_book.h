// The slots that a process grants: which process may send the next request to a host, domain or address.
//
// One process at a time holds a slot, from the grant until it reports that its request has begun. The next
// slot begins an interval later. So two requests are never closer than the interval, however late a process
// uses its slot. A holder that is silent for some seconds loses its slot. The first slot of a new gate waits
// for an interval, because earlier requests are unknown. Time is an argument. Threads: one user.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace bowerbird {

class SlotBook {
 public:
  struct Grant {
    std::string who;
    std::string gate;
    std::int64_t wait_ms = 0;  // until the slot begins
  };

  // `who` wants the gate, or still wants it. The grant may be for another process, whose turn it is.
  // not_before_ms: of the first slot of a gate that is new here.
  std::optional<Grant> ask(const std::string& who, const std::string& gate, std::int64_t interval_ms,
                           std::int64_t now_ms, std::int64_t not_before_ms = 0);
  // `who` has begun its request, or no longer wants the gate. The grant is for the next process in the queue.
  std::optional<Grant> give_back(const std::string& who, const std::string& gate, bool used,
                                 std::int64_t now_ms);
  // Forgets the gates whose names are no longer wanted: others grant their slots.
  template <typename Keep>
  void keep(const Keep& wanted) {
    std::erase_if(gates_, [&](const auto& one) { return !wanted(one.first); });
  }

 private:
  struct Gate {
    std::string holder;
    std::int64_t interval_ms = 0;  // the holder's interval
    std::int64_t opens_ms = 0;
    std::int64_t heard_ms = 0;  // last message from the holder
    std::deque<std::pair<std::string, std::int64_t>> waiting;
  };
  static std::optional<Grant> grant_next(const std::string& name, Gate& gate, std::int64_t now_ms);
  void forget_idle(std::int64_t now_ms);

  std::map<std::string, Gate> gates_;
};

}  // namespace bowerbird
