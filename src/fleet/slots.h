// Time slots for hosts, addresses and domains to which several processes send requests. One process grants
// the slots of each: the owner of the partition of its name.
//
// A process asks for a slot before a request and is told how long to wait. Until the grant that host waits;
// the process does not. A request that needs several slots gets them one after the other, in the order of
// their names, so that no two processes wait for each other. Waits are durations, so clocks need not agree;
// network delay only makes waits longer. Threads: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/thread_annotations.h"
#include "fleet/bus.h"
#include "fleet/exchange/exchange.h"
#include "fleet/names.h"
#include "fleet/slot_book.h"
#include "fleet/wire.h"
#include "sys/clock.h"

namespace bowerbird {

class Slots {
 public:
  // granter: the process that grants the slots of a gate; empty while none is known.
  Slots(Bus& bus, FleetNames names, std::string member,
        std::function<std::string(const std::string&)> granter, const Clock& clock)
      : bus_(bus),
        names_(std::move(names)),
        member_(std::move(member)),
        granter_(std::move(granter)),
        clock_(clock) {}
  Status begin();

  // `now` if all slots have been granted (this uses them up), else when to ask again.
  std::int64_t want(std::vector<SharedGate> gates, std::int64_t now_ms);
  // Sends the messages that the other calls have queued. Waits at most this long for new ones.
  void publish(std::chrono::milliseconds most) EXCLUDES(mutex_);

 private:
  using What = SlotRequest::What;
  struct Wanted {
    std::string granter;
    std::int64_t asked_ms = 0;
    std::int64_t at_ms = 0;    // when the slot begins; 0: not granted
    std::int64_t seen_ms = 0;  // when it was last wanted
  };

  std::int64_t now_ms() const { return clock_.now_us() / 1000; }
  // Time until the slot; negative: not granted yet.
  std::int64_t look(const SharedGate& gate, const std::string& granter, std::int64_t now_ms) REQUIRES(mutex_);
  void send(What what, const std::string& gate, std::int64_t interval_ms, const std::string& granter)
      REQUIRES(mutex_);
  void answer(const SlotRequest& request) REQUIRES(mutex_);
  void granted(const std::string& gate, std::int64_t wait_ms) REQUIRES(mutex_);
  void drop_unwanted(std::int64_t now_ms) REQUIRES(mutex_);
  void take_request(const BusMessage& message);
  void take_grant(const BusMessage& message);

  Bus& bus_;
  FleetNames names_;
  std::string member_;
  std::function<std::string(const std::string&)> granter_;
  const Clock& clock_;
  Mutex mutex_;
  Condition changed_;
  SlotBook book_ GUARDED_BY(mutex_);  // of the gates that we grant
  std::map<std::string, Wanted> wanted_ GUARDED_BY(mutex_);
  std::int64_t dropped_ms_ GUARDED_BY(mutex_) = 0;
  std::vector<BusRequest> waiting_ GUARDED_BY(mutex_);  // to publish, without the lock
};

}  // namespace bowerbird
