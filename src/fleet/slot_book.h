// The slots that a process grants: who may send the next request to a host, domain or address.
//
// One process at a time holds a slot, from the grant until it reports that its request has begun; the next
// slot begins an interval later. So two requests are never closer than the interval, however late a process
// uses its slot. A holder that is silent for some seconds loses its slot. The first slot of a new gate waits
// for an interval, because nothing is known about earlier requests. Time is an argument. Threads: one user.
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

  // `who` wants the gate, or still does; the grant may be for another, whose turn it is.
  std::optional<Grant> ask(const std::string& who, const std::string& gate, std::int64_t interval_ms,
                           std::int64_t now_ms);
  // `who` has begun its request, or wants the gate no longer. The grant is for the next in the row.
  std::optional<Grant> give_back(const std::string& who, const std::string& gate, bool used,
                                 std::int64_t now_ms);

 private:
  struct Gate {
    std::string holder;
    std::int64_t interval_ms = 0;  // as the holder wants it
    std::int64_t opens_ms = 0;
    std::int64_t heard_ms = 0;  // of the holder
    std::deque<std::pair<std::string, std::int64_t>> waiting;
  };
  static std::optional<Grant> grant_next(const std::string& name, Gate& gate, std::int64_t now_ms);
  void forget_idle(std::int64_t now_ms);

  std::map<std::string, Gate> gates_;
};

}  // namespace bowerbird
