// When each host may get its next request, and the pages that wait behind closed gates: one gate per host.
// The frontier has a second object for the gates that several hosts share; there a HostId is a SharedGateId.
//
// Problem: the best page may belong to a host whose gate is closed. Looking past it repeatedly would cost a
// scan per page. So it is parked in a small heap of its host. When the gate opens, only the host's best
// parked page returns to the queue, as the host's representative; the others follow one by one as it leaves.
//
// Invariant, kept by the frontier through best_to_release(): if a host's gate is open, no parked page of it
// is better than its representative, which is in the queue or parked behind a shared gate. So the best page
// of the queue is the best page that may be fetched. Parked pages are slots of an OffQueue table, which
// outlives this object. Threads: one owner.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/dary_heap.h"
#include "base/ids.h"
#include "base/time.h"
#include "frontier/off_queue.h"

namespace bowerbird {

class Gates {
 public:
  explicit Gates(OffQueue& off_queue) : off_queue_(off_queue) {}

  // False if no gate was ever set: then no other call is needed.
  bool in_use() const { return !hosts_.empty(); }
  bool closed(HostId host, Time now) const;
  void set(HostId host, Time opens, Time now);

  void park(HostId host, OffQueue::Slot slot, Time now);
  // The score of a parked page has changed.
  void moved(HostId host, OffQueue::Slot slot);
  // The scores of all parked pages have changed. Returns the hosts that have any.
  std::vector<HostId> reorder();

  PageId representative(HostId host) const;
  void set_representative(HostId host, PageId page);
  // The best parked page of the host if it is better than `than` (its representative, or null).
  std::optional<OffQueue::Slot> best_to_release(HostId host, const QueueItem* than) const;
  void release_best(HostId host);
  // Removes a parked page before its turn.
  void remove(HostId host, OffQueue::Slot slot);

  // A host with parked pages whose gate is open at `now`. Each is returned once after its gate opened.
  std::optional<HostId> take_opened(Time now);
  std::optional<Time> next_opening() const;
  std::uint64_t parked() const { return parked_; }
  // Hosts with parked pages whose gates have not opened yet.
  std::uint64_t waiting_hosts() const { return openings_.size(); }
  // Unparks everything; calls release(slot) for each parked page.
  template <typename Release>
  void release_all(Release&& release) {
    if (parked_ == 0) return;
    for (auto& [id, host] : hosts_) {
      for (std::size_t i = kFirst; i < host.heap.size(); ++i) release(host.heap[i]);
      host.heap = {};
      host.listed = false;
    }
    openings_.clear();
    parked_ = 0;
  }

  std::uint64_t bytes() const;
  // The gates themselves. The frontier saves parked pages as queued ones.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Host {
    Time opens{};
    PageId representative = kNoPage;
    bool listed = false;               // in openings_
    std::vector<OffQueue::Slot> heap;  // empty, or parked pages from the root's position on
  };

  using Heap = DaryHeap<4>;
  static constexpr std::size_t kFirst = Heap::kRoot;

  void list(HostId id, Host& host);
  void unlist(HostId id, Host& host);
  void forget_open(Time now);

  OffQueue& off_queue_;
  std::unordered_map<HostId, Host> hosts_;
  std::set<std::pair<Time, HostId>> openings_;  // of hosts with parked pages that have not opened yet
  std::uint64_t parked_ = 0;
  std::size_t forget_at_ = 1024;
};

}  // namespace bowerbird
