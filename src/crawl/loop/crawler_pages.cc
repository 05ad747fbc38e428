// Pages that are handed out, fetched, parsed, stored or retried.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "crawl/loop/crawler.h"
#include "crawl/loop/host_budget.h"
#include "fetch/archived_body.h"
#include "fetch/request_text.h"
#include "parse/http_head.h"
#include "policy/told_score.h"
#include "store/warc_writer.h"

namespace bowerbird {

namespace {

// A held page that matches a paused pattern is looked at again after this time.
constexpr Time kHeldWait = 60'000;
constexpr std::uint64_t kMostPrints = 1'000'000;
constexpr std::size_t kLinksATurn = 20'000;
constexpr std::uint64_t kSitemapBytes = std::uint64_t{50} << 20;

std::int64_t retry_after(const FetchOutcome* fetch, std::int64_t unix_time) {
  if (fetch == nullptr || fetch->end != FetchEnd::kAnswered) return -1;
  const std::string_view value = head_field(fetch->head, "retry-after");
  return value.empty() ? -1 : parse_retry_after(value, unix_time).value_or(-1);
}

Truncated truncated_of(const FetchOutcome& fetch) {
  switch (fetch.end) {
    case FetchEnd::kAnswered:
      return fetch.truncated ? Truncated::kLength : Truncated::kNo;
    case FetchEnd::kTimedOut:
      return Truncated::kTime;
    default:
      return Truncated::kDisconnect;
  }
}

}  // namespace

// ---- Handing out

// The page is in flight; verdict_ says what to do with it.
void Crawler::decide(PageId page, Time now) {
  const HostId id = state().host(page);
  const bool again = is_revisit(page);
  switch (verdict_) {
    case Verdict::kFetch:
      if (!again || !is_declared_fresh(page, now)) start_page(page, id, now);
      return;
    case Verdict::kUnreachable:
      if (again) return fail_visit(page, hosts()[id].trouble, nullptr, now);
      log_page(page, hosts()[id].trouble, nullptr);
      fail(page, hosts()[id].trouble);
      return;
    case Verdict::kForbidden:
      if (again) return fail_visit(page, Outcome::kRobots, nullptr, now);
      log_page(page, Outcome::kRobots, nullptr);
      fail(page, Outcome::kRobots);
      return;
    case Verdict::kFetchedBefore:
      complete_from_requisite(page);
      return;
    case Verdict::kHeldBack:
      if (again) return retry(page, now + kHeldWait, false);
      state().hold_back(page);
      return;
    case Verdict::kLeftOut:
      if (again) return fail_visit(page, Outcome::kLeftOut, nullptr, now);
      state().exclude(page);
      ++counts_.outcomes[static_cast<std::size_t>(Outcome::kLeftOut)];
      log_page(page, Outcome::kLeftOut, nullptr);
      return;
  }
}

// The budgets of host and domain count pages that are done or in flight.
void Crawler::count_page(PageId page, int change) {
  const HostId id = state().host(page);
  count_site_pages(page, change);
  Host& host = hosts()[id];
  for (std::uint32_t* const pages : {&host.pages, &hosts().site_pages(host)}) {
    if (change > 0 || *pages > 0) *pages += static_cast<std::uint32_t>(change);
  }
  hosts().mark_changed(id);
}

void Crawler::retry(PageId page, Time due, bool counted) {
  if (is_again(page)) {
    live_.again.erase(page);
    return live_.requested->retry(page, state().host(page), due, counted);
  }
  if (is_revisit(page)) {
    refresher_->end(page);
    return state().postpone_visit(page, due, counted);
  }
  count_page(page, -1);
  state().retry(page, due, counted);
}

void Crawler::start_page(PageId page, HostId id, Time now) {
  Host& host = hosts()[id];
  FetchRequest request;
  request.id = page;
  request.url = state().url(page);
  request.fields = fields_of(request.id, request.url, now);
  if (is_revisit(page)) {
    if (!is_again(page)) request.fields += refresher_->start_request(page);
  } else {
    count_page(page, 1);
  }
  request.addresses = host.addresses;
  request.next_ms = hosts().interval(host);
  request.new_connection = state().facts().tries(page) > 0 || live_.requested->tries(page) > 0;
  if (state().facts().is_sitemap(page)) {
    request.any_type = true;
    const std::uint64_t limit = memory_->bodies_limit();
    request.max_body = limit == 0 ? kSitemapBytes : std::min(kSitemapBytes, limit);
  }
  slots_->start(page, RequestSlots::Kind::kPage, host, now);
  fetcher_->start(std::move(request));
  hosts().started(host, clock_.after(now));
  wait_after(page, id, now);
}

// ---- Responses

// Updates the host with a response, or the lack of one.
void Crawler::note_answer(HostId id, const FetchOutcome& fetch) {
  Host& host = hosts()[id];
  hosts().ended(host, fetch);
  hosts().mark_changed(id);
  if (fetch.end == FetchEnd::kAnswered) host.delivered = true;
  if (fetch.end == FetchEnd::kNoConnection) host.addresses_until = 0;
  if (fetch.address && host.addresses.empty() && options_.network.proxy.empty())
    hosts().set_addresses(host, {*fetch.address}, host.addresses_until, rules_.filter.named(*fetch.address));
}

void Crawler::take_page(FetchOutcome fetch, Time now) {
  const auto page = static_cast<PageId>(fetch.id);
  const HostId id = state().host(page);
  Host& host = hosts()[id];
  note_answer(id, fetch);
  live_.activity.responded(static_cast<double>(fetch.ended_us - fetch.started_us) / 1e6);
  if (!in_progress(page)) {  // its partition has moved to another process
    state().open_gate(id, now);
    return;
  }
  if (is_full()) {
    requeue(page);
    state().open_gate(id, now);
    return;
  }
  const Outcome outcome = outcome_of(fetch);
  run_.last = {page, outcome, fetch.status};
  if (outcome != Outcome::kFetched && outcome != Outcome::kRedirect && outcome != Outcome::kUnwanted &&
      fetch.status != 304)
    run_.failed = run_.last;
  preparer_->note_refusal(fetch);
  if (rule_of(outcome).blame != Blame::kHost) host.failures = 0;
  const bool again = is_revisit(page);
  if (again && fetch.end == FetchEnd::kAnswered && fetch.status == 304 && refresher_->was_conditional(page)) {
    finish_not_modified(page, fetch, now);
  } else if (outcome == Outcome::kFetched || outcome == Outcome::kRedirect) {
    FetchedPage fetched;
    fetched.page = page;
    fetched.url = state().url(page);
    fetched.sitemap = state().facts().is_sitemap(page);
    fetched.judge = !again && options_.selection.traps && to_be_judged(host, page);
    if (again) fetched.last_digest = state().refresh().visits().get(page).digest;
    fetched.received = fetch.body.size();
    run_.read_bytes += fetched.received;
    fetched.fetch = std::move(fetch);
    pool_->add(std::move(fetched));
  } else {
    finish_failed(page, outcome, &fetch, now);
  }
  state().open_gate(id, now);
}

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

// Bodies that were fetched and are not finished leave less room for new ones. If they fill it, no more is
// received until the parsers have caught up.
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
    finish_failed(page, parsed.outcome, &parsed.page.fetch, now);
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
  judge_duplicates(parsed);
  if (parsed.terms) store().add_terms(page, *parsed.terms);
  store_page(parsed, score, topic);
  if (requisites_ && parsed.outcome == Outcome::kFetched && parsed.keeps)
    add_requisites(page, true, parsed, now);
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

// Whether there is no room for a new URL. Counts it.
bool Crawler::turn_away(std::uint64_t fingerprint, double worth) {
  if (!memory_->is_full() || state().find(fingerprint) != kNoPage) return false;
  ++counts_.rejected;
  counts_.rejected_worth += worth;
  return true;
}

void Crawler::finish_failed(PageId page, Outcome outcome, FetchOutcome* fetch, Time now) {
  const OutcomeRule& rule = rule_of(outcome);
  const HostId id = state().host(page);
  if (fetch != nullptr) {
    counts_.bytes += fetch->body.size();
    count_site_bytes(page, fetch->body.size());
  }
  const std::int64_t asked = retry_after(fetch, now / 1000);
  failures_->failed(id, outcome, asked, now);
  const std::uint32_t tries =
      (is_again(page) ? live_.requested->tries(page) : state().facts().tries(page)) + 1;
  if (tries < rule.tries) {
    retry(page, now + failures_->wait_after(outcome, tries, asked), true);
    ++counts_.retries;
    return;
  }
  if (is_revisit(page)) return fail_visit(page, outcome, fetch, now);
  if (outcome == Outcome::kUnwanted && fetch != nullptr)
    counts_.add_unwanted(BodyTypes::name_of(content_type_of(fetch->head).type));
  const Score score = state().frontier().score(page).value_or(0);
  if (is_kept(outcome, fetch) && keeps(state().url(page), *fetch)) {
    undo_rare_codings(*fetch, rules_.parser.coding);
    StoredFetch stored = stored_fetch(page, state().url(page), outcome, *fetch, score);
    stored.noarchive = head_forbids_archive(stored.response_head, rules_.token);
    store().add_fetch(std::move(stored));
  } else {
    log_page(page, outcome, fetch);
  }
  fail(page, outcome, fetch == nullptr ? 0 : fetch->status);
}

// Whether a failed response is archived: error responses, as users of archives expect, and responses
// whose body is incomplete or cannot be decoded.
bool Crawler::is_kept(Outcome outcome, const FetchOutcome* fetch) const {
  if (fetch == nullptr) return false;
  if (has_partial_body(*fetch)) return fetch->status < 400 || options_.storage.errors;
  if (fetch->end != FetchEnd::kAnswered) return false;
  if (outcome == Outcome::kBadCoding) return true;
  if (!options_.storage.errors) return false;
  switch (outcome) {
    case Outcome::kNotFound:
    case Outcome::kForbidden:
    case Outcome::kTryAgain:
    case Outcome::kTooMany:
    case Outcome::kUnavailable:
    case Outcome::kServerError:
    case Outcome::kOddStatus:
      return true;
    default:
      return false;
  }
}

// Whether --keep allows to store the response.
bool Crawler::keeps(const std::string& url, const FetchOutcome& fetch) const {
  return rules_.keep.all() || rules_.keep.chooses(url, content_type_of(fetch.head).type);
}

// Called after the page was stored: the ordering may need a commit.
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

void Crawler::judge_duplicates(const ParsedPage& parsed) {
  if (!parsed.print || parsed.print->words < kFewWords) return;
  Host& host = hosts()[state().host(parsed.page.page)];
  ++host.judged;
  hosts().mark_changed(state().host(parsed.page.page));
  std::vector<SimhashIndex::Match> matches;
  prints_.find(parsed.print->simhash, matches);
  if (!matches.empty()) {
    ++host.near;
  } else if (prints_.size() < kMostPrints && prints_.bytes() < memory_->prints_limit()) {
    prints_.add(parsed.print->simhash, parsed.page.page);
  }
}

void Crawler::store_page(ParsedPage& parsed, Score score, const std::optional<TopicVerdict>& topic,
                         std::string_view visit) {
  if (!parsed.keeps) return log_page(parsed.page.page, parsed.outcome, &parsed.page.fetch, visit);
  StoredFetch stored =
      stored_fetch(parsed.page.page, std::move(parsed.page.url), parsed.outcome, parsed.page.fetch, score);
  stored.title = std::move(parsed.title);
  stored.digest = parsed.body_digest;
  stored.noarchive = parsed.noarchive;
  if (parsed.noarchive) append_warc_field(stored.metadata, "robots", "noarchive");
  stored.main_text = std::move(parsed.main_text);
  // Canonical URLs contain no line breaks, so they are not checked as in append_warc_field.
  constexpr std::string_view kName = "outlink: ";
  stored.metadata.reserve(stored.metadata.size() + parsed.texts.size() +
                          parsed.links.size() * (kName.size() + 2));
  for (const FoundLink& link : parsed.links)
    stored.metadata.append(kName).append(link.text(parsed.texts)).append("\r\n");
  if (parsed.unreadable > 0) stored.log += fmt::format(",\"unreadable\":{}", parsed.unreadable);
  if (topic)
    stored.log += fmt::format(",\"similarity\":{:.4f},\"on_topic\":{}", topic->similarity, topic->on_topic);
  if (!visit.empty()) stored.log += fmt::format(",\"visit\":\"{}\"", visit);
  store().add_fetch(std::move(stored));
}

// Moves header and body out of `fetch`.
StoredFetch Crawler::stored_exchange(PageId page, std::string url, FetchOutcome& fetch) {
  StoredFetch stored;
  stored.page = page;
  stored.time_us = clock_.wall_us(fetch.started_us);
  stored.request = archived_request(url, refresher_->sent_fields(page), fetch);
  stored.url = std::move(url);
  stored.mime = content_type_of(fetch.head).type;
  stored.status = static_cast<std::uint16_t>(fetch.status);
  stored.response_head = std::move(fetch.head);
  stored.body = std::move(fetch.body);
  if (fetch.address) stored.ip = fetch.address->text();
  stored.decoded = fetch.decoded;
  stored.truncated = truncated_of(fetch);
  if (!fetch.certificate_error.empty())
    append_warc_field(stored.metadata, "certificateError", fetch.certificate_error);
  return stored;
}

StoredFetch Crawler::stored_fetch(PageId page, std::string url, Outcome outcome, FetchOutcome& fetch,
                                  Score score) {
  StoredFetch stored = stored_exchange(page, std::move(url), fetch);
  note_result(page, outcome, &fetch, stored.body.size());
  const ToldScore told = told_score(options_.order.policy, score);
  append_warc_field(stored.metadata, "score", fmt::format("{:.6g}", told.score));
  if (!told.queue.empty()) append_warc_field(stored.metadata, "queue", told.queue);
  if (const PageId via = state().facts().via(page); via != kNoPage)
    append_warc_field(stored.metadata, "via", state().url(via));
  append_warc_field(stored.metadata, "hopsFromSeed", state().facts().hops(page));
  append_warc_field(stored.metadata, "fetchTimeMs",
                    fmt::format("{}", (fetch.ended_us - fetch.started_us) / 1000));
  stored.log = fmt::format("\"outcome\":\"{}\",\"ms\":{},\"depth\":{}", outcome_name(outcome),
                           (fetch.ended_us - fetch.started_us) / 1000, state().facts().depth(page));
  if (!fetch.certificate_error.empty())
    append_json_string(stored.log += ",\"certificate_error\":", fetch.certificate_error);
  return stored;
}

// The request as it was sent, without secret values.
std::string Crawler::archived_request(const std::string& url, std::string_view conditions,
                                      const FetchOutcome& fetch) const {
  FetchRequest request;
  request.url = url;
  request.fields = rules_.fields.for_archive(url);
  constexpr std::string_view kCookies = "Cookie: withheld\r\n";
  if (fetch.with_cookies && !names_same_field(request.fields, kCookies)) request.fields += kCookies;
  if (!fetch.certificate_error.empty()) request.fields = harmless_fields(request.fields);
  request.fields += conditions;
  return fetcher_->request_text(request);
}

// A robots.txt is not a page of the crawl.
void Crawler::store_robots(const std::string& url, FetchOutcome fetch) {
  if (fetch.end != FetchEnd::kAnswered) return;
  undo_rare_codings(fetch, rules_.parser.coding);
  StoredFetch stored = stored_exchange(kNoPage, url, fetch);
  append_warc_field(stored.metadata, "hopsFromSeed", "P");
  store().add_fetch(std::move(stored));
}

// In the format of Heritrix: the time, then a resource record (RFC 1035) per address, with the seconds
// for which we use the answer.
void Crawler::store_dns(const std::string& host, const FetchOutcome& outcome) {
  std::vector<NetAddress> addresses = outcome.other_addresses;
  if (outcome.address) addresses.insert(addresses.begin(), *outcome.address);
  const std::string_view name = std::string_view(host).substr(0, host.rfind(':'));
  if (addresses.empty() || NetAddress::parse(name)) return;
  StoredRecord record;
  record.type = "response";
  record.url = fmt::format("dns:{}", name);
  record.content_type = "text/dns";
  record.time_us = clock_.wall_us(outcome.ended_us);
  record.block = timestamp14(record.time_us) + "\n";
  const std::int64_t seconds =
      std::max<std::int64_t>(0, (outcome.addresses_until_us - outcome.ended_us) / 1'000'000);
  for (const NetAddress& address : addresses)
    record.block +=
        fmt::format("{}.\t{}\tIN\t{}\t{}\n", name, seconds, address.v6 ? "AAAA" : "A", address.text());
  store().add_record(std::move(record));
}

void Crawler::log_page(PageId page, Outcome outcome, const FetchOutcome* fetch, std::string_view visit) {
  note_result(page, outcome, fetch, fetch == nullptr ? 0 : fetch->body.size());
  nlohmann::json line = {{"url", state().url(page)}, {"page", page}, {"outcome", outcome_name(outcome)}};
  if (fetch != nullptr && fetch->status > 0) line["status"] = fetch->status;
  if (fetch != nullptr && !fetch->trouble.empty()) line["trouble"] = fetch->trouble;
  if (!visit.empty()) line["visit"] = visit;
  store().add_log(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace bowerbird
