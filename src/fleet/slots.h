// Time slots for hosts, addresses and domains that several processes ask: each has one process that grants
// them, the one that holds the partition of its name.
//
// A process that wants to begin a request asks ahead and is told how long to wait; without a grant that host
// waits, the process does not. A request that needs several is granted one after the other, in the order of
// their names, so that no two processes wait for each other. Waits are told as durations, so that clocks need
// not agree; what the network takes only makes them longer. Threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fleet/bus.h"
#include "fleet/exchange/exchange.h"
#include "fleet/names.h"
#include "fleet/slot_book.h"

namespace bowerbird {

class Slots {
 public:
  // granter: who grants slots for this key; empty while nobody is known to.
  Slots(Bus& bus, FleetNames names, std::string member,
        std::function<std::string(const std::string&)> granter)
      : bus_(bus), names_(std::move(names)), member_(std::move(member)), granter_(std::move(granter)) {}
  Status begin();

  // `now` if the slots of all of these have come (they are used up by this), else when to ask again.
  std::int64_t want(std::vector<SharedGate> gates, std::int64_t now_ms);

 private:
  enum class Word : std::uint8_t { kAsk, kStillHold, kUsed, kUnused };
  struct Wanted {
    std::string granter;
    std::int64_t asked_ms = 0;
    std::int64_t at_ms = 0;    // granted, if not 0
    std::int64_t seen_ms = 0;  // when it was last wanted
  };
  struct Letter {
    std::string to;  // a subject
    std::string text;
  };

  // How long until the slot; negative: not granted yet.
  std::int64_t look(const SharedGate& gate, const std::string& granter, std::int64_t now_ms);
  void say(Word word, const std::string& gate, std::int64_t interval_ms, const std::string& granter);
  void hear(Word word, const std::string& who, const std::string& gate, std::int64_t interval_ms);
  void granted(const std::string& gate, std::int64_t wait_ms);
  void drop_unwanted(std::int64_t now_ms);
  void take_request(const BusMessage& message);
  void take_grant(const BusMessage& message);
  void send_letters();

  Bus& bus_;
  FleetNames names_;
  std::string member_;
  std::function<std::string(const std::string&)> granter_;
  std::mutex mutex_;
  SlotBook book_;  // of what is ours to grant
  std::map<std::string, Wanted> wanted_;
  std::int64_t dropped_ms_ = 0;
  std::vector<Letter> letters_;  // sent without the lock
};

}  // namespace bowerbird
