// Handing out pages of a Frontier.
#include <algorithm>

#include "frontier/frontier.h"

namespace bowerbird {

namespace {

using Mark = ScoreQueue::Mark;

}  // namespace

std::optional<Job> Frontier::best(Time now) {
  wake(now);
  if (primary() == 0 && strategy_.secondary() > 0) strategy_.start_round();
  for (;;) {
    if (links_only_is_best()) return Job{strategy_.best_of_round().visit.page, true};
    if (queue_.empty() || parked_enough()) return {};
    // advance_policy() and demote() get only a page that may be fetched now. Which other pages come first in
    // the queue depends on timing, and must not influence the ordering.
    if (park_closed_top(now) || advance_policy() || demote(queue_.top().page())) continue;
    return Job{queue_.top().page(), false};
  }
}

void Frontier::take(const Job& best) {
  if (best.links_only) {
    strategy_.take_from_round();
    note_lengths();
    return;
  }
  const QueueItem top = queue_.top();
  queue_.pop();
  set_in_flight(top);
}

void Frontier::block(const Job& best, Time opens, SharedGateId gate) {
  const HostId host = hosts_(best.page);
  set_gate(host, opens, gate);
  park_top(host, gate);
}

std::optional<Job> Frontier::next(Time now) {
  const auto job = best(now);
  if (job) take(*job);
  return job;
}

// Whether so many pages are parked that the search waits for a gate to open. If no gate will open, it goes
// on.
bool Frontier::parked_enough() const {
  if (parked() < most_parked_) return false;
  constexpr Time kFarFuture{Duration{std::int64_t{1} << 61}};
  const auto opening = next_gate_opening();
  return opening && *opening > now_ && *opening < kFarFuture;
}

bool Frontier::take_page(const Job& job, Time now) {
  wake(now);
  if (job.links_only) {
    if (strategy_.left_in_round() == 0 && strategy_.secondary() > 0) strategy_.start_round();
    if (strategy_.left_in_round() == 0 || strategy_.best_of_round().visit.page != job.page) return false;
    strategy_.take_from_round();
    note_lengths();
    return true;
  }
  while (!queue_.empty() && advance_policy()) continue;
  const Mark mark = queue_.mark(job.page);
  if (ScoreQueue::is_queued(mark)) {
    const QueueItem item = queue_.item(job.page, mark);
    queue_.remove(job.page, mark);
    set_in_flight(item);
    return true;
  }
  if (!ScoreQueue::is_off_queue(mark)) return false;
  const OffQueue::Slot slot = mark & ~ScoreQueue::kOffQueue;
  if (off_queue_[slot].state != PageState::kQueued) return false;
  const SharedGateId gate = off_queue_[slot].parked.gate;
  table_of(gate).remove(gate == kOwnGate ? hosts_(job.page) : gate, slot);
  set_in_flight(off_queue_.remove(slot));
  return true;
}

// ---- Pages grouped by host: the representative of each host is in the queue, and its other pages are
// parked, whether its gate is open or not.

void Frontier::group_by_host() {
  if (grouped_) return;
  CHECK(hosts_ != nullptr && options_.queue_bytes == 0 && strategy_.admits_all() && behind_.empty());
  grouped_ = true;
  while (!queue_.empty()) {
    const QueueItem item = queue_.take_any();
    const HostId host = hosts_(item.page());
    gates_.set_representative(host, kNoPage);
    const OffQueue::Slot slot = off_queue_.add(item, PageState::kQueued);
    queue_.set_mark(item.page(), ScoreQueue::kOffQueue | slot);
    park(slot, host, kOwnGate);
  }
  for (const HostId host : gates_.reorder()) {
    if (!gates_.closed(host, now_)) release_better(gates_, host);
  }
}

std::optional<QueueItem> Frontier::best_of(HostId host, Time now) {
  CHECK(grouped_);
  wake(now);
  const PageId page = gates_.representative(host);
  if (page == kNoPage || gates_.closed(host, now)) return {};
  return queue_.item(page, queue_.mark(page));
}

// A page enters the queue, or is parked behind a better one of its host.
void Frontier::enqueue(const QueueItem& item) {
  if (!grouped_) return queue_.push(item);
  const HostId host = hosts_(item.page());
  const PageId current = gates_.representative(host);
  const bool leads = current == kNoPage ? !gates_.closed(host, now_)
                                        : item.better_than(queue_.item(current, queue_.mark(current)));
  if (!leads) {
    const OffQueue::Slot slot = off_queue_.add(item, PageState::kQueued);
    queue_.set_mark(item.page(), ScoreQueue::kOffQueue | slot);
    return park(slot, host, kOwnGate);
  }
  if (current != kNoPage) park_queued(current, host);
  queue_.push(item);
  gates_.set_representative(host, item.page());
}

void Frontier::park_queued(PageId page, HostId host) {
  const Mark mark = queue_.mark(page);
  const OffQueue::Slot slot = off_queue_.add(queue_.item(page, mark), PageState::kQueued);
  queue_.remove(page, mark);
  queue_.set_mark(page, ScoreQueue::kOffQueue | slot);
  park(slot, host, kOwnGate);
}

std::optional<std::uint64_t> Frontier::row_in_visit(PageId page) const {
  const SecondaryPage* const held = strategy_.visiting(page);
  if (held == nullptr) return {};
  return held->visit.crawled - 1;
}

// Waiting pages whose time has come return to the queue.
void Frontier::wake(Time now) {
  now_ = now;
  while (!waiting_.empty() && waiting_.begin()->first <= now) {
    const PageId page = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    enqueue(off_queue_.remove(queue_.mark(page) & ~ScoreQueue::kOffQueue));
  }
  for (Gates* const gates : {&gates_, &shared_gates_}) {
    while (const auto id = gates->take_opened(now)) release_better(*gates, *id);
  }
}

// Whether a page to visit again is better than the best of the queue. Its links are stored, so no gate
// applies.
bool Frontier::links_only_is_best() const {
  if (strategy_.left_in_round() == 0) return false;
  return queue_.empty() || !queue_.top().better_than(strategy_.best_of_round().item());
}

bool Frontier::advance_policy() {
  return policy_->advance(queue_.top().page(), queue_.top().score(), emit_);
}

bool Frontier::park_closed_top(Time now) {
  if (!gates_.in_use() && behind_.empty()) return false;
  const HostId host = hosts_(queue_.top().page());
  if (gates_.closed(host, now)) {
    park_top(host, kOwnGate);
    return true;
  }
  const auto behind = behind_.find(host);
  if (behind == behind_.end() || !shared_gates_.closed(behind->second, now)) return false;
  park_top(host, behind->second);
  return true;
}

// At most one page of a host is behind a shared gate, its representative. The others are in the host's heap.
void Frontier::park_top(HostId host, SharedGateId gate) {
  const QueueItem top = queue_.top();
  const PageId current = gates_.representative(host);
  queue_.pop();
  const OffQueue::Slot slot = off_queue_.add(top, PageState::kQueued);
  queue_.set_mark(top.page(), ScoreQueue::kOffQueue | slot);
  if (gate == kOwnGate) {
    if (current == top.page()) gates_.set_representative(host, kNoPage);
  } else if (current != kNoPage && current != top.page() && parked_behind(current) != kOwnGate) {
    const OffQueue::Slot other = queue_.mark(current) & ~ScoreQueue::kOffQueue;
    if (off_queue_[other].item.better_than(top)) {
      gate = kOwnGate;
    } else {
      shared_gates_.remove(off_queue_[other].parked.gate, other);
      park(other, host, kOwnGate);
    }
  }
  if (gate != kOwnGate) gates_.set_representative(host, top.page());
  park(slot, host, gate);
  drop_representative(top.page());
}

void Frontier::park(OffQueue::Slot slot, HostId host, SharedGateId gate) {
  off_queue_[slot].parked.gate = gate;
  table_of(gate).park(gate == kOwnGate ? host : gate, slot, now_);
}

// The shared gate behind which the page is parked; kOwnGate if none.
SharedGateId Frontier::parked_behind(PageId page) const {
  const Mark mark = queue_.mark(page);
  if (!ScoreQueue::is_off_queue(mark)) return kOwnGate;
  const OffQueuePage& parked = off_queue_[mark & ~ScoreQueue::kOffQueue];
  return parked.state == PageState::kQueued ? parked.parked.gate : kOwnGate;
}

// Returns the page to the queue if it is parked behind a shared gate.
void Frontier::unpark_shared(PageId page) {
  const SharedGateId gate = page == kNoPage ? kOwnGate : parked_behind(page);
  if (gate == kOwnGate) return;
  const OffQueue::Slot slot = queue_.mark(page) & ~ScoreQueue::kOffQueue;
  shared_gates_.remove(gate, slot);
  queue_.push(off_queue_.remove(slot));
}

void Frontier::leave_shared_gate(HostId host) {
  if (behind_.empty() || behind_.erase(host) == 0) return;
  unpark_shared(gates_.representative(host));
}

bool Frontier::demote(PageId page) {
  const Mark mark = queue_.mark(page);
  const QueueItem item = item_of(page, mark);
  const Score confirmed = policy_->confirm(page, item.score());
  if (!(confirmed < item.score())) return false;
  set_score(page, mark, confirmed);
  return true;
}

// The page is no longer in any queue.
void Frontier::set_in_flight(const QueueItem& item) {
  const PageId page = item.page();
  queue_.set_mark(page, ScoreQueue::kOffQueue | off_queue_.add(item, PageState::kInFlight));
  ++counts_.in_flight;
  if (!behind_.empty()) leave_shared_gate(hosts_(page));
  if (gates_.in_use()) {
    const HostId host = hosts_(page);
    if (gates_.representative(host) == page) {
      gates_.set_representative(host, kNoPage);
      release_better(gates_, host);
    }
  }
  drop_representative(page);
  note_lengths();
}

// Restores the invariant of Gates for an open gate.
void Frontier::release_better(Gates& gates, std::uint32_t id) {
  for (;;) {
    const PageId current = gates.representative(id);
    const QueueItem item = current == kNoPage ? QueueItem() : item_of(current, queue_.mark(current));
    const auto slot = gates.best_to_release(id, current == kNoPage ? nullptr : &item);
    if (!slot) return;
    if (&gates == &gates_) unpark_shared(current);
    gates.release_best(id);
    const QueueItem released = off_queue_.remove(*slot);
    if (grouped_ && current != kNoPage) park_queued(current, id);
    queue_.push(released);
    gates.set_representative(id, released.page());
    if (&gates != &shared_gates_) continue;
    representatives_.erase(current);
    representatives_[released.page()] = id;
  }
}

// The page has left the queue: the next best page behind its shared gate replaces it.
void Frontier::drop_representative(PageId page) {
  const auto leads = representatives_.find(page);
  if (leads == representatives_.end()) return;
  const SharedGateId gate = leads->second;
  representatives_.erase(leads);
  shared_gates_.set_representative(gate, kNoPage);
  if (!shared_gates_.closed(gate, now_)) release_better(shared_gates_, gate);
}

// Returns all parked pages to the queue.
void Frontier::release_all() {
  const auto release = [this](OffQueue::Slot slot) { queue_.push(off_queue_.remove(slot)); };
  gates_.release_all(release);
  shared_gates_.release_all(release);
}

std::uint64_t Frontier::hosts_waiting() const {
  std::uint64_t waiting = gates_.waiting_hosts();
  for (const auto& [host, gate] : behind_) {
    waiting += !gates_.closed(host, now_) && shared_gates_.closed(gate, now_) ? 1 : 0;
  }
  return waiting;
}

std::optional<Time> Frontier::next_gate_opening() const {
  const auto own = gates_.next_opening();
  const auto shared = shared_gates_.next_opening();
  return own && shared ? std::min(*own, *shared) : own ? own : shared;
}

std::optional<Time> Frontier::next_opening() const {
  std::optional<Time> earliest = next_gate_opening();
  if (!waiting_.empty() && (!earliest || waiting_.begin()->first < *earliest)) {
    earliest = waiting_.begin()->first;
  }
  return earliest;
}

}  // namespace bowerbird
