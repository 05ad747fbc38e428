// What follows when a host fails: it waits longer each time, and after too many failures it is given up.
//
// The outcome table says how long, and whose fault a failure is. A host that was given up, or of which no
// more pages are wanted, is closed for this run. Ownership: the state outlives it. Threads: one, the crawl's.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "crawl/judge/outcome_table.h"
#include "crawl/state/crawl_state.h"

namespace bowerbird {

class HostFailures {
 public:
  // patience: factor of our own waits.
  HostFailures(CrawlState& state, double patience) : state_(state), patience_(patience) {}

  void set_patience(double patience) { patience_ = patience; }
  // The host may be asked again.
  void reopen(HostId id);
  // retry_after: what the server asked for, in seconds, or -1. Failures of a page alone are ignored.
  void failed(HostId id, Outcome outcome, std::int64_t retry_after, Time now);
  // The same where the failure of another file than robots.txt would be that of the page alone.
  void robots_failed(HostId id, Outcome outcome, Time until);
  void close(HostId id, HostEnd end);
  // How long to wait after `failures` in a row.
  Time wait_after(Outcome outcome, std::uint32_t failures, std::int64_t retry_after) const {
    return wait_ms(rule_of(outcome), failures, retry_after, patience_);
  }

  // Hosts that were closed for this reason, in this run.
  std::uint64_t closed(HostEnd end) const { return closed_[static_cast<std::size_t>(end)]; }
  // Some of them.
  static constexpr std::size_t kExamples = 5;
  const std::vector<HostId>& examples(HostEnd end) const { return examples_[static_cast<std::size_t>(end)]; }
  // Why the last host failed; empty: none has.
  const std::string& last() const { return last_; }
  // Why the host failed that waits longest, and until when it waits.
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
  Time waits_until_ = 0;
};

}  // namespace bowerbird
