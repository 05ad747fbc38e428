// Saving and restoring a Frontier. Parked pages are saved as queued ones: parking only affects speed.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "frontier/frontier.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kFormat = 0x34'726e'6f72'6662;  // "bfronr4"; changes with the layout

struct WaitingItem {
  QueueItem item;
  Time due;
};

}  // namespace

void Frontier::save(ByteWriter& out) const {
  out.put(kFormat);
  out.put(counts_);
  out.put(now_);

  // Which pages are done, 64 to a word.
  const PageId pages = queue_.pages();
  out.put<std::uint64_t>((std::uint64_t{pages} + 63) / 64);
  for (std::uint64_t first = 0; first < pages; first += 64) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 64 && first + i < pages; ++i) {
      const bool done = queue_.mark(static_cast<PageId>(first + i)) == ScoreQueue::kDone;
      word |= std::uint64_t{done} << i;
    }
    out.put(word);
  }

  std::vector<QueueItem> in_flight;
  std::vector<WaitingItem> waiting;
  std::uint64_t parked = 0;
  off_queue_.for_each([&](const OffQueuePage& entry) {
    if (entry.state == PageState::kQueued) ++parked;
    if (entry.state == PageState::kInFlight) in_flight.push_back(entry.item);
    if (entry.state == PageState::kWaiting) waiting.push_back({entry.item, entry.due});
  });
  out.put_array(queue_.hot_items());
  out.put_array(queue_.cold_items());
  out.put(parked);
  off_queue_.for_each([&](const OffQueuePage& entry) {
    if (entry.state == PageState::kQueued) out.put(entry.item);
  });
  out.put_array(in_flight);
  out.put_array(waiting);
  queue_.save_runs(out);
  gates_.save(out);
  shared_gates_.save(out);
  std::vector<std::pair<HostId, SharedGateId>> behind(behind_.begin(), behind_.end());
  std::sort(behind.begin(), behind.end());
  out.put<std::uint64_t>(behind.size());
  for (const auto& [host, gate] : behind) {
    out.put(host);
    out.put(gate);
  }
  strategy_.save(out);
  policy_->save(out);
}

Status Frontier::load(ByteReader& in) {
  CHECK(counts_.discovered == 0);
  if (in.get<std::uint64_t>() != kFormat) return error("this is not a frontier of this version");
  in.get(counts_);
  in.get(now_);
  if (counts_.discovered >= kMaxPages || counts_.crawled > counts_.discovered || now_ < Time{}) in.reject();
  load_done(in);
  // Nothing is spilled before the existing runs and the number of their pages are known.
  const bool limited = options_.queue_bytes > 0;
  if (limited) queue_.limit_to(std::uint64_t{1} << 62, *options_.spill);
  for (int part = 0; part < 3; ++part) {
    in.each<QueueItem>([&](const QueueItem& item) {
      if (fits(item)) {
        queue_.push(item);
      } else {
        in.reject();
      }
    });
  }
  in.each<QueueItem>([&](const QueueItem& item) { load_off_queue(in, item, PageState::kInFlight, Time{}); });
  in.each<WaitingItem>(
      [&](const WaitingItem& one) { load_off_queue(in, one.item, PageState::kWaiting, one.due); });
  if (in.ok()) {
    BB_TRY_VOID(queue_.load_runs(in, options_.spill, [this](const QueueItem& item) { return fits(item); }));
  }
  if (limited) limit_queue(options_.queue_bytes);
  gates_.load(in);
  shared_gates_.load(in);
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    const auto host = in.get<HostId>();
    behind_[host] = in.get<SharedGateId>();
  }
  strategy_.load(in);
  for (const SecondaryPage& held : strategy_.all_held()) {
    if (queue_.mark(held.visit.page) != ScoreQueue::kDone) in.reject();
  }
  policy_->load(in);
  if (counts_.in_flight != in_flight().size()) in.reject();
  if (!in.ok()) return error("the saved frontier is damaged");
  note_lengths();
  return {};
}

void Frontier::load_done(ByteReader& in) {
  std::uint64_t first = 0;
  in.each<std::uint64_t>([&](std::uint64_t word) {
    if (first >= kMaxPages) {
      in.reject();
      return;
    }
    for (unsigned i = 0; i < 64; ++i) {
      if ((word >> i & 1) != 0) queue_.set_mark(static_cast<PageId>(first + i), ScoreQueue::kDone);
    }
    first += 64;
  });
}

void Frontier::load_off_queue(ByteReader& in, const QueueItem& item, PageState state, Time due) {
  if (!fits(item) || due < Time{}) {
    in.reject();
    return;
  }
  const OffQueue::Slot slot = off_queue_.add(item, state);
  off_queue_[slot].due = due;
  queue_.set_mark(item.page(), ScoreQueue::kOffQueue | slot);
  if (state == PageState::kWaiting) waiting_.emplace(due, item.page());
}

// Whether a saved item is acceptable: a page that is not listed twice, a score that can be compared.
bool Frontier::fits(const QueueItem& item) const {
  return item.page() < kMaxPages && queue_.mark(item.page()) == ScoreQueue::kUndiscovered &&
         item.discovered() < counts_.discovered && !std::isnan(item.score());
}

}  // namespace bowerbird
