#include "frontier/refresh_queue.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace bowerbird {
namespace {

// How many levels below the price a page is filed whose value is `gap` levels below it. The number differs
// between pages, so that they are not all refiled at the same moment when the price falls.
int margin(int gap, PageId page) {
  constexpr int kLeast = 8;
  const int far = kLeast + static_cast<int>(page * 0x9e3779b9u >> 28);
  return gap <= far ? 0 : far;
}

// Ticks. Pages that must be checked within this time are checked together.
constexpr std::uint32_t kSoon = 64;
// The same for pages that have waited for at least kWakeAheadPart times as long. Finding pages in the
// tournaments costs more than checking them, and with more pages at a time it costs less per page.
constexpr std::uint32_t kWakeAhead = 4096;
constexpr std::uint32_t kWakeAheadPart = 64;

// While the price is above the rest level, the rest level rises by one after (number of pages) /
// kRisesPerPage choices.
constexpr std::uint64_t kRisesPerPage = 256;

// The origin of ticks is this long before the time at which it is chosen, and is chosen anew after so many
// ticks, 17 years.
constexpr Duration kOriginBefore = 8 * 365 * kDay;
constexpr std::uint32_t kLatestPresent = std::uint32_t{1} << 31;

// The end of a postponement is exact to 1/kRounding of the time left.
constexpr std::uint64_t kRounding = 64;

}  // namespace

RefreshQueue::RefreshQueue(const RefreshOptions& options, HostOf hosts)
    : options_(options), host_of_(std::move(hosts)) {
  CHECK(options_.rule != nullptr);
  overall_ = overall_rate(all_);
}

// Pages may have been fetched years before the first call.
RefreshQueue::Tick RefreshQueue::tick(RefreshTime time) {
  if (!started_) {
    started_ = true;
    base_ = time - kOriginBefore;
  }
  return static_cast<Tick>(std::clamp<std::int64_t>((time - base_) / kTick, 0, RefreshOffer::kNever - 1));
}

// The tick of a call at this time. As many ticks are left for intervals after it.
RefreshQueue::Tick RefreshQueue::present(RefreshTime time) {
  if (started_ && (time - base_) / kTick > std::int64_t{kLatestPresent}) move_origin(time);
  return std::max(tick(time), now_);
}

void RefreshQueue::move_origin(RefreshTime now) {
  const std::int64_t ticks = (now - kOriginBefore - base_) / kTick;
  const auto moved = [ticks](Tick tick) {
    return static_cast<Tick>(std::max<std::int64_t>(0, tick - ticks));
  };
  base_ += ticks * kTick;
  now_ = tick(now);
  for (auto& [page, until] : postponed_) until = moved(until);
  for (HostId host = 0; host < hosts_.size(); ++host) {
    for (Pages& pages : hosts_[host].sides) {
      for (RefreshSlot& slot : pages.slots) slot.since = moved(slot.since);
    }
    refile_all(host, false);
  }
}

// --- values and levels

bool RefreshQueue::is_constant(PageId page, Side side) const {
  if (side == kNew) return options_.rule->new_page != nullptr;
  return !announced_.empty() && announced_.contains(page);
}

double RefreshQueue::value_at(const RefreshSlot& slot, Side side, Tick now) const {
  const RefreshRule& rule = *options_.rule;
  if (!is_constant(slot.page, side)) {
    const Tick since = slot.since;
    return rule.value(slot.importance, slot.rate, (now - std::min(now, since)) * kDaysPerTick);
  }
  if (side == kNew) return rule.new_page(slot.importance, slot.rate);
  return std::min(rule.limit(slot.importance, slot.rate), refresh_bound(kRefreshLevels - 2));
}

// Whether the page was fetched less than the shortest interval ago.
bool RefreshQueue::is_early(const RefreshSlot& slot, Side side, Tick now) const {
  return side == kHeld && now - std::min<Tick>(now, slot.since) < shortest_rest();
}

