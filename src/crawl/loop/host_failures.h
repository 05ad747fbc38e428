// Host failures: a host waits longer after each failure, and is given up after too many.
//
// The outcome table says how long it waits, and for which outcomes the host is to blame. A host that was
// given up, or whose budget is used up, is closed for this run. Ownership: the state outlives it. Threads:
// one, the crawl's.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "crawl/judge/outcome_table.h"
#include "crawl/state/crawl_state.h"

namespace bowerbird {

class HostFailures {
 public:
  // patience: a factor of the outcome table's waits.
  HostFailures(CrawlState& state, double patience) : state_(state), patience_(patience) {}

  void set_patience(double patience) { patience_ = patience; }
  // The host may be asked again.
  void reopen(HostId id);
  // retry_after: the wait that the server asked for, in seconds, or -1. Failures of a page alone are
  // ignored.
  void failed(HostId id, Outcome outcome, std::int64_t retry_after, Time now);
  // For robots.txt: counts a failure that is only the page's fault for other files.
  void robots_failed(HostId id, Outcome outcome, Time until);
  void close(HostId id, HostEnd end);
  // The wait after `failures` in a row.
  Duration wait_after(Outcome outcome, std::uint32_t failures, std::int64_t retry_after) const {
    return retry_wait(rule_of(outcome), failures, retry_after, patience_);
  }

  // The number of hosts closed for this reason in this run.
  std::uint64_t closed(HostEnd end) const { return closed_[static_cast<std::size_t>(end)]; }
  // A few of these hosts.
  static constexpr std::size_t kExamples = 5;
  const std::vector<HostId>& examples(HostEnd end) const { return examples_[static_cast<std::size_t>(end)]; }
  // Why the last host failed; empty: none failed.
  const std::string& last() const { return last_; }
  // Why the host with the longest wait failed, and how long it waits.
  const std::string& waiting() const { return waiting_; }
  Time waits_until() const { return waits_until_; }

 private:
  void note(HostId id, Outcome outcome);
  void wait_until(HostId id, Time until);

  CrawlState& state_;
  double patience_;
  std::array<std::uint64_t, kHostEnds> closed_{};
  std::array<std::vector<HostId>, kHostEnds> examples_;
  std::string last_;
  std::string waiting_;
  Time waits_until_{};
};

}  // namespace bowerbird
