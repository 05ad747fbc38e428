// Which page is handed out next, and what blocks better ones.
#include <algorithm>

#include "crawl/loop/crawler.h"
#include "crawl/loop/host_budget.h"

namespace bowerbird {

namespace {

// Limits for one turn of the loop: pages passed to gate(), most of which are fetched, and the cost of their
// robots.txt checks.
constexpr int kMostAtOnce = 1000;
constexpr std::uint64_t kMostRobotsWork = 16 * kRobotsWork;
// A host with a request in flight is looked at again after this at the latest. Not kNever: a frontier with
// little memory waits for a gate that will open, and does not search the queue on disk for other hosts.
constexpr Duration kUnderWayWait = 1s;

}  // namespace

void Crawler::hand_out(Time now) {
  bandwidth_.refill(now);
  if (!may_work() || is_paused()) return;
  hand_out_requested(now);
  if (requisites_) hand_out_requisites(now);
  int looked_at = 0;
  run_.robots_work = 0;
  const auto has_time = [&] { return looked_at < kMostAtOnce && run_.robots_work < kMostRobotsWork; };
  const PageGate gate = [&](PageId page) {
    ++looked_at;
    return has_time() ? this->gate(page, now) : std::nullopt;
  };
  while (has_time() && may_start(now)) {
    if (!state().has_changed() && run_.nothing_until > now) return;
    const auto page = refresher_->is_on() ? next_of_queue(now, gate) : state().next(now, gate);
    if (page) {
      decide(*page, now);
    } else if (refresher_->is_on() && !state().has_changed()) {
      return;
    } else if (state().has_changed()) {
      if (!state().status().ok()) return;
      ++looked_at;  // a page gave links that the strategy had held back
    } else if (!cross_over()) {
      run_.nothing_until = state().frontier().next_opening().value_or(kNever);
      return;
    }
  }
}

// Cross-over mode: if none of our own pages is left, a page of another process enters.
bool Crawler::cross_over() {
  return state().fleet() != nullptr && state().frontier().counts().primary == 0 && under_way() == 0 &&
         state().enter_foreign();
}

// When the page may be fetched. If the result is `now`, verdict_ says what to do with the page. None: no page
// can be started now, so the search ends.
std::optional<Opening> Crawler::gate(PageId page, Time now) {
  const HostId id = state().host(page);
  Host& host = hosts()[id];
  verdict_ = Verdict::kFetch;
  if (session_ && session_->leaving(page)) return now + kLeavingWait;
  if (const ControlRule* const rule = rule_against(page)) {
    if (rule->target == RuleTarget::kHost) return kNever;
    verdict_ = Verdict::kSuspended;
    return now;
  }
  if (host.closed != 0) {
    if (const auto opening = gate_of_closed(page, id, now)) return opening;
  }
  if (const Time opens = hosts().own_gate(id); opens > now)
    return opens < kNever ? opens : now + kUnderWayWait;
  if (const Time opens = refresher_->host_opens(id, now); opens > now) return opens;
  if (const HostEnd end = host_end_of(host, hosts().site_pages(host), options_);
      end != HostEnd::kNone && !was_fetched(page)) {
    if (host.active > 0) return now + kUnderWayWait;  // a page in flight may fail and then not count
    failures_->close(id, end);
    return Opening(kNever, kOwnGate, RefreshWant::kNew);
  }
  if (!live_.is_request && (left_out(page) || (!was_fetched(page) && site_is_full(page)))) {
    verdict_ = Verdict::kLeftOut;
    return now;
  }
  if (RequisiteEnd end; requisites_ && was_requisite(page, end)) {
    verdict_ = Verdict::kFetchedBefore;
    return now;
  }
  if (requisites_ && requisites_->is_in_flight(page)) return now + kUnderWayWait;
  return gate_of_request(page, id, now);
}

// gate() for a host that is closed: given up, or its budget is used up. None: the page may be fetched
// nevertheless, since a budget of new pages does not apply to held ones.
std::optional<Opening> Crawler::gate_of_closed(PageId page, HostId id, Time now) {
  Host& host = hosts()[id];
  const auto end = static_cast<HostEnd>(host.closed);
  if (end == HostEnd::kUnreachable) {
    if (refresher_->is_forever() && was_fetched(page)) {
      if (const Time opens = refresher_->reopens(id, now); opens > now) return opens;
      host.closed = 0;
      host.failures = 0;
      return {};
    }
    verdict_ = Verdict::kUnreachable;
    return now;
  }
  if (end == HostEnd::kCrawlDelay) return kNever;
  if (was_fetched(page)) return {};
  return Opening(kNever, kOwnGate, RefreshWant::kNew);
}

// The last part of gate(): robots.txt, and the gates and slots of the request that is needed first.
std::optional<Opening> Crawler::gate_of_request(PageId page, HostId id, Time now) {
  const Host& host = hosts()[id];
  Url& url = buffers_.url;
  // If the URL cannot be read, the crawl ends: state().status() has the error.
  if (parse_url(state().url(page), nullptr, url) != UrlFault::kNone) return {};
  const OriginRules& origin = host.origins[url.https()];
  if (origin.is_known(now)) {
    const RobotsDecision decision = origin.rules->decide(url.target());
    run_.robots_work += decision.work;
    if (!decision.allowed) {
      verdict_ = Verdict::kForbidden;
      return now;
    }
  }
  const RequestSlots::Kind kind = request_needed(host, origin, now);
  if (kind != RequestSlots::Kind::kLookup) {
    if (const Time opens = hosts().earliest(id); opens > now) return Opening(opens, hosts().closed_gate(id));
  }
  if (under_way() >= slots_->slots() || slots_->crowded()) return {};
  if (!slots_->fits_or_waits(kind, id, host)) return kNever;
  if (kind == RequestSlots::Kind::kLookup) {
    preparer_->look_up(id, url.https(), now);
    return wait_for_answer(now);
  }
  if (const Time opens = fleet_slot(id, now); opens > now) return opens;
  if (kind == RequestSlots::Kind::kPage) return now;
  preparer_->ask_robots(id, url.https(), now);
  return wait_for_answer(now);
}

// The next request that the origin needs: a lookup of its host, its robots.txt, or a page.
RequestSlots::Kind Crawler::request_needed(const Host& host, const OriginRules& origin, Time now) {
  if (!host.resolved(now)) return RequestSlots::Kind::kLookup;
  return origin.is_known(now) ? RequestSlots::Kind::kPage : RequestSlots::Kind::kRobots;
}

// The gate of a host whose address or robots.txt was just requested.
Opening Crawler::wait_for_answer(Time now) const {
  Opening opening(now + kUnderWayWait);
  opening.ends_search = under_way() >= slots_->slots();
  return opening;
}

// When this process may send a request to the host, considering the other processes of the fleet: the time
// slots of its domain and addresses. `now`: at once, and the slot is taken.
Time Crawler::fleet_slot(HostId id, Time now) {
  if (!session_) return now;
  return session_->slot(hosts().shared_gates(hosts()[id], state().fleet()->options().partitioning), now);
}

// Cancels requests that are too slow while others wait, and lets hosts try again that waited for a slot.
void Crawler::free_slots(Time now) {
  if (under_way() >= slots_->slots() || slots_->waiting() > 0) {
    while (const auto id = slots_->take_too_slow(now)) fetcher_->cancel(*id);
  }
  for (const HostId id : slots_->take_ready()) state().open_gate(id, now);
}

}  // namespace bowerbird
