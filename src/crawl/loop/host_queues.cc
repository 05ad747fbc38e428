#include "crawl/loop/host_queues.h"

#include <algorithm>

#include "base/check.h"

namespace bowerbird {

void HostQueues::add(PageId page, HostId host, Time now) {
  std::deque<PageId>& line = lines_[host];
  line.push_back(page);
  ++waiting_;
  if (line.size() == 1) due_.emplace(now, host);
}

std::optional<HostId> HostQueues::next_host(Time now) {
  return_due(now);
  if (due_.empty() || due_.begin()->first > now) return {};
  const HostId host = due_.begin()->second;
  due_.erase(due_.begin());
  return host;
}

void HostQueues::wait(HostId host, Time until) {
  if (until >= kNever) {
    blocked_.push_back(host);
  } else {
    due_.emplace(until, host);
  }
}

void HostQueues::start(HostId host, Time now) {
  in_flight_.insert(first(host));
  pop(host);
  put_back(host, now);
}

void HostQueues::drop(HostId host, Time now) {
  tries_.erase(first(host));
  pop(host);
  put_back(host, now);
}

void HostQueues::pop(HostId host) {
  lines_.at(host).pop_front();
  --waiting_;
}

void HostQueues::put_back(HostId host, Time due) {
  const auto line = lines_.find(host);
  if (line->second.empty()) {
    lines_.erase(line);
  } else {
    due_.emplace(due, host);
  }
}

void HostQueues::wake(Time now) {
  for (const HostId host : std::exchange(blocked_, {})) due_.emplace(now, host);
}

void HostQueues::end(PageId page) {
  in_flight_.erase(page);
  tries_.erase(page);
}

void HostQueues::retry(PageId page, HostId host, Time due, bool counted) {
  CHECK(in_flight_.erase(page) == 1);
  if (counted) ++tries_[page];
  later_.emplace(due, page, host);
  ++waiting_;
}

// URLs whose retry is due go to the front of their host's queue.
void HostQueues::return_due(Time now) {
  while (!later_.empty() && std::get<Time>(*later_.begin()) <= now) {
    const auto [due, page, host] = *later_.begin();
    later_.erase(later_.begin());
    std::deque<PageId>& line = lines_[host];
    line.push_front(page);
    if (line.size() == 1) due_.emplace(now, host);
  }
}

std::uint32_t HostQueues::tries(PageId page) const {
  const auto found = tries_.find(page);
  return found == tries_.end() ? 0 : found->second;
}

Time HostQueues::next_due() const {
  Time next = kNever;
  if (!due_.empty()) next = due_.begin()->first;
  if (!later_.empty()) next = std::min(next, std::get<Time>(*later_.begin()));
  return next;
}

}  // namespace bowerbird
