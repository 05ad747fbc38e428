// Details of the running crawl for the live page and its API.
#include <algorithm>

#include "base/units.h"
#include "crawl/loop/crawler.h"
#include "crawl/loop/host_budget.h"

namespace bowerbird {

namespace {

std::string_view robots_view(const Host& host) {
  bool known = false, rules = false;
  for (const OriginRules& origin : host.origins) {
    if (origin.rules == nullptr) continue;
    known = true;
    if (!origin.reached) return "unreadable";
    if (!origin.rules->allows("/") && origin.rules->size() <= 1) return "forbids all";
    rules |= origin.rules->size() > 0;
  }
  return !known ? "unknown" : rules ? "has rules" : "allows all";
}

struct StateText {
  std::string_view state;
  std::string reason;
};

StateText closed_state(HostEnd end) {
  switch (end) {
    case HostEnd::kBudget:
    case HostEnd::kDomainBudget:
      return {"at-budget", std::string(host_end_text(end))};
    case HostEnd::kNearDuplicates:
      return {"repeating", std::string(host_end_text(end))};
    default:
      return {"given-up", std::string(host_end_text(end))};
  }
}

}  // namespace

// Records a result for the live page.
void Crawler::note_result(PageId page, Outcome outcome, const FetchOutcome* fetch, std::uint64_t bytes) {
  PageResult result;
  result.time = clock_.now();
  result.page = page;
  result.host = state().host(page);
  result.outcome = outcome;
  result.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, ~std::uint32_t{0}));
  if (fetch != nullptr) {
    result.status = static_cast<std::uint16_t>(fetch->status);
    result.ms = static_cast<std::uint32_t>((fetch->ended_us - fetch->started_us) / 1000);
  }
  live_.activity.done(result, state().facts().via(page));
}

// An evicted host is copied and stays on disk.
HostView Crawler::host_view(HostId id, Time now, bool queued) const {
  if (!hosts().is_in_memory(id)) {
    if (const std::optional<Host> host = hosts().evicted(id))
      return view_of(*host, id, host->closed != 0 ? kNever : host->opens, now, queued);
  }
  return view_of(hosts()[id], id, hosts().earliest(id), now, queued);
}

HostView Crawler::view_of(const Host& host, HostId id, Time opens, Time now, bool queued) const {
  HostView view;
  view.id = id;
  view.name = host.name;
  view.pages = host.pages;
  const HostActivity lately = live_.activity.host(id);
  view.failed = lately.failed;
  view.bytes = lately.bytes;
  view.active = host.active;
  view.failures = host.failures;
  view.delay = hosts().delay(host);
  view.opens = opens;
  view.answer_ms = host.answer_ms;
  view.robots = robots_view(host);
  if (host.failures > 0) view.trouble = host_trouble_text(host);
  const auto set = [&](std::string_view state, std::string reason) {
    view.state = state;
    view.reason = std::move(reason);
  };
  const Duration wait = view.opens > now && view.opens < kNever ? view.opens - now : 0ms;
  const ControlRule* const rule = state().control().of_host(host.name);
  if (rule != nullptr && rule->kind == RuleKind::kBlock) {
    set("blocked", "blocked by a command");
  } else if (rule != nullptr) {
    set("paused", "paused by a command");
  } else if (host.closed != 0) {
    StateText closed = closed_state(static_cast<HostEnd>(host.closed));
    if (host.failures > 0) closed.reason += fmt::format(" ({})", host_trouble_text(host));
    set(closed.state, std::move(closed.reason));
  } else if (host.active > 0) {
    set("active", fmt::format("{} in progress", plural(host.active, "request")));
  } else if (host.preparing) {
    set("preparing", "waiting for its address or robots.txt");
  } else if (host.failures > 0 && wait > 0ms) {
    set("backing-off",
        fmt::format("{}; {} in a row", host_trouble_text(host), plural(host.failures, "failure")));
  } else if (wait > 0ms) {
    const Duration asked = HostTable::crawl_delay(host);
    set("waiting", asked > 0ms && asked >= view.delay
                       ? fmt::format("its robots.txt asks for {} between requests", exact_seconds(asked))
                       : fmt::format("{} between requests", exact_seconds(view.delay)));
  } else if (queued) {
    set("ready", "ready for a request");
  } else {
    set("idle", "no queued pages");
  }
  return view;
}

