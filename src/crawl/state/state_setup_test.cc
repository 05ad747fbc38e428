#include "crawl/state/state_setup.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(StateSetup, PolitenessIsInMilliseconds) {
  CrawlOptions options;
  options.politeness.delay = Seconds(0.5);
  options.politeness.delay_domain = Seconds(2);
  options.politeness.connections_per_host = 1'000'000;
  const PolitenessOptions made = politeness_of(options);
  EXPECT_EQ(made.delay, 500ms);
  EXPECT_EQ(made.domain_delay, 2s);
  EXPECT_EQ(made.per_host, 1000u);
}

TEST(StateSetup, WithConnectToTheAddressGateIsOffUnlessItIsSet) {
  CrawlOptions options;
  EXPECT_TRUE(politeness_of(options).address_gates);
  EXPECT_EQ(used_value(options, "delay-ip"), "0.5s");
  options.network.connect_to = "127.0.0.1:8080";
  EXPECT_FALSE(politeness_of(options).address_gates);
  EXPECT_EQ(used_value(options, "delay-ip"), "0s");
  ASSERT_TRUE(read_crawl_options("delay-ip = 0.5", "c.toml", options).ok());
  EXPECT_TRUE(politeness_of(options).address_gates);
  EXPECT_EQ(politeness_of(options).ip_delay, 500ms);
  EXPECT_EQ(used_value(options, "delay-ip"), "");
  CrawlOptions resumed;
  ASSERT_TRUE(read_crawl_options(write_crawl_options(options), "options.toml", resumed).ok());
  EXPECT_EQ(politeness_of(resumed).ip_delay, 500ms);
}

TEST(StateSetup, ReturnsTheValueUsedForAnUnsetOption) {
  CrawlOptions options;
  options.identity.contact = "me@a.test";
  options.politeness.delay = Seconds(0);
  options.network.allow_net = {"127.0.0.0/8"};
  EXPECT_EQ(used_value(options, "delay-domain"), "0.5s; on --allow-net networks 0s");
  EXPECT_EQ(used_value(options, "adapt"), "2; on --allow-net networks 0");
  EXPECT_EQ(used_value(options, "user-agent"), user_agent_of(options));
  EXPECT_EQ(used_value(options, "delay"), "");
  options.politeness.adapt = 1;
  options.politeness.delay_domain = Seconds(2);
  EXPECT_EQ(used_value(options, "adapt"), "");
  EXPECT_EQ(used_value(options, "delay-domain"), "");
}

TEST(StateSetup, AnExplicitLimitReplacesTheShareOfMemory) {
  CrawlOptions options;
  EXPECT_EQ(state_options_of(options).queue_bytes, 0u);
  options.memory.budget = std::uint64_t{1} << 30;
  const std::uint64_t share = state_options_of(options).queue_bytes;
  EXPECT_GT(share, 0u);
  options.memory.queue = 12345;
  EXPECT_EQ(state_options_of(options).queue_bytes, 12345u);
  options.memory.urls = 777;
  EXPECT_EQ(known_urls_of(options).memory, 777u);
}

TEST(StateSetup, TheStoreGetsCompressionAndUserAgent) {
  CrawlOptions options;
  options.identity.contact = "me@a.test";
  options.storage.durable = false;
  options.storage.warc = Compression::kGzip;
  const StoreOptions made = store_options_of(options);
  EXPECT_EQ(made.compression, Compression::kGzip);
  EXPECT_FALSE(made.durable);
  EXPECT_FALSE(made.about.empty());
  ASSERT_FALSE(made.warcinfo.empty());
  EXPECT_EQ(made.warcinfo.front().second, "me@a.test");
}

TEST(StateSetup, WithoutATopicThereIsNone) {
  CrawlOptions options;
  EXPECT_FALSE(topic_of(options));
  options.order.topic = "birds nests";
  EXPECT_TRUE(topic_of(options));
}

}  // namespace
}  // namespace bowerbird
