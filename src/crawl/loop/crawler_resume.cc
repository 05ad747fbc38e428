// How a crawl is restored, and committed.
#include <algorithm>

#include "crawl/loop/crawler.h"
#include "crawl/state/state_setup.h"

namespace bowerbird {

std::string Crawler::state_text(CrawlEnd end) const {
  const FrontierCounts& frontier = state().frontier().counts();
  const double guaranteed = state().bound() == nullptr ? -1 : state().bound()->covered();
  CrawlMoment moment;
  moment.queued = frontier.primary + frontier.secondary;
  moment.requisites_pending = state().requisites().pending().size();
  if (requisites_ || moment.requisites_pending + counts_.requisites.done() > 0) {
    const CompletePages& complete = state().requisites().complete_pages();
    moment.lacking = PagesLacking{complete.incomplete(), complete.waiting()};
  }
  moment.memory = memory_use();
  moment.guaranteed = guaranteed;
  return counts_to_state(counts_, end, moment);
}

void Crawler::commit(bool with_snapshot) {
  if (session_) session_->before_commit(clock_.now(), idle());
  run_.meter.begin(state().frontier().recomputations());
  committer_->commit(clock_.now(), with_snapshot);
  if (const Status saved = rules_.cookies->save(); !saved.ok()) state().add_warning(saved.error().text);
  if (with_snapshot) run_.meter.end_snapshot(counts_.longest);
  if (session_) session_->commit_asked();
}

Status Crawler::restore() {
  BB_TRY_VOID(crawl_->restore());
  crawl_->set_row_writer([this] { return committer_->commit_and_wait(); });
  committer_->add_warnings(crawl_->take_warnings());
  if (!resumed()) return {};
  counts_ = crawl_->counts();
  run_.ms_before = counts_.run_ms;
  run_.pages_before = counts_.pages;
  run_.bytes_before = counts_.bytes;
  memory_->set_bound_dropped(state_options_of(options_).bound && state().bound() == nullptr);
  if (topic_) {
    BB_TRY_VOID(store().for_each_terms([this](PageId, const PageTerms& terms) -> Status {
      topic_->add(terms);
      return {};
    }));
  }
  clock_.begin_after(state().now());
  return {};
}

void Crawler::requeue_all() {
  live_.repeated.clear();
  for (const PageId page : state().frontier().in_flight()) requeue(page);
  const std::set<PageId> revisits = state().refresh().revisits();
  for (const PageId page : revisits) requeue(page);
}

// Queues the pages again that were in flight when the last run ended, and opens the gates that waited for
// these requests.
void Crawler::reopen_hosts() {
  const Time now = std::max(clock_.now(), state().now());
  hosts().resume_at(now);
  requeue_all();
  std::uint64_t opened = 0;
  for (const HostId id : hosts().with_gates(now)) {
    state().open_gate(id, now);
    if (++opened % 1024 == 0) hosts().tidy(now);
  }
}

}  // namespace bowerbird
