// Pages that are handed out: fetched, passed to the parsers, or tried again.
#include <algorithm>

#include "crawl/loop/crawler.h"
#include "crawl/loop/host_budget.h"
#include "fetch/archived_body.h"
#include "parse/http_head.h"

namespace bowerbird {

namespace {

// A held page that matches a paused pattern is looked at again after this time.
constexpr Duration kHeldWait = 1min;
constexpr std::uint64_t kSitemapBytes = std::uint64_t{50} << 20;

}  // namespace

// The page is in flight; verdict_ says what to do with it.
void Crawler::decide(PageId page, Time now) {
  const HostId id = state().host(page);
  const bool revisit = is_revisit(page);
  switch (verdict_) {
    case Verdict::kFetch:
      if (!revisit || !is_declared_fresh(page, now)) start_page(page, id, now);
      return;
    case Verdict::kUnreachable:
      if (revisit) return fail_visit(page, hosts()[id].trouble, nullptr, now);
      log_page(page, hosts()[id].trouble, nullptr);
      fail(page, hosts()[id].trouble);
      return;
    case Verdict::kForbidden:
      if (revisit) return fail_visit(page, Outcome::kRobots, nullptr, now);
      log_page(page, Outcome::kRobots, nullptr);
      fail(page, Outcome::kRobots);
      return;
    case Verdict::kFetchedBefore:
      complete_from_requisite(page);
      return;
    case Verdict::kSuspended:
      if (revisit) return retry(page, now + kHeldWait, false);
      state().suspend(page);
      return;
    case Verdict::kLeftOut:
      if (revisit) return fail_visit(page, Outcome::kLeftOut, nullptr, now);
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
  if (is_repeated(page)) {
    live_.repeated.erase(page);
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
    if (!is_repeated(page)) request.fields += refresher_->start_request(page);
  } else {
    count_page(page, 1);
  }
  request.addresses = host.addresses;
  request.next_ms = hosts().interval(host).count();
  request.new_connection = state().facts().tries(page) > 0 || live_.requested->tries(page) > 0;
  request.any_type = state().requisites().is_awaited(page);
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

// Updates the host with a response, or the lack of one.
void Crawler::note_answer(HostId id, const FetchOutcome& fetch) {
  Host& host = hosts()[id];
  hosts().ended(host, fetch);
  hosts().mark_changed(id);
  if (fetch.end == FetchEnd::kAnswered) host.delivered = true;
  if (fetch.end == FetchEnd::kNoConnection) host.addresses_until = {};
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
  Outcome outcome = outcome_of(fetch);
  if (is_unwanted_frame(page, outcome, fetch)) outcome = Outcome::kUnwanted;
  run_.last = {page, outcome, fetch.status};
  if (outcome != Outcome::kFetched && outcome != Outcome::kRedirect && outcome != Outcome::kUnwanted &&
      fetch.status != 304)
    run_.failed = run_.last;
  preparer_->note_refusal(fetch);
  if (rule_of(outcome).blame != Blame::kHost) host.failures = 0;
  const bool revisit = is_revisit(page);
  if (revisit && fetch.end == FetchEnd::kAnswered && fetch.status == 304 &&
      refresher_->was_conditional(page)) {
    finish_not_modified(page, fetch, now);
  } else if (outcome == Outcome::kFetched || outcome == Outcome::kRedirect) {
    FetchedPage fetched;
    fetched.page = page;
    fetched.url = state().url(page);
    fetched.sitemap = state().facts().is_sitemap(page);
    fetched.compare = !revisit && options_.selection.traps && is_compared(host, page);
    if (revisit) fetched.last_digest = state().refresh().visits().get(page).digest;
    fetched.received = fetch.body.size();
    run_.read_bytes += fetched.received;
    fetched.fetch = std::move(fetch);
    pool_->add(std::move(fetched));
  } else {
    finish_failed(page, outcome, &fetch, now);
  }
  state().open_gate(id, now);
}

void Crawler::finish_failed(PageId page, Outcome outcome, FetchOutcome* fetch, Time now,
                            std::string_view sniffed_type) {
  const OutcomeRule& rule = rule_of(outcome);
  const HostId id = state().host(page);
  if (fetch != nullptr) {
    counts_.bytes += fetch->body.size();
    count_site_bytes(page, fetch->body.size());
  }
  const bool answered = fetch != nullptr && fetch->end == FetchEnd::kAnswered;
  const std::int64_t asked = answered ? asked_wait_s(fetch->head, milliseconds_of(now) / 1000) : -1;
  failures_->failed(id, outcome, asked, now);
  const std::uint32_t tries =
      (is_repeated(page) ? live_.requested->tries(page) : state().facts().tries(page)) + 1;
  if (tries < rule.tries) {
    retry(page, now + failures_->wait_after(outcome, tries, asked), true);
    ++counts_.retries;
    return;
  }
  if (is_revisit(page)) return fail_visit(page, outcome, fetch, now);
  if (outcome == Outcome::kUnwanted && fetch != nullptr) {
    counts_.add_unwanted(
        BodyTypes::name_of(sniffed_type.empty() ? content_type_of(fetch->head).type : sniffed_type));
  }
  const Score score = state().frontier().score(page).value_or(0);
  const bool frame = fetch != nullptr && is_unwanted_frame(page, outcome, *fetch);
  if (frame || (is_kept(outcome, fetch) && keeps(state().url(page), *fetch))) {
    undo_rare_codings(*fetch, rules_.parser.coding);
    StoredFetch stored = stored_fetch(page, state().url(page), outcome, *fetch, score);
    stored.noarchive = head_forbids_archive(stored.response_head, rules_.token);
    stored.requisite = frame;
    store().add_fetch(std::move(stored));
  } else {
    log_page(page, outcome, fetch);
  }
  if (frame)
    state().end_requisite(page, {false, fetch->truncated ? Outcome::kCutShort : Outcome::kFetched,
                                 RequisiteEnd::Use::kUnwantedPage});
  fail(page, outcome, fetch == nullptr ? 0 : fetch->status);
}

}  // namespace bowerbird
