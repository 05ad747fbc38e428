#include "fleet/join.h"

#include "crawl/config/option_table.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(JoinFleet, ProcessesMustAgreeOnWhatIsCrawledAndNotOnHow) {
  for (const char* const name : {"partitions", "policy", "scope", "exclude", "depth", "lease"})
    EXPECT_TRUE(find_row(crawl_option_table(), name)->is(kAgreed)) << name;
  for (const char* const name : {"out", "connections", "delay", "memory"}) {
    EXPECT_FALSE(find_row(crawl_option_table(), name)->is(kAgreed)) << name;
  }
}

TEST(JoinFleet, WithoutABrokerTheErrorSaysWhatToDo) {
  CrawlOptions options;
  options.out = "/no/such/folder";
  options.fleet.url = "nats://127.0.0.1:1";
  options.order.policy = "bfs";
  const auto joined = join_fleet(options);
  ASSERT_FALSE(joined.ok());
  EXPECT_NE(joined.error().text.find("nats-server"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
