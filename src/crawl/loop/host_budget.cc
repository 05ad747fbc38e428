#include "crawl/loop/host_budget.h"

#include "base/rng.h"

namespace bowerbird {

namespace {

// The first pages of a host that are all compared with others; after them one in this many.
constexpr std::uint32_t kCompareFrom = 100;
constexpr std::uint32_t kCompareFirst = 50;
constexpr std::uint64_t kCompareOne = 16;
// A host with many near-duplicates gets this many times its number of distinct pages, and a few more.
constexpr double kOfDiffering = 5;
constexpr double kAnyway = 200;

}  // namespace

bool is_compared(const Host& host, PageId page) {
  return host.pages >= kCompareFrom && (host.compared < kCompareFirst || draw(1, page) % kCompareOne == 0);
}

HostEnd host_end_of(const Host& host, std::uint64_t site_pages, const CrawlOptions& options) {
  if (HostTable::crawl_delay(host) > kMostCrawlDelay) return HostEnd::kCrawlDelay;
  if (options.selection.traps && host.compared >= kCompareFirst) {
    const double differing = 1.0 - static_cast<double>(host.near_duplicates) / host.compared;
    if (host.pages > kAnyway + kOfDiffering * host.pages * differing) return HostEnd::kNearDuplicates;
  }
  if (options.budget.pages_per_domain > 0 && site_pages >= options.budget.pages_per_domain)
    return HostEnd::kDomainBudget;
  const std::uint64_t most = host.site_pages.value_or(options.budget.pages_per_host);
  if (most > 0 && host.pages >= most) return HostEnd::kBudget;
  return HostEnd::kNone;
}

}  // namespace bowerbird
