// Commands to the running crawl, as part of the state.
#include <algorithm>

#include "crawl/state/crawl_state.h"

namespace bowerbird {

bool CrawlState::are_known(std::span<const PageId> pages_named) const {
  return std::ranges::all_of(pages_named, [this](PageId page) { return page < pages(); });
}

bool CrawlState::fits(const PagesRequested& event) const {
  return std::ranges::all_of(event.pages, [this](const RequestedPage& page) {
    return page.page < pages() && page.outcome < kOutcomes;
  });
}

// The refresh queue has to hand out the pages again, and it does not know pages that were given up.
void CrawlState::apply(const PagesRequested& event) {
  control_.apply(event);
  if (!refresh_.is_on()) return;
  for (const RequestedPage& page : event.pages) {
    if (frontier_->state(page.page) == PageState::kDone && !refresh_.knows(page.page))
      refresh_.hold(page.page, RefreshTime{});
  }
}

void CrawlState::apply(const RequestsDropped& event) {
  for (const PageId page : event.pages) control_.drop_request(page);
}

// The pages get depth 1: with depth 0 they would be seeds and extend the scope.
void CrawlState::apply(const PagesEntered& event) {
  std::vector<SeedPage> entering;
  for (const PageId page : event.pages) {
    if (frontier_->state(page) != PageState::kUndiscovered) continue;
    facts_.set_depth(page, 1);
    entering.push_back({page, 1});
  }
  add_light_seeds(std::move(entering));
}

// ---- Suspended pages

void CrawlState::apply(const PageSuspended& event) {
  control_.suspend(event.page, {frontier_->score(event.page).value_or(0), facts_.depth(event.page)});
  frontier_->forget(event.page);
  facts_.exclude(event.page);
  if (refresh_.is_on() && refresh_.knows(event.page)) refresh_.remove(event.page);
}

void CrawlState::apply(const PagesReleased& event) {
  for (const PageId page : event.pages) {
    const SuspendedPage kept = control_.release(page);
    facts_.set_depth(page, kept.depth);
    frontier_->adopt(page, false, kept.score);
    note_discovered(page);
  }
}

bool CrawlState::fits(const PagesReleased& event) const {
  std::vector<PageId> sorted = event.pages;
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end() &&
         std::ranges::all_of(
             sorted, [this](PageId page) { return page < pages() && control_.suspended().contains(page); });
}

// ---- Requested pages

// Whether it is queued in the frontier, or held by the refresh queue and not in flight.
bool CrawlState::can_take(PageId page) const {
  const PageState state = frontier_->state(page);
  if (refresh_.is_on() && refresh_.knows(page))
    return !refresh_.queue()->is_in_flight(page) &&
           (state == PageState::kQueued || state == PageState::kDone);
  return state == PageState::kQueued;
}

void CrawlState::take_now(PageId page) {
  const bool is_new = frontier_->state(page) == PageState::kQueued;
  if (refresh_.is_on() && refresh_.knows(page)) refresh_.take_page(page);
  if (is_new) frontier_->take_page({page, false}, now_);
  control_.drop_request(page);
}

bool CrawlState::take_requested(PageId page, Time now) {
  now = std::max(now, now_);
  if (!can_take(page)) return false;
  record(RequestTaken{now, page});
  now_ = now;
  take_now(page);
  changed_ = true;
  return true;
}

Status CrawlState::replay_event(const RequestTaken& event) {
  if (event.page >= pages() || event.now >= kNever)
    return error("the journal does not match the rest of the folder");
  now_ = std::max(now_, event.now);
  if (!can_take(event.page))
    return error("the journal was written by another version of the program: its order cannot be repeated");
  take_now(event.page);
  return {};
}

}  // namespace bowerbird
