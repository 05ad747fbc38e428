#include "crawl/loop/activity.h"

#include <algorithm>

namespace bowerbird {

namespace {

template <typename T>
void push_bounded(std::deque<T>& list, const T& item, std::size_t most) {
  list.push_back(item);
  if (list.size() > most) list.pop_front();
}

}  // namespace

void Activity::done(const PageResult& result, PageId via) {
  push_bounded(results_, result, kResults);
  ++results_made_;
  push_bounded(examples_[static_cast<std::size_t>(result.outcome)], result, kExamples);
  const bool fetched = result.outcome == Outcome::kFetched;
  if (fetched) {
    last_page_ = result.page;
    last_page_time_ = result.time;
    broken_.erase(result.page);
  }
  if (result.outcome == Outcome::kNotFound && broken_.size() < kBroken) {
    BrokenLink& broken = broken_[result.page];
    broken.result = result;
    if (via != kNoPage && broken.from.empty()) {
      broken.links = 1;
      broken.from.push_back(via);
    }
  }
  if (hosts_.size() >= kHosts && !hosts_.contains(result.host)) return;
  HostActivity& host = hosts_[result.host];
  host.bytes += result.bytes;
  if (!fetched && result.outcome != Outcome::kRedirect && result.outcome != Outcome::kLeftOut) ++host.failed;
}

void Activity::add_earlier_host(HostId id, const HostActivity& host) {
  if (hosts_.size() >= kHosts && !hosts_.contains(id)) return;
  HostActivity& known = hosts_[id];
  known.failed += host.failed;
  known.bytes += host.bytes;
}

void Activity::add_earlier_example(const PageResult& result) {
  std::deque<PageResult>& list = examples_[static_cast<std::size_t>(result.outcome)];
  if (list.size() < kExamples) list.push_front(result);
}

void Activity::add_earlier_broken(const PageResult& result) {
  if (broken_.size() < kBroken) broken_.try_emplace(result.page, BrokenLink{result, 0, {}});
}

void Activity::responded(double seconds) {
  const auto bound = std::ranges::lower_bound(ResponseTimes::kBounds, seconds);
  ++response_times_.counts[static_cast<std::size_t>(bound - ResponseTimes::kBounds.begin())];
  response_times_.sum += seconds;
}

void Activity::found_links(PageId page, std::span<const StoredLink> links) {
  if (broken_.empty()) return;
  for (const StoredLink& link : links) {
    const auto found = broken_.find(link.page);
    if (found == broken_.end()) continue;
    BrokenLink& broken = found->second;
    ++broken.links;
    if (broken.from.size() < kExamples) broken.from.push_back(page);
  }
}

void Activity::found_trap(PageId page) {
  push_bounded(traps_, page, kExamples);
}

HostActivity Activity::host(HostId id) const {
  const auto found = hosts_.find(id);
  return found == hosts_.end() ? HostActivity() : found->second;
}

}  // namespace bowerbird
