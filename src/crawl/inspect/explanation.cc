#include "crawl/inspect/explanation.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "base/units.h"
#include "crawl/config/kept_options.h"
#include "crawl/inspect/crawl_log.h"
#include "crawl/inspect/score_history.h"
#include "crawl/inspect/visit_history.h"
#include "crawl/judge/traps.h"
#include "crawl/loop/fetch_setup.h"
#include "crawl/loop/host_budget.h"
#include "crawl/state/state_setup.h"
#include "policy/reported_score.h"
#include "url/canonical.h"
#include "url/url_notes.h"

namespace bowerbird {

namespace {

std::string_view state_text(PageState state) {
  switch (state) {
    case PageState::kUndiscovered:
      return "known, but no link to it is followed";
    case PageState::kQueued:
      return "queued";
    case PageState::kInFlight:
      return "being fetched";
    case PageState::kWaiting:
      return "waiting for a retry";
    case PageState::kDone:
      return "done";
  }
  return "";
}

std::string how_text(const LinkContribution& link) {
  std::string text;
  const auto add = [&](bool holds, std::string_view what) {
    if (holds) text += fmt::format("{}{}", text.empty() ? "" : ", ", what);
  };
  add((link.flags & kLinkRedirect) != 0, "redirect");
  add((link.flags & kLinkNofollow) != 0, "nofollow: not followed");
  add((link.flags & kLinkOutOfScope) != 0, "out of scope: not followed");
  add((link.flags & kLinkTrap) != 0, "looks like a trap: not followed");
  add((link.flags & kLinkTooFar) != 0, "too far from a seed: not followed");
  add((link.flags & kLinkSitemap) != 0, "sitemap");
  add(link.late, "after it was fetched");
  return text;
}

void add_score(const CrawlState& state, const std::string& policy, const ScoreHistory& history,
               nlohmann::json& json) {
  if (const auto score = history.score()) {
    const ReportedScore reported = reported_score(policy, *score);
    if (!reported.queue.empty()) json["queue"] = reported.queue;
    json["score"] = reported.score;
    json["worth"] = history.worth();
    if (reported.first) json["first"] = true;
  }
  if (history.is_seed()) json["given_as_seed"] = history.from_seed();
  if (history.elsewhere() != 0) json["given_elsewhere"] = history.elsewhere();
  std::vector<LinkContribution> links = history.links();
  std::stable_sort(links.begin(), links.end(), [](const LinkContribution& a, const LinkContribution& b) {
    return std::abs(a.gave) > std::abs(b.gave);
  });
  json["links_to_it"] = links.size();
  nlohmann::json shown = nlohmann::json::array();
  for (std::size_t i = 0; i < std::min(links.size(), kMostParents); ++i) {
    nlohmann::json parent = {{"url", state.url(links[i].from)}, {"gave", links[i].gave}};
    if (const std::string how = how_text(links[i]); !how.empty()) parent["how"] = how;
    shown.push_back(std::move(parent));
  }
  json["parents"] = std::move(shown);
}

std::string line_of(std::string_view text, std::uint32_t number) {
  for (; number > 1; --number) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return std::string(text.substr(0, text.find('\n')));
}

void add_host(RestoredCrawl& crawl, PageId page, nlohmann::json& json) {
  const Host& host = crawl.state().hosts()[crawl.state().host(page)];
  const OriginRules& origin = host.origins[crawl.state().url(page).starts_with("https:")];
  if (origin.rules != nullptr) {
    const RobotsDecision decision = origin.rules->decide(crawl.state().target(page));
    json["robots"] = decision.allowed ? "allowed"
                     : origin.reached ? "forbidden by robots.txt"
                                      : "forbidden: robots.txt could not be read";
    if (decision.line > 0 && origin.reached)
      json["robots_rule"] = line_of(origin.rules->to_text(), decision.line);
  }
  if (host.failures > 0) {
    json["host_trouble"] =
        fmt::format("{}, {} in a row", host_trouble_text(host), plural(host.failures, "failure"));
  }
  if (const auto due = crawl.state().frontier().due(page)) json["due"] = moment_text(due->time_since_epoch());
  // A time in the past means that the gate is open, or that the host was given up.
  if (host.opens > Time{std::chrono::seconds(std::time(nullptr))} && host.opens < kNever)
    json["host_opens"] = moment_text(host.opens.time_since_epoch());
}

// The pause or block that keeps the page from being fetched; null: none.
const ControlRule* rule_of_commands(const CrawlState& state, PageId page, const Url& url) {
  const ControlState& control = state.control();
  if (const ControlRule* const rule = control.of_host(state.hosts()[state.host(page)].name)) return rule;
  if (const ControlRule* const rule = control.of_url(url.text())) return rule;
  return control.find(RuleKind::kPause, RuleTarget::kEverything, "");
}

// What the options of the last run say about the URL.
Status add_rules(RestoredCrawl& crawl, PageId page, const Url& url, nlohmann::json& json) {
  CrawlOptions options;
  BB_TRY_VOID(recall_options(crawl.options().out, options));
  const CrawlState& state = crawl.state();
  BB_TRY(const Scope scope, Scope::make(options.scope, state.seed_urls(), site_rules_of(options)));
  json["scope"] = scope.explain(url);
  const TrapSign trap = trap_sign(url, trap_options_of(options, std::time(nullptr)));
  if (trap != TrapSign::kNone) json["trap"] = trap_sign_text(trap);
  std::uint64_t depth = options.budget.depth;
  if (const SiteRules* const sites = scope.sites()) {
    const SiteTables tables = sites->tables_of(url);
    for (const std::uint16_t table : tables) json["site_settings"].push_back((*sites)[table].name());
    depth = sites->value(tables, &SiteSettings::depth).value_or(depth);
  }
  if (depth != kAnyDepth) json["depth_allowed"] = depth;
  Host& host = crawl.state().hosts()[state.host(page)];
  if (const ControlRule* const rule = rule_of_commands(state, page, url)) {
    json["command"] =
        fmt::format("{} by a command ({}, {})", rule->kind == RuleKind::kBlock ? "blocked" : "paused",
                    rule->value.empty() ? "everything" : rule->value,
                    moment_text(Duration{static_cast<std::int64_t>(rule->since)}));
  }
  if (state.control().requested().contains(page)) json["requested"] = "requested by a command";
  const HostEnd end = host_end_of(host, crawl.state().hosts().site_pages(host), options);
  if (end != HostEnd::kNone) json["host_ended"] = host_end_text(end);
  return {};
}

Status explain_page(RestoredCrawl& crawl, PageId page, const Url& url, nlohmann::json& json) {
  BB_TRY_VOID(crawl.make_state());
  const CrawlState& state = crawl.state();
  ScoreHistory history(state, page);
  BB_TRY_VOID(crawl.replay_from_beginning(std::ref(history)));
  json["state"] = state_text(state.frontier().state(page));
  if (state.requisites().is_known(page))
    json["requisite"] = state.requisites().is_pending(page)     ? "pending"
                        : state.requisites().is_awaited(page)   ? "fetched as a page"
                        : state.requisites().is_elsewhere(page) ? "sent to another process"
                                                                : "done";
  if (const PendingRequisite* const pending = state.requisites().find(page))
    json["requisite_of"] = state.url(pending->root);
  if (state.facts().belongs(page)) json["steps_from_seed"] = state.facts().depth(page);
  if (state.facts().tries(page) > 0) json["tries"] = state.facts().tries(page);
  add_host(crawl, page, json);
  BB_TRY_VOID(add_rules(crawl, page, url, json));
  add_score(state, crawl.options().order.policy, history, json);
  BB_TRY(json["visits"], visits_json(crawl.reader(), page));
  add_refresh_facts(state, page, json);
  return each_log_line(crawl.options().out, crawl.reader(), [&](const nlohmann::json& line) {
    if (log_text(line, "url") != json["url"]) return;
    for (const char* key : {"outcome", "trouble", "warc", "requisite_of"}) {
      if (const std::string text = log_text(line, key); !text.empty()) json[key] = text;
    }
    for (const char* key : {"status", "offset"}) {
      if (const auto found = line.find(key); found != line.end() && found->is_number_unsigned())
        json[key] = *found;
    }
    if (const OutcomeRule* const rule = rule_named(log_text(line, "outcome"))) {
      const std::uint64_t status = log_number(line, "status");
      const bool by_status = status > 0 && rule->what.find("HTTP ") != std::string_view::npos;
      json["reason"] = by_status ? fmt::format("HTTP {}", status) : std::string(rule->what);
      if (json.contains("trouble") && json["trouble"] == json["reason"]) json.erase("trouble");
    }
    if (log_text(line, "outcome") == outcome_name(Outcome::kRefusedAddress))
      json["hint"] = "to crawl a private network, name it with --allow-net";
  });
}

// The id of a URL: its position in urls.log.
Result<PageId> find_page(const CrawlReader& reader, std::string_view url) {
  PageId found = kNoPage;
  BB_TRY_VOID(reader.for_each_url([&](PageId page, std::string_view text) {
    if (text == url) found = page;
  }));
  return found;
}

}  // namespace

Result<nlohmann::json> explain_url(RestoredCrawl& crawl, const std::string& text) {
  Url url;
  const UrlFault fault = canonical_url(text, nullptr, url);
  if (fault != UrlFault::kNone) return error("'{}' is not a URL to crawl: {}", text, fault_text(fault));
  nlohmann::json json = {{"url", url.text()}};
  BB_TRY(const PageId page, find_page(crawl.reader(), url.text()));
  if (page == kNoPage) {
    json["state"] = "unknown: no fetched page links to it";
  } else {
    BB_TRY_VOID(explain_page(crawl, page, url, json));
  }
  return json;
}

}  // namespace bowerbird
