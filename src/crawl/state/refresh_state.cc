#include "crawl/state/refresh_state.h"

#include <algorithm>
#include <cmath>

#include "crawl/state/hosts.h"

namespace bowerbird {

namespace {

constexpr Duration kLongestSpan = 100 * 365 * kDay;
constexpr double kFastest = 1e7;
// A round begins this long after the last visit: the queue counts time in quarters of a second.
constexpr Duration kApart = 1s;

bool is_share(double value) {
  return value >= 0 && value <= 1;
}

bool is_span(Duration span) {
  return span >= 0ms && span <= kLongestSpan;
}

}  // namespace

// ---- Time

RefreshTime RefreshState::time(Time crawl_time) const {
  if (crawl_time >= kNever || !on_) return RefreshTime{crawl_time.time_since_epoch()};
  return base_ + rounded((crawl_time - started_.now) * started_.scale);
}

Time RefreshState::crawl_time(RefreshTime refresh_time) const {
  if (refresh_time >= kNeverRefreshed || !on_) return Time{refresh_time.time_since_epoch()};
  return started_.now + std::chrono::ceil<Duration>((refresh_time - base_) / started_.scale);
}

// ---- Events

bool RefreshState::is_sound(const RefreshStarted& event) {
  return find_refresh_rule(event.policy).ok() && is_span(event.shortest) && is_span(event.longest) &&
         is_share(event.least_new) && is_share(event.most_new) && event.scale > 0 &&
         event.scale <= kFastest && event.now < kNever &&
         event.importance <= static_cast<std::uint8_t>(RefreshImportance::kEqual);
}

RefreshOptions RefreshState::options_of(const RefreshStarted& event) {
  RefreshOptions options;
  options.rule = find_refresh_rule(event.policy).value();
  options.shortest = event.shortest;
  options.longest = event.longest;
  options.least_new = event.least_new;
  options.most_new = event.most_new;
  return options;
}

// Off: the queue keeps the options of the last start, and so do started_ and base_.
void RefreshState::start(const RefreshStarted& event) {
  latest_ = std::max(latest_, time(event.now));
  on_ = event.policy != "none";
  importance_ = static_cast<RefreshImportance>(event.importance);
  closed_.clear();
  openings_.clear();
  keep_links(false);
  if (!on_) return;
  started_ = event;
  base_ = std::max(latest_ + kApart, RefreshTime{event.now.time_since_epoch()});
  RefreshOptions options = options_of(event);
  if (event.round) options.round = base_;
  if (queue_ == nullptr) {
    queue_ = std::make_unique<RefreshQueue>(options, hosts_);
    return;
  }
  for (HostId host = 0; host < queue_->hosts(); ++host) queue_->set_gate(host, true);
  queue_->set_options(options, base_);
}

void RefreshState::discovered(PageId page, double importance, Time now) {
  queue_->discovered(page, importance, time(now));
}

void RefreshState::hold(PageId page, RefreshTime fetched) {
  queue_->hold(page, 1, fetched);
}

void RefreshState::remove(PageId page) {
  revisits_.erase(page);
  links_seen_.erase(page);
  queue_->remove(page);
}

void RefreshState::postpone(PageId page, Time until, bool is_revisit) {
  if (is_revisit) revisits_.erase(page);
  queue_->postpone(page, time(until));
}

// A new page that failed counts as held from now on.
void RefreshState::visited(PageId page, const RefreshVisit& visit, bool first) {
  latest_ = std::max(latest_, visit.time);
  revisits_.erase(page);
  if (first && visit.outcome == RefreshOutcome::kFailed && queue_->is_new(page)) {
    const double importance = queue_->importance(page);
    queue_->remove(page);
    queue_->hold(page, importance, visit.time);
    return;
  }
  queue_->visited(page, visit);
  if (visit.outcome == RefreshOutcome::kGone) links_seen_.erase(page);
}

// Its last visit and, if the queue knows the page, what was learned about its changes.
struct RefreshState::Moved {
  VisitRecord visit;
  double importance, changes, dated, change_days, days;
  RefreshTime since;
};

std::string RefreshState::give(PageId page) {
  Moved moved{};
  moved.visit = visits_.get(page).moved();
  const bool known = moved.visit.was_visited();
  if (knows(page)) {
    const RefreshFacts facts = queue_->facts(page);
    const ChangeHistory& history = facts.history;
    if (!facts.is_new) {
      moved.importance = facts.importance;
      moved.changes = history.changes;
      moved.dated = history.dated;
      moved.change_days = history.change_days;
      moved.days = history.days;
      moved.since = facts.since;
    }
    remove(page);
  }
  if (!known) return {};
  visits_.put(page, {});
  std::string bytes;
  ByteWriter(bytes).put(moved);
  return bytes;
}

void RefreshState::adopt(PageId page, std::string_view visits) {
  ByteReader in(visits);
  const Moved moved = in.get<Moved>();
  if (!in.ok() || in.left() > 0 || !moved.visit.is_sound_move()) return;
  visits_.put(page, moved.visit);
  note_time(moved.visit.visited);
  const auto is_amount = [](double value) { return value >= 0 && value < 1e9; };
  if (!on_ || knows(page) || moved.visit.missing >= kMissingIsGone) return;
  RefreshFacts facts;
  facts.importance = is_amount(moved.importance) ? moved.importance : 0;
  facts.since = moved.since > RefreshTime{} && moved.since < kLatestVisit ? moved.since : moved.visit.visited;
  if (is_amount(moved.changes) && is_amount(moved.dated) && is_amount(moved.days) && moved.change_days >= 0 &&
      moved.change_days <= moved.days) {
    facts.history = {moved.changes, moved.dated, moved.change_days, moved.days};
  }
  queue_->adopt(page, facts);
}

void RefreshState::announced(HostId host, std::span<const PageId> pages, RefreshTime now) {
  queue_->announced(host, pages, now);
}

// The Refresher decides when ranks are computed. One thread is enough, because graphs that are kept are
// small.
void RefreshState::keep_links(bool keep) {
  links_ = keep ? std::make_unique<KnownRank>(Pace(), 1) : nullptr;
}

void RefreshState::set_importance(const std::function<double(PageId)>& rank) {
  std::unordered_map<PageId, std::uint32_t> seen;
  seen.swap(links_seen_);
  for (HostId host = 0; host < queue_->hosts(); ++host) {
    queue_->set_importance(host, [&](PageId page, double before) {
      if (rank) return rank(page);
      const auto found = seen.find(page);
      return before + (found == seen.end() ? 0 : found->second);
    });
  }
}

// ---- Choices

void RefreshState::open_gates(Time now) {
  while (!openings_.empty() && openings_.begin()->first <= now) {
    const HostId host = openings_.begin()->second;
    openings_.erase(openings_.begin());
    queue_->set_gate(host, true, closed_[host].sides);
    closed_.erase(host);
  }
}

std::optional<RefreshChoice> RefreshState::best(Time now, RefreshWant want) {
  open_gates(now);
  latest_ = std::max(latest_, time(now));
  return queue_->best(time(now), want);
}

void RefreshState::take(const RefreshChoice& best) {
  queue_->take(best);
  if (!best.is_new) revisits_.insert(best.page);
}

void RefreshState::take_page(PageId page) {
  const bool held = !is_new(page);
  queue_->take_page(page);
  if (held) revisits_.insert(page);
}

void RefreshState::block(HostId host, Time opens, RefreshWant sides) {
  if (const auto closed = closed_.find(host); closed != closed_.end()) {
    openings_.erase({closed->second.opens, host});
    if (closed->second.sides != sides) sides = RefreshWant::kAny;
    opens = std::min(opens, closed->second.opens);
  }
  closed_[host] = {opens, sides};
  if (opens < kNever) openings_.emplace(opens, host);
  queue_->set_gate(host, false, sides);
}

void RefreshState::set_gate(HostId host, Time opens, Time now) {
  if (const auto closed = closed_.find(host); closed != closed_.end()) {
    openings_.erase({closed->second.opens, host});
    closed_.erase(closed);
    queue_->set_gate(host, true);
  }
  if (opens > now) block(host, opens, RefreshWant::kAny);
}

Time RefreshState::next_opening(RefreshWant want) const {
  Time earliest = kNever;
  for (const auto& [opens, host] : openings_) {
    const RefreshWant sides = closed_.at(host).sides;
    if (want != RefreshWant::kAny && sides != RefreshWant::kAny && sides != want) continue;
    earliest = opens;
    break;
  }
  if (const auto wakes = queue_->next_time(want)) earliest = std::min(earliest, crawl_time(*wakes));
  return earliest;
}

// With rate r, a copy is fresh after t days with probability e^(-rt); the expected age is t - (1 -
// e^(-rt))/r.
HeldEstimate RefreshState::estimate(Time now) const {
  HeldEstimate sum;
  if (queue_ == nullptr) return sum;
  double all = 0;
  const RefreshTime at = time(now);
  queue_->for_each([&](PageId, const RefreshFacts& facts) {
    if (facts.is_new) return;
    const double days = Days(std::max(Duration{}, at - facts.since)).count();
    const double changed = -std::expm1(-facts.rate * days);
    all += facts.importance;
    sum.freshness += facts.importance * (1 - changed);
    sum.age += facts.importance * (facts.rate > 0 ? std::max(0.0, days - changed / facts.rate) : 0);
    ++sum.held;
  });
  if (all > 0) {
    sum.freshness /= all;
    sum.age /= all;
  }
  return sum;
}

std::uint64_t RefreshState::bytes() const {
  constexpr std::uint64_t kEntry = 64;  // of a table, about
  return visits_.bytes() + (queue_ ? queue_->bytes() : 0) + (links_ ? links_->bytes() : 0) +
         kEntry * (closed_.size() + openings_.size() + revisits_.size() + links_seen_.size());
}

// ---- Snapshot

struct RefreshState::Fixed {
  Time now;
  RefreshTime base, latest;
  Duration shortest, longest;
  double least_new, most_new, scale;
  std::uint64_t on, importance, round, has_queue, later_rows;
};

void RefreshState::save(ByteWriter& out) const {
  visits_.save(out);
  out.put(Fixed{started_.now, base_, latest_, started_.shortest, started_.longest, started_.least_new,
                started_.most_new, started_.scale, on_ ? 1u : 0u, static_cast<std::uint64_t>(importance_),
                started_.round ? 1u : 0u, queue_ ? 1u : 0u, later_rows_});
  const std::vector<char> policy(started_.policy.begin(), started_.policy.end());
  out.put_array(policy);
  if (!queue_) return;
  queue_->save(out);
  std::vector<std::pair<HostId, Gate>> gates(closed_.begin(), closed_.end());
  std::sort(gates.begin(), gates.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  out.put<std::uint64_t>(gates.size());
  for (const auto& [host, gate] : gates) {
    out.put(host);
    out.put(gate.opens);
    out.put(gate.sides);
  }
  out.put_array(std::vector<PageId>(revisits_.begin(), revisits_.end()));
  std::vector<std::pair<PageId, std::uint32_t>> links(links_seen_.begin(), links_seen_.end());
  std::sort(links.begin(), links.end());
  out.put<std::uint64_t>(links.size());
  for (const auto& [page, count] : links) {
    out.put(page);
    out.put(count);
  }
  out.put<std::uint8_t>(links_ ? 1 : 0);
  if (links_) links_->save(out);
}

Status RefreshState::load(ByteReader& in, PageId pages, HostId hosts) {
  visits_.load(in);
  const auto fixed = in.get<Fixed>();
  std::vector<char> policy;
  in.get_array(policy);
  started_.now = fixed.now;
  started_.policy.assign(policy.begin(), policy.end());
  started_.shortest = fixed.shortest;
  started_.longest = fixed.longest;
  started_.least_new = fixed.least_new;
  started_.most_new = fixed.most_new;
  started_.scale = fixed.scale;
  started_.importance = static_cast<std::uint8_t>(std::min<std::uint64_t>(fixed.importance, 255));
  started_.round = fixed.round != 0;
  base_ = fixed.base;
  latest_ = fixed.latest;
  later_rows_ = fixed.later_rows;
  if (!in.ok()) return error("the snapshot is damaged");
  if (fixed.has_queue == 0) return {};
  if (!is_sound(started_)) return error("the snapshot is damaged");
  on_ = fixed.on != 0;
  importance_ = static_cast<RefreshImportance>(started_.importance);
  RefreshOptions options = options_of(started_);
  if (started_.round) options.round = base_;
  queue_ = std::make_unique<RefreshQueue>(
      options, [this, pages](PageId page) { return page < pages ? hosts_(page) : HostId{0}; });
  BB_TRY_VOID(queue_->load(in));
  queue_->set_hosts(hosts_);
  if (queue_->pages() > pages || queue_->hosts() > hosts) return error("the snapshot is damaged");
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    const auto host = in.get<HostId>();
    const auto opens = in.get<Time>();
    const auto sides = in.get<RefreshWant>();
    if (host >= hosts || sides > RefreshWant::kHeld) return error("the snapshot is damaged");
    closed_[host] = {opens, sides};
    if (opens < kNever) openings_.emplace(opens, host);
  }
  in.each<PageId>([&](PageId page) {
    if (!knows(page)) in.reject();
    revisits_.insert(page);
  });
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    const auto page = in.get<PageId>();
    links_seen_[page] = in.get<std::uint32_t>();
  }
  keep_links(in.get<std::uint8_t>() != 0);
  if (links_) links_->load(in);
  if (!in.ok()) return error("the snapshot is damaged");
  return {};
}

}  // namespace bowerbird
