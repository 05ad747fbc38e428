#include "control/link_search.h"

#include <algorithm>

#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kShortestPauseUs = 5'000'000;
constexpr std::int64_t kPausePerSearch = 30;  // the pause after a search, as a multiple of its duration

}  // namespace

Result<IncomingByPage> find_incoming(const CrawlReader& crawl, const std::vector<PageId>& pages,
                                     std::size_t most_from) {
  IncomingByPage found;
  for (const PageId page : pages) found[page];
  const auto look_at = [&](const PageLinks& row) -> Status {
    for (const StoredLink& link : row.links) {
      const auto target = found.find(link.page);
      if (target == found.end()) continue;
      ++target->second.links;
      if (target->second.from.size() < most_from) target->second.from.push_back(row.page);
    }
    return {};
  };
  BB_TRY_VOID(crawl.for_each_links(look_at));
  BB_TRY_VOID(crawl.for_each_later_links(look_at));
  return found;
}

bool LinkSearch::want(std::vector<PageId> pages) {
  const MutexLock lock(mutex_);
  wanted_ = std::move(pages);
  if (searching_ || wanted_.empty() || MonotonicClock().now_us() < next_us_) return false;
  searching_ = true;
  return true;
}

void LinkSearch::search() {
  std::vector<PageId> pages;
  {
    const MutexLock lock(mutex_);
    pages = wanted_;
  }
  const std::int64_t began = MonotonicClock().now_us();
  std::shared_ptr<const IncomingByPage> result;
  if (const auto crawl = CrawlReader::open(folder_); crawl.ok()) {
    auto found = find_incoming(**crawl, pages, most_from_);
    if (found.ok()) result = std::make_shared<const IncomingByPage>(std::move(*found));
  }
  const std::int64_t now = MonotonicClock().now_us();
  const MutexLock lock(mutex_);
  if (result) found_ = std::move(result);
  searching_ = false;
  next_us_ = now + std::max(kShortestPauseUs, kPausePerSearch * (now - began));
}

void LinkSearch::give_up() {
  const MutexLock lock(mutex_);
  searching_ = false;
}

std::shared_ptr<const IncomingByPage> LinkSearch::found() const {
  const MutexLock lock(mutex_);
  return found_;
}

}  // namespace bowerbird
