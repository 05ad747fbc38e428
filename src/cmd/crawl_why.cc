// `bowerbird why`: what a crawl made of a URL.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/seen_crawl.h"
#include "cmd/terminal.h"
#include "crawl/config/kept_options.h"
#include "crawl/inspect/score_story.h"
#include "crawl/judge/traps.h"
#include "crawl/loop/fetch_setup.h"
#include "crawl/loop/host_budget.h"
#include "policy/told_score.h"
#include "url/canonical.h"
#include "url/url_notes.h"

namespace bowerbird {

namespace {

constexpr CommandText kWhyText = {
    "say what a crawl made of a URL, and why",
    "Shows the state of URL in the crawl of DIR: whether it is known, queued, done or blocked, how far it is "
    "from a seed, what scope, trap rules, budgets and robots.txt say of it, what became of it, when it and "
    "its host are due; and its "
    "score, with what each link to it gave. For that, the crawl's decisions are made again from its "
    "journal.\n\n"
    "score is what the queue is ordered by, when the page was fetched or now; worth is the same as a number "
    "that is never negative, and what the links gave adds up to it. Links that were found after the page was "
    "fetched gave nothing, nor did links that were not followed; each says so. Where the ordering has two "
    "queues "
    "(similar), queue says in which the page is, hot pages going before all others, and score what it is "
    "ordered by there.",
    "# why was this page not fetched?\nbowerbird why mycrawl https://example.org/private/\n"};

constexpr std::size_t kMostParents = 20;

std::string_view state_text(PageState state) {
  switch (state) {
    case PageState::kUndiscovered:
      return "known, but no link to it is followed";
    case PageState::kQueued:
      return "queued";
    case PageState::kInFlight:
      return "under way";
    case PageState::kWaiting:
      return "waiting to be tried again";
    case PageState::kDone:
      return "done";
  }
  return "";
}

std::string how_text(const LinkGift& gift) {
  std::string text;
  const auto add = [&](bool holds, std::string_view what) {
    if (holds) text += fmt::format("{}{}", text.empty() ? "" : ", ", what);
  };
  add((gift.flags & kLinkRedirect) != 0, "redirect");
  add((gift.flags & kLinkNofollow) != 0, "nofollow: not followed");
  add((gift.flags & kLinkOutOfScope) != 0, "out of scope: not followed");
  add((gift.flags & kLinkTrap) != 0, "looks like a trap: not followed");
  add((gift.flags & kLinkTooFar) != 0, "too far from a seed: not followed");
  add((gift.flags & kLinkSitemap) != 0, "sitemap");
  add(gift.late, "after it was fetched");
  return text;
}

std::string time_text(Time ms) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(ms / 1000)));
}

void tell_score(const CrawlState& state, const std::string& policy, const ScoreStory& story,
                nlohmann::json& json) {
  if (const auto score = story.score()) {
    const ToldScore told = told_score(policy, *score);
    if (!told.queue.empty()) json["queue"] = told.queue;
    json["score"] = told.score;
    json["worth"] = story.worth();
  }
  if (story.is_seed()) json["given_as_seed"] = story.from_seed();
  if (story.elsewhere() != 0) json["given_elsewhere"] = story.elsewhere();
  std::vector<LinkGift> gifts = story.links();
  std::stable_sort(gifts.begin(), gifts.end(),
                   [](const LinkGift& a, const LinkGift& b) { return std::abs(a.gave) > std::abs(b.gave); });
  json["links_to_it"] = gifts.size();
  nlohmann::json shown = nlohmann::json::array();
  for (std::size_t i = 0; i < std::min(gifts.size(), kMostParents); ++i) {
    nlohmann::json parent = {{"url", state.url(gifts[i].from)}, {"gave", gifts[i].gave}};
    if (const std::string how = how_text(gifts[i]); !how.empty()) parent["how"] = how;
    shown.push_back(std::move(parent));
  }
  json["parents"] = std::move(shown);
}

std::string line_of(std::string_view text, std::uint32_t number) {
  for (; number > 1; --number) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return std::string(text.substr(0, text.find('\n')));
}

void tell_host(RestoredCrawl& seen, PageId page, nlohmann::json& json) {
  const Host& host = seen.state().hosts()[seen.state().host(page)];
  const OriginRules& origin = host.origins[seen.state().url(page).starts_with("https:")];
  if (origin.rules != nullptr) {
    const RobotsDecision decision = origin.rules->decide(seen.state().target(page));
    json["robots"] = decision.allowed ? "allowed"
                     : origin.reached ? "forbidden by robots.txt"
                                      : "forbidden: robots.txt could not be had";
    if (decision.line > 0 && origin.reached)
      json["robots_rule"] = line_of(origin.rules->to_text(), decision.line);
  }
  if (host.failures > 0) {
    json["host_trouble"] =
        fmt::format("{}, {} in a row", host_trouble_text(host), plural(host.failures, "failure"));
  }
  if (const auto due = seen.state().frontier().due(page)) json["due"] = time_text(*due);
  if (host.opens > 0 && host.opens < kNoTime) json["host_opens"] = time_text(host.opens);
}

