#include "crawl/config/options.h"

#include <gtest/gtest.h>

#include "crawl/config/option_table.h"
#include "crawl/judge/body_types.h"

namespace bowerbird {
namespace {

// Until the client limits what one HTTP/2 connection may do in a turn of the loop.
TEST(CrawlOptions, Http2IsOffByDefault) {
  EXPECT_FALSE(CrawlOptions().network.http2);
}

TEST(CrawlOptions, AreReadFromToml) {
  CrawlOptions options;
  const auto status = read_crawl_options(R"(
seeds = ["https://example.org/", "https://example.net/"]
policy = "ieca:k=50"
delay = 0.5
time = "2h"
max-size = "1MiB"
traps = false
exclude = ["a", "b"]
types = "html,pdf"
)",
                                         "crawl.toml", options);
  ASSERT_TRUE(status.ok()) << status.error().text;
  EXPECT_EQ(options.start.seeds.size(), 2u);
  EXPECT_EQ(options.order.policy, "ieca:k=50");
  EXPECT_EQ(options.politeness.delay.count(), 0.5);
  EXPECT_EQ(options.budget.time.count(), 7200);
  EXPECT_EQ(options.fetch.max_body, 1u << 20);
  EXPECT_FALSE(options.selection.traps);
  EXPECT_EQ(options.scope.exclude, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.selection.types, (std::vector<std::string>{"html", "pdf"}));
}

TEST(CrawlOptions, ErrorsListAllMistakesWithTheirPositions) {
  CrawlOptions options;
  const auto status = read_crawl_options(
      "dellay = 1\npages = \"many\"\ntraps = 3\nout = [\"a\", \"b\"]\npolicy = \"best\"\ncontact = 5\n"
      "seeds = [\"gopher://a/\"]\n",
      "c.toml", options);
  ASSERT_FALSE(status.ok());
  const std::string& text = status.error().text;
  EXPECT_NE(text.find("c.toml:1:1: unknown key 'dellay'; did you mean 'delay'"), std::string::npos) << text;
  EXPECT_NE(text.find("c.toml:2:"), std::string::npos) << text;
  EXPECT_NE(text.find("c.toml:3:"), std::string::npos) << text;
  for (const char* place : {"c.toml:4:", "c.toml:5:", "c.toml:6:", "c.toml:7:"})
    EXPECT_NE(text.find(place), std::string::npos) << text;
}

TEST(CrawlOptions, AreReadBackAsTheyWereWritten) {
  CrawlOptions options;
  options.order.policy = "ieca:k=50";
  options.budget.depth = 0;
  options.politeness.delay = Seconds(0.25);
  options.selection.traps = false;
  options.selection.types = {"html", "pdf"};
  options.scope.mode = ScopeMode::kDomain;
  options.scope.exclude = {"\\.php$", "a \"quoted\" one", "it's"};
  options.network.headers = {"X-A: 1"};
  options.parallel.partitioning = Partitioning::kHostHash;
  options.memory.budget = std::uint64_t{3} << 30;
  options.start.seeds_file = "seeds.txt";
  options.out = "somewhere";
  CrawlOptions again;
  const std::string text = write_crawl_options(options);
  const auto read = read_crawl_options(text, "options.toml", again);
  ASSERT_TRUE(read.ok()) << read.error().text << text;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (row.name == "out" || row.name == "seed-file") continue;
    EXPECT_EQ(row.texts(again), row.texts(options)) << row.name;
  }
  EXPECT_EQ(again.out, "") << "the folder is not kept in itself";
  EXPECT_EQ(again.start.seeds_file, "");
  EXPECT_EQ(write_crawl_options({}).find('='), std::string::npos) << "defaults are not written";
}

TEST(CrawlOptions, TheLastListReplacesTheOthers) {
  CrawlOptions options;
  options.scope.exclude = {"a", "b"};
  ASSERT_TRUE(read_crawl_options("exclude = [\"c\"]", "c.toml", options).ok());
  EXPECT_EQ(options.scope.exclude, std::vector<std::string>{"c"});
  ASSERT_TRUE(read_crawl_options("exclude = []", "c.toml", options).ok());
  EXPECT_TRUE(options.scope.exclude.empty());
}

