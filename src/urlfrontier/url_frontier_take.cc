// Chooses the next URLs of a UrlFrontier.
#include <algorithm>

#include "urlfrontier/url_frontier_impl.h"

namespace bowerbird {

namespace {

// With a memory limit: how many queues beyond TakeOptions::queues one call skips to find more URLs of those
// that it has chosen.
constexpr std::size_t kMostSkipped = 1024;

}  // namespace

// The better one of the best new page and the best page that is due again.
std::optional<UrlFrontier::Impl::Candidate> UrlFrontier::Impl::best() {
  const auto fresh = main_->best(now_);
  const auto again = revisits_->due().best(now_);
  std::optional<Candidate> found;
  if (fresh) found = {*main_->item(fresh->page), false};
  if (!again) return found;
  const Candidate other{*revisits_->due().item(again->page), true};
  return found && !other.better_than(*found) ? found : other;
}

void UrlFrontier::Impl::lease(const Candidate& candidate, const TakeOptions& options) {
  decide(UrlTaken{candidate.page(), options.lease > 0ms ? now_ + options.lease : kForever});
}

// Whether it is the better of two pages of `main_` and `revisits_`: new ones come first among equals.
bool UrlFrontier::Impl::Candidate::better_than(const Candidate& other) const {
  if (item.score() != other.item.score()) return item.score() > other.item.score();
  return again != other.again ? other.again : item.better_than(other.item);
}

// The best page of a queue, if it may be taken now. Only if the pages are grouped.
std::optional<UrlFrontier::Impl::Candidate> UrlFrontier::Impl::best_of(QueueId id) {
  std::optional<Candidate> found;
  while (const auto fresh = main_->best_of(id, now_)) {
    found = {*fresh, false};
    if (!main_->demote(fresh->page())) break;
    record(PageDemoted{fresh->page()});
  }
  const auto again = revisits_->due().best_of(id, now_);
  if (again && (!found || Candidate{*again, true}.better_than(*found))) found = {*again, true};
  return found;
}

// The pages are grouped by queue as soon as a call needs it. That takes time in proportion to the pages,
// once.
bool UrlFrontier::Impl::group() {
  if (disk_.limited()) return false;
  main_->group_by_host();
  revisits_->due().group_by_host();
  return true;
}

bool UrlFrontier::Impl::may_take(QueueId id, const TakeOptions& options) {
  if (!options.gate) return true;
  const Time opens = options.gate(queues_[id].name);
  if (opens <= now_) return true;
  closed_.held[id] = opens;
  update_gate(id);
  return false;
}

// The rest of a call whose queues are chosen: the best URLs of these.
void UrlFrontier::Impl::take_from(const std::unordered_map<QueueId, std::size_t>& queues,
                                  const TakeOptions& options, std::vector<Candidate>& chosen) {
  const auto worse = [](const Candidate& a, const Candidate& b) { return b.better_than(a); };
  std::vector<Candidate> heap;
  const auto add_best_of = [&](QueueId id) {
    const UrlQueue& queue = queues_[id];
    if (queue.is_over_limit() ||
        (options.per_queue > 0 ? queue.in_process >= options.per_queue : delay_of(queue) > 0ms)) {
      return;
    }
    if (const auto best = best_of(id)) {
      heap.push_back(*best);
      std::push_heap(heap.begin(), heap.end(), worse);
    }
  };
  for (const auto& [id, given] : queues) add_best_of(id);
  while (chosen.size() < options.count && !heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), worse);
    const Candidate candidate = heap.back();
    heap.pop_back();
    const QueueId id = urls_->queue(candidate.page());
    // An ordering may change scores whenever a page is taken.
    const auto now_best = best_of(id);
    if (!now_best) continue;
    if (now_best->page() != candidate.page() || now_best->item.score() != candidate.item.score()) {
      add_best_of(id);
      continue;
    }
    if (!may_take(id, options)) continue;
    lease(candidate, options);
    chosen.push_back(candidate);
    add_best_of(id);
  }
}

