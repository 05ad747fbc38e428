// Parsed pages: their links get ids, and they are stored and completed.
#include <fmt/chrono.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "crawl/loop/crawler.h"
#include "crawl/loop/host_budget.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kMostSimhashes = 1'000'000;
constexpr std::size_t kLinksATurn = 20'000;

}  // namespace

// Looks up the links of all waiting pages.
void Crawler::look_up_batch() {
  for (ParsedPage& parsed : batcher_.take(state().known())) looked_up_.pages.push_back(std::move(parsed));
}

void Crawler::finish_looked_up(Time now) {
  while (!looked_up_.pages.empty()) {
    if (!links_are_known(looked_up_.pages.front())) return;  // continued in the next turn
    ParsedPage parsed = std::move(looked_up_.pages.front());
    looked_up_.pages.pop_front();
    run_.read_bytes -= parsed.page.received;
    if (parsed.page.requisite) {
      finish_requisite(std::move(parsed), now);
    } else {
      finish_page(std::move(parsed), now);
    }
    end_step();
  }
}

// Gives ids to the links of a page. For a page with very many links this takes several turns.
bool Crawler::links_are_known(const ParsedPage& parsed) {
  const std::vector<FoundLink>& links = parsed.links;
  std::size_t& at = looked_up_.interned;
  if (links.size() <= kLinksATurn || memory_->is_full() || at == links.size()) {
    at = 0;
    return true;
  }
  for (const std::size_t end = std::min(links.size(), at + kLinksATurn); at < end; ++at) {
    state().intern(links[at].fingerprint, links[at].text(parsed.texts), links[at].host(parsed.texts));
  }
  end_step();
  return false;
}

// Fetched bodies that wait for the parsers count towards the memory limit of bodies. If they reach it, the
// fetcher receives nothing until parsers have freed some.
void Crawler::limit_bodies() {
  const std::uint64_t limit = memory_->bodies_limit();
  if (limit == 0) return;
  const bool room = limit > run_.read_bytes;
  fetcher_->limit_bodies(room ? limit - run_.read_bytes : 1, room);
}

void Crawler::finish_page(ParsedPage parsed, Time now) {
  const PageId page = parsed.page.page;
  if (!in_progress(page)) return;
  if (is_full()) {
    requeue(page);
    return;
  }
  if (parsed.outcome != Outcome::kFetched && parsed.outcome != Outcome::kRedirect) {
    finish_failed(page, parsed.outcome, &parsed.page.fetch, now, parsed.sniffed_type);
    return;
  }
  if (is_revisit(page)) return finish_visit(std::move(parsed), now);
  const std::uint64_t bytes = parsed.page.received;
  counts_.bytes += bytes;
  count_site_bytes(page, bytes);
  counts_.sitemap_unreadable += parsed.unreadable;
  gather_links(parsed);
  const Score score = state().frontier().score(page).value_or(0);
  counts_.links += buffers_.links.size();
  if (parsed.outcome == Outcome::kFetched) ++counts_.pages;
  std::optional<TopicVerdict> topic;
  if (topic_ && parsed.terms) topic = topic_->judge(*parsed.terms);
  if (topic && topic->on_topic) ++counts_.on_topic;
  compare_with_others(parsed);
  if (parsed.terms) store().add_terms(page, *parsed.terms);
  store_page(parsed, score, topic);
  const bool shown = parsed.outcome == Outcome::kFetched || state().requisites().is_awaited(page);
  if (requisites_ && shown && parsed.keeps) add_requisites(page, true, parsed, now);
  complete(page, parsed.outcome, buffers_.links, topic && topic->on_topic);
  note_first_visit(parsed, bytes, now);
}

