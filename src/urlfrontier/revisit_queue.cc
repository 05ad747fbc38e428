#include "urlfrontier/revisit_queue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace bowerbird {

namespace {

// Pages come with a score that never changes.
class FixedScores final : public Policy {
 public:
  Score seed(const Seed&) override { return 0; }
  void give(const Visit&, std::span<OpenLink>) const override {}
};

}  // namespace

Result<std::unique_ptr<RevisitQueue>> RevisitQueue::make(const RevisitQueueOptions& options,
                                                         HostSource queue_of, FactsOf facts_of) {
  std::unique_ptr<RevisitQueue> made(new RevisitQueue(options, std::move(facts_of)));
  FrontierOptions frontier;
  frontier.queue_bytes = options.queue_bytes;
  frontier.spill = options.scores;
  BB_TRY(made->due_, Frontier::make(frontier, std::make_unique<FixedScores>(), {}, std::move(queue_of)));
  if (options.queue_bytes > 0) made->dates_.limit_to(options.queue_bytes, *options.dates);
  return made;
}

void RevisitQueue::schedule(PageId page, Time due) {
  if (!base_) base_ = due;
  dates_.push({page, page, static_cast<double>((*base_ - due).count())});
}

void RevisitQueue::remove(PageId page) {
  if (is_scheduled(page)) {
    dates_.remove(page, dates_.mark(page));
    dates_.set_mark(page, ScoreQueue::kUndiscovered);
  } else if (due_->state(page) == PageState::kInFlight) {
    due_->forget(page);
  } else if (due_->state(page) != PageState::kUndiscovered) {
    due_->release(std::array{page});
  }
}

bool RevisitQueue::wake(Time now) {
  bool any = false;
  while (!dates_.empty() && static_cast<double>(milliseconds_of(*base_)) - dates_.top().score() <=
                                static_cast<double>(milliseconds_of(now))) {
    const PageId page = dates_.top().page();
    dates_.pop();
    dates_.set_mark(page, ScoreQueue::kUndiscovered);
    const Facts facts = facts_of_(page);
    if (facts.due > now && facts.due < kForever) {
      // The date of a spilled page was rounded.
      dates_.push({page, page, static_cast<double>((*base_ - facts.due).count())});
      break;
    }
    if (due_->counts().discovered >= options_.most_numbers) renumber(now);
    due_->adopt(page, false, facts.score);
    any = true;
  }
  return any;
}

// Takes all pages out of `due_` and puts them back in the same order. Takes time in proportion to the pages,
// once in four billion visits.
void RevisitQueue::renumber(Time now) {
  struct OffQueueState {
    PageId page;
    std::optional<Time> due;  // none: in flight
  };
  std::vector<PageId> pages;
  std::vector<OffQueueState> off_queue;
  for (PageId page = 0; page < due_->pages(); ++page) {
    const PageState state = due_->state(page);
    if (state == PageState::kUndiscovered) continue;
    pages.push_back(page);
    if (state != PageState::kQueued) off_queue.push_back({page, due_->due(page)});
  }
  const std::vector<MovedPage> moved = due_->release(pages);
  due_->restart_numbers();
  for (const MovedPage& one : moved) due_->adopt(one.page, false, one.score);
  for (const OffQueueState& one : off_queue) {
    CHECK(due_->take_page({one.page, false}, now));
    if (one.due) due_->retry(one.page, *one.due);
  }
}

std::optional<Time> RevisitQueue::next_date() const {
  if (dates_.empty()) return {};
  return Time{Duration{
      static_cast<std::int64_t>(static_cast<double>(milliseconds_of(*base_)) - dates_.top().score())}};
}

void RevisitQueue::save(ByteWriter& out) const {
  out.put<std::uint8_t>(base_ ? 1 : 0);
  out.put<Time>(base_.value_or(Time{}));
  out.put_array(dates_.hot_items());
  out.put_array(dates_.cold_items());
  dates_.save_runs(out);
  due_->save(out);
}

Status RevisitQueue::load(ByteReader& in) {
  const bool used = in.get<std::uint8_t>() != 0;
  const auto base = in.get<Time>();
  if (used) base_ = base;
  const bool limited = options_.queue_bytes > 0;
  if (limited) dates_.limit_to(std::uint64_t{1} << 62, *options_.dates);
  const auto fits = [this](const QueueItem& item) {
    return item.page() < kMaxPages && dates_.mark(item.page()) == ScoreQueue::kUndiscovered &&
           !std::isnan(item.score());
  };
  for (int part = 0; part < 2; ++part) {
    in.each<QueueItem>([&](const QueueItem& item) {
      if (used && fits(item)) {
        dates_.push(item);
      } else {
        in.reject();
      }
    });
  }
  if (in.ok()) BB_TRY_VOID(dates_.load_runs(in, options_.dates, fits));
  if (limited) dates_.limit_to(options_.queue_bytes, *options_.dates);
  return due_->load(in);
}

}  // namespace bowerbird
