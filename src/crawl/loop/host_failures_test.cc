#include "crawl/loop/host_failures.h"

#include <gtest/gtest.h>

#include "crawl/state/stopped_crawl_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(HostFailures, AHostWaitsLongerEachTimeAndIsGivenUpInTheEnd) {
  TemporaryFolder folder;
  const CrawlOptions options = stopped_crawl_options(folder / "crawl");
  const auto crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
  ASSERT_TRUE(crawl->restore().ok());
  crawl->state().intern("http://a.test/");
  HostTable& hosts = crawl->state().hosts();
  HostFailures failures(crawl->state(), 1);
  failures.failed(0, Outcome::kNotFound, -1, Time(1s));
  EXPECT_EQ(hosts[0].failures, 0u) << "of a page alone";
  failures.failed(0, Outcome::kTimedOut, -1, Time(1s));
  EXPECT_EQ(hosts.earliest(0), Time(61s));
  EXPECT_EQ(failures.waits_until(), Time(61s));
  failures.failed(0, Outcome::kTimedOut, -1, Time(100s));
  EXPECT_EQ(hosts.earliest(0), Time(220s));
  EXPECT_EQ(failures.last(), "a.test: timed out");
  crawl->state().intern("http://b.test/");
  failures.failed(1, Outcome::kNoSuchName, -1, Time(110s));
  EXPECT_EQ(failures.last(), "b.test: no such host");
  EXPECT_EQ(failures.waiting(), "a.test: timed out") << "the other waits for nothing";
  EXPECT_EQ(failures.waits_until(), Time(220s));
  for (std::uint32_t i = 2; i < kHostFailures; ++i) failures.failed(0, Outcome::kTimedOut, -1, Time(300s));
  EXPECT_EQ(hosts[0].closed, static_cast<std::uint8_t>(HostEnd::kUnreachable));
  EXPECT_EQ(failures.closed(HostEnd::kUnreachable), 1u);
  EXPECT_EQ(hosts.own_gate(0), Time{}) << "its pages are let through to be failed";
}

}  // namespace
}  // namespace bowerbird
