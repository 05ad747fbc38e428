// The hosts of a crawl on their way: address, rules, gates, giving up.
#include <algorithm>

#include "crawl/judge/robots_answer.h"
#include "crawl/loop/crawler.h"
#include "crawl/loop/request_ids.h"
#include "crawl/state/events.h"
#include "crawl/state/restored_crawl.h"
#include "parse/http_head.h"
#include "parse/robots_text.h"

namespace bowerbird {

namespace {

constexpr Time kRobotsFor = 86'400'000;  // RFC 9309, 2.4: no longer than a day
constexpr Time kLookAgain = 50;

std::string robots_url(bool https, const std::string& host) {
  return fmt::format("{}://{}/robots.txt", https ? "https" : "http", host);
}

}  // namespace

// When the other processes that ask the same address, domain or host let us; `now`: now, and this was it.
Time Crawler::fleet_slot(HostId id, Time now) {
  if (!session_) return now;
  return session_->slot(hosts().shared_gates(id, state().fleet()->options().partitioning), now);
}

// Finds the address of the host and the rules of one of its origins.
void Crawler::prepare_host(HostId id, bool https, Time now) {
  Host& host = hosts()[id];
  host.preparing = true;
  ++hosts_preparing_;
  asks_[id] = {https, robots_url(https, host.name), 0, false};
  if (!host.resolved) {
    FetchRequest request;
    request.id = kResolveRequest | id;
    request.url = asks_[id].url;
    request.resolve_only = true;
    fetcher_->start(std::move(request));
  } else {
    robots_due_.emplace(now, id);
  }
}

void Crawler::take_resolved(HostId id, const FetchOutcome& outcome, Time now) {
  if (outcome.end == FetchEnd::kResolved) {
    any_resolved_ = true;
    if (outcome.address) {
      hosts().set_address(id, *outcome.address, filter_.named(*outcome.address));
    } else {
      hosts()[id].resolved = true;  // behind a proxy
    }
    if (hosts()[id].origins[asks_[id].https].hold(now)) {
      end_preparing(id, now);
    } else {
      robots_due_.emplace(now, id);
    }
    return;
  }
  if (outcome.end == FetchEnd::kDnsFailed) dns_failed_ = true;
  robots_failed(id, outcome_of(outcome), -1, now);
}

void Crawler::end_preparing(HostId id, Time now) {
  hosts()[id].preparing = false;
  --hosts_preparing_;
  asks_.erase(id);
  tell_gate(id, now);
}

void Crawler::know_rules(HostId id, bool https, OriginRules rules) {
  hosts()[id].origins[https] = std::move(rules);
  state().record_robots(id, https);
}

void Crawler::start_due_robots(Time now) {
  while (!robots_due_.empty() && robots_due_.begin()->first <= now) {
    const HostId id = robots_due_.begin()->second;
    robots_due_.erase(robots_due_.begin());
    Time earliest = hosts().earliest_start(id);
    const RobotsAsk& ask = asks_[id];
    if (ask.hops > 0) {  // it may lead to another host that has a gate of its own
      Url url;
      if (parse_url(ask.url, nullptr, url) == UrlFault::kNone) {
        const HostId there = hosts().find(url.host());
        if (there != kNoHost && there != id) earliest = std::max(earliest, hosts().earliest_start(there));
      }
    }
    if (earliest <= now) earliest = fleet_slot(id, now);
    if (earliest > now) {
      robots_due_.emplace(earliest >= kNoTime ? now + kLookAgain : earliest, id);
      continue;
    }
    touched(id);
    FetchRequest request;
    request.id = kRobotsRequest | id;
    request.url = ask.url;
    request.fields = fields_.for_url(ask.url);
    request.new_connection = hosts()[id].failures > 0;
    request.any_type = true;
    request.max_body = kRobotsLimit;
    fetcher_->start(std::move(request));
    hosts().started(id, after(now));
  }
}

void Crawler::take_robots(HostId id, FetchOutcome fetch, Time now) {
  ++counts_.robots_fetched;
  hosts().ended(id, std::max<std::int64_t>(0, fetch.first_byte_us - fetch.started_us) / 1000);
  touched(id);
  RobotsAsk& ask = asks_[id];
  if (fetch.address && ask.hops == 0 && options_.network.proxy.empty())
    hosts().set_address(id, *fetch.address, filter_.named(*fetch.address));
  note_refusal(fetch);
  RobotsAnswer answer = robots_answer(fetch, ask.url, ask.hops, token_);
  Host& host = hosts()[id];
  if (answer.kind == RobotsAnswer::Kind::kElsewhere) {
    if (answer.elsewhere == robots_url(!ask.https, host.name)) {
      const OriginRules& other = host.origins[!ask.https];
      if (other.hold(now)) {
        know_rules(id, ask.https, other);
        end_preparing(id, now);
        return;
      }
      ask.both = true;
    }
    ask.url = std::move(answer.elsewhere);
    ++ask.hops;
    robots_due_.emplace(now, id);
    return;
  }
  if (answer.kind == RobotsAnswer::Kind::kUnreachable) {
    Outcome outcome = outcome_of(fetch);
    if (outcome == Outcome::kFetched) outcome = Outcome::kBadCoding;
    const std::string_view asked = head_field(fetch.head, "retry-after");
    robots_failed(id, outcome, asked.empty() ? -1 : parse_retry_after(asked, now / 1000).value_or(-1), now);
    return;
  }
  const OriginRules rules{std::make_shared<RobotsRules>(std::move(answer.rules)), now + kRobotsFor, true, 0};
  know_rules(id, ask.https, rules);
  if (ask.both) know_rules(id, !ask.https, rules);
  host.failures = 0;
  // The gate was set before Crawl-delay was known; that the rules were asked for counts as a request too.
  if (rules.rules->crawl_delay()) hosts().back_off(id, now + hosts().delay(host));
  end_preparing(id, now);
  if (options_.selection.follow_sitemaps) follow_sitemaps(id, answer.sitemaps);
}

// Nothing of an origin is allowed while its rules cannot be read: the host waits. After the last try the
// origin counts as one that forbids everything if the host does answer, with errors or to the other scheme;
// otherwise the host is given up.
void Crawler::robots_failed(HostId id, Outcome outcome, std::int64_t retry_after, Time now) {
  Host& host = hosts()[id];
  const bool https = asks_[id].https;
  const std::uint32_t failures = ++host.origins[https].failures;
  host_failed(id, outcome, retry_after, now);
  const OutcomeRule& rule = rule_of(outcome);
  if (rule.blame != Blame::kHost) {  // host_failed left it alone
    ++host.failures;
    hosts().back_off(id, now + static_cast<Time>(static_cast<double>(wait_ms(rule, failures, retry_after)) *
                                                 options_.politeness.patience));
  }
  if (host.closed == 0 && failures >= rule.tries) {
    const bool answers = outcome == Outcome::kServerError || outcome == Outcome::kUnavailable ||
                         outcome == Outcome::kTooMany || outcome == Outcome::kTryAgain ||
                         outcome == Outcome::kOddStatus || outcome == Outcome::kBadCoding;
    const OriginRules& other = host.origins[!https];
    if (answers || (host.resolved && other.rules != nullptr && other.reached)) {
      const auto none = std::make_shared<RobotsRules>(RobotsRules::none_allowed());
      know_rules(id, https, {none, now + kRobotsFor, false, 0});
    } else {
      host.trouble = outcome;
      host.closed = static_cast<std::uint8_t>(HostEnd::kUnreachable);
      ++hosts_ended_[static_cast<std::size_t>(HostEnd::kUnreachable)];
    }
  }
  touched(id);
  end_preparing(id, now);
}

void Crawler::note_refusal(const FetchOutcome& fetch) {
  if (fetch.end == FetchEnd::kRefused && refused_.empty()) refused_ = fetch.trouble;
}

// A trouble of the host's own: it waits, and after too many in a row it is given up.
void Crawler::host_failed(HostId id, Outcome outcome, std::int64_t retry_after, Time now) {
  const OutcomeRule& rule = rule_of(outcome);
  if (rule.blame != Blame::kHost) return;
  Host& host = hosts()[id];
  ++host.failures;
  host.trouble = outcome;
  touched(id);
  if (host.failures >= kHostFailures || outcome == Outcome::kRefusedAddress) {
    if (host.closed == 0) ++hosts_ended_[static_cast<std::size_t>(HostEnd::kUnreachable)];
    host.closed = static_cast<std::uint8_t>(HostEnd::kUnreachable);
  } else {
    const double wait =
        static_cast<double>(wait_ms(rule, host.failures, retry_after)) * options_.politeness.patience;
    hosts().back_off(id, now + static_cast<Time>(wait));
    host_trouble_ = {host_trouble_text(host), now + static_cast<Time>(wait)};
  }
  tell_gate(id, now);
}

// A sitemap is a page whose links are the URLs it lists.
void Crawler::follow_sitemaps(HostId id, const std::vector<std::string>& sitemaps) {
  std::vector<SeedEntry> seeds;
  ScopeCache cache;
  for (const std::string& text : sitemaps) {
    Url url;
    if (parse_url(text, nullptr, url) != UrlFault::kNone) continue;
    if (url.host() != hosts()[id].name && scope_->judge(url, cache) != ScopeVerdict::kIn) continue;
    const PageId page = state().intern(text);
    if (state().place(page) != Place::kHere) continue;
    if (state().frontier().state(page) == PageState::kUndiscovered) seeds.push_back({page, 1, true});
  }
  if (seeds.empty()) return;
  state().add_seeds(seeds);
  changed_ = true;
}

// Tells the frontier when the host may be asked, if that is news.
void Crawler::tell_gate(HostId id, Time now) {
  const Time opens = hosts().own_gate(id);
  const Time told = hosts()[id].gate;
  if (opens == told || (opens <= now && told <= now)) return;
  state().set_gate(id, opens);
  changed_ = true;
}

void Crawler::touched(HostId id) {
  if (is_touched_.size() <= id) is_touched_.resize(id + 1);
  if (is_touched_[id]) return;
  is_touched_[id] = true;
  touched_hosts_.push_back(id);
}

}  // namespace bowerbird
