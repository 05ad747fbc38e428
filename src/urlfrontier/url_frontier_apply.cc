// Applies the events of a UrlFrontier.
#include <algorithm>
#include <array>
#include <unordered_set>

#include "store/known_urls.h"
#include "urlfrontier/url_frontier_impl.h"

namespace bowerbird {

namespace {

// Maximum number of links that wait for their parents. Further ones are treated as links without a
// parent.
constexpr std::uint64_t kMostCollected = std::uint64_t{32} << 20;

}  // namespace

// ---- Time and gates

// Expires leases and wakes pages that are due. Called at the start of every call, so a replay does it
// with each frame.
bool UrlFrontier::Impl::advance(Time now) {
  now_ = std::max(now_, now);
  bool any = false;
  while (!ends_.empty() && ends_.begin()->first <= now_) {
    const PageId page = ends_.begin()->second;
    end_lease(page);
    put_back(page, now_);
    ++counts_.expired;
    any = true;
  }
  any = revisits_->wake(now_) || any;
  main_->wait_until(now_);
  revisits_->due().wait_until(now_);
  update_gates();
  return any;
}

Time UrlFrontier::Impl::gate_of(QueueId id) const {
  return closed_.full.contains(id) || closed_.passed.contains(id) ? kForever : opening_of(id);
}

Time UrlFrontier::Impl::opening_of(QueueId id) const {
  const UrlQueue& queue = queues_[id];
  if (queue.is_over_limit()) return kForever;
  Time opens = queue.blocked_until;
  const Duration delay = delay_of(queue);
  if (queue.served >= Time{} && delay > 0ms) opens = std::max(opens, queue.served + delay);
  if (!closed_.held.empty()) {
    const auto held = closed_.held.find(id);
    if (held != closed_.held.end()) opens = std::max(opens, held->second);
  }
  return opens;
}

void UrlFrontier::Impl::update_gate(QueueId id) {
  const Time opens = gate_of(id);
  if (opens == queues_[id].gate) return;
  queues_[id].gate = opens;
  main_->set_gate(id, opens);
  revisits_->due().set_gate(id, opens);
}

void UrlFrontier::Impl::update_gates() {
  for (const QueueId id : call_.touched) update_gate(id);
  call_.touched.clear();
}

// ---- Helpers

bool UrlFrontier::Impl::all_pages(const std::vector<PageId>& pages) const {
  return std::all_of(pages.begin(), pages.end(), [this](PageId page) { return page < urls_->size(); });
}

// A deleted page was found again. Returns whether the ordering has counted it as crawled.
bool UrlFrontier::Impl::bring_back(PageId page) {
  if (!is_removed(page)) return false;
  removed_[page / 64] &= ~(std::uint64_t{1} << page % 64);
  UrlQueue& queue = queues_[urls_->queue(page)];
  if (queue.urls++ == 0) ++counts_.queues;
  ++counts_.urls;
  if (main_->state(page) != PageState::kDone) return false;
  ++queue.completed;
  ++counts_.completed;
  schedule_again(page, now_);
  return true;
}

// Hides a URL that is only known by a link that is not followed.
void UrlFrontier::Impl::hide(PageId page) {
  if (is_removed(page) || main_->state(page) != PageState::kUndiscovered) return;
  removed_.grow_to(page / 64 + 1);
  removed_[page / 64] |= std::uint64_t{1} << page % 64;
  if (--queues_[urls_->queue(page)].urls == 0) --counts_.queues;
  --counts_.urls;
}

void UrlFrontier::Impl::schedule_again(PageId page, Time due) {
  revisits_->schedule(page, due);
  ++queues_[urls_->queue(page)].again;
}

void UrlFrontier::Impl::forget_again(PageId page) {
  if (!revisits_->contains(page)) return;
  revisits_->remove(page);
  --queues_[urls_->queue(page)].again;
}

void UrlFrontier::Impl::distinct(std::vector<PageId>& pages) {
  std::size_t kept = 0;
  if (pages.size() <= 24) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const auto end = pages.begin() + static_cast<std::ptrdiff_t>(kept);
      if (std::find(pages.begin(), end, pages[i]) == end) pages[kept++] = pages[i];
    }
  } else {
    std::unordered_set<PageId> seen;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (seen.insert(pages[i]).second) pages[kept++] = pages[i];
    }
  }
  pages.resize(kept);
}