// The page is not a candidate until the shortest interval has ended.
void RefreshQueue::rest(RefreshSlot& slot) const {
  slot.level = 0;
  slot.rests = ShortSpan::at_least(shortest_rest());
}

void RefreshQueue::file(RefreshSlot& slot, Side side, Tick now, Prices prices, bool far_below) {
  if (slot.postponed()) postponed_.erase(slot.page);
  if (side == kHeld && rests_in_round(slot.since)) {
    slot.level = 0;
    slot.rests = ShortSpan::never();
    return;
  }
  if (is_early(slot, side, now)) {
    // If its value will still be far below the price then, it need not be checked at the end of the interval.
    const Tick end = slot.since + shortest_rest();
    const double value = value_at(slot, side, end);
    if (is_small() || !(value < refresh_bound(prices.rest - 1u))) {
      rest(slot);
    } else {
      file_by_value(slot, side, end, prices, far_below, value);
    }
    return;
  }
  file_by_value(slot, side, now, prices, far_below, value_at(slot, side, now));
}

// Files a page under the level of its value, or under a larger one that the value will not reach for a while:
// the rest level, or somewhat below it, since the price may fall. far_below: much below it, for pages that
// are checked because the price fell. Pages above the rest level are filed halfway to the price.
void RefreshQueue::file_by_value(RefreshSlot& slot, Side side, Tick now, Prices prices, bool far_below,
                                 double value) {
  const double importance = slot.importance, rate = slot.rate;
  const double limit = is_constant(slot.page, side) ? value : options_.rule->limit(importance, rate);
  if (!(limit > 0)) {
    slot.level = 0;
    slot.rests = ShortSpan::never();
    return;
  }
  const RefreshLevel own = refresh_level(value);
  const bool above_rest = own >= prices.rest;
  const int gap = std::max(0, (above_rest ? prices.top : prices.rest) - own);
  const int below = far_below || (above_rest && !is_small()) ? (gap + 1) / 2
                    : is_small()                             ? 0
                                                             : margin(gap, slot.page);
  slot.level = static_cast<RefreshLevel>(own + gap - below);
  if (limit < refresh_bound(slot.level) || slot.level == kRefreshLevels - 1) {
    slot.level = refresh_level(limit);
    slot.rests = ShortSpan::never();
    return;
  }
  const double ticks = options_.rule->days_to(importance, rate, refresh_bound(slot.level)) / kDaysPerTick;
  const Tick since = slot.since;
  const Tick waited = now - std::min(now, since);
  slot.rests = ShortSpan::at_least(std::max(waited + 1, static_cast<Tick>(std::min(ticks, 4e9))));
}

// The prices of all hosts, or of this host alone if politeness always keeps it behind.
RefreshQueue::Prices RefreshQueue::prices_of(const Pages& pages, Side side) const {
  const RefreshLevel common = std::max<RefreshLevel>(1, price_level_[side]);
  if (pages.price > common + 2) return {pages.price, pages.price};
  if (is_small()) return {common, common};
  return {std::max<RefreshLevel>(1, rest_level_[side]), common};
}

RefreshOffer RefreshQueue::offer_of(const RefreshSlot& slot, Side side) const {
  RefreshOffer offer;
  if (slot.in_flight()) return offer;
  if (slot.postponed()) {
    offer.wake = postponed_.at(slot.page);
  } else if (slot.rests != ShortSpan::never()) {
    const std::uint64_t wake = slot.since + slot.rests.ticks();
    offer.wake = static_cast<Tick>(std::min<std::uint64_t>(wake, RefreshOffer::kNever - 1));
  }
  offer.rank = RefreshOffer::rank_of(slot.level, slot.level > 0 ? offer.wake : RefreshOffer::kNever);
  // A page that waits for a known time is not overdue: it was fetched too recently, or postponed.
  if (side == kHeld && (slot.level > 0 || slot.rests == ShortSpan::never())) offer.oldest = slot.since;
  return offer;
}

