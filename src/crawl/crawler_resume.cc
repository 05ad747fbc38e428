// How a crawl is kept and found again: commits, snapshots, and the way back.
#include <algorithm>

#include "crawl/crawler.h"
#include "crawl/journal_events.h"
#include "crawl/restore.h"

namespace bowerbird {

void Crawler::commit(bool with_snapshot) {
  if (sharing_) sharing_->before_commit(clock_now(), idle());
  for (const HostId id : touched_hosts_) {
    store_->add_event(kEventHost, host_event(*hosts_, id));
    is_touched_[id] = false;
  }
  touched_hosts_.clear();
  const std::string state = counts_to_state(counts_, end_);
  last_commit_ = clock_now();
  if (with_snapshot) {
    store_->commit(state, crawl_snapshot(*hosts_, *brain_));
    last_snapshot_ = last_commit_;
  } else {
    store_->commit(state);
  }
  if (sharing_) sharing_->commit_asked();
}

Status Crawler::restore() {
  CrawlEnd ended = CrawlEnd::kNotYet;
  if (!counts_from_state(store_->state(), counts_, ended) && !store_->state().empty()) {
    return error("{}: the counters of this crawl cannot be read", options_.out);
  }
  run_ms_before_ = counts_.run_ms;
  const Status status = CrawlRestorer(*hosts_, *brain_, token_).restore(*store_);
  if (!status.ok()) return error("{}: {}", options_.out, status.error().text);
  wall_start_us_ = std::max(wall_start_us_, brain_->now() * 1000);
  return {};
}

// What was under way is to be tried again, and gates that waited for it open at their time.
void Crawler::reopen_hosts() {
  const Time now = std::max(clock_now(), brain_->now());
  for (const PageId page : brain_->frontier().in_flight()) brain_->retry(page, now, false);
  for (HostId id = 0; id < hosts_->size(); ++id) tell_gate(id, now);
}

}  // namespace bowerbird