std::vector<Link> UrlFrontier::Impl::links_of(PageId from, const std::vector<PageId>& pages) const {
  std::vector<Link> links;
  links.reserve(pages.size());
  const QueueId own = urls_->queue(from);
  for (const PageId page : pages) links.push_back({page, urls_->queue(page) != own});
  return links;
}

// Each page gets the weight of an average page.
void UrlFrontier::Impl::enter_light(const std::vector<PageId>& pages) {
  std::vector<SeedPage> seeds;
  for (const PageId page : pages) {
    if (main_->state(page) == PageState::kUndiscovered) seeds.push_back({page, 1, true});
  }
  if (seeds.empty()) return;
  const std::uint64_t all = std::max(options_.expected_pages, main_->counts().discovered);
  main_->seed(seeds, static_cast<double>(std::max<std::uint64_t>(all, seeds.size())));
}

// Adds links of a completed page, with the worth they would have had at its completion, if the ordering
// supports that.
void UrlFrontier::Impl::add_late(PageId parent, const std::vector<PageId>& links) {
  if (links.empty()) return;
  if (main_->policy().travels()) {
    const auto record = record_of(parent);
    if (!record.ok() && status_.ok()) status_ = record.error();
    if (record.ok() && record->visit) {
      const std::vector<Link> late = links_of(parent, links);
      Visit visit = *record->visit;
      if (visit.links == 0) {  // it had none, so these share its worth
        visit.links = static_cast<std::uint32_t>(late.size());
        visit.other_host = static_cast<std::uint32_t>(std::ranges::count_if(late, &Link::other_host));
      }
      main_->receive(visit, late);
      return;
    }
  }
  enter_light(links);
}

// Takes a page that is not completed, in any state, out of the queue.
bool UrlFrontier::Impl::put_in_flight(PageId page) {
  if (main_->state(page) == PageState::kUndiscovered) enter_light({page});
  if (main_->state(page) == PageState::kWaiting) main_->end_wait(page);
  if (main_->state(page) == PageState::kInFlight) return true;
  return main_->take_page({page, false}, now_);
}

void UrlFrontier::Impl::end_lease(PageId page) {
  const auto lease = leases_.find(page);
  if (lease == leases_.end()) return;
  ends_.erase({lease->second, page});
  leases_.erase(lease);
  const QueueId queue = urls_->queue(page);
  --queues_[queue].in_process;
  --counts_.in_process;
  if (!closed_.full.empty()) closed_.full.erase(queue);
  call_.touched.push_back(queue);
}

void UrlFrontier::Impl::put_back(PageId page, Time due) {
  if (main_->state(page) == PageState::kInFlight) {
    main_->retry(page, due);
  } else if (revisits_->state(page) == PageState::kInFlight) {
    revisits_->due().retry(page, due);
  }
}

void UrlFrontier::Impl::set_location(PageId page, RecordAt at) {
  const auto unuse = [this](RecordAt old) {
    if (old != 0 && !options_.folder.empty()) --segments_[UrlJournal::segment_of(old)].current;
  };
  if (at == 0) {
    if (page >= records_.size()) return;
    unuse(records_[page]);
  } else {
    records_.grow_to(std::size_t{page} + 1);
    unuse(records_[page]);
    if (!options_.folder.empty()) {
      SegmentUse& use = segments_[UrlJournal::segment_of(at)];
      ++use.records;
      ++use.current;
    }
  }
  records_[page] = at;
}

// ---- Events

bool UrlFrontier::Impl::apply(const QueueAdded& event) {
  if (queues_.find(event.name)) return false;
  queues_.add(event.name);
  return true;
}

bool UrlFrontier::Impl::apply(const UrlAdded& event) {
  if (event.queue >= queues_.size()) return false;
  const std::uint64_t fingerprint = KnownUrls::fingerprint(event.url);
  if (urls_->find(fingerprint) != kNoPage) return false;
  const PageId page = urls_->add(fingerprint, event.url, event.queue);
  directories_.add(page, event.url);
  if (queues_[event.queue].urls++ == 0) ++counts_.queues;
  ++counts_.urls;
  return true;
}