// What the options of the last run say of it.
Status tell_rules(RestoredCrawl& seen, const std::string& folder, PageId page, const Url& url,
                  nlohmann::json& json) {
  CrawlOptions options;
  BB_TRY_VOID(recall_options(folder, options));
  const CrawlState& state = seen.state();
  BB_TRY(const Scope scope, Scope::make(options.scope, state.seed_urls()));
  json["scope"] = scope.explain(url);
  const TrapSign trap = trap_sign(url, trap_options_of(options, std::time(nullptr)));
  if (trap != TrapSign::kNone) json["trap"] = trap_sign_text(trap);
  if (options.budget.depth != kAnyDepth) json["depth_allowed"] = options.budget.depth;
  Host& host = seen.state().hosts()[state.host(page)];
  const HostEnd end = host_end_of(host, seen.state().hosts().site_pages(host), options);
  if (end != HostEnd::kNone) json["host_ended"] = host_end_text(end);
  return {};
}

Status tell_page(RestoredCrawl& seen, const std::string& folder, PageId page, const Url& url,
                 nlohmann::json& json) {
  BB_TRY_VOID(seen.make_state());
  const CrawlState& state = seen.state();
  ScoreStory story(state, page);
  BB_TRY_VOID(seen.replay_from_beginning(std::ref(story)));
  json["state"] = state_text(state.frontier().state(page));
  if (state.facts().belongs(page)) json["steps_from_seed"] = state.facts().depth(page);
  if (state.facts().tries(page) > 0) json["tries"] = state.facts().tries(page);
  tell_host(seen, page, json);
  BB_TRY_VOID(tell_rules(seen, folder, page, url, json));
  tell_score(state, seen.options().order.policy, story, json);
  return each_log_line(folder, [&](const nlohmann::json& line) {
    if (line.value("url", "") != json["url"]) return;
    for (const char* key : {"outcome", "status", "trouble", "warc", "offset"}) {
      if (line.contains(key)) json[key] = line[key];
    }
    if (const OutcomeRule* const rule = rule_named(line.value("outcome", ""))) json["reason"] = rule->what;
    if (line.value("outcome", "") == outcome_name(Outcome::kRefusedAddress))
      json["hint"] = "networks of your own can be crawled where --allow-net names them";
  });
}

void print_story(const nlohmann::json& json) {
  for (const char* key : {"url",        "state",        "outcome",       "reason",          "status",
                          "trouble",    "warc",         "offset",        "steps_from_seed", "tries",
                          "scope",      "trap",         "depth_allowed", "robots",          "robots_rule",
                          "host_ended", "host_trouble", "due",           "host_opens",      "hint",
                          "queue",      "score",        "worth",         "given_as_seed",   "given_elsewhere",
                          "links_to_it"}) {
    if (!json.contains(key)) continue;
    const std::string value = json[key].is_string()         ? json[key].get<std::string>()
                              : json[key].is_number_float() ? fmt::format("{:.6g}", json[key].get<double>())
                                                            : json[key].dump();
    fmt::print("{:<16} {}\n", key, printable(value));
  }
  for (const nlohmann::json& parent : json.value("parents", nlohmann::json::array())) {
    fmt::print("  {:>+12.6g} from {}{}\n", parent.value("gave", 0.0), printable(parent.value("url", "")),
               parent.contains("how") ? fmt::format("  [{}]", parent.value("how", "")) : "");
  }
  if (json.value("links_to_it", std::size_t{0}) > kMostParents) {
    fmt::print("  and {} more that gave less\n", json.value("links_to_it", std::size_t{0}) - kMostParents);
  }
}

// The number of a URL: its place among all that the crawl knows.
Result<PageId> find_page(const CrawlReader& reader, std::string_view url) {
  PageId found = kNoPage;
  BB_TRY_VOID(reader.for_each_url([&](PageId page, std::string_view text) {
    if (text == url) found = page;
  }));
  return found;
}

Status say_why(const std::string& folder, const std::string& text, const CommonOptions& common) {
  Url url;
  const UrlFault fault = canonical_url(text, nullptr, url);
  if (fault != UrlFault::kNone) return error("'{}' is not a URL to crawl: {}", text, fault_text(fault));
  BB_TRY(const auto seen, open_seen_crawl(folder));
  nlohmann::json json = {{"url", url.text()}};
  BB_TRY(const PageId page, find_page(seen->reader(), url.text()));
  if (page == kNoPage) {
    json["state"] = "unknown: no page that was read links to it";
  } else {
    BB_TRY_VOID(tell_page(*seen, folder, page, url, json));
  }
  if (common.json) {
    print_json_line(json.dump());
  } else {
    print_story(json);
  }
  return {};
}

}  // namespace

void add_crawl_why(App& app) {
  auto folder = std::make_shared<std::string>();
  auto url = std::make_shared<std::string>();
  CLI::App& command =
      app.add_command(app.root(), "why", kWhyText,
                      [folder, url](const CommonOptions& common) { return say_why(*folder, *url, common); });
  command.add_option("DIR", *folder, "The folder of a crawl")->required();
  command.add_option("URL", *url, "The URL in question")->required();
}

}  // namespace bowerbird
