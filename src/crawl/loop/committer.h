// Commits and snapshots of a crawl, and the warnings that go into its log.
//
// A commit makes everything recorded so far durable, in the store's own thread; a snapshot now and then keeps
// the replay after a restart short. If a snapshot cannot be written the journal has everything still. Before
// a commit the hosts that changed are recorded. Ownership: the crawl outlives it. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "crawl/state/restored_crawl.h"

namespace bowerbird {

class Committer {
 public:
  // interval: between commits, in ms. text: what a commit keeps besides the journal (crawl_status.h).
  Committer(RestoredCrawl& crawl, Time interval, std::function<std::string()> text)
      : crawl_(crawl), interval_(interval), text_(std::move(text)) {}

  // A run begins.
  void begin(Time now) { last_commit_ = last_snapshot_ = now; }
  // All commits so far are durable.
  bool idle() const { return crawl_.store().commits_done() == crawl_.store().commits_asked(); }
  bool is_due(Time now) const { return now - last_commit_ >= interval_ && idle(); }
  bool snapshot_is_due(Time now) const { return now - last_snapshot_ >= kSnapshotEvery; }

  void commit(Time now, bool with_snapshot);
  // Commits and waits for it. Called in the middle of a decision too, so nothing is decided here.
  Status commit_and_wait();

  // Logs what the files of the crawl reported since the last call.
  void add_warnings(std::vector<std::string> texts);
  void log_warnings();
  std::uint64_t warnings_logged() const { return warnings_logged_; }

  static constexpr Time kSnapshotEvery = 300'000;

 private:
  RestoredCrawl& crawl_;
  Time interval_;
  std::function<std::string()> text_;
  Time last_commit_ = 0;
  Time last_snapshot_ = 0;
  std::vector<std::string> warnings_;  // not yet logged
  std::uint64_t warnings_logged_ = 0;
};

}  // namespace bowerbird