bool UrlFrontier::Impl::apply(const SeedsEntered& event) {
  if (!all_pages(event.pages) || (!event.light && event.weights.size() != event.pages.size())) return false;
  for (const PageId page : event.pages) bring_back(page);
  if (event.light) {
    enter_light(event.pages);
    return true;
  }
  std::vector<SeedPage> seeds;
  for (std::size_t i = 0; i < event.pages.size(); ++i) {
    if (!(event.weights[i] >= 0)) return false;
    seeds.push_back({event.pages[i], event.weights[i]});
  }
  main_->seed(seeds, event.total);
  return true;
}

bool UrlFrontier::Impl::apply(const LinksFound& event) {
  if (!all_pages(event.links)) return false;
  counts_.links += event.links.size();
  for (const PageId page : event.links) bring_back(page);
  const bool is_open = event.parent < urls_->size() && main_->state(event.parent) != PageState::kDone;
  if (event.parent == kNoPage || (is_open && counts_.collected + event.links.size() > kMostCollected)) {
    counts_.links_without_parent += event.links.size();
    enter_light(event.links);
    return true;
  }
  if (event.parent >= urls_->size()) return false;
  if (!is_open) {
    add_late(event.parent, event.links);
    return true;
  }
  std::vector<PageId>& links = collected_[event.parent];
  counts_.collected += event.links.size();
  links.insert(links.end(), event.links.begin(), event.links.end());
  return true;
}

bool UrlFrontier::Impl::apply(const UrlTaken& event) {
  if (!is_known(event.page) || is_leased(event.page)) return false;
  const bool again = main_->state(event.page) == PageState::kDone;
  Frontier& frontier = again ? revisits_->due() : *main_;
  if (std::exchange(call_.chosen, false)) {
    frontier.take({event.page, false});
  } else {
    // Calls best() as the original call did, because an ordering may change in it.
    const auto best = frontier.best(now_);
    if (best && best->page == event.page) {
      frontier.take(*best);
    } else if (!frontier.take_page({event.page, false}, now_)) {
      return false;
    }
  }
  leases_[event.page] = event.until;
  if (event.until < kForever) ends_.emplace(event.until, event.page);
  const QueueId queue = urls_->queue(event.page);
  ++queues_[queue].in_process;
  ++counts_.in_process;
  queues_[queue].served = now_;
  call_.touched.push_back(queue);
  return true;
}

bool UrlFrontier::Impl::apply(const UrlCompleted& event) {
  if (event.page >= urls_->size() || !all_pages(event.links)) return false;
  const PageId page = event.page;
  call_.visit.reset();
  end_lease(page);
  bring_back(page);
  counts_.links += event.links.size();
  std::vector<PageId> links;
  if (const auto found = collected_.find(page); found != collected_.end()) {
    counts_.collected -= found->second.size();
    links = std::move(found->second);
    collected_.erase(found);
  }
  links.insert(links.end(), event.links.begin(), event.links.end());
  distinct(links);
  for (const PageId link : links) bring_back(link);
  if (!all_pages(event.unfollowed) || !all_pages(event.hidden)) return false;
  if (main_->state(page) == PageState::kDone) {
    forget_again(page);
    add_late(page, links);
  } else {
    if (!put_in_flight(page)) return false;
    std::vector<Link> with = links_of(page, links);
    for (Link link : links_of(page, event.unfollowed)) {
      if (std::find(links.begin(), links.end(), link.page) != links.end()) continue;
      link.route = LinkRoute::kDropped;
      with.push_back(link);
    }
    call_.visit = main_->complete(page, with);
    call_.visit->score = priorities_->own_score(page, call_.visit->score);
    priorities_->forget(page);
    ++queues_[urls_->queue(page)].completed;
    ++counts_.completed;
  }
  for (const PageId one : event.hidden) hide(one);
  if (event.due < kForever) schedule_again(page, event.due);
  call_.touched.push_back(urls_->queue(page));
  return true;
}