void UrlFrontier::Impl::take_best(const TakeOptions& options, std::vector<Candidate>& chosen) {
  std::unordered_map<QueueId, std::size_t> given;
  const bool grouped = options.queues > 0 && options.count > options.queues && group();
  std::size_t skipped = 0;
  while (chosen.size() < options.count && skipped < kMostSkipped) {
    if (grouped && given.size() >= options.queues) break;
    const auto candidate = best();
    if (!candidate) break;
    const QueueId id = urls_->queue(candidate->page());
    const UrlQueue& queue = queues_[id];
    if (options.per_queue > 0 && queue.in_process >= options.per_queue) {
      closed_.full.insert(id);
      update_gate(id);
      continue;
    }
    const bool first = options.count > 1 && !given.contains(id);
    const bool skip = first && options.queues > 0 && given.size() >= options.queues;
    if (skip || queue.is_over_limit() ||
        (!first && options.count > 1 && options.per_queue == 0 && delay_of(queue) > 0ms)) {
      skipped += skip ? 1 : 0;
      closed_.passed.insert(id);
      update_gate(id);
      continue;
    }
    if (!may_take(id, options)) continue;
    call_.chosen = true;
    lease(*candidate, options);
    chosen.push_back(*candidate);
    if (options.count > 1) ++given[id];
  }
  if (grouped) take_from(given, options, chosen);
  const std::unordered_set<QueueId> passed = std::move(closed_.passed);
  closed_.passed.clear();
  for (const QueueId id : passed) update_gate(id);
}

void UrlFrontier::Impl::take_of_queue(QueueId id, const TakeOptions& options,
                                      std::vector<Candidate>& chosen) {
  UrlQueue& queue = queues_[id];
  if (gate_of(id) > now_) return;
  if (options.gate && options.gate(queue.name) > now_) return;
  std::size_t most = options.count;
  if (options.per_queue > 0) {
    most = std::min<std::size_t>(
        most, options.per_queue - std::min<std::size_t>(queue.in_process, options.per_queue));
  } else if (delay_of(queue) > 0ms) {
    most = std::min<std::size_t>(most, 1);
  }
  if (queue.limit > 0) most = std::min<std::size_t>(most, queue.limit - queue.completed - queue.in_process);
  if (group()) {
    while (chosen.size() < most) {
      const auto best = best_of(id);
      if (!best) return;
      lease(*best, options);
      chosen.push_back(*best);
    }
    return;
  }
  std::vector<Candidate> found;
  for (PageId page = 0; page < urls_->size(); ++page) {
    if (urls_->queue(page) != id || is_removed(page)) continue;
    if (main_->state(page) == PageState::kQueued) {
      found.push_back({*main_->item(page), false});
    } else if (revisits_->state(page) == PageState::kQueued) {
      found.push_back({*revisits_->due().item(page), true});
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.better_than(b); });
  found.resize(std::min(found.size(), most));
  for (const Candidate& one : found) lease(one, options);
  chosen.insert(chosen.end(), found.begin(), found.end());
}

// Reopens the queues with too many leased URLs for an earlier call with another limit.
void UrlFrontier::Impl::forget_full(std::size_t per_queue) {
  closed_.full_at = per_queue;
  const std::unordered_set<QueueId> full = std::move(closed_.full);
  closed_.full.clear();
  for (const QueueId id : full) update_gate(id);
}

Result<std::vector<TakenUrl>> UrlFrontier::Impl::take(Time now, const TakeOptions& options) {
  BB_TRY_VOID(begin(now));
  std::vector<Candidate> chosen;
  if (active_) {
    if (options.per_queue != closed_.full_at) forget_full(options.per_queue);
    if (options.queue.empty()) {
      take_best(options, chosen);
    } else if (const auto id = queues_.find(options.queue)) {
      take_of_queue(*id, options, chosen);
    }
  }
  BB_TRY_VOID(finish());
  std::vector<TakenUrl> taken;
  taken.reserve(chosen.size());
  for (const Candidate& one : chosen) {
    const PageId page = one.page();
    BB_TRY(std::string url, urls_->url(page));
    TakenUrl& made = taken.emplace_back();
    made.url = std::move(url);
    made.queue = queues_[urls_->queue(page)].name;
    made.score = one.again ? one.item.score() : priorities_->own_score(page, one.item.score());
    made.again = one.again;
    if (page < records_.size() && records_[page] != 0) {
      BB_TRY(UrlRecord record, record_of(page));
      made.payload = std::move(record.payload);
    }
  }
  return taken;
}

std::optional<Time> UrlFrontier::Impl::next_opening() const {
  if (!active_) return {};
  Time earliest = kForever;
  const auto consider = [&](std::optional<Time> time) {
    if (time) earliest = std::min(earliest, *time);
  };
  consider(main_->next_opening());
  consider(revisits_->due().next_opening());
  consider(revisits_->next_date());
  if (!ends_.empty()) consider(ends_.begin()->first);
  return earliest < kForever ? std::optional(earliest) : std::nullopt;
}

}  // namespace bowerbird
