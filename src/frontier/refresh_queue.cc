#include "frontier/refresh_queue.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace bowerbird {
namespace {

// How far below the price a page is filed that is `gap` levels below it.
constexpr int margin(int gap) {
  constexpr int kFar = 16;
  return gap <= kFar ? 0 : kFar;
}
// If a host's rate has changed by this much, its pages are updated.
constexpr double kMovedRate = 0.1;
// After this many announcements without a change, further ones from the host are ignored.
constexpr std::uint32_t kTriedAnnouncements = 10;

}  // namespace

RefreshQueue::RefreshQueue(const RefreshOptions& options, HostOf hosts)
    : options_(options), host_of_(std::move(hosts)) {
  CHECK(options_.rule != nullptr);
  overall_ = overall_rate(all_);
}

// Pages may have been fetched years before the first call.
RefreshQueue::Tick RefreshQueue::tick(Time time) {
  if (!started_) {
    started_ = true;
    base_ = time - 4 * 365 * kDay;
  }
  return static_cast<Tick>(std::clamp<Time>((time - base_) / kTick, 0, RefreshOffer::kNever - 1));
}

// --- values and levels

bool RefreshQueue::is_constant(PageId page) const {
  if (records_[page].is_new()) return options_.rule->new_page != nullptr;
  return !announced_.empty() && announced_.contains(page);
}

double RefreshQueue::value_at(const RefreshSlot& slot, Tick now) const {
  const RefreshRecord& record = records_[slot.page];
  const RefreshRule& rule = *options_.rule;
  if (!is_constant(slot.page)) {
    const Tick waited = now - std::min(now, slot.since);
    return rule.value(record.importance, record.rate, waited * kDaysPerTick);
  }
  if (record.is_new()) return rule.new_page(record.importance, record.rate);
  return std::min(rule.limit(record.importance, record.rate), refresh_bound(kRefreshLevels - 2));
}

// Files a page under the level of its value, or under a larger one that it will not reach for a while: the
// price, or somewhat less if it is far from it, since the price may fall. With `far_below` much less, for
// pages that are checked because the price fell.
void RefreshQueue::file(RefreshSlot& slot, Side side, Tick now, RefreshLevel price, bool far_below) {
  const Tick waited = now - std::min(now, slot.since);
  const auto rest = static_cast<Tick>(options_.shortest / kTick);
  if (side == kHeld && rests_in_round(slot.since)) {
    slot.level = 0;
    slot.rests = ShortSpan::never();
    return;
  }
  const auto look_after = [&](double ticks) {
    slot.rests = ShortSpan::at_least(std::max(waited + 1, static_cast<Tick>(std::min(ticks, 4e9))));
  };
  if (side == kHeld && waited < rest) {
    slot.level = 0;
    look_after(rest);
    return;
  }
  const RefreshRecord& record = records_[slot.page];
  const double value = value_at(slot, now);
  const double limit = is_constant(slot.page) ? value : options_.rule->limit(record.importance, record.rate);
  if (!(limit > 0)) {
    slot.level = 0;
    slot.rests = ShortSpan::never();
    return;
  }
  const RefreshLevel own = refresh_level(value);
  const int gap = std::max(0, price - own);
  const int below = far_below ? (gap + 1) / 2 : is_small() ? 0 : margin(gap);
  slot.level = static_cast<RefreshLevel>(own + gap - below);
  if (limit < refresh_bound(slot.level) || slot.level == kRefreshLevels - 1) {
    slot.level = refresh_level(limit);
    slot.rests = ShortSpan::never();
    return;
  }
  look_after(options_.rule->days_to(record.importance, record.rate, refresh_bound(slot.level)) /
             kDaysPerTick);
}

// The level under which a page rests that is far from being fetched: the price of all hosts, or of its own
// host if that is always behind.
RefreshLevel RefreshQueue::sleep_level(const Pages& pages, Side side) const {
  const RefreshLevel common = price_level_[side];
  return std::max<RefreshLevel>(1, pages.price > common + 2 ? pages.price : common);
}