TEST(CrawlOptions, AContactIsRequired) {
  CrawlOptions options;
  EXPECT_NE(check_crawl_options(options).error().text.find("--contact"), std::string::npos);
  options.identity.user_agent = "mybot/1.0";
  EXPECT_FALSE(check_crawl_options(options).ok());
  options.identity.user_agent = "mybot/1.0 (+https://example.org/bot)";
  EXPECT_TRUE(check_crawl_options(options).ok());
  EXPECT_EQ(user_agent_of(options), "mybot/1.0 (+https://example.org/bot)");
  options.identity.user_agent.clear();
  options.identity.contact = "me@example.org";
  EXPECT_TRUE(check_crawl_options(options).ok());
  EXPECT_TRUE(user_agent_of(options).starts_with("Bowerbird/"));
  EXPECT_TRUE(user_agent_of(options).ends_with("(+me@example.org)"));
}

TEST(CrawlOptions, DelayZeroNeedsAllowNet) {
  CrawlOptions options;
  options.identity.contact = "me@example.org";
  options.politeness.delay = Seconds(0);
  options.politeness.delay_ip = Seconds(0);
  options.politeness.delay_domain = Seconds(0);
  options.politeness.connections_per_host = 2;
  const std::string text = check_crawl_options(options).error().text;
  EXPECT_NE(text.find("--delay 0"), std::string::npos);
  EXPECT_NE(text.find("--delay-ip 0"), std::string::npos);
  EXPECT_NE(text.find("--delay-domain 0"), std::string::npos);
  EXPECT_NE(text.find("--connections-per-host"), std::string::npos);
  options.network.allow_net = {"127.0.0.0/8"};
  EXPECT_TRUE(check_crawl_options(options).ok());
}

