#include "cmd/crawl_display.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string finish_text(const CrawlStatus& status, CrawlEnd end) {
  CrawlDisplay display(false, "mycrawl");
  testing::internal::CaptureStdout();
  display.finish(status, {end, status.counts, false, ""}, false);
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

TEST(CrawlDisplay, AnInterruptedCrawlNamesItsFailedSeeds) {
  CrawlStatus status;
  status.counts.add_failed_seed({"http://nosuch.test/", "no such host"});
  EXPECT_THAT(finish_text(status, CrawlEnd::kStopped), HasSubstr("http://nosuch.test/: no such host"));
  EXPECT_THAT(finish_text(status, CrawlEnd::kTime), Not(HasSubstr("nosuch"))) << "the error names them";
}

TEST(CrawlDisplay, TheRateIsThatOfThisRun) {
  CrawlStatus status;
  status.counts.pages = 6000;
  status.counts.run_ms = 1000;
  status.seconds = 2;
  EXPECT_THAT(finish_text(status, CrawlEnd::kPages), Not(HasSubstr("pages/s"))) << "it fetched nothing";
  status.run_pages = 10;
  EXPECT_THAT(finish_text(status, CrawlEnd::kPages), HasSubstr("5.0 pages/s"));
}

TEST(CrawlDisplay, CountsOfHostsArePartsOfNoSum) {
  CrawlStatus status;
  status.hosts.known = 6;
  status.hosts.waiting = 2;
  status.hosts.given_up = 1;
  EXPECT_THAT(finish_text(status, CrawlEnd::kStopped),
              HasSubstr("hosts: 6 known, 0 active, 2 waiting, 1 given up"));
}

TEST(CrawlEnd, ACrawlThatFetchedNothingSaysWhy) {
  FinishedCrawl crawl{CrawlEnd::kTime, {}, false, "a.test: connection failed"};
  ASSERT_FALSE(result_of(crawl).ok());
  EXPECT_THAT(result_of(crawl).error().text, HasSubstr("last problem: a.test: connection failed"));
  crawl.counts.add_failed_seed({"http://a.test/", "timed out"});
  EXPECT_THAT(result_of(crawl).error().text, HasSubstr("seed http://a.test/: timed out"));
  crawl.is_part = true;
  EXPECT_TRUE(result_of(crawl).ok()) << "others may have fetched pages";
}

}  // namespace
}  // namespace bowerbird
