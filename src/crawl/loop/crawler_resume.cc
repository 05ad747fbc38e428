// How a crawl is kept and found again: commits, snapshots, and the way back.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "crawl/loop/crawler.h"
#include "crawl/state/events.h"
#include "crawl/state/restored_crawl.h"
#include "crawl/state/state_setup.h"
#include "sys/memory.h"

namespace bowerbird {

// Puts all rows of links.log into the file. Called in the middle of a decision, so nothing else is decided.
Status Crawler::write_rows() {
  record_touched_hosts();
  store().commit(state_text());
  return store().wait_for_commits();
}

void Crawler::log_warnings() {
  for (std::string& text : state().take_warnings()) warnings_.push_back(std::move(text));
  for (const std::string& text : warnings_) {
    const nlohmann::json line = {{"trouble", text}};
    store().add_log(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  }
  warnings_logged_ += warnings_.size();
  warnings_.clear();
}

std::string Crawler::state_text(CrawlEnd end) const {
  const FrontierCounts& frontier = state().frontier().counts();
  const double guaranteed = state().bound() == nullptr ? -1 : state().bound()->covered();
  return counts_to_state(counts_, end, {frontier.primary + frontier.secondary, memory_use(), guaranteed});
}

void Crawler::record_touched_hosts() {
  for (const HostId id : touched_hosts_) {
    state().record_host(id);
    is_touched_[id] = false;
  }
  touched_hosts_.clear();
}

void Crawler::commit(bool with_snapshot) {
  if (session_) session_->before_commit(clock_now(), idle());
  // The commits before this one are done, and a snapshot among them.
  if (store().commits_done() == store().commits_asked()) crawl_->spill().end_snapshot();
  record_touched_hosts();
  const std::string text = state_text();
  last_commit_ = clock_now();
  if (with_snapshot) {
    last_snapshot_ = last_commit_;
    Status saved = crawl_->spill().begin_snapshot();
    if (saved.ok()) saved = store().commit(text, [this](ByteWriter& out) { state().save(out); });
    if (!saved.ok()) {  // without it the journal has everything still
      warnings_.push_back(fmt::format("no snapshot: {}", saved.error().text));
      crawl_->spill().abandon_snapshot();
      store().commit(text);
    }
  } else {
    store().commit(text);
  }
  if (session_) session_->commit_asked();
}

Status Crawler::restore() {
  BB_TRY_VOID(crawl_->restore());
  crawl_->set_row_writer([this] { return write_rows(); });
  warnings_ = crawl_->take_warnings();
  const CrawlStateOptions limits = state_options_of(options_);
  known_limit_ = known_urls_of(options_).memory;
  queue_limit_ = limits.queue_bytes;
  graph_limit_ = limits.graph_bytes;
  if (options_.memory.budget > 0) {
    prints_limit_ = memory_shares(options_.memory.budget).prints;
    bodies_limit_ = memory_shares(options_.memory.budget).bodies;
  }
  if (!resumed_) return {};
  counts_ = crawl_->counts();
  run_ms_before_ = counts_.run_ms;
  bound_given_up_ = limits.bound && state().bound() == nullptr;
  if (topic_) {
    BB_TRY_VOID(store().for_each_terms([this](PageId, const PageTerms& terms) -> Status {
      topic_->heard(terms);
      return {};
    }));
  }
  wall_start_us_ = std::max(wall_start_us_, state().now() * 1000);
  return {};
}

// What was under way is queued again, and gates that waited for it open at their time.
void Crawler::reopen_hosts() {
  const Time now = std::max(clock_now(), state().now());
  for (const PageId page : state().frontier().in_flight()) requeue(page);
  std::uint64_t told = 0;
  for (const HostId id : hosts().with_gates(now)) {
    tell_gate(id, now);
    if (++told % 1024 == 0) hosts().tidy(now);
  }
}

}  // namespace bowerbird
