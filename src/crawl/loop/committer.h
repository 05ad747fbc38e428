// Commits and snapshots of a crawl, and the warnings for its log.
//
// A commit makes everything recorded so far durable; the store's thread does it. A snapshot every few
// minutes keeps the replay at a restart short. If it cannot be written, the journal still has everything.
// Changed hosts are recorded before each commit. Ownership: the crawl outlives the Committer. Threads:
// one, the crawl's.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/time.h"
#include "crawl/state/restored_crawl.h"

namespace bowerbird {

class Committer {
 public:
  // interval: between commits. text: what is stored with each commit besides the journal
  // (crawl_status.h).
  Committer(RestoredCrawl& crawl, Duration interval, std::function<std::string()> text)
      : crawl_(crawl), interval_(interval), text_(std::move(text)) {}

  // Call at the beginning of a run.
  void begin(Time now) { last_commit_ = last_snapshot_ = now; }
  // Whether all commits so far are durable.
  bool idle() const { return crawl_.store().commits_done() == crawl_.store().commits_asked(); }
  bool is_due(Time now) const { return now - last_commit_ >= interval_ && idle(); }
  bool snapshot_is_due(Time now) const { return now - last_snapshot_ >= kSnapshotEvery; }

  void commit(Time now, bool with_snapshot);
  // Commits and waits. May be called in the middle of a decision, so it decides nothing itself.
  Status commit_and_wait();

  // Adds warnings to the log: reports about the crawl's files since the last call.
  void add_warnings(std::vector<std::string> texts);
  void log_warnings();
  std::uint64_t warnings_logged() const { return warnings_logged_; }

  static constexpr Duration kSnapshotEvery = 5min;

 private:
  RestoredCrawl& crawl_;
  Duration interval_;
  std::function<std::string()> text_;
  Time last_commit_{};
  Time last_snapshot_{};
  std::vector<std::string> warnings_;  // not yet logged
  std::uint64_t warnings_logged_ = 0;
};

}  // namespace bowerbird
