// URLs that are fetched before the pages of the frontier, in a queue per host: requisites, and in a second
// object the pages that a command requested.
//
// Problem: a page and its forty images are often on one host and share its delay; other images are on
// hosts of which the crawl has no page. Each host has a first-in first-out queue. A host that may be
// asked now is due. One that waits for a delay is due when that has passed. One that waits for a request
// in flight (its own, its robots.txt, a connection) is due when any request ends.
//
// It has only work in progress: CrawlState journals what is pending (requisites(), control().requested()),
// and the queues are rebuilt from that at a resume. Invariant: a pending URL is in its host's queue, in
// flight, or waits for a retry. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "crawl/state/hosts.h"

namespace bowerbird {

class HostQueues {
 public:
  // most: with more pending ones than this, no further page should be started.
  explicit HostQueues(std::uint64_t most) : most_(most) {}

  void add(PageId page, HostId host, Time now);

  // The host that has been due longest. The caller must then call wait(), start() or drop() for it.
  std::optional<HostId> next_host(Time now);
  PageId first(HostId host) const { return lines_.at(host).front(); }
  // The host is due at `until`; kNever: when some request ends.
  void wait(HostId host, Time until);
  // The first URL of the host is in flight from here on.
  void start(HostId host, Time now);
  // Removes the first URL of the host: it is not fetched here.
  void drop(HostId host, Time now);
  // Some request has ended: hosts that waited for one are due.
  void wake(Time now);

  // A URL in flight has ended, or will be retried.
  void end(PageId page);
  void retry(PageId page, HostId host, Time due, bool counted);

  bool is_in_flight(PageId page) const { return in_flight_.contains(page); }
  std::uint64_t in_flight() const { return in_flight_.size(); }
  const std::set<PageId>& in_flight_pages() const { return in_flight_; }
  std::uint32_t tries(PageId page) const;
  bool is_crowded() const { return waiting_ + in_flight_.size() >= most_; }
  bool idle() const { return waiting_ == 0 && in_flight_.empty(); }
  // When a host is due, unless a request ends before; kNever: none is.
  Time next_due() const;

 private:
  void put_back(HostId host, Time due);
  void pop(HostId host);
  void return_due(Time now);

  std::uint64_t most_;
  std::unordered_map<HostId, std::deque<PageId>> lines_;
  std::set<std::pair<Time, HostId>> due_;
  std::vector<HostId> blocked_;
  std::set<std::tuple<Time, PageId, HostId>> later_;  // waiting for a retry
  std::unordered_map<PageId, std::uint32_t> tries_;   // failed tries of pending URLs
  std::set<PageId> in_flight_;
  std::uint64_t waiting_ = 0;  // in queues, or waiting for a retry
};

}  // namespace bowerbird