std::span<RefreshSlot> RefreshQueue::block_of(Pages& pages, std::size_t block) {
  const std::size_t first = block * kBlock;
  return {pages.slots.data() + first, std::min<std::size_t>(kBlock, pages.slots.size() - first)};
}

RefreshOffer RefreshQueue::block_offer(Pages& pages, Side side, std::size_t block) const {
  RefreshOffer sum;
  for (const RefreshSlot& slot : block_of(pages, block)) sum.join(offer_of(slot, side));
  return sum;
}

// Call after a change of a slot.
void RefreshQueue::update_block(const Position& position) {
  Pages& pages = pages_at(position);
  const std::size_t block = position.slot / kBlock;
  pages.blocks.set(block, block_offer(pages, position.side, block));
  update_host(position.host, position.side);
}

// Updates the entry of this host in the tournament of hosts.
void RefreshQueue::update_host(HostId host, Side side) {
  open_[side].set(host, hosts_[host].open[side] ? hosts_[host].sides[side].blocks.root() : RefreshOffer());
}

void RefreshQueue::refile(const Position& position) {
  RefreshSlot& slot = slot_at(position);
  if (slot.waits()) return;
  file(slot, position.side, now_, prices_of(pages_at(position), position.side), false);
  update_block(position);
}

// with_waiting: also pages that wait for a known time, since that time may have changed.
void RefreshQueue::refile_all(HostId host, bool with_waiting) {
  for (const Side side : {kHeld, kNew}) {
    Pages& pages = hosts_[host].sides[side];
    const Prices prices = prices_of(pages, side);
    for (RefreshSlot& slot : pages.slots) {
      if (with_waiting ? !slot.in_flight() && !slot.postponed() : !slot.waits())
        file(slot, side, now_, prices, true);
    }
    work_.changed += pages.slots.size();
    pages.blocks.set_all([&](std::size_t block) { return block_offer(pages, side, block); });
    update_host(host, side);
  }
}

// --- choose()

std::optional<RefreshChoice> RefreshQueue::choose(RefreshTime time, RefreshWant want) {
  const auto choice = best(time, want);
  if (choice) take(*choice);
  return choice;
}

std::optional<RefreshChoice> RefreshQueue::best(RefreshTime time, RefreshWant want) {
  const Tick now = present(time);
  const std::optional<Found> found = pick(now, want);
  best_position_.reset();
  if (!found) return {};
  now_ = now;
  best_position_ = found->position;
  return found->choice;
}

void RefreshQueue::take(const RefreshChoice& best) {
  CHECK(best_position_ && slot_at(*best_position_).page == best.page);
  __builtin_prefetch(&records_[best.page]);
  if (!best.overdue && !announced_.contains(best.page)) set_price(*best_position_, best.value);
  count(best);
  set_in_flight(*best_position_);
  prefetch_best(best_position_->side);
  best_position_.reset();
}

void RefreshQueue::take_page(PageId page) {
  CHECK(knows(page) && !is_in_flight(page));
  set_in_flight(position_of(page));
  best_position_.reset();
}

void RefreshQueue::postpone(PageId page, RefreshTime until) {
  CHECK(knows(page));
  const Position position = position_of(page);
  in_flight_.erase(page);
  RefreshSlot& slot = slot_at(position);
  const Tick end = std::max(now_, tick(until + kTick - 1ms));
  slot.level = 0;
  const Tick since = slot.since;
  slot.rests = ShortSpan::at_least(end - std::min(end, since) + 1);
  // The slot rounds the time since the last fetch, which may be much longer than the time that is left.
  postponed_.erase(page);
  if (slot.since + slot.rests.ticks() - end > 1 + (end - now_) / kRounding) {
    slot.rests = ShortSpan::postponed();
    postponed_[page] = end;
  }
  update_block(position);
}

// Whether the page was fetched in this round, or too shortly before it. The clock may jump by decades within
// a round: pages fetched before the origin are fetched again.
bool RefreshQueue::rests_in_round(Tick since) const {
  return options_.round > RefreshTime{} && since > 0 &&
         std::int64_t{since} + options_.shortest / kTick >= (options_.round - base_) / kTick;
}