std::vector<RulesView> rules_of(const Host& host) {
  std::vector<RulesView> all;
  for (const bool https : {false, true}) {
    const OriginRules& origin = host.origins[https];
    if (origin.rules == nullptr) continue;
    all.push_back({fmt::format("{}://{}", https ? "https" : "http", host.name), origin.rules->to_text(),
                   origin.rules->crawl_delay(), origin.reached, origin.until});
  }
  return all;
}

std::vector<RulesView> Crawler::host_rules(HostId id) const {
  return rules_of(hosts()[id]);
}

// Explains why a queued page is not fetched now. The checks are those of gate(), which decides.
void Crawler::explain_wait(QueuedView& view, Time now) const {
  const HostId id = state().host(view.page);
  const Host& host = hosts()[id];
  const auto set = [&](std::string_view state, std::string reason, Time opens) {
    view.state = state;
    view.reason = std::move(reason);
    view.opens = opens;
  };
  const ControlRule* rule = state().control().of_host(host.name);
  if (rule == nullptr) rule = state().control().of_url(view.url);
  if (rule != nullptr) {
    const bool block = rule->kind == RuleKind::kBlock;
    return set(block ? "blocked" : "paused",
               fmt::format("{} by a command ({})", block ? "blocked" : "paused", rule->value), kNever);
  }
  if (state().control().is_paused()) return set("crawl-paused", "the crawl is paused", kNever);
  if (const auto due = state().frontier().due(view.page); due && *due > now)
    return set("retry-wait", "waiting for a retry after a failure", *due);
  const HostEnd end = host.closed != 0 ? static_cast<HostEnd>(host.closed) : HostEnd::kNone;
  if (end != HostEnd::kNone) {
    const std::string_view word = end == HostEnd::kBudget           ? "host-budget"
                                  : end == HostEnd::kDomainBudget   ? "domain-budget"
                                  : end == HostEnd::kNearDuplicates ? "near-duplicates"
                                                                    : "given-up";
    return set(word, std::string(host_end_text(end)), kNever);
  }
  if (host.active > 0 && hosts().own_gate(id) >= kNever)
    return set("connections", "another request to this host is in progress", kNever);
  const bool https = view.url.starts_with("https:");
  if (host.preparing)
    return host.resolved(now) ? set("robots-unknown", "robots.txt is being read", kNever)
                              : set("dns-unknown", "the address of the host is being looked up", kNever);
  const Time own = hosts().own_gate(id), opens = hosts().earliest(id);
  if (own > now) {
    return host.failures > 0
               ? set("backing-off", host_trouble_text(host), own)
               : set("delay",
                     fmt::format("{} between requests to this host", exact_seconds(hosts().delay(host))),
                     own);
  }
  if (opens > now)
    return set("address-delay",
               "waiting for the delay of an address or domain that it shares with another host", opens);
  if (!host.resolved(now)) return set("dns-unknown", "the address of the host is not known yet", now);
  if (!host.origins[https].is_known(now))
    return set("robots-unknown", "robots.txt has not been read yet", now);
  if (!host.origins[https].reached)
    return set("robots-unreadable", "robots.txt could not be read, so nothing may be fetched",
               host.origins[https].until);
  if (under_way() >= slots_->slots())
    return set("connections", "all connections are in use (--connections)", kNever);
  set("ready", "may be fetched now", now);
}

QueuedView Crawler::view_of(const QueueItem& item, Time now) const {
  QueuedView view;
  view.page = item.page();
  view.url = state().url(item.page());
  view.host = hosts()[state().host(item.page())].name;
  view.score = item.score();
  view.depth = state().facts().depth(item.page());
  view.tries = state().facts().tries(item.page());
  explain_wait(view, now);
  return view;
}

std::vector<QueuedView> Crawler::best_queued(std::size_t most) const {
  const Time now = clock_.now();
  std::vector<QueuedView> all;
  for (const QueueItem& item : state().frontier().best_queued(most)) all.push_back(view_of(item, now));
  return all;
}

}  // namespace bowerbird