RefreshOffer RefreshQueue::offer_of(const RefreshSlot& slot, Side side) {
  RefreshOffer offer;
  if (slot.in_flight()) return offer;
  offer.level = slot.level;
  if (slot.rests != ShortSpan::never()) {
    const std::uint64_t wake = slot.since + slot.rests.ticks();
    offer.wake = static_cast<Tick>(std::min<std::uint64_t>(wake, RefreshOffer::kNever - 1));
  }
  offer.rises = offer.level > 0 ? offer.wake : RefreshOffer::kNever;
  // What rests for a known time is not overdue: it is too early, or was postponed.
  if (side == kHeld && (slot.level > 0 || slot.rests == ShortSpan::never())) offer.oldest = slot.since;
  return offer;
}

std::span<RefreshSlot> RefreshQueue::block_of(Pages& pages, std::size_t block) {
  const std::size_t first = block * kBlock;
  return {pages.slots.data() + first, std::min<std::size_t>(kBlock, pages.slots.size() - first)};
}

RefreshOffer RefreshQueue::block_offer(Pages& pages, Side side, std::size_t block) {
  RefreshOffer sum;
  for (const RefreshSlot& slot : block_of(pages, block)) sum.join(offer_of(slot, side));
  return sum;
}

// Call after a change of a slot.
void RefreshQueue::update_block(const Position& position) {
  Pages& pages = pages_at(position);
  const std::size_t block = position.slot / kBlock;
  pages.blocks.set(block, block_offer(pages, position.side, block));
  show(position.host, position.side);
}

// Updates the entry of this host in the tournament of hosts.
void RefreshQueue::show(HostId host, Side side) {
  open_[side].set(host, hosts_[host].open[side] ? hosts_[host].sides[side].blocks.root() : RefreshOffer());
}

void RefreshQueue::refile(PageId page) {
  const Position position = position_of(page);
  RefreshSlot& slot = slot_at(position);
  if (slot.in_flight()) return;
  file(slot, position.side, now_, sleep_level(pages_at(position), position.side), false);
  update_block(position);
}

void RefreshQueue::refile_all(HostId host) {
  for (const Side side : {kHeld, kNew}) {
    Pages& pages = hosts_[host].sides[side];
    const RefreshLevel price = sleep_level(pages, side);
    for (RefreshSlot& slot : pages.slots) {
      if (!slot.in_flight()) file(slot, side, now_, price, true);
    }
    work_.changed += pages.slots.size();
    pages.blocks.set_all([&](std::size_t block) { return block_offer(pages, side, block); });
    show(host, side);
  }
}

// --- choose()

std::optional<RefreshChoice> RefreshQueue::choose(Time time, RefreshWant want) {
  const auto choice = best(time, want);
  if (choice) take(*choice);
  return choice;
}

std::optional<RefreshChoice> RefreshQueue::best(Time time, RefreshWant want) {
  const Tick now = std::max(now_, tick(time));
  const std::optional<Found> found = pick(now, want);
  best_position_.reset();
  if (!found) return {};
  now_ = now;
  best_position_ = found->position;
  return found->choice;
}

void RefreshQueue::take(const RefreshChoice& best) {
  CHECK(best_position_ && slot_at(*best_position_).page == best.page);
  if (!best.overdue && !announced_.contains(best.page)) set_price(*best_position_, best.value);
  count(best);
  fly(*best_position_);
  best_position_.reset();
}

void RefreshQueue::postpone(PageId page, Time until) {
  CHECK(knows(page));
  const Position position = position_of(page);
  in_flight_.erase(page);
  RefreshSlot& slot = slot_at(position);
  const Tick end = std::max(now_, tick(until + kTick - 1));
  slot.level = 0;
  slot.rests = ShortSpan::at_least(end - std::min(end, slot.since) + 1);
  update_block(position);
}

