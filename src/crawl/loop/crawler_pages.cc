// The pages of a crawl on their way: handed out, fetched, read, stored, or tried again.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "crawl/loop/crawler.h"
#include "crawl/loop/host_budget.h"
#include "parse/http_head.h"
#include "policy/told_score.h"

namespace bowerbird {

namespace {

// Pages that are looked at before there is time for other things; most of them are fetched.
constexpr int kMostAtOnce = 10'000;
constexpr std::uint64_t kMostPrints = 1'000'000;
// How long a host whose partition goes to another process is left alone at a time.
constexpr Time kLeavingWait = 500;
constexpr std::uint64_t kSitemapBytes = std::uint64_t{50} << 20;

std::int64_t retry_after(const FetchOutcome* fetch, std::int64_t unix_time) {
  if (fetch == nullptr || fetch->end != FetchEnd::kAnswered) return -1;
  const std::string_view value = head_field(fetch->head, "retry-after");
  return value.empty() ? -1 : parse_retry_after(value, unix_time).value_or(-1);
}

}  // namespace

// ---- out

void Crawler::hand_out(Time now) {
  if (options_.politeness.bandwidth > 0) {
    const auto rate = static_cast<double>(options_.politeness.bandwidth);
    bandwidth_left_ =
        std::min(rate, bandwidth_left_ + rate * static_cast<double>(now - bandwidth_at_) / 1000);
    bandwidth_at_ = now;
  }
  if (!alone_or(session_ && session_->may_work())) return;
  for (int looked_at = 0; looked_at < kMostAtOnce && may_start(); ++looked_at) {
    if (!changed_ && nothing_until_ > now) return;
    const auto page = state().next(now);
    if (!page) {
      if (cross_over()) continue;
      changed_ = false;
      nothing_until_ = state().frontier().next_opening().value_or(kNoTime);
      return;
    }
    consider(*page, now);
  }
}

// A foreign page enters when there is nothing of our own left.
bool Crawler::cross_over() {
  const FrontierCounts& counts = state().frontier().counts();
  return state().fleet() != nullptr && counts.primary == 0 && under_way() == 0 && state().enter_foreign();
}

// The page is in flight and its host's gate is open.
void Crawler::consider(PageId page, Time now) {
  const HostId id = state().host(page);
  const Host& host = hosts()[id];
  if (session_ && session_->leaving(page)) {
    put_back(page, id, now + kLeavingWait);
    return;
  }
  if (host.closed == static_cast<std::uint8_t>(HostEnd::kUnreachable)) {
    fail(page, host.trouble);
    log_page(page, host.trouble, nullptr);
    return;
  }
  if (host.closed != 0 || out_of_budget(id, page)) {
    put_back(page, id, kNoTime);
    return;
  }
  if (left_out(page)) {
    state().exclude(page);
    ++counts_.outcomes[static_cast<std::size_t>(Outcome::kLeftOut)];
    log_page(page, Outcome::kLeftOut, nullptr);
    changed_ = true;
    return;
  }
  CHECK(parse_url(state().url(page), nullptr, url_) == UrlFault::kNone);
  const OriginRules& origin = host.origins[url_.https()];
  if (!host.resolved || !origin.hold(now)) {
    if (!host.preparing) prepare_host(id, url_.https(), now);
    put_back(page, id, hosts().own_gate(id));
    return;
  }
  if (!origin.rules->allows(url_.target())) {
    fail(page, Outcome::kRobots);
    log_page(page, Outcome::kRobots, nullptr);
    return;
  }
  Time earliest = hosts().earliest(id);
  if (earliest <= now) earliest = fleet_slot(id, now);
  if (earliest > now) {
    put_back(page, id, earliest);
    return;
  }
  start_page(page, id, now);
}

bool Crawler::out_of_budget(HostId id, PageId page) {
  if (state().facts().tries(page) > 0) return false;
  Host& host = hosts()[id];
  const HostEnd end = host_end_of(host, hosts().site_pages(host), options_);
  if (end != HostEnd::kNone) ++hosts_ended_[static_cast<std::size_t>(end)];
  host.closed = static_cast<std::uint8_t>(end);
  return end != HostEnd::kNone;
}

void Crawler::put_back(PageId page, HostId id, Time opens) {
  opens = std::max(opens, state().now() + 1);
  state().retry(page, state().now(), false);
  if (hosts()[id].gate != opens) state().set_gate(id, opens);
  changed_ = true;
}

// As if it had not been handed out. Of a host or domain it does not count.
void Crawler::requeue(PageId page) {
  const HostId id = state().host(page);
  if (state().facts().tries(page) == 0) {
    Host& host = hosts()[id];
    for (std::uint32_t* const pages : {&host.pages, &hosts().site_pages(host)}) *pages -= *pages > 0 ? 1 : 0;
    touched(id);
  }
  state().retry(page, state().now(), false);
  changed_ = true;
}

void Crawler::start_page(PageId page, HostId id, Time now) {
  Host& host = hosts()[id];
  if (state().facts().tries(page) == 0) {
    ++host.pages;
    ++hosts().site_pages(host);
  }
  touched(id);
  FetchRequest request;
  request.id = page;
  request.url = state().url(page);
  request.fields = fields_.for_url(request.url);
  request.new_connection = state().facts().tries(page) > 0;
  if (state().facts().is_sitemap(page)) {
    request.any_type = true;
    request.max_body = bodies_limit_ == 0 ? kSitemapBytes : std::min(kSitemapBytes, bodies_limit_);
  }
  fetcher_->start(std::move(request));
  fetching_.emplace(page, now);
  hosts().started(id, after(now));
  tell_gate(id, now);
}

// ---- back

void Crawler::take_page(FetchOutcome fetch, Time now) {
  const auto page = static_cast<PageId>(fetch.id);
  const HostId id = state().host(page);
  fetching_.erase(page);
  fetch_ms_ += (static_cast<double>(fetch.ended_us - fetch.started_us) / 1000 - fetch_ms_) / 8;
  hosts().ended(id, std::max<std::int64_t>(0, fetch.first_byte_us - fetch.started_us) / 1000);
  if (fetch.address && options_.network.proxy.empty())
    hosts().set_address(id, *fetch.address, filter_.named(*fetch.address));
  bandwidth_left_ -= static_cast<double>(fetch.body.size() + fetch.head.size());
  if (state().frontier().state(page) != PageState::kInFlight) {  // it has gone to another process
    tell_gate(id, now);
    return;
  }
  if (is_full()) {
    requeue(page);
    tell_gate(id, now);
    return;
  }
  const Outcome outcome = outcome_of(fetch);
  note_refusal(fetch);
  if (rule_of(outcome).blame != Blame::kHost) hosts()[id].failures = 0;
  if (outcome == Outcome::kFetched || outcome == Outcome::kRedirect) {
    FetchedPage fetched;
    fetched.page = page;
    fetched.url = state().url(page);
    fetched.sitemap = state().facts().is_sitemap(page);
    fetched.judge = options_.selection.traps && to_be_judged(hosts()[id], page);
    read_bytes_ += fetch.body.size();
    fetched.fetch = std::move(fetch);
    pool_->add(std::move(fetched));
  } else {
    finish_failed(page, outcome, &fetch, now);
  }
  tell_gate(id, now);
  touched(id);
}

void Crawler::finish_page(ParsedPage parsed, Time now) {
  const PageId page = parsed.page.page;
  if (state().frontier().state(page) != PageState::kInFlight) return;
  if (is_full()) {
    requeue(page);
    return;
  }
  if (parsed.outcome != Outcome::kFetched && parsed.outcome != Outcome::kRedirect) {
    finish_failed(page, parsed.outcome, &parsed.page.fetch, now);
    return;
  }
  counts_.bytes += parsed.page.fetch.body.size();
  gather_links(parsed);
  const Score score = state().frontier().score(page).value_or(0);
  counts_.links += links_.size();
  if (parsed.outcome == Outcome::kFetched) ++counts_.pages;
  std::optional<TopicVerdict> topic;
  if (topic_ && parsed.terms) topic = topic_->judge(*parsed.terms);
  if (topic && topic->on_topic) ++counts_.on_topic;
  complete(page, parsed.outcome, links_, topic && topic->on_topic);
  judge_duplicates(parsed);
  if (parsed.noarchive) {
    log_page(page, parsed.outcome, &parsed.page.fetch);
  } else {
    if (parsed.terms) store().add_terms(page, *parsed.terms);
    store_page(parsed, score, topic);
  }
}

// The page's links as the store and the frontier know them, into links_.
void Crawler::gather_links(const ParsedPage& parsed) {
  links_.clear();
  const PageId page = parsed.page.page;
  const bool deep = state().facts().depth(page) >= options_.budget.depth;
  const bool redirected_enough = state().facts().redirects(page) >= options_.fetch.redirects;
  const double worth = worth_of_link(page, parsed.links.size());
  for (const FoundLink& link : parsed.links) {
    if (turn_away(link.fingerprint, worth)) continue;
    const PageId to = state().intern(link.fingerprint, link.text(parsed.texts), link.host(parsed.texts));
    std::uint8_t flags = link.flags;
    const bool redirect = (flags & kLinkRedirect) != 0;
    if (redirect && (flags & kLinkOutOfScope) != 0 && state().facts().depth(page) == 0 && redirected_.empty())
      redirected_ = fmt::format("{} redirects to {}", parsed.page.url, link.text(parsed.texts));
    if (redirect ? redirected_enough : deep && !state().facts().belongs(to)) flags |= kLinkTooFar;
    if (const auto rule = exclusion_of(flags, link.scope))
      ++counts_.excluded[static_cast<std::size_t>(*rule)];
    links_.push_back({to, flags});
  }
}

void Crawler::finish_failed(PageId page, Outcome outcome, FetchOutcome* fetch, Time now) {
  const OutcomeRule& rule = rule_of(outcome);
  const HostId id = state().host(page);
  if (fetch != nullptr) counts_.bytes += fetch->body.size();
  const std::int64_t asked = retry_after(fetch, now / 1000);
  if (rule.blame == Blame::kHost) host_failed(id, outcome, asked, now);
  const std::uint32_t tries = state().facts().tries(page) + 1;
  if (tries < rule.tries) {
    const auto wait =
        static_cast<Time>(static_cast<double>(wait_ms(rule, tries, asked)) * options_.politeness.patience);
    state().retry(page, now + wait, true);
    ++counts_.retries;
    changed_ = true;
    return;
  }
  if (outcome == Outcome::kUnwanted && fetch != nullptr)
    counts_.add_unwanted(BodyTypes::name_of(content_type_of(fetch->head).type));
  const Score score = state().frontier().score(page).value_or(0);
  fail(page, outcome, fetch == nullptr ? 0 : fetch->status);
  if (is_kept(outcome, fetch)) {
    store().add_fetch(stored_fetch(page, state().url(page), outcome, *fetch, score));
  } else {
    log_page(page, outcome, fetch);
  }
}

// An answer that says why there is no page belongs into the archive too, as readers of archives expect.
bool Crawler::is_kept(Outcome outcome, const FetchOutcome* fetch) const {
  if (!options_.storage.errors || fetch == nullptr || fetch->end != FetchEnd::kAnswered) return false;
  switch (outcome) {
    case Outcome::kNotFound:
    case Outcome::kForbidden:
    case Outcome::kTryAgain:
    case Outcome::kTooMany:
    case Outcome::kUnavailable:
    case Outcome::kServerError:
    case Outcome::kOddStatus:
      return !head_forbids_archive(fetch->head, token_);
    default:
      return false;
  }
}

void Crawler::complete(PageId page, Outcome outcome, std::span<const StoredLink> links, bool on_topic) {
  const bool failed = outcome != Outcome::kFetched && outcome != Outcome::kRedirect;
  state().complete({page, links, on_topic, failed});
  ++counts_.completed;
  ++counts_.outcomes[static_cast<std::size_t>(outcome)];
  changed_ = true;
}

// For good.
void Crawler::fail(PageId page, Outcome outcome, int status) {
  complete(page, outcome, {});
  if (!is_seed(page)) return;
  counts_.add_failed_seed({state().url(page), status >= 400 ? fmt::format("HTTP {}", status)
                                                            : std::string(rule_of(outcome).what)});
}

// One that was given, or what it redirects to; not a sitemap that robots.txt names.
bool Crawler::is_seed(PageId page) const {
  return state().facts().depth(page) == 0 &&
         (!state().facts().is_sitemap(page) || given_sitemaps_.contains(page));
}

void Crawler::judge_duplicates(const ParsedPage& parsed) {
  if (!parsed.print || parsed.print->words < kFewWords) return;
  Host& host = hosts()[state().host(parsed.page.page)];
  ++host.judged;
  std::vector<SimhashIndex::Match> matches;
  prints_.find(parsed.print->simhash, matches);
  if (!matches.empty()) {
    ++host.near;
  } else if (prints_.size() < kMostPrints && prints_.bytes() < prints_limit_) {
    prints_.add(parsed.print->simhash, parsed.page.page);
  }
}

void Crawler::store_page(ParsedPage& parsed, Score score, const std::optional<TopicVerdict>& topic) {
  StoredFetch stored =
      stored_fetch(parsed.page.page, std::move(parsed.page.url), parsed.outcome, parsed.page.fetch, score);
  // Canonical URLs hold no line breaks, so that they need not be looked for as append_warc_field does.
  constexpr std::string_view kName = "outlink: ";
  stored.metadata.reserve(stored.metadata.size() + parsed.texts.size() +
                          parsed.links.size() * (kName.size() + 2));
  for (const FoundLink& link : parsed.links)
    stored.metadata.append(kName).append(link.text(parsed.texts)).append("\r\n");
  if (topic)
    stored.log += fmt::format(",\"similarity\":{:.4f},\"on_topic\":{}", topic->similarity, topic->on_topic);
  store().add_fetch(std::move(stored));
}

// Takes head and body of the fetch.
StoredFetch Crawler::stored_fetch(PageId page, std::string url, Outcome outcome, FetchOutcome& fetch,
                                  Score score) {
  StoredFetch stored;
  stored.page = page;
  stored.time_us = wall_start_us_ + fetch.started_us - start_us_;
  FetchRequest request;
  request.url = std::move(url);
  request.fields = fields_.for_url(request.url);
  stored.request = fetcher_->request_text(request);
  stored.url = std::move(request.url);
  stored.mime = content_type_of(fetch.head).type;
  stored.status = static_cast<std::uint16_t>(fetch.status);
  stored.response_head = std::move(fetch.head);
  stored.body = std::move(fetch.body);
  if (fetch.address) stored.ip = fetch.address->text();
  if (fetch.truncated) stored.truncated = Truncated::kLength;
  const ToldScore told = told_score(options_.order.policy, score);
  append_warc_field(stored.metadata, "score", fmt::format("{:.6g}", told.score));
  if (!told.queue.empty()) append_warc_field(stored.metadata, "queue", told.queue);
  append_warc_field(stored.metadata, "hopsFromSeed", fmt::format("{}", state().facts().depth(stored.page)));
  stored.log = fmt::format("\"outcome\":\"{}\",\"ms\":{},\"depth\":{}", outcome_name(outcome),
                           (fetch.ended_us - fetch.started_us) / 1000, state().facts().depth(page));
  return stored;
}

void Crawler::log_page(PageId page, Outcome outcome, const FetchOutcome* fetch) {
  nlohmann::json line = {{"url", state().url(page)}, {"page", page}, {"outcome", outcome_name(outcome)}};
  if (fetch != nullptr && fetch->status > 0) line["status"] = fetch->status;
  if (fetch != nullptr && !fetch->trouble.empty()) line["trouble"] = fetch->trouble;
  store().add_log(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace bowerbird
