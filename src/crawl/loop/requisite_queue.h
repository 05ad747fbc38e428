// Which requisite is asked for next: lines of pending ones by host, and when each host is looked at again.
//
// Problem: a page and its forty images are often on one host, whose delay holds for all of them; other images
// are on hosts that the crawl has no page of. Each host has a line, first come, first served. A host that may
// be asked now is due; one that waits for a delay is due when that has passed; one that waits for a request
// under way (its own, its robots.txt, a connection) is looked at when any request has ended. Requisites are
// handed out before pages, so they come soon after the page that needs them.
// Only work in progress: what is pending is journalled in CrawlState::requisites(), and the lines are made
// from it at a resume. Invariant: a pending requisite is in its host's line, in flight, or waits to be tried
// again. Times are the crawl's. Threads: one, the crawl's.
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
#include "crawl/state/hosts.h"

namespace bowerbird {

class RequisiteQueue {
 public:
  // most: with more pending ones than this, no further page should be asked for.
  explicit RequisiteQueue(std::uint64_t most) : most_(most) {}

  void add(PageId page, HostId host, Time now);

  // A host to be looked at, the one that has been due longest. It must be given back with wait(), start() or
  // drop().
  std::optional<HostId> next_host(Time now);
  PageId first(HostId host) const { return lines_.at(host).front(); }
  // Not before `until`; kNoTime: when some request has ended.
  void wait(HostId host, Time until);
  // The first of the line is in flight from here on.
  void start(HostId host, Time now);
  // The first of the line is not to be fetched.
  void drop(HostId host, Time now);
  // Some request has ended.
  void wake(Time now);

  // One in flight has ended for good, or is to be tried again.
  void end(PageId page);
  void retry(PageId page, HostId host, Time due, bool counted);

  bool is_in_flight(PageId page) const { return in_flight_.contains(page); }
  std::uint64_t in_flight() const { return in_flight_.size(); }
  const std::set<PageId>& in_flight_pages() const { return in_flight_; }
  std::uint32_t tries(PageId page) const;
  bool is_crowded() const { return waiting_ + in_flight_.size() >= most_; }
  bool idle() const { return waiting_ == 0 && in_flight_.empty(); }
  // When a host is to be looked at, unless something ends before; kNoTime: none.
  Time next_due() const;

 private:
  void put_back(HostId host, Time due);
  void pop(HostId host);
  void return_due(Time now);

  std::uint64_t most_;
  std::unordered_map<HostId, std::deque<PageId>> lines_;
  std::set<std::pair<Time, HostId>> due_;
  std::vector<HostId> blocked_;
  std::set<std::tuple<Time, PageId, HostId>> later_;  // to be tried again
  std::unordered_map<PageId, std::uint32_t> tries_;   // that have failed, of those pending
  std::set<PageId> in_flight_;
  std::uint64_t waiting_ = 0;  // in lines, or to be tried again
};

}  // namespace bowerbird