// Fetched in this round, or too shortly before it.
bool RefreshQueue::rests_in_round(Tick since) const {
  return options_.round > 0 && Time{since} + options_.shortest / kTick >= (options_.round - base_) / kTick;
}

std::optional<RefreshQueue::Found> RefreshQueue::pick(Tick now, RefreshWant want) {
  std::optional<Found> held, fresh;
  if (want != RefreshWant::kNew) {
    if (overdue_due_ >= 1) held = overdue(now);
    if (held) return held;
    held = best_of(kHeld, now);
  }
  if (want != RefreshWant::kHeld) fresh = best_of(kNew, now);
  if (!held || !fresh) return held ? held : fresh;
  if (least_new_due_ >= 1) return fresh;
  if (most_new_due_ < 1) return held;
  return fresh->choice.value > held->choice.value ? fresh : held;
}

std::optional<RefreshQueue::Found> RefreshQueue::best_of(Side side, Tick now) {
  const RefreshTournament& open = open_[side];
  while (open.root().wake <= now) wake(side, static_cast<HostId>(open.next_to_wake()), now);
  while (open.root().level > 0) {
    const RefreshLevel level = open.root().level;
    gather_top(side);
    std::optional<Found> found;
    for (const auto& [host, block] : top_) {
      const auto other = best_of_block(side, host, block, level, now);
      if (other && (!found || better(*other, *found))) found = other;
    }
    if (found) return found;
  }
  return {};
}

// Collects blocks that have a page of the largest level: all of them in a small collection, otherwise the one
// with the first page to leave it.
void RefreshQueue::gather_top(Side side) {
  const RefreshTournament& open = open_[side];
  top_.clear();
  if (!is_small()) {
    const auto host = static_cast<HostId>(open.best());
    top_.emplace_back(host, hosts_[host].sides[side].blocks.best());
    return;
  }
  open.each_best([&](std::size_t host) {
    hosts_[host].sides[side].blocks.each_best(
        [&](std::size_t block) { top_.emplace_back(static_cast<HostId>(host), block); });
  });
}

// The page with the largest value among those of this level. Pages whose value is below the next lower level
// are filed under lower ones.
std::optional<RefreshQueue::Found> RefreshQueue::best_of_block(Side side, HostId host, std::size_t block,
                                                               RefreshLevel level, Tick now) {
  Pages& pages = hosts_[host].sides[side];
  const std::span<RefreshSlot> slots = block_of(pages, block);
  std::optional<Found> found;
  bool lowered = false;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    RefreshSlot& slot = slots[i];
    if (slot.level != level) continue;
    const double value = value_at(slot, now);
    if (value < refresh_bound(level - 1u)) {
      for (RefreshLevel* const price : {&pages.price, &price_level_[side]}) {
        *price = std::min(*price, static_cast<RefreshLevel>(level - 1));
      }
      file(slot, side, now, sleep_level(pages, side), true);
      ++work_.lowered;
      lowered = true;
      continue;
    }
    const auto number = static_cast<std::uint32_t>(block * kBlock + i);
    const Found other{{host, side, number}, {slot.page, value, side == kNew, false}};
    if (!found || better(other, *found)) found = other;
  }
  if (lowered) update_block({host, side, static_cast<std::uint32_t>(block * kBlock)});
  return found;
}

// Files pages whose rest is over.
void RefreshQueue::wake(Side side, HostId host, Tick now) {
  Pages& pages = hosts_[host].sides[side];
  const RefreshLevel price = sleep_level(pages, side);
  const std::size_t block = pages.blocks.next_to_wake();
  RefreshOffer sum;
  for (RefreshSlot& slot : block_of(pages, block)) {
    RefreshOffer offer = offer_of(slot, side);
    if (offer.wake <= now) {
      file(slot, side, now, price, false);
      offer = offer_of(slot, side);
      ++work_.woken;
    }
    sum.join(offer);
  }
  pages.blocks.set(block, sum);
  show(host, side);
}

