#include "web/site/host_ranges.h"

namespace bowerbird {

bool HostRanges::looks_ascending() const {
  if (!hosts_->contiguous()) return false;
  // If the sample misses an exception, that host appears to have no pages (pages_of checks what it finds);
  // results are never wrong.
  constexpr std::uint64_t kSample = 4096;
  HostId last = 0;
  for (std::uint64_t i = 0; i < kSample; ++i) {
    const HostId host = hosts_->host(static_cast<PageId>(i * pages_ / kSample));
    if (host < last) return false;
    last = host;
  }
  return true;
}

Result<HostRanges> HostRanges::make(const PageHosts& hosts, PageId pages, const Progress& progress) {
  HostRanges ranges(hosts, pages);
  if (pages == 0 || ranges.looks_ascending()) return ranges;
  constexpr PageId kTick = 1 << 20;
  ranges.begin_.assign(std::uint64_t{hosts.hosts()} + 1, 0);
  for (PageId page = 0; page < pages; ++page) {
    if (page % kTick == 0 && !progress.tick("hosts", page, pages))
      return error("stopped while listing hosts");
    ++ranges.begin_[hosts.host(page) + std::uint64_t{1}];
  }
  for (std::size_t h = 1; h < ranges.begin_.size(); ++h) ranges.begin_[h] += ranges.begin_[h - 1];
  std::vector<std::uint64_t> at(ranges.begin_.begin(), ranges.begin_.end() - 1);
  ranges.list_.resize(pages);
  for (PageId page = 0; page < pages; ++page) ranges.list_[at[hosts.host(page)]++] = page;
  return ranges;
}

HostPages HostRanges::pages_of(HostId host) const {
  if (!begin_.empty()) {
    const auto count = static_cast<PageId>(begin_[host + std::uint64_t{1}] - begin_[host]);
    return {count, count == 0 ? kNoPage : list_[begin_[host]], list_.data() + begin_[host]};
  }
  PageId low = 0;
  PageId high = pages_;
  while (low < high) {
    const PageId middle = low + (high - low) / 2;
    if (hosts_->host(middle) < host) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == pages_ || hosts_->host(low) != host) return {};
  const auto [first, last] = hosts_->run(low);
  return {last - first, first, nullptr};
}

}  // namespace bowerbird
