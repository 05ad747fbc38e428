// The broker's queues of our partitions: makes them deliver to us, and checks that they do.
//
// Each partition has one queue in the fleet's stream. A queue that is missing, delivers elsewhere, or has
// messages waiting and delivers none is recreated. Every call may block for seconds. Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/lease.h"
#include "fleet/names.h"

namespace bowerbird {

class PartitionQueues {
 public:
  PartitionQueues(Bus& bus, FleetNames names, const std::string& member, const Lease& lease)
      : bus_(bus), names_(std::move(names)), to_(names_.to("in", member)), lease_(lease) {}

  // ours: whether we own the partition, by number. False if some of their queues do not deliver to us yet:
  // call again.
  bool follow(const std::vector<bool>& ours);
  Status check();
  bool none() const;

 private:
  std::vector<BusQueue> queues_of(std::span<const std::uint32_t> partitions) const;
  bool take(std::span<const std::uint32_t> partitions);

  Bus& bus_;
  FleetNames names_;
  std::string to_;
  const Lease& lease_;
  std::vector<bool> ours_;                   // queues that deliver to us
  std::map<std::uint32_t, QueueInfo> seen_;  // at the last check
};

}  // namespace bowerbird
