// Time slots for hosts, addresses and domains that several processes ask: each has one process that grants
// them, the one that holds the partition of its name.
//
// A process that wants to begin a request asks ahead and is told how long to wait; without a grant that host
// waits, the process does not. A grant that is not used in time is lost. Waits are told as durations, so that
// clocks need not agree; what the network takes only makes them longer. Threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "crawl/exchange.h"
#include "fleet/bus.h"
#include "fleet/names.h"

namespace bowerbird {

class Slots {
 public:
  // granter: who grants slots for this key; empty while nobody is known to.
  Slots(Bus& bus, FleetNames names, std::string member,
        std::function<std::string(const std::string&)> granter)
      : bus_(bus), names_(std::move(names)), member_(std::move(member)), granter_(std::move(granter)) {}
  Status begin();

  // `now` if the slots of all of these have come (they are used up by this), else when to ask again.
  std::int64_t want(const std::vector<SharedGate>& gates, std::int64_t now_ms);

 private:
  struct Wanted {
    std::int64_t asked_ms = 0;
    std::int64_t at_ms = 0;  // granted, if not 0
  };
  // How long until the slot; negative: not granted yet.
  std::int64_t look(const SharedGate& gate, const std::string& granter, std::string& request);
  std::int64_t grant(const std::string& key, std::int64_t interval_ms);
  void take_request(const BusMessage& message);
  void take_grant(const BusMessage& message);
  void forget_old(std::int64_t now_ms);

  Bus& bus_;
  FleetNames names_;
  std::string member_;
  std::function<std::string(const std::string&)> granter_;
  std::mutex mutex_;
  std::map<std::string, std::int64_t> next_ms_;  // by key that is ours to grant
  std::map<std::string, Wanted> wanted_;
};

}  // namespace bowerbird