std::optional<RefreshQueue::Found> RefreshQueue::pick(Tick now, RefreshWant want) {
  std::optional<Found> held, unseen;
  if (want != RefreshWant::kNew) {
    if (overdue_due_ >= 1) held = overdue(now);
    if (held) return held;
    held = best_of(kHeld, now);
  }
  if (want != RefreshWant::kHeld) unseen = best_of(kNew, now);
  if (!held || !unseen) return held ? held : unseen;
  if (least_new_due_ >= 1) return unseen;
  if (most_new_due_ < 1) return held;
  return unseen->choice.value > held->choice.value ? unseen : held;
}

std::optional<RefreshQueue::Found> RefreshQueue::best_of(Side side, Tick now) {
  const RefreshTournament& open = open_[side];
  if (open.root().wake <= now) wake(side, now);
  RefreshLevel last = 0;
  Tick ahead = 0;
  while (open.root().level() > 0) {
    const RefreshLevel level = open.root().level();
    gather_top(side);
    std::optional<Found> found;
    for (const auto& [host, block] : top_) {
      const auto other = best_of_block(side, host, block, level, now);
      if (other && (!found || better(*other, *found))) found = other;
    }
    if (found) return found;
    if (is_small() || open.root().level() != level) continue;
    ahead = level == last ? 2 * ahead : kSoon;
    last = level;
    lower(side, level, ahead, now);
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
    top_.emplace_back(host, static_cast<std::uint32_t>(hosts_[host].sides[side].blocks.best()));
    return;
  }
  const RefreshLevel level = open.root().level();
  const auto is_top = [level](const RefreshOffer& offer) { return offer.level() == level; };
  open.each(is_top, [&](std::uint32_t host) {
    hosts_[host].sides[side].blocks.each(is_top,
                                         [&](std::uint32_t block) { top_.emplace_back(host, block); });
  });
}

// The value of a candidate; none if it is below the candidate's level, or if the page was fetched too
// recently. Then the page is filed again, and if the value was too small, the price is lowered.
std::optional<double> RefreshQueue::value_at_level(RefreshSlot& slot, Pages& pages, Side side, Tick now) {
  if (is_early(slot, side, now)) {
    rest(slot);
    return {};
  }
  const double value = value_at(slot, side, now);
  if (value >= refresh_bound(slot.level - 1u)) return value;
  const auto next = static_cast<RefreshLevel>(slot.level - 1);
  for (RefreshLevel* const price : {&pages.price, &price_level_[side], &rest_level_[side]}) {
    *price = std::min(*price, next);
  }
  ++work_.lowered;
  file_by_value(slot, side, now, prices_of(pages, side), true, value);
  return {};
}

// The price has fallen below the largest level: files the pages of this level whose value is below the next
// level. Only pages that leave the level within `ahead` ticks are checked, many at a time to save cache
// misses.
void RefreshQueue::lower(Side side, RefreshLevel level, Tick ahead, Tick now) {
  const Tick first = open_[side].root().rises();
  const Tick limit = first + std::min(ahead, RefreshOffer::kNever - first);
  const std::uint64_t last = RefreshOffer::rank_of(level, limit);
  sweep(
      side, [last](const RefreshOffer& offer) { return offer.rank <= last; },
      [&](RefreshSlot& slot, const RefreshOffer&, Pages& pages) {
        return slot.level == level && !value_at_level(slot, pages, side, now);
      });
}

// Calls update(slot, its offer, pages) for the pages of all blocks that fit, among open hosts. It returns
// whether it has changed the slot.
template <typename Fits, typename Update>
void RefreshQueue::sweep(Side side, const Fits& fits, const Update& update) {
  prefetch(side, fits);
  open_[side].update(fits, [&](std::uint32_t host) {
    Pages& pages = hosts_[host].sides[side];
    pages.blocks.update(fits, [&](std::uint32_t block) {
      RefreshOffer sum;
      for (RefreshSlot& slot : block_of(pages, block)) {
        RefreshOffer offer = offer_of(slot, side);
        if (update(slot, offer, pages)) offer = offer_of(slot, side);
        sum.join(offer);
      }
      return sum;
    });
    return pages.blocks.root();
  });
}

