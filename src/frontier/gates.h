// Which hosts may be asked when, and the pages that wait behind closed gates: one gate per host. A second
// table has the gates that hosts share, by SharedGateId; "host" stands for such a gate there.
//
// Problem: the best page may belong to a host that must not be asked yet. Looking past it again and again
// would cost a scan per page; so it is parked in a small heap of its host's own. When the gate opens, only
// the host's best parked page goes back to the queue, as the host's representative; the others follow one by
// one as it leaves.
//
// Invariant, kept by the frontier through best_to_release(): of a host whose gate is open, no parked page is
// better than its representative, which is in the queue, or parked behind a shared gate. So the best page of
// the queue is the best page of all that may be asked. Parked pages are slots of an OffQueue table, which
// outlives this. Threads: one owner.
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
#include "frontier/off_queue.h"

namespace bowerbird {

class Gates {
 public:
  explicit Gates(OffQueue& off_queue) : off_queue_(off_queue) {}

  // False where no gate was ever set: then nothing else needs to be asked.
  bool in_use() const { return !hosts_.empty(); }
  bool closed(HostId host, Time now) const;
  void set(HostId host, Time opens, Time now);

  void park(HostId host, OffQueue::Slot slot, Time now);
  // The score of a parked page has changed.
  void moved(HostId host, OffQueue::Slot slot);

  PageId representative(HostId host) const;
  void set_representative(HostId host, PageId page);
  // The best parked page of the host if it is better than `than` (its representative, or null).
  std::optional<OffQueue::Slot> best_to_release(HostId host, const QueueItem* than) const;
  void release_best(HostId host);
  // A parked page leaves before its turn.
  void remove(HostId host, OffQueue::Slot slot);

  // A host with parked pages whose gate is open at `now`, each once after it opened.
  std::optional<HostId> take_opened(Time now);
  std::optional<Time> next_opening() const;
  std::uint64_t parked() const { return parked_; }
  // Hosts with parked pages whose gates have not opened yet.
  std::uint64_t waiting_hosts() const { return openings_.size(); }
  // Nothing is parked any more; release(slot) for each page that was.
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
  // The gates themselves; parked pages are saved by the frontier, as queued ones.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Host {
    Time opens = 0;
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
