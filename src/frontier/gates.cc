#include "frontier/gates.h"

#include <algorithm>

namespace bowerbird {

namespace {

auto better(const OffQueue& off_queue) {
  return [&off_queue](OffQueue::Slot a, OffQueue::Slot b) {
    return off_queue[a].item.better_than(off_queue[b].item);
  };
}

auto note_position(OffQueue& off_queue) {
  return [&off_queue](OffQueue::Slot slot, std::size_t at) {
    off_queue[slot].parked.heap_index = static_cast<std::uint32_t>(at);
  };
}

}  // namespace

bool Gates::closed(HostId host, Time now) const {
  const auto found = hosts_.find(host);
  return found != hosts_.end() && found->second.opens > now;
}

void Gates::set(HostId id, Time opens, Time now) {
  if (hosts_.size() >= forget_at_) forget_open(now);
  Host& host = hosts_[id];
  unlist(id, host);
  host.opens = opens;
  if (!host.heap.empty()) list(id, host);
}

void Gates::park(HostId id, OffQueue::Slot slot, Time now) {
  Host& host = hosts_[id];
  if (host.heap.empty()) host.heap.resize(kFirst);
  host.heap.push_back(slot);
  Heap::rise(host.heap.data(), host.heap.size() - 1, slot, better(off_queue_), note_position(off_queue_));
  ++parked_;
  if (host.opens > now) list(id, host);
}

void Gates::moved(HostId id, OffQueue::Slot slot) {
  Host& host = hosts_[id];
  const std::size_t at = off_queue_[slot].parked.heap_index;
  Heap::sink(host.heap.data(), at, host.heap.size(), slot, better(off_queue_), note_position(off_queue_));
  if (off_queue_[slot].parked.heap_index == at) {
    Heap::rise(host.heap.data(), at, slot, better(off_queue_), note_position(off_queue_));
  }
}

PageId Gates::representative(HostId host) const {
  const auto found = hosts_.find(host);
  return found == hosts_.end() ? kNoPage : found->second.representative;
}

void Gates::set_representative(HostId host, PageId page) {
  hosts_[host].representative = page;
}

std::optional<OffQueue::Slot> Gates::best_to_release(HostId id, const QueueItem* than) const {
  const auto found = hosts_.find(id);
  if (found == hosts_.end() || found->second.heap.empty()) return {};
  const OffQueue::Slot best = found->second.heap[kFirst];
  if (than != nullptr && !off_queue_[best].item.better_than(*than)) return {};
  return best;
}

void Gates::release_best(HostId id) {
  Host& host = hosts_[id];
  const OffQueue::Slot last = host.heap.back();
  host.heap.pop_back();
  --parked_;
  if (host.heap.size() > kFirst) {
    Heap::sink(host.heap.data(), kFirst, host.heap.size(), last, better(off_queue_),
               note_position(off_queue_));
  } else {
    host.heap = {};
    unlist(id, host);
  }
}

void Gates::remove(HostId id, OffQueue::Slot slot) {
  Host& host = hosts_[id];
  const std::size_t at = off_queue_[slot].parked.heap_index;
  const OffQueue::Slot last = host.heap.back();
  host.heap.pop_back();
  --parked_;
  if (host.heap.size() == kFirst) {
    host.heap = {};
    unlist(id, host);
  } else if (last != slot) {
    host.heap[at] = last;
    off_queue_[last].parked.heap_index = static_cast<std::uint32_t>(at);
    moved(id, last);
  }
}

std::vector<HostId> Gates::reorder() {
  std::vector<HostId> hosts;
  for (auto& [id, host] : hosts_) {
    if (host.heap.empty()) continue;
    Heap::build(host.heap.data(), host.heap.size(), better(off_queue_), note_position(off_queue_));
    hosts.push_back(id);
  }
  return hosts;
}

std::optional<HostId> Gates::take_opened(Time now) {
  if (openings_.empty() || openings_.begin()->first > now) return {};
  const HostId id = openings_.begin()->second;
  unlist(id, hosts_[id]);
  return id;
}

std::optional<Time> Gates::next_opening() const {
  if (openings_.empty()) return {};
  return openings_.begin()->first;
}

void Gates::list(HostId id, Host& host) {
  if (host.listed) return;
  openings_.emplace(host.opens, id);
  host.listed = true;
}

void Gates::unlist(HostId id, Host& host) {
  if (!host.listed) return;
  openings_.erase({host.opens, id});
  host.listed = false;
}

// Removes hosts whose gate is open, without parked pages and without a representative. Called when the table
// has doubled, so the cost is amortised over the new hosts.
void Gates::forget_open(Time now) {
  std::erase_if(hosts_, [now](const auto& entry) {
    const Host& host = entry.second;
    return host.opens <= now && host.heap.empty() && host.representative == kNoPage;
  });
  forget_at_ = std::max<std::size_t>(1024, 2 * hosts_.size());
}

std::uint64_t Gates::bytes() const {
  constexpr std::uint64_t kNode = 4 * sizeof(void*);  // approximate overhead of the containers per entry
  return hosts_.size() * (sizeof(Host) + kNode) + openings_.size() * (sizeof(Time) + 8 + kNode) +
         parked_ * sizeof(OffQueue::Slot);
}

void Gates::save(ByteWriter& out) const {
  std::vector<std::pair<HostId, Time>> gates;
  for (const auto& [id, host] : hosts_) gates.emplace_back(id, host.opens);
  std::sort(gates.begin(), gates.end());
  out.put<std::uint64_t>(gates.size());
  for (const auto& [id, opens] : gates) {
    out.put(id);
    out.put(opens);
  }
}

void Gates::load(ByteReader& in) {
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    const auto id = in.get<HostId>();
    hosts_[id].opens = std::max(Time{}, in.get<Time>());
  }
}

}  // namespace bowerbird
