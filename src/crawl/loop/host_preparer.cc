#include "crawl/loop/host_preparer.h"

#include <algorithm>

#include "crawl/loop/request_ids.h"
#include "parse/robots_text.h"
#include "url/url.h"

namespace bowerbird {

namespace {

constexpr Duration kRobotsFor = 24h;
constexpr Duration kAddressesFor = 30min;  // if the DNS answer has no TTL
// How soon a redirected request checks again for a slot, or for the end of another request to its target.
constexpr Duration kLookAgain = 50ms;
// Limit of redirected requests that wait. If there are more, further hosts are asked again later.
constexpr std::size_t kMostInLine = 10'000;
constexpr Duration kLineFullWait = 1h;

std::string robots_url(bool https, const std::string& host) {
  return fmt::format("{}://{}/robots.txt", https ? "https" : "http", host);
}

std::string host_of_url(const std::string& text) {
  Url url;
  return parse_url(text, nullptr, url) == UrlFault::kNone ? std::string(url.host()) : std::string();
}

}  // namespace

HostPreparer::Preparation& HostPreparer::begin(HostId id, bool https) {
  Host& host = table()[id];
  host.preparing = true;
  return preparations_[id] = {https, robots_url(https, host.name), host.name, 0, true, false};
}

void HostPreparer::end(HostId id, Time now) {
  table()[id].preparing = false;
  preparations_.erase(id);
  parts_.state.open_gate(id, now);
}

void HostPreparer::look_up(HostId id, bool https, Time now) {
  start_lookup(id, begin(id, https), now);
}

void HostPreparer::ask_robots(HostId id, bool https, Time now, bool for_page) {
  Preparation& preparation = begin(id, https);
  preparation.for_page = for_page;
  start_robots(id, preparation, now);
}

// ---- DNS

void HostPreparer::start_lookup(HostId id, const Preparation& preparation, Time now) {
  FetchRequest request;
  request.id = kResolveRequest | id;
  request.url = preparation.url;
  request.resolve_only = true;
  parts_.slots.start(request.id, RequestSlots::Kind::kLookup, table()[id], now);
  parts_.fetcher.start(std::move(request));
}

void HostPreparer::take_resolved(HostId id, const FetchOutcome& outcome, Time now) {
  note_refusal(outcome);
  if (outcome.end != FetchEnd::kResolved) {
    if (outcome.end == FetchEnd::kDnsFailed) dns_failed_ = true;
    if (preparations_.at(id).hops > 0) leave_line(preparations_.at(id).target, now);
    failed(id, outcome_of(outcome), -1, now);
    return;
  }
  any_resolved_ = true;
  if (parts_.archive.dns) parts_.archive.dns(preparations_.at(id).target, outcome);
  std::vector<NetAddress> addresses = outcome.other_addresses;
  if (outcome.address) addresses.insert(addresses.begin(), *outcome.address);
  const bool own = !addresses.empty() && std::ranges::all_of(addresses, [this](const NetAddress& address) {
    return parts_.filter.named(address);
  });
  const Time until =
      outcome.addresses_until_us > 0 ? parts_.clock.at(outcome.addresses_until_us) : now + kAddressesFor;
  const Preparation& preparation = preparations_.at(id);
  table().set_addresses(table().any_host(preparation.target), std::move(addresses), std::max(until, now + 1s),
                        own);
  if (preparation.hops > 0) {
    due_.emplace(now, id);
  } else {
    for (OriginRules& origin : table()[id].origins) {
      if (origin.is_known(now)) origin.failures = 0;
    }
    table().mark_changed(id);
    end(id, now);
  }
}

// ---- robots.txt

void HostPreparer::start_robots(HostId id, const Preparation& preparation, Time now) {
  Host& target = table().any_host(preparation.target);
  FetchRequest request;
  request.id = kRobotsRequest | id;
  request.url = preparation.url;
  request.fields = parts_.fields.for_url(preparation.url);
  request.new_connection = target.failures > 0;
  request.any_type = true;
  request.max_body = kRobotsLimit;
  request.addresses = target.addresses;
  request.next_ms = table().interval(target).count();
  parts_.slots.start(request.id, RequestSlots::Kind::kRobots, table()[id], now);
  parts_.fetcher.start(std::move(request));
  table().started(target, parts_.clock.after(now));
  table().mark_changed(id);
}

void HostPreparer::start_due(Time now) {
  while (!due_.empty() && due_.begin()->first <= now) {
    const HostId id = due_.begin()->second;
    due_.erase(due_.begin());
    const Time again = start_redirected(id, now);
    if (again > now) due_.emplace(again, id);
  }
}

void HostPreparer::line_up(HostId id, Time now) {
  std::deque<HostId>& line = lines_[preparations_.at(id).target];
  line.push_back(id);
  ++in_line_;
  if (line.size() == 1) due_.emplace(now, id);
}

// The first request of the queue was started or has failed.
void HostPreparer::leave_line(const std::string& target, Time now) {
  const auto found = lines_.find(target);
  found->second.pop_front();
  --in_line_;
  if (found->second.empty()) {
    lines_.erase(found);
  } else {
    due_.emplace(now, found->second.front());
  }
}

// When to try again; `now`: its lookup or request was started.
Time HostPreparer::start_redirected(HostId id, Time now) {
  const Preparation& preparation = preparations_.at(id);
  const std::uint64_t under_way = parts_.state.frontier().counts().in_flight + parts_.slots.preparing();
  const bool to_itself = preparation.target == table()[id].name;
  Host& target = table().any_host(preparation.target);
  const bool known = to_itself || target.resolved(now);
  const auto kind = known ? RequestSlots::Kind::kRobots : RequestSlots::Kind::kLookup;
  if (under_way >= parts_.slots.slots() || !parts_.slots.fits(kind, table()[id])) return now + kLookAgain;
  if (!known) {
    start_lookup(id, preparation, now);
    return now;
  }
  Time earliest = table().earliest_start(target);
  if (earliest <= now && parts_.session != nullptr) {
    const Partitioning partitioning = parts_.state.fleet()->options().partitioning;
    earliest = parts_.session->slot(table().shared_gates(target, partitioning), now);
  }
  if (earliest > now) return earliest >= kNever ? now + kLookAgain : earliest;
  start_robots(id, preparation, now);
  leave_line(preparation.target, now);
  return now;
}

// Returns true if the request continues at `url`.
bool HostPreparer::redirected(HostId id, Preparation& preparation, std::string url, Time now) {
  if (url == robots_url(!preparation.https, table()[id].name)) {
    const OriginRules& other = table()[id].origins[!preparation.https];
    if (other.is_known(now)) {
      know_rules(id, preparation.https, other);
      return false;
    }
    preparation.both = true;
  }
  if (in_line_ >= kMostInLine) {
    table().back_off(id, now + kLineFullWait);
    return false;
  }
  preparation.target = host_of_url(url);
  preparation.url = std::move(url);
  ++preparation.hops;
  line_up(id, now);
  return true;
}

void HostPreparer::take_robots(HostId id, FetchOutcome fetch, Time now) {
  ++parts_.counts.robots_fetched;
  parts_.counts.bytes += fetch.body.size();
  Preparation& preparation = preparations_.at(id);
  Host& target = table().any_host(preparation.target);
  table().ended(target, fetch);
  if (fetch.end == FetchEnd::kNoConnection) target.addresses_until = {};
  if (const HostId there = table().find(preparation.target); there != kNoHost && there != id)
    parts_.state.open_gate(there, now);
  table().mark_changed(id);
  note_refusal(fetch);
  if (parts_.archive.robots) parts_.archive.robots(preparation.url, fetch);
  RobotsAnswer answer = robots_answer(fetch, preparation.url, preparation.hops, parts_.token);
  if (answer.kind == RobotsAnswer::Kind::kRedirected) {
    if (!redirected(id, preparation, std::move(answer.target), now)) end(id, now);
    return;
  }
  if (answer.kind == RobotsAnswer::Kind::kUnreachable) {
    Outcome outcome = outcome_of(fetch);
    if (outcome == Outcome::kFetched) outcome = Outcome::kBadCoding;
    failed(id, outcome, asked_wait_s(fetch.head, milliseconds_of(now) / 1000), now);
    return;
  }
  const OriginRules rules{std::make_shared<RobotsRules>(std::move(answer.rules)), now + kRobotsFor, true, 0};
  know_rules(id, preparation.https, rules);
  if (preparation.both) know_rules(id, !preparation.https, rules);
  Host& host = table()[id];
  host.failures = 0;
  if (HostTable::crawl_delay(host) > kMostCrawlDelay) {
    parts_.failures.close(id, HostEnd::kCrawlDelay);
  } else if (rules.rules->crawl_delay()) {
    // The gate was set before Crawl-delay was known, and this request counts as well.
    table().back_off(id, now + table().delay(host));
  }
  const bool for_page = preparation.for_page;
  end(id, now);
  if (parts_.follow_sitemaps) follow(id, for_page, answer.sitemaps);
}

void HostPreparer::know_rules(HostId id, bool https, OriginRules rules) {
  table()[id].origins[https] = std::move(rules);
  parts_.state.record_robots(id, https);
}

// ---- Failures

// After the last try, everything of the origin is forbidden if the host has answered, if only with errors, or
// if the robots.txt of its other scheme could be read. Otherwise the host is given up.
void HostPreparer::failed(HostId id, Outcome outcome, std::int64_t retry_after, Time now) {
  const Preparation& preparation = preparations_.at(id);
  const bool https = preparation.https;
  Host& host = table()[id];
  const std::uint32_t failures = ++host.origins[https].failures;
  const Time until = now + parts_.failures.wait_after(outcome, failures, retry_after);
  if (Host& target = table().any_host(preparation.target); &target != &host && retry_after >= 0)
    target.opens = std::max(target.opens, until);
  parts_.failures.failed(id, outcome, retry_after, now);
  const OutcomeRule& rule = rule_of(outcome);
  if (rule.blame != Blame::kHost) parts_.failures.robots_failed(id, outcome, until);
  if (host.closed == 0 && failures >= rule.tries) {
    const bool answers = outcome == Outcome::kServerError || outcome == Outcome::kUnavailable ||
                         outcome == Outcome::kTooMany || outcome == Outcome::kTryAgain ||
                         outcome == Outcome::kOddStatus || outcome == Outcome::kBadCoding;
    const bool has_no_address = outcome == Outcome::kNoSuchName || outcome == Outcome::kDnsFailed ||
                                outcome == Outcome::kRefusedAddress;
    const OriginRules& other = host.origins[!https];
    if (answers || (!has_no_address && other.rules != nullptr && other.reached)) {
      const auto none = std::make_shared<RobotsRules>(RobotsRules::none_allowed());
      know_rules(id, https, {none, now + kRobotsFor, false, 0});
    } else {
      host.trouble = outcome;
      parts_.failures.close(id, HostEnd::kUnreachable);
    }
  }
  table().mark_changed(id);
  end(id, now);
}

void HostPreparer::note_refusal(const FetchOutcome& outcome) {
  if (outcome.end == FetchEnd::kRefused && refused_.empty()) refused_ = outcome.trouble;
}

// ---- Sitemaps

// A sitemap is a page whose links are the URLs it lists.
void HostPreparer::follow(HostId id, bool for_page, const std::vector<std::string>& sitemaps) {
  std::vector<PageId> found;
  ScopeCache cache;
  for (const std::string& text : sitemaps) {
    Url url;
    if (parse_url(text, nullptr, url) != UrlFault::kNone) continue;
    const bool own = for_page && url.host() == table()[id].name;
    if (!own && parts_.scope.judge(url, cache) != ScopeVerdict::kIn) continue;
    if (parts_.turn_away && parts_.turn_away(KnownUrls::fingerprint(text))) continue;
    const PageId page = parts_.state.intern(text);
    if (parts_.state.route(page) != LinkRoute::kLocal) continue;
    if (parts_.state.frontier().state(page) == PageState::kUndiscovered) found.push_back(page);
  }
  if (!found.empty()) parts_.state.add_sitemaps(std::move(found));
}

}  // namespace bowerbird
