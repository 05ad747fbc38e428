// The pages of a refresh queue: how they enter and leave, and how visits and other calls change them.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "frontier/refresh_queue.h"

namespace bowerbird {
namespace {

// If a host's rate has changed by this much, its pages are updated.
constexpr double kMovedRate = 0.1;
// After this many announcements without a change, further ones from the host are ignored.
constexpr std::uint32_t kTriedAnnouncements = 10;
constexpr std::size_t kRecordsAhead = 16;  // pages whose records are prefetched

}  // namespace

// --- lists of pages

RefreshQueue::Host& RefreshQueue::host_at(HostId host) {
  while (hosts_.size() <= host) {
    if (hosts_.size() == hosts_.capacity()) hosts_.reserve(hosts_.size() + hosts_.size() / 16 + 1);
    hosts_.emplace_back().rate = overall_rate(all_);
    for (RefreshTournament& open : open_) open.push({});
  }
  return hosts_[host];
}

RefreshQueue::Position RefreshQueue::position_of(PageId page) const {
  const HostId host = host_of(page);
  const Side side = side_of(records_[page]);
  if (const auto flying = in_flight_.find(page); flying != in_flight_.end()) {
    return {host, side, flying->second};
  }
  const Pages& pages = hosts_[host].sides[side];
  const auto first = pages.slots.begin(), last = pages.slots.end();
  const auto at =
      pages.ascending
          ? std::lower_bound(first, last, page,
                             [](const RefreshSlot& slot, PageId wanted) { return slot.page < wanted; })
          : std::find_if(first, last, [page](const RefreshSlot& slot) { return slot.page == page; });
  CHECK(at != last && at->page == page);
  return {host, side, static_cast<std::uint32_t>(at - first)};
}

const RefreshSlot& RefreshQueue::slot_of(PageId page) const {
  const Position position = position_of(page);
  return hosts_[position.host].sides[position.side].slots[position.slot];
}

// The record of the page must be filled in.
void RefreshQueue::insert(const RefreshSlot& slot) {
  Position position{host_of(slot.page), side_of(records_[slot.page]), 0};
  host_at(position.host);
  Pages& pages = pages_at(position);
  position.slot = static_cast<std::uint32_t>(pages.slots.size());
  pages.ascending = pages.ascending && (pages.slots.empty() || pages.slots.back().page < slot.page);
  push_tightly(pages.slots, slot);
  ++(position.side == kNew ? counts_.new_pages : counts_.held);
  file(slot_at(position), position.side, now_, prices_of(pages, position.side), false);
  if (pages.blocks.size() * kBlock < pages.slots.size()) pages.blocks.push({});
  update_block(position);
}

// The last page of the list takes the free position.
void RefreshQueue::erase(const Position& position) {
  Pages& pages = pages_at(position);
  const PageId page = slot_at(position).page;
  in_flight_.erase(page);
  announced_.erase(page);
  postponed_.erase(page);
  --(position.side == kNew ? counts_.new_pages : counts_.held);
  const RefreshSlot moved = pages.slots.back();
  slot_at(position) = moved;
  pages.slots.pop_back();
  if (moved.page != page) {
    pages.ascending = false;
    if (moved.in_flight()) in_flight_[moved.page] = position.slot;
  }
  if (pages.slots.size() % kBlock == 0) {
    pages.blocks.pop();
  } else {
    const std::size_t last = pages.slots.size() / kBlock;
    pages.blocks.set(last, block_offer(pages, position.side, last));
  }
  const std::size_t block = position.slot / kBlock;
  if (block < pages.blocks.size()) pages.blocks.set(block, block_offer(pages, position.side, block));
  if (pages.slots.empty()) pages.ascending = true;
  update_host(position.host, position.side);
}

void RefreshQueue::discovered(PageId page, double importance, RefreshTime now) {
  adopt(page, {importance, 0, now, true, {}});
}

void RefreshQueue::hold(PageId page, double importance, RefreshTime fetched) {
  adopt(page, {importance, 0, fetched, false, {}});
}

void RefreshQueue::adopt(PageId page, const RefreshFacts& facts) {
  CHECK(page < kMaxPages);
  advance(facts.since);
  const Tick since = tick(facts.since);
  records_.grow_to(std::size_t{page} + 1);
  RefreshRecord& record = records_[page];
  if (record.known()) return;
  const HostId id = host_of(page);
  Host& host = host_at(id);
  record.set_history(facts.history);
  if (facts.is_new) record.set_new();
  host.history.add(facts.history);
  all_.add(facts.history);
  const bool estimates = options_.learn && !(facts.rate > 0);
  const double prior = estimates ? prior_of(host) : 0;
  RefreshSlot slot{page, since, {}, 0, {}, Float24(facts.rate)};
  slot.importance = Float24(std::max(facts.importance, kLeastImportance));
  if (estimates) slot.rate = Float24(change_rate(facts.history, prior));
  insert(slot);
  if (estimates && options_.host_rates && facts.history.days > 0) note_prior(id, prior);
}

void RefreshQueue::remove(PageId page) {
  CHECK(knows(page));
  const Position position = position_of(page);
  const ChangeHistory history = records_[page].history();
  hosts_[position.host].history.remove(history);
  all_.remove(history);
  erase(position);
  records_[page] = {};
}

// --- visits

void RefreshQueue::visited(PageId page, const RefreshVisit& visit) {
  CHECK(knows(page));
  advance(visit.time);
  const Position position = position_of(page);
  Host& host = hosts_[position.host];
  const bool was_announced = announced_.erase(page) > 0;
  const bool failed = visit.outcome == RefreshOutcome::kFailed;
  if (visit.outcome == RefreshOutcome::kGone) {
    erase(position);
    records_[page] = {};
    return;
  }
  if (!failed && position.side == kNew) {
    const RefreshSlot before = slot_at(position);
    erase(position);
    records_[page].set_history({});
    insert({page, now_, {}, 0, before.importance, before.rate});
    return;
  }
  in_flight_.erase(page);
  RefreshSlot& slot = slot_at(position);
  double prior = 0;
  if (!failed) {
    host.announced += was_announced ? 1 : 0;
    host.confirmed += was_announced && visit.outcome == RefreshOutcome::kChanged ? 1 : 0;
    if (options_.learn) prior = learn(slot, host, visit, now_);
  }
  slot.since = now_;
  file(slot, position.side, now_, prices_of(pages_at(position), position.side), false);
  update_block(position);
  if (!failed && options_.learn && options_.host_rates) note_prior(position.host, prior);
}

// Returns the prior that the rate was computed with.
double RefreshQueue::learn(RefreshSlot& slot, Host& host, const RefreshVisit& visit, Tick now) {
  const Tick since = slot.since;
  const double interval = (now - std::min(now, since)) * kDaysPerTick;
  ChangeHistory seen;
  if (visit.outcome == RefreshOutcome::kUnchanged) {
    seen.add_unchanged(interval);
  } else if (visit.last_modified && visit.date &&
             credible_change_time(*visit.last_modified, time_of(since), *visit.date)) {
    const Duration age = std::max<Duration>(0ms, visit.time - *visit.last_modified);
    seen.add_dated_change(Days(age).count());
  } else {
    seen.add_change(interval);
  }
  host.history.add(seen);
  all_.add(seen);
  RefreshRecord& record = records_[slot.page];
  ChangeHistory own = record.history();
  own.add(seen);
  record.set_history(own);
  const double prior = prior_of(host);
  slot.rate = Float24(change_rate(own, prior));
  return prior;
}

double RefreshQueue::prior_of(const Host& host) const {
  const double overall = overall_rate(all_);
  return options_.host_rates ? change_rate(host.history, overall) : overall;
}

double RefreshQueue::host_rate(HostId host) const {
  return host < hosts_.size() ? prior_of(hosts_[host]) : overall_rate(all_);
}

// Updates the pages of a host whose rate has changed enough. If the overall rate has changed enough, all
// hosts are checked.
void RefreshQueue::note_prior(HostId visited, double visited_prior) {
  const auto moved = [](double now, double before) { return std::abs(now - before) > kMovedRate * before; };
  const auto update = [&](HostId id, double prior) {
    Host& host = hosts_[id];
    if (!moved(prior, host.rate)) return;
    host.rate = prior;
    for (Pages& pages : host.sides) {
      for (std::size_t i = 0; i < pages.slots.size(); ++i) {
        if (i + kRecordsAhead < pages.slots.size())
          __builtin_prefetch(records_.data() + PageId{pages.slots[i + kRecordsAhead].page});
        RefreshSlot& slot = pages.slots[i];
        slot.rate = Float24(change_rate(records_[slot.page].history(), prior));
      }
    }
    refile_all(id, false);
  };
  if (const double overall = overall_rate(all_); moved(overall, overall_)) {
    overall_ = overall;
    for (HostId id = 0; id < hosts_.size(); ++id) update(id, prior_of(hosts_[id]));
  } else {
    update(visited, visited_prior);
  }
}

bool RefreshQueue::announced(HostId id, std::span<const PageId> changed, RefreshTime now) {
  const Host& host = host_at(id);
  if (host.announced >= kTriedAnnouncements && 2 * host.confirmed < host.announced) return false;
  advance(now);
  const std::unordered_set<PageId> wanted(changed.begin(), changed.end());
  Position position{id, kHeld, 0};
  for (RefreshSlot& slot : pages_at(position).slots) {
    if (wanted.contains(slot.page) && !slot.in_flight()) {
      announced_.insert(slot.page);
      file(slot, kHeld, now_, {1, 1}, false);
      update_block(position);
    }
    ++position.slot;
  }
  return true;
}

// --- changes from outside

void RefreshQueue::set_gate(HostId host, bool open, RefreshWant want) {
  for (const Side side : {kHeld, kNew}) {
    if (want == (side == kHeld ? RefreshWant::kNew : RefreshWant::kHeld)) continue;
    host_at(host).open[side] = open;
    update_host(host, side);
  }
}

void RefreshQueue::set_options(const RefreshOptions& options, RefreshTime now) {
  CHECK(options.rule != nullptr);
  const bool new_scale = options.rule != options_.rule;
  options_ = options;
  advance(now);
  if (new_scale) {
    price_ = 0;
    price_level_ = {};
    rest_level_ = {};
  }
  for (HostId host = 0; host < hosts_.size(); ++host) {
    if (new_scale) {
      for (Pages& pages : hosts_[host].sides) pages.price = 0;
    }
    refile_all(host, true);
  }
}

void RefreshQueue::set_importance(PageId page, double importance) {
  CHECK(knows(page));
  const Position position = position_of(page);
  slot_at(position).importance = Float24(std::max(importance, kLeastImportance));
  refile(position);
}

void RefreshQueue::set_importance(HostId host, const std::function<double(PageId, double)>& importance) {
  for (Pages& pages : host_at(host).sides) {
    for (RefreshSlot& slot : pages.slots) {
      slot.importance = Float24(std::max(importance(slot.page, slot.importance), kLeastImportance));
    }
  }
  refile_all(host, false);
}

void RefreshQueue::set_rate(PageId page, double rate) {
  CHECK(knows(page));
  const Position position = position_of(page);
  slot_at(position).rate = Float24(rate);
  refile(position);
}

}  // namespace bowerbird
