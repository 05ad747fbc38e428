// Time slots for hosts, addresses and domains to which several processes send requests. One process grants
// the slots of each: the owner of the partition of its name, or another one while that is lost.
//
// A process asks for a slot before a request and is told how long to wait. Until the grant that host waits;
// the process does not. A request that needs several slots gets them one after the other, in the order of
// their names, so that no two processes wait for each other. After a change of granters, two processes may
// take themselves for the granter of a gate, and slots of the earlier one may still be used. So a new granter
// waits until all know of the change, and then for an interval. Waits are durations, so clocks need not
// agree; network delay only makes waits longer. Threads: any.
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
  struct Granters {
    // The process that grants the slots of a gate; empty while none is known.
    std::function<std::string(const std::string&)> of;
    // When that last changed for any gate, by our clock in ms; 0: never.
    std::function<std::int64_t()> changed_ms = [] { return 0; };
    // How often our lease has expired and was acquired again: others may have granted our slots meanwhile.
    std::function<std::uint64_t()> lapses = [] { return 0; };
  };
  Slots(Bus& bus, FleetNames names, std::string member, Granters granters, const Clock& clock)
      : bus_(bus),
        names_(std::move(names)),
        member_(std::move(member)),
        granters_(std::move(granters)),
        clock_(clock) {}
  Status begin();

  // `now` if all slots have been granted (this uses them up), else when to ask again.
  Time want(std::vector<SharedGate> gates, Time now);
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
  Granters granters_;
  const Clock& clock_;
  Mutex mutex_;
  Condition changed_;
  SlotBook book_ GUARDED_BY(mutex_);                // of the gates that we grant
  std::int64_t changed_ms_ GUARDED_BY(mutex_) = 0;  // the change of granters that the book knows
  std::uint64_t lapses_ GUARDED_BY(mutex_) = 0;     // that the book knows
  std::int64_t lapsed_ms_ GUARDED_BY(mutex_) = 0;   // when it learned of the last one
  std::map<std::string, Wanted> wanted_ GUARDED_BY(mutex_);
  std::int64_t dropped_ms_ GUARDED_BY(mutex_) = 0;
  std::vector<BusRequest> waiting_ GUARDED_BY(mutex_);  // to publish, without the lock
};

}  // namespace bowerbird