// Fills buffers_.links with the page's links as the store and the frontier know them.
void Crawler::gather_links(const ParsedPage& parsed) {
  buffers_.links.clear();
  const PageId page = parsed.page.page;
  const std::uint32_t depth = state().facts().depth(page);
  if (!parsed.uses_links && depth > 0 && !parsed.page.sitemap && parsed.outcome != Outcome::kRedirect) return;
  const bool redirected_enough = state().facts().redirects(page) >= options_.fetch.redirects;
  const double worth = worth_of_link(page, parsed.links.size());
  for (const FoundLink& link : parsed.links) {
    if (turn_away(link.fingerprint, worth)) continue;
    const PageId to = state().intern(link.fingerprint, link.text(parsed.texts), link.host(parsed.texts));
    std::uint8_t flags = link.flags;
    const bool redirect = (flags & kLinkRedirect) != 0;
    if (redirect && (flags & kLinkOutOfScope) != 0 && depth == 0 && notes_.redirected.empty())
      notes_.redirected = fmt::format("{} redirects to {}", parsed.page.url, link.text(parsed.texts));
    const std::uint64_t most = link.most_depth == kNoSiteDepth ? options_.budget.depth : link.most_depth;
    if (redirect ? redirected_enough : depth >= most && !state().facts().belongs(to)) flags |= kLinkTooFar;
    if (const auto rule = exclusion_of(flags, link.scope)) {
      ++counts_.excluded[static_cast<std::size_t>(*rule)];
      if (*rule == Exclusion::kTrap) live_.activity.found_trap(to);
    }
    buffers_.links.push_back({to, flags});
  }
  live_.activity.found_links(page, buffers_.links);
}

// The worth that the page passes to one of its links; 0 if the ordering does not judge links.
double Crawler::worth_of_link(PageId page, std::size_t links) const {
  const Frontier& frontier = state().frontier();
  const auto score = frontier.score(page);
  if (links == 0 || !score || !frontier.policy().judges()) return 0;
  return kDamping * frontier.policy().merit(*score) / static_cast<double>(links);
}

// Whether the URL is new and memory is short, so that it is rejected. Counts it.
bool Crawler::turn_away(std::uint64_t fingerprint, double worth) {
  if (!memory_->is_full() || state().find(fingerprint) != kNoPage) return false;
  ++counts_.rejected;
  counts_.rejected_worth += worth;
  return true;
}

// Call after the page was stored, since completing it may commit: an ordering may read rows of links.log.
void Crawler::complete(PageId page, Outcome outcome, std::span<const StoredLink> links, bool on_topic) {
  const bool failed = outcome != Outcome::kFetched && outcome != Outcome::kRedirect;
  state().complete({page, links, on_topic, failed});
  ++counts_.completed;
  ++counts_.outcomes[static_cast<std::size_t>(outcome)];
  if (requisites_) note_done(page, outcome);
}

// Ends a page that failed for good.
void Crawler::fail(PageId page, Outcome outcome, int status) {
  complete(page, outcome, {});
  note_first_failure(page, outcome);
  if (!is_seed(page)) return;
  counts_.add_failed_seed({state().url(page), status >= 400 ? fmt::format("HTTP {}", status)
                                                            : std::string(rule_of(outcome).what)});
}

// Whether the page was given as a seed, or a seed redirects to it. Sitemaps from robots.txt are not
// seeds.
bool Crawler::is_seed(PageId page) const {
  return state().facts().depth(page) == 0 &&
         (!state().facts().is_sitemap(page) || run_.given_sitemaps.contains(page));
}

void Crawler::compare_with_others(const ParsedPage& parsed) {
  if (!parsed.text_fingerprint || parsed.text_fingerprint->words < kFewWords) return;
  Host& host = hosts()[state().host(parsed.page.page)];
  ++host.compared;
  hosts().mark_changed(state().host(parsed.page.page));
  std::vector<SimhashIndex::Match> matches;
  simhashes_.find(parsed.text_fingerprint->simhash, matches);
  if (!matches.empty()) {
    ++host.near_duplicates;
  } else if (simhashes_.size() < kMostSimhashes && simhashes_.bytes() < memory_->simhashes_limit()) {
    simhashes_.add(parsed.text_fingerprint->simhash, parsed.page.page);
  }
}

void Crawler::log_page(PageId page, Outcome outcome, const FetchOutcome* fetch, std::string_view visit) {
  note_result(page, outcome, fetch, fetch == nullptr ? 0 : fetch->body.size());
  nlohmann::json line = {{"url", state().url(page)}, {"page", page}, {"outcome", outcome_name(outcome)}};
  const std::int64_t ms = milliseconds_of(clock_.now());
  line["time"] =
      fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(ms / 1000)), ms % 1000);
  if (fetch != nullptr && fetch->status > 0) line["status"] = fetch->status;
  if (fetch != nullptr && !fetch->trouble.empty()) line["trouble"] = fetch->trouble;
  if (!visit.empty()) line["visit"] = visit;
  store().add_log(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace bowerbird