bool UrlFrontier::Impl::apply(const PriorityGiven& event) {
  constexpr std::int64_t kMost = 0x7fffffff;
  if (event.page >= urls_->size() || event.priority > kMost || event.priority < -kMost) return false;
  const auto priority = static_cast<std::int32_t>(event.priority);
  const PageState state = main_->state(event.page);
  if (state == PageState::kDone) return true;
  if (state == PageState::kQueued) {
    const Score own = priorities_->own_score(event.page, *main_->score(event.page));
    priorities_->set_priority(event.page, priority);
    main_->change_score(event.page, priorities_->put(event.page, own));
    return true;
  }
  if (state != PageState::kUndiscovered) return true;
  priorities_->set_priority(event.page, priority);
  return true;
}

bool UrlFrontier::Impl::apply(const PageDemoted& event) {
  if (event.page >= urls_->size() || main_->state(event.page) != PageState::kQueued) return false;
  main_->demote(event.page);  // a replay may have lowered it already
  return true;
}

bool UrlFrontier::Impl::apply(const UrlRetried& event) {
  if (!is_leased(event.page)) return false;
  end_lease(event.page);
  put_back(event.page, event.due);
  return true;
}

bool UrlFrontier::Impl::apply(const LeaseChanged& event) {
  const auto lease = leases_.find(event.page);
  if (lease == leases_.end()) return false;
  ends_.erase({lease->second, event.page});
  lease->second = event.until;
  if (event.until < kForever) ends_.emplace(event.until, event.page);
  return true;
}

bool UrlFrontier::Impl::apply(const UrlsRemoved& event) {
  std::vector<PageId> from_main;
  for (const PageId page : event.pages) {
    if (!is_known(page) || !remove_one(page, from_main)) return false;
  }
  if (!from_main.empty()) main_->release(from_main);
  // Links that waited for a deleted page enter without a parent.
  for (const PageId page : event.pages) {
    const auto found = collected_.find(page);
    if (found == collected_.end()) continue;
    std::vector<PageId> links = std::move(found->second);
    collected_.erase(found);
    counts_.collected -= links.size();
    counts_.links_without_parent += links.size();
    std::erase_if(links, [this](PageId link) { return is_removed(link); });
    distinct(links);
    enter_light(links);
  }
  return true;
}

bool UrlFrontier::Impl::remove_one(PageId page, std::vector<PageId>& from_main) {
  end_lease(page);
  UrlQueue& queue = queues_[urls_->queue(page)];
  if (main_->state(page) == PageState::kDone) {
    forget_again(page);
    --queue.completed;
    --counts_.completed;
  } else {
    from_main.push_back(page);
  }
  priorities_->forget(page);
  removed_.grow_to(page / 64 + 1);
  removed_[page / 64] |= std::uint64_t{1} << page % 64;
  set_location(page, 0);
  if (--queue.urls == 0) --counts_.queues;
  --counts_.urls;
  ++counts_.deleted;
  call_.touched.push_back(urls_->queue(page));
  return true;
}

bool UrlFrontier::Impl::apply(const UrlScheduled& event) {
  if (!is_known(event.page) || main_->state(event.page) != PageState::kDone || is_leased(event.page))
    return false;
  forget_again(event.page);
  if (event.due < kForever) schedule_again(event.page, event.due);
  return true;
}

bool UrlFrontier::Impl::apply(const QueueChanged& event) {
  if (event.queue >= queues_.size()) return false;
  UrlQueue& queue = queues_[event.queue];
  queue.delay = event.delay;
  queue.blocked_until = event.blocked_until;
  queue.limit = event.limit;
  call_.touched.push_back(event.queue);
  return true;
}

bool UrlFrontier::Impl::apply(const SettingsChanged& event) {
  active_ = event.active;
  if (event.delay == delay_) return true;
  delay_ = event.delay;
  for (QueueId id = 0; id < queues_.size(); ++id) {
    if (queues_[id].delay < 0ms && queues_[id].served >= Time{}) call_.touched.push_back(id);
  }
  return true;
}

}  // namespace bowerbird