std::optional<RefreshQueue::Found> RefreshQueue::overdue(Tick now) {
  const RefreshTournament& open = open_[kHeld];
  const Tick oldest = open.root().oldest;
  if (options_.longest == 0 || oldest == RefreshOffer::kNever || rests_in_round(oldest)) return {};
  if (Time{now - std::min(now, oldest)} * kTick <= options_.longest) return {};
  Position position{static_cast<HostId>(open.oldest()), kHeld, 0};
  position.slot = static_cast<std::uint32_t>(pages_at(position).blocks.oldest() * kBlock);
  while (offer_of(slot_at(position), kHeld).oldest != oldest) ++position.slot;
  const RefreshSlot& slot = slot_at(position);
  return Found{position, {slot.page, value_at(slot, now), false, true}};
}

// The price stays at the level of what is fetched, or one below. In a small collection, where all pages of
// the largest level are looked at, it is one more below, so that they are few.
void RefreshQueue::set_price(const Position& position, double value) {
  const int level = refresh_level(value) - (is_small() ? 1 : 0);
  for (RefreshLevel* const price : {&pages_at(position).price, &price_level_[position.side]}) {
    *price = static_cast<RefreshLevel>(std::max(1, std::clamp<int>(*price, level - 1, level)));
  }
  price_ = value;
}

void RefreshQueue::count(const RefreshChoice& choice) {
  ++counts_.choices;
  counts_.new_choices += choice.is_new ? 1 : 0;
  counts_.overdue_choices += choice.overdue ? 1 : 0;
  const auto grow = [](double& credit, double share, bool used) {
    credit = std::clamp(credit + share - (used ? 1 : 0), 0.0, 1 + share);
  };
  grow(least_new_due_, options_.least_new, choice.is_new);
  grow(most_new_due_, options_.most_new, choice.is_new);
  grow(overdue_due_, options_.overdue_share, choice.overdue);
}

void RefreshQueue::fly(const Position& position) {
  RefreshSlot& slot = slot_at(position);
  in_flight_.emplace(slot.page, position.slot);
  slot.rests = ShortSpan::in_flight();
  slot.level = 0;
  update_block(position);
}

// --- lists of pages

