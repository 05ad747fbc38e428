#include "cmd/crawl_report.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(FinishedCrawlReport, JudgesTheOrderWithinTheMemoryOfTheCrawl) {
  EXPECT_EQ(most_judged_pages(0), 500'000u);
  EXPECT_EQ(most_judged_pages(std::uint64_t{192} << 20), 98'304u);
  EXPECT_EQ(most_judged_pages(std::uint64_t{64} << 30), 500'000u);
}

}  // namespace
}  // namespace bowerbird