TEST(CrawlOptions, AddressesAndHostsAreChecked) {
  CrawlOptions options;
  options.identity.contact = "me@example.org";
  for (const char* good : {"127.0.0.1:8080", "[::1]:80", "localhost:1"}) {
    options.network.connect_to = good;
    EXPECT_TRUE(check_crawl_options(options).ok()) << good;
  }
  for (const char* bad :
       {"x", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:", ":80", "a b:80", "127.0.0.1:8k"}) {
    options.network.connect_to = bad;
    EXPECT_NE(check_crawl_options(options).error().text.find("--connect-to: "), std::string::npos) << bad;
  }
  options.network.connect_to.clear();
  for (const char* good : {"192.0.2.1", "192.0.2.1:53, 2001:db8::1", "[2001:db8::1]:53"}) {
    options.network.dns_servers = good;
    EXPECT_TRUE(check_crawl_options(options).ok()) << good;
  }
  for (const char* bad : {"nonsense", "127.0.0.1:99999", "192.0.2.1,", "dns.example:53"}) {
    options.network.dns_servers = bad;
    EXPECT_NE(check_crawl_options(options).error().text.find("--dns: "), std::string::npos) << bad;
  }
  options.network.dns_servers.clear();
  for (const char* good : {"http://p.example:3128", "https://me:pass@p.example/", "socks5h://127.0.0.1:1080",
                           "http://[::1]:3128"}) {
    options.network.proxy = good;
    EXPECT_TRUE(check_crawl_options(options).ok()) << good;
  }
  for (const char* bad :
       {"ftp://p.example", "http://", "p.example:3128", "socks5://p.example:1", "http://me:pass@"}) {
    options.network.proxy = bad;
    const std::string text = check_crawl_options(options).error().text;
    EXPECT_NE(text.find("--proxy: "), std::string::npos) << bad;
    EXPECT_EQ(text.find("pass@"), std::string::npos) << "no secrets in messages";
  }
  options.network.proxy.clear();
  options.scope.hosts = {"www.example.org", "*.example.org",
                         "b\xc3\xbc"
                         "cher.example"};
  EXPECT_TRUE(check_crawl_options(options).ok());
  for (const char* bad : {"", "http://x/", "*.", "a b"}) {
    options.scope.hosts = {bad};
    EXPECT_NE(check_crawl_options(options).error().text.find("--host: "), std::string::npos) << bad;
  }
  options.scope.hosts.clear();
  options.fetch.timeout = Seconds(0);
  EXPECT_NE(check_crawl_options(options).error().text.find("--timeout "), std::string::npos);
}

TEST(CrawlOptions, IntervalsOfRefreshingAreAtMostTenYears) {
  CrawlOptions options;
  options.identity.contact = "me@example.org";
  const auto refused = [&options] {
    const Status checked = check_crawl_options(options);
    return checked.ok() ? "" : checked.error().text;
  };
  options.refresh.longest = Seconds(3650 * 86'400.0);
  EXPECT_EQ(refused(), "");
  options.refresh.longest = Seconds(40'000 * 86'400.0);
  EXPECT_NE(refused().find("--longest-interval: at most 3650d"), std::string::npos) << refused();
  options.refresh.longest = Seconds(0);
  EXPECT_EQ(refused(), "");
  options.refresh.shortest = Seconds(12'428 * 86'400.0);
  EXPECT_NE(refused().find("--shortest-interval: at most 3650d"), std::string::npos) << refused();
  options.refresh.shortest = Seconds(3600);
  options.sites.emplace_back();
  options.sites[0].hosts = {"a.test"};
  options.sites[0].refresh_interval = Seconds(12'428 * 86'400.0);
  EXPECT_NE(refused().find("refresh-interval: at most 3650d"), std::string::npos) << refused();
}

TEST(CrawlOptions, ASimilarityNeedsATopic) {
  CrawlOptions options;
  options.identity.contact = "me@example.org";
  options.order.topic_at = 0.3;
  EXPECT_NE(check_crawl_options(options).error().text.find("--topic-at needs a topic"), std::string::npos);
  options.order.topic = "roses";
  EXPECT_TRUE(check_crawl_options(options).ok());
}

TEST(CrawlOptions, OrderingsForTheLabOnlyAreRefused) {
  CrawlOptions options;
  options.identity.contact = "me@example.org";
  options.order.policy = "omniscient";
  EXPECT_FALSE(check_crawl_options(options).ok());
}

TEST(CrawlOptions, AnOrderingByTopicNeedsOne) {
  CrawlOptions options;
  options.identity.contact = "me@example.org";
  options.order.policy = "combined:similar=1,backlink=1";
  EXPECT_NE(check_crawl_options(options).error().text.find("--topic"), std::string::npos);
  options.order.topic = "--";
  EXPECT_NE(check_crawl_options(options).error().text.find("contains no word"), std::string::npos);
  ASSERT_TRUE(
      read_crawl_options("topic = \"rose garden\"\nterms = true\ntopic-at = 0.2", "c.toml", options).ok());
  EXPECT_TRUE(check_crawl_options(options).ok());
  EXPECT_TRUE(options.storage.terms);
  EXPECT_EQ(options.order.topic_at, 0.2);
}

TEST(BodyTypes, AreNamedByGroupOrByType) {
  const std::vector<std::string> names = {"html", "font/*", "Application/JSON"};
  const BodyTypes types = std::move(BodyTypes::make(names)).value();
  for (const char* type : {"text/html", "application/xhtml+xml", "font/woff2", "application/json"}) {
    EXPECT_TRUE(types.wants(type)) << type;
  }
  for (const char* type : {"text/plain", "image/png", "application/json5"})
    EXPECT_FALSE(types.wants(type)) << type;
  EXPECT_FALSE(BodyTypes::make(std::vector<std::string>{"htm"}).ok());
}

TEST(CrawlOptions, TooLittleMemoryIsRefusedAndTheErrorNamesTheMinimum) {
  CrawlOptions options;
  options.identity.contact = "you@example.org";
  options.memory.budget = std::uint64_t{64} << 20;
  const Status refused = check_crawl_options(options);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(
      refused.error().text.find("--memory 64.0 MiB is too small for 256 connections: at least 112.0 MiB"),
      std::string::npos)
      << refused.error().text;
  options.memory.budget *= 2;
  EXPECT_TRUE(check_crawl_options(options).ok());
  options.order.policy = "lipr";
  options.budget.pages = 1'000'000;
  const Status heavy = check_crawl_options(options);
  ASSERT_FALSE(heavy.ok());
  EXPECT_NE(heavy.error().text.find("fpr@100 needs almost no memory"), std::string::npos)
      << heavy.error().text;
  options.budget.pages = 1000;
  EXPECT_TRUE(check_crawl_options(options).ok());
}

}  // namespace
}  // namespace bowerbird
