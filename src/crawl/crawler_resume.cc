// How a crawl is kept and found again: commits, snapshots, and the way back.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "crawl/crawl_setup.h"
#include "crawl/crawler.h"
#include "crawl/journal_events.h"
#include "crawl/restore.h"
#include "sys/memory.h"

namespace bowerbird {

Status Crawler::make_brain() {
  spill_ = std::make_unique<SpillFolder>(options_.out + "/" + crawl_files::kSpill,
                                         SpillFolderOptions{options_.durable, true});
  rows_ = std::make_unique<LinkRows>(options_.out);
  hosts_ = nullptr;  // the files of another one go first
  hosts_ = std::make_unique<HostTable>(politeness_of(options_), hosts_of(options_));
  BrainOptions options = brain_options_of(options_);
  options.spill = spill_.get();
  options.known = known_urls_of(options_);
  known_limit_ = options.known.memory;
  queue_limit_ = options.queue_bytes;
  graph_limit_ = options.graph_bytes;
  if (options_.memory > 0) {
    keep_heap_small();
    store_->limit_url_cache(memory_shares(options_.memory).url_cache);
    prints_limit_ = memory_shares(options_.memory).prints;
    bodies_limit_ = memory_shares(options_.memory).bodies;
  }
  BB_TRY(brain_, Brain::make(options, *hosts_, *store_));
  brain_->read_rows_from([this](std::uint64_t row, PageLinks& links) { return read_row(row, links); });
  return {};
}

// Rows that are not in the file yet are put there first: about once for each time that the queue runs empty.
// The brain is in the middle of something, so nothing else is asked of it on the way.
Status Crawler::read_row(std::uint64_t row, PageLinks& links) {
  if (row >= readable_rows_ && store_ != nullptr && brain_->recording()) {
    note_touched_hosts();
    store_->commit(state_text());
    BB_TRY_VOID(store_->wait_for_commits());
    readable_rows_ = brain_->frontier().counts().crawled;
    BB_TRY_VOID(rows_->extend());
  }
  return rows_->read(row, links);
}

void Crawler::log_troubles() {
  std::vector<std::string> all = std::exchange(troubles_, {});
  for (std::string& text : brain_->take_troubles()) all.push_back(std::move(text));
  for (std::string& text : brain_->known().take_reports()) all.push_back(std::move(text));
  for (std::string& text : hosts_->take_troubles()) all.push_back(std::move(text));
  for (const std::string& text : all) {
    const nlohmann::json line = {{"trouble", text}};
    store_->add_log(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  }
  troubles_seen_ += all.size();
}

std::string Crawler::state_text() const {
  const FrontierCounts& frontier = brain_->frontier().counts();
  const double covered = brain_->bound() == nullptr ? -1 : brain_->bound()->covered();
  return counts_to_state(counts_, end_, {frontier.primary + frontier.secondary, memory_use(), covered});
}

void Crawler::note_touched_hosts() {
  for (const HostId id : touched_hosts_) {
    store_->add_event(kEventHost, host_event(*hosts_, id));
    is_touched_[id] = false;
  }
  touched_hosts_.clear();
}

void Crawler::commit(bool with_snapshot) {
  if (sharing_) sharing_->before_commit(clock_now(), idle());
  // The commits before this one are done, and a snapshot among them.
  if (store_->commits_done() == store_->commits_asked()) spill_->end_snapshot();
  note_touched_hosts();
  const std::string state = state_text();
  last_commit_ = clock_now();
  if (with_snapshot) {
    last_snapshot_ = last_commit_;
    Status saved = spill_->begin_snapshot();
    if (saved.ok())
      saved = store_->commit(state, [this](ByteWriter& out) { save_crawl(*hosts_, *brain_, out); });
    if (!saved.ok()) {  // without it the journal has everything still
      troubles_.push_back(fmt::format("no snapshot: {}", saved.error().text));
      spill_->abandon_snapshot();
      store_->commit(state);
    }
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
  Status status = CrawlRestorer(*hosts_, *brain_, token_).restore(*store_);
  if (!status.ok()) {
    // The journal has everything that the snapshot and what it names have.
    const std::string why = status.error().text;
    BB_TRY_VOID(make_brain());
    BB_TRY(const auto reader, CrawlReader::open(options_.out));
    status = CrawlRestorer(*hosts_, *brain_, token_).restore(*reader, false);
    troubles_.push_back(fmt::format("everything was replayed from the journal: {}", why));
    if (!status.ok()) return error("{}: {}", options_.out, why);
  }
  spill_->keep_only_used();
  bound_given_up_ = brain_options_of(options_).bound && brain_->bound() == nullptr;
  if (topic_) {
    BB_TRY_VOID(store_->for_each_terms([this](PageId, const PageTerms& terms) -> Status {
      topic_->heard(terms);
      return {};
    }));
  }
  wall_start_us_ = std::max(wall_start_us_, brain_->now() * 1000);
  return {};
}

// What was under way is to be tried again, and gates that waited for it open at their time.
void Crawler::reopen_hosts() {
  const Time now = std::max(clock_now(), brain_->now());
  for (const PageId page : brain_->frontier().in_flight()) brain_->retry(page, now, false);
  std::uint64_t told = 0;
  for (const HostId id : hosts_->with_gates(now)) {
    tell_gate(id, now);
    if (++told % 1024 == 0) hosts_->tidy(now);
  }
}

}  // namespace bowerbird
