#include "crawl/loop/host_budget.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

Host host_with(std::uint32_t pages, std::uint32_t compared, std::uint32_t near) {
  Host host;
  host.pages = pages;
  host.compared = compared;
  host.near_duplicates = near;
  return host;
}

TEST(HostBudget, AHostWithNearDuplicatesGetsAMultipleOfItsDistinctPages) {
  const CrawlOptions options;
  EXPECT_EQ(host_end_of(host_with(150, 50, 50), 150, options), HostEnd::kNone);
  EXPECT_EQ(host_end_of(host_with(201, 50, 50), 201, options), HostEnd::kNearDuplicates);
  // A tenth of 390 pages differ: five times 39, plus 200.
  EXPECT_EQ(host_end_of(host_with(390, 100, 90), 390, options), HostEnd::kNone);
  EXPECT_EQ(host_end_of(host_with(410, 100, 90), 410, options), HostEnd::kNearDuplicates);
  EXPECT_EQ(host_end_of(host_with(1'000'000, 1000, 700), 1'000'000, options), HostEnd::kNone);
}

TEST(HostBudget, IgnoresNearDuplicatesIfTrapsAreSwitchedOff) {
  CrawlOptions options;
  options.selection.traps = false;
  EXPECT_EQ(host_end_of(host_with(10'000, 500, 500), 10'000, options), HostEnd::kNone);
}

TEST(HostBudget, IsUsedUpByThePagesOfTheHostOrItsDomain) {
  CrawlOptions options;
  options.budget.pages_per_host = 10;
  options.budget.pages_per_domain = 100;
  EXPECT_EQ(host_end_of(host_with(9, 0, 0), 99, options), HostEnd::kNone);
  EXPECT_EQ(host_end_of(host_with(10, 0, 0), 10, options), HostEnd::kBudget);
  EXPECT_EQ(host_end_of(host_with(5, 0, 0), 100, options), HostEnd::kDomainBudget);
}

TEST(HostBudget, TheFirstPagesOfALargeHostAreAllComparedThenAFew) {
  EXPECT_FALSE(is_compared(host_with(99, 0, 0), 1));
  int compared = 0, later = 0;
  for (PageId page = 0; page < 1600; ++page) {
    compared += is_compared(host_with(100, 49, 0), page) ? 1 : 0;
    later += is_compared(host_with(5000, 50, 0), page) ? 1 : 0;
  }
  EXPECT_EQ(compared, 1600);
  EXPECT_NEAR(later, 100, 40);
}

}  // namespace
}  // namespace bowerbird