RefreshQueue::Host& RefreshQueue::host_at(HostId host) {
  while (hosts_.size() <= host) {
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
void RefreshQueue::insert(PageId page, Tick since) {
  Position position{host_of(page), side_of(records_[page]), 0};
  host_at(position.host);
  Pages& pages = pages_at(position);
  position.slot = static_cast<std::uint32_t>(pages.slots.size());
  pages.ascending = pages.ascending && (pages.slots.empty() || pages.slots.back().page < page);
  push_tightly(pages.slots, {page, since, {}, 0});
  ++(position.side == kNew ? counts_.new_pages : counts_.held);
  file(slot_at(position), position.side, now_, sleep_level(pages, position.side), false);
  if (pages.blocks.size() * kBlock < pages.slots.size()) pages.blocks.push({});
  update_block(position);
}

// The last page of the list takes the free position.
void RefreshQueue::erase(const Position& position) {
  Pages& pages = pages_at(position);
  const PageId page = slot_at(position).page;
  in_flight_.erase(page);
  announced_.erase(page);
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
  show(position.host, position.side);
}

void RefreshQueue::discovered(PageId page, double importance, Time now) {
  adopt(page, {importance, 0, now, true, {}});
}

void RefreshQueue::hold(PageId page, double importance, Time fetched) {
  adopt(page, {importance, 0, fetched, false, {}});
}

void RefreshQueue::adopt(PageId page, const RefreshFacts& facts) {
  CHECK(page < kMaxPages);
  const Tick since = tick(facts.since);
  now_ = std::max(now_, since);
  records_.grow_to(std::size_t{page} + 1);
  RefreshRecord& record = records_[page];
  if (record.known()) return;
  Host& host = host_at(host_of(page));
  record.importance = Float24(std::max(facts.importance, kLeastImportance));
  record.set_history(facts.history);
  if (facts.is_new) record.days = -1;
  host.history.add(facts.history);
  all_.add(facts.history);
  record.rate = Float24(facts.rate > 0   ? facts.rate
                        : options_.learn ? change_rate(facts.history, prior_of(host))
                                         : 0);
  insert(page, since);
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
  now_ = std::max(now_, tick(visit.time));
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
    erase(position);
    records_[page].days = 0;
    insert(page, now_);
    return;
  }
  in_flight_.erase(page);
  RefreshSlot& slot = slot_at(position);
  if (!failed) {
    host.announced += was_announced ? 1 : 0;
    host.confirmed += was_announced && visit.outcome == RefreshOutcome::kChanged ? 1 : 0;
    if (options_.learn) learn(slot, host, visit, now_);
  }
  slot.since = now_;
  file(slot, position.side, now_, sleep_level(pages_at(position), position.side), false);
  update_block(position);
  if (!failed && options_.learn && options_.host_rates) note_prior(position.host);
}

void RefreshQueue::learn(const RefreshSlot& slot, Host& host, const RefreshVisit& visit, Tick now) {
  const double interval = (now - std::min(now, slot.since)) * kDaysPerTick;
  ChangeHistory seen;
  if (visit.outcome == RefreshOutcome::kUnchanged) {
    seen.add_unchanged(interval);
  } else if (visit.last_modified && visit.date &&
             credible_change_time(*visit.last_modified, time_of(slot.since), *visit.date)) {
    const auto since = static_cast<double>(std::max<Time>(0, visit.time - *visit.last_modified));
    seen.add_dated_change(since / static_cast<double>(kDay));
  } else {
    seen.add_change(interval);
  }
  host.history.add(seen);
  all_.add(seen);
  RefreshRecord& record = records_[slot.page];
  ChangeHistory own = record.history();
  own.add(seen);
  record.set_history(own);
  record.rate = Float24(change_rate(own, prior_of(host)));
}

double RefreshQueue::prior_of(const Host& host) const {
  const double overall = overall_rate(all_);
  return options_.host_rates ? change_rate(host.history, overall) : overall;
}

double RefreshQueue::host_rate(HostId host) const {
  return host < hosts_.size() ? prior_of(hosts_[host]) : overall_rate(all_);
}

// If the rate of a host has changed enough, its pages are updated; if that of all pages has, every host is
// checked.
void RefreshQueue::note_prior(HostId visited) {
  const auto moved = [](double now, double before) { return std::abs(now - before) > kMovedRate * before; };
  const auto update = [&](HostId id) {
    Host& host = hosts_[id];
    const double prior = prior_of(host);
    if (!moved(prior, host.rate)) return;
    host.rate = prior;
    for (const Pages& pages : host.sides) {
      for (const RefreshSlot& slot : pages.slots) {
        RefreshRecord& record = records_[slot.page];
        record.rate = Float24(change_rate(record.history(), prior));
      }
    }
    refile_all(id);
  };
  if (const double overall = overall_rate(all_); moved(overall, overall_)) {
    overall_ = overall;
    for (HostId id = 0; id < hosts_.size(); ++id) update(id);
  } else {
    update(visited);
  }
}

bool RefreshQueue::announced(HostId id, std::span<const PageId> changed, Time now) {
  const Host& host = host_at(id);
  if (host.announced >= kTriedAnnouncements && 2 * host.confirmed < host.announced) return false;
  now_ = std::max(now_, tick(now));
  const std::unordered_set<PageId> wanted(changed.begin(), changed.end());
  Position position{id, kHeld, 0};
  for (RefreshSlot& slot : pages_at(position).slots) {
    if (wanted.contains(slot.page) && !slot.in_flight()) {
      announced_.insert(slot.page);
      file(slot, kHeld, now_, 1, false);
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
    show(host, side);
  }
}

void RefreshQueue::set_options(const RefreshOptions& options, Time now) {
  CHECK(options.rule != nullptr);
  const bool new_scale = options.rule != options_.rule;
  options_ = options;
  now_ = std::max(now_, tick(now));
  if (new_scale) {
    price_ = 0;
    price_level_ = {};
  }
  for (HostId host = 0; host < hosts_.size(); ++host) {
    if (new_scale) {
      for (Pages& pages : hosts_[host].sides) pages.price = 0;
    }
    refile_all(host);
  }
}

void RefreshQueue::set_importance(PageId page, double importance) {
  CHECK(knows(page));
  records_[page].importance = Float24(std::max(importance, kLeastImportance));
  refile(page);
}

void RefreshQueue::set_importance(HostId host, const std::function<double(PageId)>& importance) {
  for (const Pages& pages : host_at(host).sides) {
    for (const RefreshSlot& slot : pages.slots) {
      records_[slot.page].importance = Float24(std::max(importance(slot.page), kLeastImportance));
    }
  }
  refile_all(host);
}

void RefreshQueue::set_rate(PageId page, double rate) {
  CHECK(knows(page));
  records_[page].rate = Float24(rate);
  refile(page);
}

// --- queries

RefreshFacts RefreshQueue::facts(PageId page) const {
  CHECK(knows(page));
  const RefreshRecord& record = records_[page];
  return {record.importance, record.rate, time_of(slot_of(page).since), record.is_new(), record.history()};
}

double RefreshQueue::value(PageId page, Time now) const {
  CHECK(knows(page));
  return value_at(slot_of(page), static_cast<Tick>(std::max<Time>(0, (now - base_) / kTick)));
}

std::optional<Time> RefreshQueue::due(PageId page) const {
  CHECK(knows(page));
  const RefreshRecord& record = records_[page];
  const RefreshSlot& slot = slot_of(page);
  const Time since = time_of(slot.since);
  if (is_constant(page)) return value_at(slot, now_) >= price_ ? std::optional(since) : std::nullopt;
  double days = price_ > 0 ? options_.rule->days_to(record.importance, record.rate, price_) : 0;
  if (!record.is_new()) {
    const double most = options_.longest > 0 ? static_cast<double>(options_.longest) : HUGE_VAL;
    days = std::clamp(days * static_cast<double>(kDay), static_cast<double>(options_.shortest), most) /
           static_cast<double>(kDay);
  }
  if (!(days < 1e5)) return {};
  return since + static_cast<Time>(days * static_cast<double>(kDay));
}

std::optional<Time> RefreshQueue::next_time(RefreshWant want) const {
  Tick wake = RefreshOffer::kNever;
  if (want != RefreshWant::kNew) wake = std::min(wake, open_[kHeld].root().wake);
  if (want != RefreshWant::kHeld) wake = std::min(wake, open_[kNew].root().wake);
  if (wake == RefreshOffer::kNever) return {};
  return time_of(wake);
}

std::uint64_t RefreshQueue::bytes() const {
  constexpr std::uint64_t kNode = 4 * sizeof(void*);  // overhead of the hash tables per entry, about
  std::uint64_t sum = records_.size() * sizeof(RefreshRecord) + hosts_.capacity() * sizeof(Host) +
                      (in_flight_.size() + announced_.size()) * (sizeof(PageId) + 4 + kNode);
  for (const RefreshTournament& open : open_) sum += open.bytes();
  for (const Host& host : hosts_) {
    for (const Pages& pages : host.sides) {
      sum += pages.slots.capacity() * sizeof(RefreshSlot) + pages.blocks.bytes();
    }
  }
  return sum;
}

}  // namespace bowerbird
