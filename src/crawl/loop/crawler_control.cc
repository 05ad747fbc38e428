// Commands given to the running crawl: what they change, and what follows.
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/units.h"
#include "crawl/config/kept_options.h"
#include "crawl/config/option_table.h"
#include "crawl/loop/crawler.h"
#include "crawl/state/state_setup.h"
#include "url/canonical.h"
#include "url/url_notes.h"

namespace bowerbird {

namespace {

constexpr std::size_t kReleasedAtOnce = 2000;

using Kind = CommandResult::Kind;

CommandResult bad_request(std::string text) {
  return {Kind::kBadRequest, std::move(text), {}, false, {}};
}

CommandResult conflict(std::string text) {
  return {Kind::kConflict, std::move(text), {}, false, {}};
}

std::string joined(const std::vector<std::string>& values) {
  return values.empty() ? std::string("nothing") : fmt::format("{}", fmt::join(values, ", "));
}

std::string target_text(RuleTarget target, const std::string& value) {
  if (target == RuleTarget::kEverything) return "everything";
  return target == RuleTarget::kHost ? value : fmt::format("URLs that match {}", value);
}

bool is_group(std::string_view name, std::initializer_list<std::string_view> group) {
  return std::ranges::find(group, name) != group.end();
}

// With the port, if it is not the default.
bool is_host_name(const std::string& text) {
  Url http, https;
  return parse_url("http://" + text + "/", nullptr, http) == UrlFault::kNone &&
         parse_url("https://" + text + "/", nullptr, https) == UrlFault::kNone &&
         (http.host() == text || https.host() == text);
}

// Options that decide which links are in scope.
bool is_of_scope(std::string_view name) {
  return is_group(name, {"scope", "host", "include", "exclude", "depth"});
}

}  // namespace

CommandResult Crawler::execute(const LiveCommand& command) {
  if (run_.stopping) return conflict("the crawl is stopping");
  const std::string& name = command.change.command;
  CommandResult result;
  if (name == "pause" || name == "resume") {
    result = change_rule(command, RuleKind::kPause, name == "pause");
  } else if (name == "block" || name == "unblock") {
    result = change_rule(command, RuleKind::kBlock, name == "block");
  } else if (name == "set") {
    result = set_option(command);
  } else if (name == "seed") {
    result = seed(command);
  } else if (name == "retry") {
    result = retry_pages(command);
  } else if (name == "fetch") {
    result = fetch_now(command);
  } else {
    result.text = name == "stop" ? "stopping: requests in progress finish, then everything is committed"
                                 : "report.html and report.json were written";
    note_command(command, name == "stop" ? "stopped the crawl" : "wrote the report");
    result.changed = true;
  }
  if (result.changed) {
    if (const Status kept = committer_->commit_and_wait(); !kept.ok()) return conflict(kept.error().text);
  }
  return result;
}

void Crawler::note_command(const LiveCommand& command, std::string text) {
  ChangeNoted noted{command.change};
  noted.change.text = std::move(text);
  state().note_change(noted);
}

// ---- Pauses and blocks

const ControlRule* Crawler::rule_against(PageId page) const {
  const ControlState& control = state().control();
  if (control.rules().empty()) return nullptr;
  if (const ControlRule* const rule = control.of_host(hosts()[state().host(page)].name)) return rule;
  return control.has_patterns() ? control.of_url(state().url(page)) : nullptr;
}

CommandResult Crawler::change_rule(const LiveCommand& command, RuleKind kind, bool on) {
  RuleChanged event{command.change, static_cast<std::uint8_t>(kind),
                    static_cast<std::uint8_t>(command.target), command.value, on};
  if (command.target == RuleTarget::kHost) {
    for (char& c : event.value) c = ascii_lower(c);
    if (!is_host_name(event.value))
      return bad_request(
          fmt::format("'{}' is not a host name; give the name alone, such as example.org", command.value));
  } else if (command.target == RuleTarget::kPattern) {
    if (const auto pattern = UrlPattern::make(event.value); !pattern.ok())
      return bad_request(pattern.error().text);
  }
  const ControlState& control = state().control();
  const std::string what = target_text(command.target, event.value);
  const std::string_view done =
      kind == RuleKind::kPause ? (on ? "paused" : "resumed") : (on ? "blocked" : "unblocked");
  const bool known = control.find(kind, command.target, event.value) != nullptr;
  CommandResult result;
  if (known == on) {
    result.text = fmt::format("{} {} {}{}", command.target == RuleTarget::kEverything ? "the crawl" : what,
                              command.target == RuleTarget::kPattern ? "are" : "is", on ? "already " : "not ",
                              kind == RuleKind::kPause ? "paused" : "blocked");
    return result;
  }
  if (on && control.rules().size() >= ControlState::kMostRules)
    return conflict(fmt::format("there are {} pauses and blocks already; use --exclude for more",
                                ControlState::kMostRules));
  event.change.text = fmt::format("{} {}", done, what);
  state().change_rule(event);
  result.changed = true;
  result.text = event.change.text;
  if (command.target == RuleTarget::kHost) {
    const HostId id = hosts().find(event.value);
    if (id == kNoHost) {
      result.warnings.push_back(fmt::format("the crawl knows no URL of {} yet", event.value));
    } else {
      result.affected = 1;
      if (!on) reopen(id, clock_.now());
    }
  }
  if (!on && command.target == RuleTarget::kPattern) {
    live_.release_from = 0;
    result.affected = control.suspended().size();
  }
  return result;
}

// Tells the frontier that the host may be asked again.
void Crawler::reopen(HostId id, Time now) {
  const Time opens = hosts().own_gate(id);
  state().set_gate(id, opens < kNever ? opens : now + 1s);
}

// Returns suspended pages to the frontier if no pattern matches them any longer, a few in each turn.
void Crawler::release_some() {
  if (!live_.release_from) return;
  const auto& suspended = state().control().suspended();
  std::vector<PageId> free;
  auto at = suspended.lower_bound(*live_.release_from);
  for (std::size_t looked = 0; at != suspended.end() && looked < kReleasedAtOnce; ++looked, ++at) {
    if (rule_against(at->first) == nullptr || rule_against(at->first)->target == RuleTarget::kHost)
      free.push_back(at->first);
  }
  live_.release_from = at == suspended.end() ? std::nullopt : std::optional(at->first);
  if (!free.empty()) state().release(std::move(free));
}

void Crawler::follow_commands() {
  release_some();
  admit_some();
}

// ---- Options

CommandResult Crawler::set_option(const LiveCommand& command) {
  const CrawlOptionRow* const row = find_row(crawl_option_table(), command.value);
  if (row == nullptr) return bad_request(fmt::format("there is no option --{}", command.value));
  if (!row->is(kLive))
    return conflict(fmt::format(
        "--{} cannot change while the crawl runs; stop it and resume it with the new value", row->name));
  if (session_ && row->is(kAgreed))
    return conflict(fmt::format(
        "--{} must be the same in all processes of a fleet, so it cannot change while it runs", row->name));
  if (!row->is(kMany) && command.values.size() != 1)
    return bad_request(fmt::format("--{} takes one value", row->name));
  CrawlOptions changed = options_;
  if (const Status set = row->set(changed, command.values); !set.ok())
    return bad_request(fmt::format("--{}: {}", row->name, set.error().text));
  if (const Status good = check_crawl_options(changed); !good.ok()) return bad_request(good.error().text);
  const std::vector<std::string> before = row->texts(options_), now = row->texts(changed);
  CommandResult result;
  if (before == now) {
    result.text = fmt::format("{} is already {}", row->name, joined(now));
    return result;
  }
  OptionChanged event{command.change, std::string(row->name), now, before, true};
  event.change.text = fmt::format("set {} to {} (was {})", row->name, joined(now), joined(before));
  state().change_option(event);
  adopt(changed);
  result.changed = true;
  result.text = event.change.text;
  const bool per_host = is_group(row->name, {"pages-per-host", "pages-per-domain"});
  if (per_host) reopen_closed();
  if (is_of_scope(row->name)) {
    if (const Status renewed = renew_scope(); !renewed.ok()) result.warnings.push_back(renewed.error().text);
  }
  if (row->name == "connections" && slots_->slots() < options_.politeness.connections)
    result.warnings.push_back(
        fmt::format("only {} requests at a time: the limit of open files is too low", slots_->slots()));
  // A new scope is written to the options only when the known links have been judged by it: a resume
  // compares them.
  if (!options_.refresh.round && !live_.admit_from) {
    if (const Status kept = remember_options(options_); !kept.ok())
      result.warnings.push_back(kept.error().text);
  }
  return result;
}

void Crawler::adopt(const CrawlOptions& options) {
  const bool bandwidth = options.politeness.bandwidth != options_.politeness.bandwidth;
  const bool connections_changed = options.politeness.connections != options_.politeness.connections;
  options_ = options;
  hosts().set_politeness(politeness_of(options_));
  failures_->set_patience(options_.politeness.patience);
  refresher_->set_rates(options_);
  if (bandwidth) bandwidth_ = BandwidthLimit(options_.politeness.bandwidth, clock_.now());
  if (connections_changed) slots_->set_slots(connections());
}

// Hosts that had reached their budget may have room for more pages.
void Crawler::reopen_closed() {
  const Time now = clock_.now();
  for (HostId id = 0; id < hosts().size(); ++id) {
    if (!hosts().is_in_memory(id)) continue;
    const auto end = static_cast<HostEnd>(hosts()[id].closed);
    if (end != HostEnd::kBudget && end != HostEnd::kDomainBudget) continue;
    failures_->reopen(id);
    reopen(id, now);
  }
}

// Options that commands had changed before this run stay, unless this run was given another value.
Status Crawler::adopt_changed_options() {
  const auto changed = state().control().options();
  CrawlOptions options = options_;
  for (const auto& [name, option] : changed) {
    const CrawlOptionRow* const row = find_row(crawl_option_table(), name);
    if (row == nullptr) continue;
    const std::vector<std::string> given = row->texts(options_);
    if (given != option.base && given != option.values) {
      live_.replaced.push_back(name);
      notes_.list.push_back(fmt::format("--{}: {} replaces {}, which was set by a command ({})", name,
                                        joined(given), joined(option.values), option.change.origin));
      continue;
    }
    if (const Status set = row->set(options, option.values); !set.ok()) {
      notes_.list.push_back(fmt::format("--{}: {}, set by a command, cannot be used: {}", name,
                                        joined(option.values), set.error().text));
      continue;
    }
    notes_.list.push_back(
        fmt::format("--{} is {}, set by a command ({})", name, joined(option.values), option.change.origin));
  }
  if (const Status good = check_crawl_options(options); !good.ok()) {
    notes_.list.push_back(fmt::format(
        "settings made by commands are ignored, because they conflict with the options of this run: {}",
        good.error().text));
    return {};
  }
  options_ = options;
  hosts().set_politeness(politeness_of(options_));
  bandwidth_ = BandwidthLimit(options_.politeness.bandwidth, clock_.now());
  if (state().control().is_paused()) {
    notes_.list.push_back(
        fmt::format("the crawl is still paused, as in its last run; resume it with `bowerbird ctl {} resume`",
                    options_.out));
  }
  return {};
}

// Records that this run's command line replaces options set by commands; called when the journal is open.
void Crawler::forget_replaced_options() {
  for (const std::string& name : std::exchange(live_.replaced, {})) {
    OptionChanged event;
    event.change.time = static_cast<std::uint64_t>(milliseconds_of(clock_.now()));
    event.change.origin = "command line";
    event.change.command = "set";
    event.name = name;
    event.values = find_row(crawl_option_table(), name)->texts(options_);
    event.kept = false;
    event.change.text = fmt::format("set {} to {} when it was resumed", name, joined(event.values));
    event.change.arguments = nlohmann::json({{"option", name}, {"values", event.values}}).dump();
    state().change_option(event);
  }
}

// ---- Scope and seeds

// Makes the scope from the current options and seeds. admit_some() then judges the excluded links again, from
// the first row of links.log to the one that is the last now.
Status Crawler::renew_scope() {
  const std::vector<std::string> urls = state().seed_urls();
  BB_TRY(Scope scope, Scope::make(options_.scope, urls, rules_.sites));
  *rules_.scope = std::move(scope);
  rules_.scope_cache = {};
  live_.scope.set(*rules_.scope);
  if (options_.parallel.on()) return {};
  BB_TRY_VOID(scope_is_pending());
  counts_.excluded = {};
  live_.admit_from = 0;
  live_.admit_to = state().frontier().counts().crawled;
  return {};
}

// Pages that were parsed while the scope changed were judged by the old one, so the rows that they add
// are judged again too.
void Crawler::admit_some() {
  if (!live_.admit_from) return;
  constexpr std::uint64_t kRowsPerTurn = 200, kBeingParsed = 1000;
  const std::uint64_t rows = state().frontier().counts().crawled;
  const std::uint64_t last = std::min(rows, live_.admit_to + slots_->slots() + kBeingParsed);
  const std::uint64_t end = std::min(last, *live_.admit_from + kRowsPerTurn);
  PageLinks row;
  std::uint64_t had_been_excluded = 0;
  for (; *live_.admit_from < end; ++*live_.admit_from) {
    if (const Status read = crawl_->read_row(*live_.admit_from, row); !read.ok()) {
      committer_->add_warnings(
          {fmt::format("links cannot be judged by the new scope: {}", read.error().text)});
      live_.admit_from.reset();
      return;
    }
    admit_row(row, nullptr, had_been_excluded);
  }
  if (*live_.admit_from < last || (last == rows && in_flight() > 0)) return;
  live_.admit_from.reset();
  scope_is_judged();
  if (options_.refresh.round) return;
  if (const Status kept = remember_options(options_); !kept.ok())
    committer_->add_warnings({kept.error().text});
}

CommandResult Crawler::seed(const LiveCommand& command) {
  std::vector<CrawlSeed> seeds;
  std::vector<std::string> wrong;
  for (const bool sitemap : {false, true}) {
    for (const std::string& text : sitemap ? command.sitemaps : command.values) {
      const auto url = canonical_seed(text);
      if (url.ok()) {
        seeds.push_back({*url, 1, sitemap});
      } else {
        wrong.push_back(url.error().text);
      }
    }
  }
  if (!wrong.empty()) return bad_request(fmt::format("{}", fmt::join(wrong, "; ")));
  if (seeds.empty()) return bad_request("give at least one URL");
  std::vector<SeedEntry> fresh;
  CommandResult result;
  for (const CrawlSeed& one : seeds) {
    const PageId page = state().intern(one.url);
    if (state().route(page) != LinkRoute::kLocal) continue;
    if (one.sitemap) run_.given_sitemaps.insert(page);
    if (state().frontier().state(page) == PageState::kUndiscovered &&
        !state().control().suspended().contains(page)) {
      fresh.push_back({page, one.weight, one.sitemap});
    } else {
      result.warnings.push_back(fmt::format("{} was known already", one.url));
    }
  }
  result.affected = fresh.size();
  if (fresh.empty()) {
    result.text = "no new seed";
    return result;
  }
  result.changed = true;
  result.text = fmt::format("added {}", plural(fresh.size(), "seed"));
  note_command(command, fmt::format("added {}: {}", plural(fresh.size(), "seed"), seeds.front().url));
  state().add_seeds(fresh, state().fleet() == nullptr ? 0 : static_cast<double>(seeds.size()));
  if (options_.scope.mode != ScopeMode::kAny) {
    if (const Status renewed = renew_scope(); !renewed.ok()) result.warnings.push_back(renewed.error().text);
  }
  return result;
}

// ---- Requested pages

CommandResult Crawler::retry_pages(const LiveCommand& command) {
  std::vector<RequestedPage> pages;
  const Time now = clock_.now();
  for (const FailedPage& failed : command.failed) {
    const PageId page = state().find(KnownUrls::fingerprint(failed.url));
    if (page == kNoPage || state().frontier().state(page) != PageState::kDone || is_repeated(page)) continue;
    if (state().control().requested().contains(page)) continue;
    pages.push_back({page, failed.outcome});
    const HostId id = state().host(page);
    if (hosts()[id].closed == static_cast<std::uint8_t>(HostEnd::kUnreachable)) {
      failures_->reopen(id);
      reopen(id, now);
    }
  }
  CommandResult result;
  result.affected = pages.size();
  result.text = pages.empty() ? std::string("no failed page matches")
                              : fmt::format("{} will be retried", plural(pages.size(), "failed page"));
  if (pages.empty()) return result;
  result.changed = true;
  note_command(command, fmt::format("retry {}", plural(pages.size(), "failed page")));
  for (const RequestedPage& page : pages) live_.requested->add(page.page, state().host(page.page), now);
  state().request(std::move(pages));
  return result;
}

CommandResult Crawler::fetch_now(const LiveCommand& command) {
  Url url;
  const UrlFault fault = canonical_url(command.value, nullptr, url);
  if (fault != UrlFault::kNone)
    return bad_request(fmt::format("'{}' is not a URL to crawl: {}", command.value, fault_text(fault)));
  const PageId page = state().intern(url.text());
  CommandResult result;
  if (state().route(page) != LinkRoute::kLocal) {
    result.text = fmt::format("{} belongs to another process", url.text());
    result.affected = 0;
    return result;
  }
  if (const ControlRule* const rule = rule_against(page))
    return conflict(fmt::format("{} is {} ({})", url.text(),
                                rule->kind == RuleKind::kBlock ? "blocked" : "paused", rule->value));
  result.affected = 1;
  if (in_progress(page) || state().control().requested().contains(page)) {
    result.text = fmt::format("{} is already being fetched", url.text());
    return result;
  }
  if (state().frontier().state(page) == PageState::kWaiting)
    return conflict(fmt::format("{} failed a moment ago and will be retried soon", url.text()));
  result.changed = true;
  result.text = fmt::format("{} is fetched next", url.text());
  if (is_paused()) result.warnings.emplace_back("the crawl is paused; it is fetched when you resume it");
  note_command(command, fmt::format("fetch {}", url.text()));
  if (state().frontier().state(page) == PageState::kUndiscovered) state().enter_pages({page});
  if (state().frontier().state(page) == PageState::kUndiscovered)
    return conflict(fmt::format("{}: there is no room in the queue", url.text()));
  live_.requested->add(page, state().host(page), clock_.now());
  state().request({{page, static_cast<std::uint8_t>(Outcome::kFetched)}});
  return result;
}

void Crawler::restore_requested(Time now) {
  live_.requested = std::make_unique<HostQueues>(~std::uint64_t{0});
  for (const auto& [page, outcome] : state().control().requested())
    live_.requested->add(page, state().host(page), now);
  if (!state().control().suspended().empty()) live_.release_from = 0;
  forget_replaced_options();
}

// Requested pages go through the same gates as all pages.
void Crawler::hand_out_requested(Time now) {
  constexpr int kMostAtOnce = 100;
  for (int looked_at = 0; looked_at < kMostAtOnce && has_room(); ++looked_at) {
    const auto host = live_.requested->next_host(now);
    if (!host) return;
    const PageId page = live_.requested->first(*host);
    const PageState state_now = state().frontier().state(page);
    if (state_now == PageState::kInFlight || state_now == PageState::kUndiscovered ||
        !state().control().requested().contains(page)) {
      if (state().control().requested().contains(page)) state().drop_requests({page});
      live_.requested->drop(*host, now);
      continue;
    }
    live_.is_request = true;
    const auto opening = gate(page, now);
    live_.is_request = false;
    if (!opening) {
      live_.requested->wait(*host, kNever);
      return;
    }
    if (opening->at > now) {
      live_.requested->wait(*host, opening->at);
      continue;
    }
    start_requested(*host, page, now);
  }
}

// gate() has let the page through.
void Crawler::start_requested(HostId id, PageId page, Time now) {
  const Verdict verdict = verdict_;
  if (verdict == Verdict::kSuspended) return live_.requested->wait(id, now + 1s);
  if (state().take_requested(page, now)) {
    live_.requested->drop(id, now);
    if (refresher_->is_on()) refresher_->taken(page, now);
  } else if (state().frontier().state(page) == PageState::kDone) {
    live_.requested->start(id, now);
    live_.repeated.insert(page);
  } else {  // the page waits for its due time
    state().drop_requests({page});
    return live_.requested->drop(id, now);
  }
  verdict_ = verdict;
  live_.is_request = true;
  decide(page, now);
  live_.is_request = false;
}

// A page that was done has been fetched again. The counters now have its new outcome.
void Crawler::end_repeated(PageId page, Outcome outcome) {
  if (live_.repeated.erase(page) == 0) return;
  live_.requested->end(page);
  const auto requested = state().control().requested().find(page);
  if (requested == state().control().requested().end()) return;
  const auto before = static_cast<Outcome>(requested->second);
  if (before == Outcome::kFetched || before == outcome) return;
  std::uint64_t& old = counts_.outcomes[static_cast<std::size_t>(before)];
  if (old > 0) --old;
  ++counts_.outcomes[static_cast<std::size_t>(outcome)];
  if (outcome != Outcome::kFetched) return;
  ++counts_.pages;
  count_page(page, 1);
  const std::string url = state().url(page);
  const auto failed = std::ranges::find(counts_.failed_seeds, url, &FailedSeed::url);
  if (failed == counts_.failed_seeds.end()) return;
  counts_.failed_seeds.erase(failed);
  --counts_.seeds_failed;
}

}  // namespace bowerbird
