// Chooses the next URLs of a UrlFrontier.
#include <algorithm>

#include "urlfrontier/url_frontier_impl.h"

namespace bowerbird {

namespace {

// Limit of queues that one call skips. Beyond it, the call returns fewer URLs than it could.
constexpr std::size_t kMostPassed = 4096;

}  // namespace

// The better one of the best new page and the best page that is due again.
std::optional<UrlFrontier::Impl::Candidate> UrlFrontier::Impl::best() {
  const auto fresh = main_->best(now_);
  const auto again = revisits_->due().best(now_);
  if (!fresh && !again) return {};
  const Score fresh_score = fresh ? *main_->score(fresh->page) : 0;
  const Score again_score = again ? *revisits_->due().score(again->page) : 0;
  if (!fresh || (again && again_score > fresh_score)) return Candidate{again->page, again_score, true};
  return Candidate{fresh->page, fresh_score, false};
}

void UrlFrontier::Impl::lease(const Candidate& candidate, const TakeOptions& options) {
  decide(UrlTaken{candidate.page, options.lease > 0 ? now_ + options.lease : kForever});
}

void UrlFrontier::Impl::take_best(const TakeOptions& options, std::vector<Candidate>& chosen) {
  std::unordered_map<QueueId, std::size_t> given;
  const auto pass = [this](QueueId id) {
    closed_.passed.insert(id);
    update_gate(id);
  };
  while (chosen.size() < options.count && closed_.passed.size() < kMostPassed) {
    const auto candidate = best();
    if (!candidate) break;
    const QueueId id = urls_->queue(candidate->page);
    const UrlQueue& queue = queues_[id];
    if (options.per_queue > 0 && queue.in_process >= options.per_queue) {
      closed_.full.insert(id);
      update_gate(id);
      continue;
    }
    const bool first = options.count > 1 && !given.contains(id);
    if (queue.is_over_limit() || (first && options.queues > 0 && given.size() >= options.queues) ||
        (!first && options.count > 1 && options.per_queue == 0 && delay_of(queue) > 0)) {
      pass(id);
      continue;
    }
    if (options.gate) {
      const Time opens = options.gate(queue.name);
      if (opens > now_) {
        closed_.held[id] = opens;
        update_gate(id);
        continue;
      }
    }
    call_.chosen = true;
    lease(*candidate, options);
    chosen.push_back(*candidate);
    if (options.count > 1) ++given[id];
  }
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
  } else if (delay_of(queue) > 0) {
    most = std::min<std::size_t>(most, 1);
  }
  if (queue.limit > 0) most = std::min<std::size_t>(most, queue.limit - queue.completed - queue.in_process);
  std::vector<std::pair<QueueItem, bool>> items;
  for (PageId page = 0; page < urls_->size(); ++page) {
    if (urls_->queue(page) != id || is_removed(page)) continue;
    if (main_->state(page) == PageState::kQueued) {
      items.emplace_back(*main_->item(page), false);
    } else if (revisits_->state(page) == PageState::kQueued) {
      items.emplace_back(*revisits_->due().item(page), true);
    }
  }
  std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) {
    return a.first.score() != b.first.score() ? a.first.score() > b.first.score()
           : a.second != b.second             ? b.second
                                              : a.first.better_than(b.first);
  });
  for (const auto& [item, again] : items) {
    if (chosen.size() >= most) break;
    chosen.push_back({item.page(), item.score(), again});
    lease(chosen.back(), options);
  }
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
    BB_TRY(std::string url, urls_->url(one.page));
    TakenUrl& made = taken.emplace_back();
    made.url = std::move(url);
    made.queue = queues_[urls_->queue(one.page)].name;
    made.score = one.again ? one.score : priorities_->own_score(one.page, one.score);
    made.again = one.again;
    if (one.page < records_.size() && records_[one.page] != 0) {
      BB_TRY(UrlRecord record, record_of(one.page));
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
