// Pages that are fetched again, and what is recorded at first visits for that.
#include <algorithm>

#include "base/units.h"
#include "crawl/loop/crawler.h"
#include "parse/http_head.h"

namespace bowerbird {

namespace {

std::string_view visit_text(const PageVisited& visit) {
  switch (static_cast<RefreshOutcome>(visit.outcome)) {
    case RefreshOutcome::kChanged:
      return "changed";
    case RefreshOutcome::kUnchanged:
      return visit.comparable ? "unchanged" : "unknown";
    case RefreshOutcome::kFailed:
      return "failed";
    case RefreshOutcome::kGone:
      return "gone";
  }
  return "";
}

FirstVisit first_visit_of(const VisitRecord& record) {
  return {record.score, record.links,      record.other_host,   record.crawled,
          record.known, record.discovered, record.on_topic != 0};
}

}  // namespace

Status Crawler::begin_refresh() {
  std::unordered_map<PageId, RefreshTime> fetched;
  if (resumed() && refresher_->needs_fetch_times()) {
    BB_TRY(const auto reader, CrawlReader::open(options_.out));
    BB_TRY_VOID(reader->for_each_fetch([&](const FetchEntry& entry) -> Status {
      if (entry.status / 100 == 2) fetched[entry.page] = RefreshTime(Duration(entry.time_us / 1000));
      return {};
    }));
  }
  BB_TRY_VOID(refresher_->begin(std::max(clock_.now(), state().now()), fetched));
  note_pages_not_due();
  return refresher_->holds_more() && resumed() ? find_bodies() : Status();
}

// A round of a crawl that has just ended has nothing to do.
void Crawler::note_pages_not_due() {
  if (!refresher_->is_round()) return;
  const RefreshQueue& queue = *state().refresh().queue();
  const RefreshOptions& options = queue.options();
  std::uint64_t recent = 0;
  queue.for_each([&](PageId, const RefreshFacts& facts) {
    recent += !facts.is_new && facts.since + options.shortest >= options.round ? 1 : 0;
  });
  if (recent == 0 || recent < queue.counts().held) return;
  notes_.list.push_back(
      fmt::format("no page is fetched again: all were fetched less than {} ago (--shortest-interval)",
                  exact_seconds(std::chrono::duration_cast<Seconds>(options.shortest))));
}

// Finds the stored bodies of pages that were fetched before refreshing was on: the records of later 304
// responses refer to them.
Status Crawler::find_bodies() {
  BB_TRY(const auto reader, CrawlReader::open(options_.out));
  BB_TRY_VOID(reader->for_each_fetch([&](const FetchEntry& entry) -> Status {
    if (entry.page < state().pages() && entry.status / 100 == 2 && !entry.revisit)
      state().refresh().visits().set_body(entry.page, static_cast<std::uint64_t>(entry.time_us),
                                          entry.digest);
    return {};
  }));
  return state().status();
}

// Sets the response to which the records of later 304 responses refer: this one if the body has changed,
// otherwise the earlier one with the same body.
void Crawler::note_body(const ParsedPage& parsed, const VisitRecord& known, PageVisited& visit) const {
  if (!parsed.body_digest || !parsed.keeps) return;
  const bool same = known.stored_us > 0 && known.body == *parsed.body_digest;
  visit.stored_us =
      same ? known.stored_us : static_cast<std::uint64_t>(clock_.wall_us(parsed.page.fetch.started_us));
  visit.body.assign(parsed.body_digest->begin(), parsed.body_digest->end());
}

// Whether budgets allow to fetch a new page.
bool Crawler::may_start_new() const {
  if (!refresher_->is_forever()) return true;
  return options_.budget.pages == 0 ||
         counts_.pages + state().frontier().counts().in_flight < options_.budget.pages;
}

// The next page of the refresh queue. Sets nothing_until if there is none.
std::optional<PageId> Crawler::next_of_queue(Time now, const PageGate& gate) {
  const auto want = refresher_->want(now, may_start_new());
  if (!want) {
    state().found_nothing();
    run_.nothing_until = refresher_->next_token(now);
    return {};
  }
  const auto page = state().next_visit(now, *want, gate);
  if (page) {
    refresher_->taken(*page, now);
  } else if (!state().has_changed()) {
    run_.nothing_until = refresher_->nothing_until(*want, now);
  }
  return page;
}

// ---- First visits

void Crawler::note_first_visit(const ParsedPage& parsed, std::uint64_t bytes, Time now) {
  PageVisited visit = refresher_->visit_of(parsed.page.page, parsed.facts, parsed.digest, bytes, {}, now);
  visit.first = true;
  visit.status = static_cast<std::uint16_t>(parsed.page.fetch.status);
  note_body(parsed, {}, visit);
  state().visited(visit);
  refresher_->count_visit();
  if (refresher_->is_on()) list_pages(parsed, now);
}

// The page is tried again later, unless the response says that it is gone.
void Crawler::note_first_failure(PageId page, Outcome outcome) {
  refresher_->count_visit();
  if (!refresher_->is_on() || !state().refresh().knows(page)) return;
  PageVisited visit;
  visit.page = page;
  visit.time = state().refresh().time(state().now());
  visit.first = true;
  visit.outcome =
      static_cast<std::uint8_t>(rule_of(outcome).tries > 1 ? RefreshOutcome::kFailed : RefreshOutcome::kGone);
  state().visited(visit);
}

void Crawler::list_pages(const ParsedPage& parsed, Time now) {
  if (parsed.listed.empty()) return;
  std::vector<PageId> pages;
  pages.reserve(parsed.links.size());
  for (const FoundLink& link : parsed.links) pages.push_back(state().find(link.fingerprint));
  refresher_->list(parsed, pages, now);
}

// ---- Further visits

// Whether the server has declared the page fresh. If so, its visit is postponed.
bool Crawler::is_declared_fresh(PageId page, Time now) {
  if (is_repeated(page) || live_.is_request) return false;
  const Time until = std::max(refresher_->fresh_until(page, now), site_rests_until(page, now));
  if (until <= now) return false;
  refresher_->put_back(page);
  state().postpone_visit(page, until, false);
  return true;
}

void Crawler::finish_visit(ParsedPage parsed, Time now) {
  const PageId page = parsed.page.page;
  VisitRecord known = state().refresh().visits().get(page);
  known.digest = parsed.last_digest;
  const std::uint64_t bytes = parsed.page.received;
  counts_.bytes += bytes;
  counts_.sitemap_unreadable += parsed.unreadable;
  gather_links(parsed);
  PageVisited visit = refresher_->visit_of(page, parsed.facts, parsed.digest, bytes, known, now);
  visit.status = static_cast<std::uint16_t>(parsed.page.fetch.status);
  for (const StoredLink& link : buffers_.links) {
    const bool unseen = (link.flags & kLinkNotFollowed) == 0 &&
                        state().frontier().state(link.page) == PageState::kUndiscovered;
    if (unseen || !known.has_link(link.page)) visit.links.push_back(link);
  }
  if (!visit.links.empty()) {
    visit.visit.push_back(first_visit_of(known));
    // If the first visit failed, its numbers are unknown.
    FirstVisit& first = visit.visit.back();
    if (first.links == 0) first.links = static_cast<std::uint32_t>(buffers_.links.size());
  }
  note_body(parsed, known, visit);
  store_page(parsed, known.score, std::nullopt, visit_text(visit));
  if (requisites_ && parsed.outcome == Outcome::kFetched && parsed.keeps)
    add_requisites(page, true, parsed, now);
  end_repeated(page, parsed.outcome);
  end_visit(visit);
  list_pages(parsed, now);
}

// A 304 confirms the archived copy.
void Crawler::finish_not_modified(PageId page, FetchOutcome& fetch, Time now) {
  const VisitRecord known = state().refresh().visits().get(page);
  AnswerFacts facts = answer_facts(fetch.head);
  if (facts.etag.empty()) facts.etag = known.etag();
  if (facts.modified == 0) facts.modified = static_cast<UnixTime>(known.modified);
  PageVisited visit = refresher_->visit_of(page, facts, known.digest, known.bytes, known, now);
  visit.status = static_cast<std::uint16_t>(fetch.status);
  ++counts_.refresh.not_modified;
  counts_.refresh.bytes_saved += known.bytes;
  if (!rules_.keep.all() && known.stored_us == 0) {  // the page was not stored either
    log_page(page, Outcome::kFetched, &fetch, "not-modified");
    return end_visit(visit);
  }
  StoredFetch stored = stored_fetch(page, state().url(page), Outcome::kFetched, fetch, known.score);
  stored.log += ",\"visit\":\"not-modified\"";
  if (known.stored_us > 0)
    stored.not_modified = NotModified{stored.url, static_cast<std::int64_t>(known.stored_us), known.body};
  store().add_fetch(std::move(stored));
  end_visit(visit);
}

// A page that answers 404 or 410 twice in a row is gone.
void Crawler::fail_visit(PageId page, Outcome outcome, FetchOutcome* fetch, Time now) {
  const VisitRecord known = state().refresh().visits().get(page);
  PageVisited visit;
  visit.page = page;
  visit.time = state().refresh().time(now);
  if (fetch != nullptr) visit.status = static_cast<std::uint16_t>(fetch->status);
  visit.missing = outcome == Outcome::kNotFound ? static_cast<std::uint8_t>(std::min(known.missing + 1, 255))
                                                : std::uint8_t{0};
  const bool gone = visit.missing >= kMissingIsGone || outcome == Outcome::kLeftOut;
  visit.outcome = static_cast<std::uint8_t>(gone ? RefreshOutcome::kGone : RefreshOutcome::kFailed);
  if (fetch != nullptr && is_kept(outcome, fetch) && keeps(state().url(page), *fetch)) {
    StoredFetch stored = stored_fetch(page, state().url(page), outcome, *fetch, known.score);
    stored.log += fmt::format(",\"visit\":\"{}\"", visit_text(visit));
    store().add_fetch(std::move(stored));
  } else {
    log_visit(visit, outcome, fetch);
  }
  end_repeated(page, outcome);
  end_visit(visit);
}

void Crawler::end_visit(const PageVisited& visit) {
  refresher_->end(visit.page);
  refresher_->count_visit();
  if (!refresher_->is_on()) return state().visited(visit);  // a requested page
  VisitCounts& counts = counts_.refresh;
  ++counts.visits;
  switch (static_cast<RefreshOutcome>(visit.outcome)) {
    case RefreshOutcome::kChanged:
      ++counts.changed;
      break;
    case RefreshOutcome::kUnchanged:
      break;
    case RefreshOutcome::kFailed:
      ++counts.failed;
      break;
    case RefreshOutcome::kGone:
      ++counts.gone;
      break;
  }
  state().visited(visit);
}

void Crawler::log_visit(const PageVisited& visit, Outcome outcome, const FetchOutcome* fetch) {
  log_page(visit.page, outcome, fetch, visit_text(visit));
}

}  // namespace bowerbird