// Loads the pages that will be looked at next into the cache.
void RefreshQueue::prefetch_best(Side side) const {
  const RefreshTournament& open = open_[side];
  if (open.root().level() == 0) return;
  const Pages& pages = hosts_[open.best()].sides[side];
  prefetch_block(pages, pages.blocks.best());
}

void RefreshQueue::prefetch_block(const Pages& pages, std::size_t block) {
  const char* const slots = reinterpret_cast<const char*>(pages.slots.data() + block * kBlock);
  for (unsigned line = 0; line < kBlock * sizeof(RefreshSlot); line += 64) __builtin_prefetch(slots + line);
}

// Loads what a sweep needs into the cache, all hosts at the same time.
template <typename Fits>
void RefreshQueue::prefetch(Side side, const Fits& fits) {
  steps_.clear();
  open_[side].each(fits, [&](std::uint32_t host) {
    __builtin_prefetch(&hosts_[host].sides[side]);
    steps_.push_back({host, {}});
  });
  for (Step& step : steps_) {
    const RefreshTournament& blocks = hosts_[step.host].sides[side].blocks;
    step.node = blocks.top();
    blocks.prefetch(step.node);
  }
  // breadth first; the list grows
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step step = steps_[i];
    const Pages& pages = hosts_[step.host].sides[side];
    pages.blocks.step(step.node, fits, [&](std::uint32_t at) {
      if (step.node.level > 0) {
        const RefreshTournament::Node below{step.node.level - 1, at};
        pages.blocks.prefetch(below);
        steps_.push_back({step.host, below});
        return;
      }
      prefetch_block(pages, at);
    });
  }
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
    const std::optional<double> value = value_at_level(slot, pages, side, now);
    if (!value) {
      lowered = true;
      continue;
    }
    const auto number = static_cast<std::uint32_t>(block * kBlock + i);
    const Found other{{host, side, number}, {slot.page, *value, side == kNew, false}};
    if (!found || better(other, *found)) found = other;
  }
  if (lowered) update_block({host, side, static_cast<std::uint32_t>(block * kBlock)});
  return found;
}

// Files pages whose waiting time has ended, and those whose waiting time ends soon, by their value at that
// later time, which is an upper bound until then. So one pass over the tournaments files many pages.
void RefreshQueue::wake(Side side, Tick now) {
  const Tick ahead = std::min(now, RefreshOffer::kNever - 2 - kWakeAhead) + kWakeAhead;
  sweep(
      side, [ahead](const RefreshOffer& offer) { return offer.wake <= ahead; },
      [&](RefreshSlot& slot, const RefreshOffer& offer, Pages& pages) {
        if (offer.wake > ahead) return false;
        const Tick waited = now - std::min<Tick>(now, slot.since);
        const Tick wanted = is_small() ? kSoon : std::max(kSoon, waited / kWakeAheadPart);
        const Tick end = slot.waits() ? now : std::min(ahead, now + wanted);
        if (offer.wake > end) return false;
        file(slot, side, end, prices_of(pages, side), false);
        ++work_.woken;
        return true;
      });
}

std::optional<RefreshQueue::Found> RefreshQueue::overdue(Tick now) {
  const RefreshTournament& open = open_[kHeld];
  const Tick oldest = open.root().oldest;
  if (options_.longest == 0ms || oldest == RefreshOffer::kNever || rests_in_round(oldest)) return {};
  if ((now - std::min(now, oldest)) * kTick <= std::max(options_.longest, options_.shortest)) return {};
  Position position{static_cast<HostId>(open.oldest()), kHeld, 0};
  position.slot = static_cast<std::uint32_t>(pages_at(position).blocks.oldest() * kBlock);
  while (offer_of(slot_at(position), kHeld).oldest != oldest) ++position.slot;
  const RefreshSlot& slot = slot_at(position);
  return Found{position, {slot.page, value_at(slot, kHeld, now), false, true}};
}

