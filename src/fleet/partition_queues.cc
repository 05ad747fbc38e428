#include "fleet/partition_queues.h"

#include <algorithm>

namespace bowerbird {

namespace {

constexpr std::size_t kQueuesAtOnce = 32;

}  // namespace

bool PartitionQueues::follow(const std::vector<bool>& ours) {
  ours_.resize(ours.size());
  std::vector<std::uint32_t> fresh;
  for (std::uint32_t p = 0; p < ours.size(); ++p) {
    if (ours[p] && !ours_[p]) {
      fresh.push_back(p);
    } else {
      ours_[p] = ours[p];
    }
  }
  return take(fresh);
}

bool PartitionQueues::none() const {
  return std::find(ours_.begin(), ours_.end(), true) == ours_.end();
}

std::vector<BusQueue> PartitionQueues::queues_of(std::span<const std::uint32_t> partitions) const {
  std::vector<BusQueue> queues;
  for (const std::uint32_t p : partitions) queues.push_back({FleetNames::queue(p), names_.partition(p)});
  return queues;
}

bool PartitionQueues::take(std::span<const std::uint32_t> partitions) {
  bool all = true;
  while (!partitions.empty()) {
    if (!lease_.held()) return false;  // this may take a while
    const auto some = partitions.first(std::min(kQueuesAtOnce, partitions.size()));
    partitions = partitions.subspan(some.size());
    const auto taken = bus_.take_over(names_.stream(), queues_of(some), to_);
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (taken[i]) ours_[some[i]] = true;
      all = all && taken[i];
    }
  }
  return all;
}

Status PartitionQueues::check() {
  std::vector<std::uint32_t> ours, again;
  for (std::uint32_t p = 0; p < ours_.size(); ++p) {
    if (ours_[p]) ours.push_back(p);
  }
  BB_TRY(const auto infos, bus_.look_at(names_.stream(), queues_of(ours)));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto& info = infos[i];
    const auto seen = seen_.find(ours[i]);
    const bool stalled = info && info->waiting > 0 && seen != seen_.end() && seen->second.waiting > 0 &&
                         seen->second.delivered == info->delivered;
    if (!info || info->to != to_ || stalled) again.push_back(ours[i]);
    if (info) seen_[ours[i]] = *info;
  }
  static_cast<void>(take(again));  // failures show at the next check
  return {};
}

}  // namespace bowerbird
