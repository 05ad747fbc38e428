// Refreshing as part of the state: which page is fetched next, new or held, and what a visit changes.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.h"
#include "crawl/state/crawl_state.h"

namespace bowerbird {

namespace {

// A page that the frontier has not released yet is looked at again after this time.
constexpr Duration kSoon = 1s;
constexpr std::uint8_t kLastWant = static_cast<std::uint8_t>(RefreshWant::kHeld);
constexpr std::uint8_t kLastOutcome = static_cast<std::uint8_t>(RefreshOutcome::kGone);
// A page without a rank has the importance of a page without links.
constexpr double kNoRank = 1 - kDamping;

Visit visit_of(const PageVisited& event) {
  Visit visit;
  visit.page = event.page;
  if (event.visit.empty()) return visit;
  const FirstVisit& first = event.visit.front();
  visit.score = first.score;
  visit.links = first.links;
  visit.other_host = first.other_host;
  visit.crawled = first.crawled;
  visit.known = first.known;
  visit.discovered = first.discovered;
  visit.on_topic = first.on_topic;
  return visit;
}

bool is_visit_time(RefreshTime time) {
  return time < kLatestVisit;
}

}  // namespace

bool CrawlState::is_in_flight(PageId page) const {
  return is_first_in_flight(page) || refresh_.is_revisit(page);
}

// ---- Start

// Catches up with what happened while pages were not refreshed: pages that were done since are not new.
void CrawlState::apply(const RefreshStarted& event) {
  now_ = std::max(now_, event.now);
  refresh_.start(event);
  if (!refresh_.is_on()) return;
  for (PageId page = 0; page < pages(); ++page) {
    const PageState state = frontier_->state(page);
    const bool uncrawled = state != PageState::kUndiscovered && state != PageState::kDone;
    if (uncrawled) {
      note_discovered(page);
      if (state != PageState::kInFlight && refresh_.queue()->is_in_flight(page))
        refresh_.postpone(page, now_, false);
    } else if (refresh_.knows(page) && refresh_.is_new(page)) {
      refresh_.remove(page);
    }
  }
}

void CrawlState::apply(const PagesHeld& event) {
  for (const FetchedBefore& held : event.pages) {
    if (!refresh_.knows(held.page)) refresh_.hold(held.page, held.fetched);
  }
}

bool CrawlState::fits(const PagesHeld& event) const {
  return refresh_.is_on() && std::ranges::all_of(event.pages, [this](const FetchedBefore& held) {
           return held.page < pages() && held.fetched < kNeverRefreshed;
         });
}

// A page that has just entered the frontier enters the queue. passed_on: the importance that it gets from
// the page with the link.
void CrawlState::note_discovered(PageId page, double passed_on) {
  if (!refresh_.is_on() || refresh_.knows(page)) return;
  const PageState state = frontier_->state(page);
  if (state == PageState::kUndiscovered || state == PageState::kDone) return;
  refresh_.discovered(page, importance_of(page) + passed_on, now_);
}

// Notes the links in buffers_.links, of which the frontier was told.
void CrawlState::note_links(PageId from) {
  if (!refresh_.is_on()) return;
  const KnownRank* const kept = refresh_.links();
  const double passed_on = kept == nullptr || buffers_.links.empty()
                               ? 0
                               : kDamping * kept->rank(from) / static_cast<double>(buffers_.links.size());
  for (const Link& link : buffers_.links) {
    note_discovered(link.page, passed_on);
    if (counts_links() && refresh_.knows(link.page)) refresh_.count_link(link.page);
  }
}

// ---- Importance

bool CrawlState::counts_links() const {
  if (refresh_.links() != nullptr) return false;
  const RefreshImportance kind = refresh_.importance();
  return kind == RefreshImportance::kBacklinks ||
         (kind != RefreshImportance::kEqual && !frontier_->policy().has_ranks());
}

double CrawlState::importance_of(PageId page) const {
  if (counts_links() || refresh_.importance() == RefreshImportance::kEqual) return 1;
  // Not pages(): during a replay all URLs are known from the start.
  const double least =
      kNoRank / static_cast<double>(std::max<std::uint64_t>(1, frontier_->counts().discovered));
  const KnownRank* const links = refresh_.links();
  return std::max(least, links != nullptr ? links->rank(page) : frontier_->policy().rank(page));
}

void CrawlState::apply(const ImportanceUpdated& event) {
  if (refresh_.links() != nullptr) return stop_keeping_links();
  if (!counts_links()) {
    refresh_.set_importance([this](PageId page) { return importance_of(page); });
  } else if (!event.recount) {
    refresh_.set_importance({});
  } else if (const Status counted = recount_links(); !counted.ok()) {
    warnings_.push_back(
        fmt::format("pages are refreshed as if all were equally important: {}", counted.error().text));
  }
}

// Importance becomes the ordering's, or the number of links among those kept so far.
void CrawlState::stop_keeping_links() {
  const std::unique_ptr<KnownRank> kept = refresh_.take_links();
  if (!counts_links()) return refresh_.set_importance([this](PageId page) { return importance_of(page); });
  const std::vector<std::uint32_t> seen = kept->links_seen();
  refresh_.set_importance([&](PageId page) { return 1.0 + (page < seen.size() ? seen[page] : 0); });
}

// Adds the links of a page to the graph whose PageRank is the importance.
void CrawlState::keep_links(PageId from, std::span<const StoredLink> links) {
  if (refresh_.links() == nullptr || from >= pages()) return;
  std::vector<PageId> followed;
  for (const StoredLink& link : links) {
    if ((link.flags & kLinkNotFollowed) == 0 && link.page < pages()) followed.push_back(link.page);
  }
  refresh_.links()->add_links(from, followed);
}

void CrawlState::apply(const RanksComputed& event) {
  const auto source = static_cast<RanksOf>(event.source);
  const auto fits = [&] { return refresh_.links()->graph_bytes() <= event.most_bytes; };
  if (source == RanksOf::kOrdering) {
    frontier_->recompute_ranks();
    return apply(ImportanceUpdated{event.recount});
  }
  if (source == RanksOf::kStoredLinks) {
    refresh_.keep_links(true);
    const Status read = read_links([&](const PageLinks& row) {
      keep_links(row.page, row.links);
      return fits();
    });
    if (!read.ok()) warnings_.push_back(fmt::format("importance is not PageRank: {}", read.error().text));
    if (!read.ok() || !fits()) refresh_.keep_links(false);
  }
  if (refresh_.links() == nullptr) return apply(ImportanceUpdated{event.recount});
  if (!fits()) return stop_keeping_links();
  refresh_.links()->compute();
  refresh_.set_importance([this](PageId page) { return importance_of(page); });
}

// Importance becomes 1 + the number of links in the log, whatever was counted before.
Status CrawlState::recount_links() {
  std::vector<std::uint32_t> seen(pages());
  BB_TRY_VOID(read_links([&](const PageLinks& row) {
    for (const StoredLink& link : row.links) {
      if (link.page < seen.size() && (link.flags & kLinkNotFollowed) == 0) ++seen[link.page];
    }
    return true;
  }));
  refresh_.set_importance([&](PageId page) { return 1.0 + (page < seen.size() ? seen[page] : 0); });
  return {};
}

// Visits all links seen, page by page, until visit() returns false.
Status CrawlState::read_links(const std::function<bool(const PageLinks&)>& visit) {
  if (!rows_.first) return error("links.log is missing");
  PageLinks row;
  for (std::uint64_t i = 0; i < frontier_->counts().crawled; ++i) {
    BB_TRY_VOID(rows_.first(i, row));
    if (!visit(row)) return {};
  }
  if (refresh_.later_rows() == 0 || !rows_.later) return {};
  bool more = true;
  return rows_.later(refresh_.later_rows(), [&](const PageLinks& later) { more = more && visit(later); });
}

// ---- Choosing pages

// Links that a strategy held back enter when there is no new page left.
std::optional<PageId> CrawlState::next_visit(Time now, RefreshWant want, const PageGate& gate) {
  CHECK(refresh_.is_on());
  now = std::max(now, now_);
  if (frontier_->counts().primary == 0 && frontier_->counts().secondary > 0) return next(now, gate);
  for (;;) {
    const auto best = refresh_.best(now, want);
    if (best && gate) {
      const auto opening = gate(best->page);
      if (!opening || opening->at > now) {
        const Opening until = opening.value_or(now);
        const RefreshBlocked event{
            now,      opening ? best->page : kNoPage,         static_cast<std::uint8_t>(want),
            until.at, static_cast<std::uint8_t>(until.pages), until.gate == kOwnGate};
        record(event);
        now_ = now;
        if (!opening) return {};
        block_visit(event);
        if (until.ends_search) return {};
        continue;
      }
    }
    record(RefreshTaken{now, best ? best->page : kNoPage, static_cast<std::uint8_t>(want)});
    now_ = now;
    changed_ = best.has_value();
    if (!best) return {};
    if (take_visit(*best)) return best->page;
  }
}

// False: the frontier cannot hand out the page.
bool CrawlState::take_visit(const RefreshChoice& choice) {
  refresh_.take(choice);
  if (!choice.is_new || frontier_->take_page({choice.page, false}, now_)) {
    control_.drop_request(choice.page);
    return true;
  }
  if (frontier_->state(choice.page) == PageState::kWaiting) {
    refresh_.postpone(choice.page, now_ + kSoon, false);
  } else {
    refresh_.remove(choice.page);  // the frontier no longer has it
  }
  return false;
}

void CrawlState::block_visit(const RefreshBlocked& event) {
  const auto sides = static_cast<RefreshWant>(event.sides);
  refresh_.block(host(event.page), event.opens, sides);
  if (event.own_gate && sides == RefreshWant::kAny) hosts_[host(event.page)].gate = event.opens;
}

Status CrawlState::replay_event(const RefreshTaken& event) {
  const bool none = event.page == kNoPage;
  if (!refresh_.is_on() || (!none && event.page >= pages()) || event.now >= kNever || event.want > kLastWant)
    return error("the journal does not match the rest of the folder");
  now_ = std::max(now_, event.now);
  const auto best = refresh_.best(now_, static_cast<RefreshWant>(event.want));
  if (none ? best.has_value() : !best || best->page != event.page)
    return error("the journal was written by another version of the program: its order cannot be repeated");
  if (best) take_visit(*best);
  return {};
}

Status CrawlState::replay_event(const RefreshBlocked& event) {
  const bool none = event.page == kNoPage;
  if (!refresh_.is_on() || (!none && event.page >= pages()) || event.now >= kNever ||
      event.want > kLastWant || event.sides > kLastWant)
    return error("the journal does not match the rest of the folder");
  now_ = std::max(now_, event.now);
  const auto best = refresh_.best(now_, static_cast<RefreshWant>(event.want));
  if (none) return {};
  if (!best || best->page != event.page)
    return error("the journal was written by another version of the program: its order cannot be repeated");
  block_visit(event);
  return {};
}

// ---- Visits

void CrawlState::record(const PageVisited& visit) {
  if (store_ == nullptr) return;
  buffers_.event.clear();
  encode_event(visit, now_, buffers_.event);
  store_->add_event(event_number<PageVisited>(), buffers_.event);
  if (!visit.links.empty()) store_->add_later_links(visit.page, visit.links);
}

void CrawlState::apply(const PageVisited& event) {
  const auto outcome = static_cast<RefreshOutcome>(event.outcome);
  facts_.clear_tries(event.page);
  control_.drop_request(event.page);
  refresh_.note_time(event.time);
  VisitRecord record = refresh_.visits().get(event.page);
  record.missing = event.missing;
  if (event.answered) {
    record.visited = event.time;
    record.digest = event.digest;
    record.set_etag(event.etag);
    record.modified = event.modified;
    record.bytes = event.bytes;
    if (event.body.size() == record.body.size()) {
      record.stored_us = event.stored_us;
      std::copy(event.body.begin(), event.body.end(), record.body.begin());
    }
    record.fresh_until = event.fresh_until;
    for (const StoredLink& link : event.links) record.add_link(link.page);
  }
  refresh_.visits().put(event.page, record);
  if (refresh_.is_on()) {
    RefreshVisit visit;
    visit.time = event.time;
    visit.outcome = event.comparable || outcome == RefreshOutcome::kGone || event.first
                        ? outcome
                        : RefreshOutcome::kFailed;
    if (event.changed_at > RefreshTime{}) {
      visit.last_modified = event.changed_at;
      visit.date = event.time;
    }
    refresh_.visited(event.page, visit, event.first);
  }
  if (event.links.empty()) return;
  refresh_.count_later_row();
  keep_links(event.page, event.links);
  for (const StoredLink& link : event.links) {
    if ((link.flags & kLinkNotFollowed) == 0) discover(event.page, link);
  }
  take_followed(event.links);
  if (buffers_.links.empty()) return;
  enter(visit_of(event), buffers_.links);
  note_links(event.page);
}

bool CrawlState::fits(const PageVisited& event) const {
  return event.page < pages() && is_visit_time(std::max({event.time, event.changed_at, event.fresh_until})) &&
         event.outcome <= kLastOutcome && all_known(event.links) &&
         frontier_->state(event.page) == PageState::kDone &&
         (!refresh_.is_on() || refresh_.knows(event.page));
}

void CrawlState::apply(const VisitPostponed& event) {
  if (event.counted) facts_.set_tries(event.page, facts_.tries(event.page) + 1);
  refresh_.postpone(event.page, event.until, true);
}

bool CrawlState::fits(const VisitPostponed& event) const {
  return event.until < kNever && refresh_.is_on() && refresh_.is_revisit(event.page);
}

void CrawlState::apply(const PagesListed& event) {
  std::vector<PageId> due;
  for (const ListedPage& listed : event.pages) {
    VisitRecord record = refresh_.visits().get(listed.page);
    record.listed = listed.modified;
    refresh_.visits().put(listed.page, record);
    if (listed.due) due.push_back(listed.page);
  }
  if (refresh_.is_on() && !due.empty()) refresh_.announced(event.host, due, event.now);
}

bool CrawlState::fits(const PagesListed& event) const {
  return event.host < hosts_.size() && is_visit_time(event.now) &&
         std::ranges::all_of(event.pages, [&](const ListedPage& listed) {
           return listed.page < pages() && host(listed.page) == event.host;
         });
}

}  // namespace bowerbird