// Keeps the price at the level of the pages that are fetched, or one below. A small collection checks all
// pages of the largest level, so there the price is one level lower, to keep them few.
void RefreshQueue::set_price(const Position& position, double value) {
  const int level = refresh_level(value) - (is_small() ? 1 : 0);
  for (RefreshLevel* const price : {&pages_at(position).price, &price_level_[position.side]}) {
    *price = static_cast<RefreshLevel>(std::max(1, std::clamp<int>(*price, level - 1, level)));
  }
  const RefreshLevel price = price_level_[position.side];
  RefreshLevel& rest = rest_level_[position.side];
  const std::uint64_t pages = counts_.held + counts_.new_pages;
  if (rest == 0 || rest > price) {
    rest = price;
  } else if (rest < price && counts_.choices % (1 + pages / kRisesPerPage) == 0) {
    ++rest;
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

void RefreshQueue::set_in_flight(const Position& position) {
  RefreshSlot& slot = slot_at(position);
  in_flight_.emplace(slot.page, position.slot);
  slot.rests = ShortSpan::in_flight();
  slot.level = 0;
  update_block(position);
}

// --- queries

RefreshFacts RefreshQueue::facts(PageId page) const {
  CHECK(knows(page));
  const RefreshSlot& slot = slot_of(page);
  const RefreshRecord& record = records_[page];
  return {slot.importance, slot.rate, time_of(slot.since), record.is_new(), record.history()};
}

double RefreshQueue::value(PageId page, RefreshTime now) const {
  CHECK(knows(page));
  const auto at = static_cast<Tick>(std::max<std::int64_t>(0, (now - base_) / kTick));
  return value_at(slot_of(page), side_of(records_[page]), at);
}

std::optional<RefreshTime> RefreshQueue::due(PageId page) const {
  CHECK(knows(page));
  const RefreshSlot& slot = slot_of(page);
  const Side side = side_of(records_[page]);
  const RefreshTime since = time_of(slot.since);
  if (is_constant(page, side))
    return value_at(slot, side, now_) >= price_ ? std::optional(since) : std::nullopt;
  double days = price_ > 0 ? options_.rule->days_to(slot.importance, slot.rate, price_) : 0;
  if (side == kHeld) {
    const double most = options_.longest > 0ms ? Days(options_.longest).count() : HUGE_VAL;
    days = std::clamp(days, Days(options_.shortest).count(), most);
  }
  if (!(days < 1e5)) return {};
  return since + std::chrono::duration_cast<Duration>(Days(days));
}

std::optional<RefreshTime> RefreshQueue::next_time(RefreshWant want) const {
  Tick wake = RefreshOffer::kNever;
  if (want != RefreshWant::kNew) wake = std::min(wake, open_[kHeld].root().wake);
  if (want != RefreshWant::kHeld) wake = std::min(wake, open_[kNew].root().wake);
  if (wake == RefreshOffer::kNever) return {};
  return time_of(wake);
}

std::uint64_t RefreshQueue::bytes() const {
  constexpr std::uint64_t kNode = 4 * sizeof(void*);  // approximate overhead of the hash tables per entry
  std::uint64_t sum =
      records_.size() * sizeof(RefreshRecord) + hosts_.capacity() * sizeof(Host) +
      (in_flight_.size() + announced_.size() + postponed_.size()) * (sizeof(PageId) + 4 + kNode);
  for (const RefreshTournament& open : open_) sum += open.bytes();
  for (const Host& host : hosts_) {
    for (const Pages& pages : host.sides) {
      sum += pages.slots.capacity() * sizeof(RefreshSlot) + pages.blocks.bytes();
    }
  }
  return sum;
}

}  // namespace bowerbird
