#include "crawl/loop/host_preparer.h"

#include <gtest/gtest.h>

#include <limits>

#include "crawl/loop/request_ids.h"
#include "crawl/state/restored_crawl.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

// Keeps requests until the test answers them.
class HeldFetcher final : public Fetcher {
 public:
  void start(FetchRequest request) override { requests.push_back(std::move(request)); }
  void poll(std::vector<FetchOutcome>&, int) override {}
  std::size_t active() const override { return requests.size(); }
  void cancel(std::uint64_t) override {}
  void cancel_all() override {}
  void wake() override {}
  std::string request_text(const FetchRequest&) const override { return {}; }

  std::vector<FetchRequest> requests;
};

class HostPreparerTest : public testing::Test {
 protected:
  HostPreparerTest() : clock(&manual), slots(64) {
    CrawlOptions options;
    options.out = folder / "crawl";
    options.order.policy = "bfs";
    options.storage.durable = false;
    crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
    EXPECT_TRUE(crawl->restore().ok());
    page = crawl->state().intern("http://a.test/");
    crawl->state().add_seeds({{page, 1, false}});
    scope = std::make_unique<Scope>(
        std::move(Scope::make({}, std::vector<std::string>{"http://a.test/"})).value());
    failures = std::make_unique<HostFailures>(crawl->state(), 1);
    preparer = std::make_unique<HostPreparer>(HostPreparer::Parts{crawl->state(), fetcher, slots, *failures,
                                                                  nullptr, counts, clock, filter, fields,
                                                                  *scope, "bowerbird", true});
    now = clock.now();
  }
  HostTable& hosts() { return crawl->state().hosts(); }
  Host& host() { return hosts()[id]; }
  void wait(Duration time) {
    manual.advance(std::chrono::microseconds(time).count());
    now = clock.now();
  }
  // Answers the last request.
  void answer(FetchOutcome outcome) {
    outcome.id = fetcher.requests.back().id;
    slots.end(outcome.id, now);
    if (is_resolve(outcome.id)) {
      preparer->take_resolved(host_of_request(outcome.id), outcome, now);
    } else {
      preparer->take_robots(host_of_request(outcome.id), std::move(outcome), now);
    }
  }
  static FetchOutcome found(std::uint32_t address) {
    FetchOutcome outcome;
    outcome.end = FetchEnd::kResolved;
    outcome.address = NetAddress::ipv4(address);
    return outcome;
  }
  static FetchOutcome answered(int status, const std::string& fields, const std::string& body = {}) {
    FetchOutcome outcome;
    outcome.end = FetchEnd::kAnswered;
    outcome.status = status;
    outcome.head = fmt::format("HTTP/1.1 {} X\r\n{}\r\n", status, fields);
    outcome.body = body;
    return outcome;
  }

  TemporaryFolder folder;
  ManualClock manual;
  CrawlClock clock;
  HeldFetcher fetcher;
  RequestSlots slots;
  NetFilter filter;
  RequestFields fields;
  CrawlCounts counts;
  std::unique_ptr<RestoredCrawl> crawl;
  std::unique_ptr<Scope> scope;
  std::unique_ptr<HostFailures> failures;
  std::unique_ptr<HostPreparer> preparer;
  PageId page = 0;
  HostId id = 0;
  Time now{};
};

TEST_F(HostPreparerTest, HoldsASlotOnlyWhileARequestIsInFlight) {
  preparer->look_up(id, false, now);
  EXPECT_TRUE(fetcher.requests.back().resolve_only);
  EXPECT_EQ(slots.preparing(), 1u);
  EXPECT_EQ(hosts().own_gate(id), kNever);
  answer(found(0x0a000001));
  EXPECT_EQ(slots.preparing(), 0u);
  EXPECT_TRUE(host().resolved(now));
  EXPECT_LE(hosts().own_gate(id), now) << "it is the frontier's turn to bring its page up again";

  preparer->ask_robots(id, false, now);
  EXPECT_EQ(fetcher.requests.back().url, "http://a.test/robots.txt");
  EXPECT_EQ(fetcher.requests.back().addresses, std::vector{NetAddress::ipv4(0x0a000001)});
  answer(answered(200, "", "User-agent: *\nDisallow: /x\nSitemap: http://a.test/map.xml\n"));
  EXPECT_EQ(slots.preparing(), 0u);
  EXPECT_EQ(preparer->hosts(), 0u);
  EXPECT_TRUE(host().origins[0].is_known(now));
  EXPECT_FALSE(host().origins[0].rules->allows("/x"));
  EXPECT_EQ(hosts().own_gate(id), now + 1001ms) << "robots.txt is a request, too";
  EXPECT_EQ(crawl->state().frontier().counts().discovered, 2u) << "the sitemap";
}

TEST_F(HostPreparerTest, AnAddressAsANameIsLookedUpOnce) {
  preparer->look_up(id, false, now);
  FetchOutcome literal = found(0x0a000001);
  literal.addresses_until_us = std::numeric_limits<std::int64_t>::max();  // from the resolver
  answer(literal);
  wait(24h);
  EXPECT_TRUE(host().resolved(now));
}

TEST_F(HostPreparerTest, FollowsARedirectWhenTheTargetMayBeAsked) {
  host().addresses_until = kNever;
  hosts().started(hosts().any_host("b.example"), now);
  hosts().ended(hosts().any_host("b.example"), 0ms);
  preparer->ask_robots(id, false, now);
  answer(answered(301, "Location: http://b.example/robots.txt\r\n"));
  EXPECT_EQ(slots.preparing(), 0u) << "it waits, and holds nothing";
  EXPECT_EQ(preparer->next_due(), now);
  preparer->start_due(now);
  EXPECT_TRUE(fetcher.requests.back().resolve_only);
  answer(found(0x0a000002));
  preparer->start_due(now);
  EXPECT_TRUE(fetcher.requests.back().resolve_only) << "b.example was asked just now";
  EXPECT_EQ(preparer->next_due(), now + 1s);
  wait(1s);
  preparer->start_due(now);
  EXPECT_EQ(fetcher.requests.back().url, "http://b.example/robots.txt");
  EXPECT_EQ(hosts().earliest_start(hosts().any_host("b.example")), kNever);
  answer(answered(200, "", "User-agent: *\nDisallow: /y\n"));
  EXPECT_FALSE(host().origins[0].rules->allows("/y"));
  EXPECT_EQ(hosts().earliest_start(hosts().any_host("b.example")), now + 1001ms);
}

TEST_F(HostPreparerTest, RetryAfterOfATargetAppliesToTheTargetToo) {
  host().addresses_until = kNever;
  hosts().any_host("b.example").addresses_until = kNever;
  preparer->ask_robots(id, false, now);
  answer(answered(301, "Location: http://b.example/robots.txt\r\n"));
  preparer->start_due(now);
  answer(answered(429, "Retry-After: 500\r\n"));
  EXPECT_EQ(hosts().earliest_start(hosts().any_host("b.example")), now + 500s);
  EXPECT_EQ(hosts().own_gate(id), now + 500s);
}

TEST_F(HostPreparerTest, AHostThatDoesNotResolveIsGivenUpAtOnce) {
  preparer->look_up(id, false, now);
  FetchOutcome none;
  none.end = FetchEnd::kNoSuchName;
  answer(none);
  EXPECT_EQ(host().closed, static_cast<std::uint8_t>(HostEnd::kUnreachable));
  EXPECT_EQ(failures->closed(HostEnd::kUnreachable), 1u);
  EXPECT_FALSE(preparer->dns_failed());
}

TEST_F(HostPreparerTest, AHostThatWaitsForItsRobotsTxtSaysSo) {
  host().addresses_until = kNever;
  preparer->ask_robots(id, false, now);
  answer(answered(500, ""));
  EXPECT_EQ(host_trouble_text(host()), "a.test: robots.txt: server error, HTTP 5xx");
  EXPECT_EQ(failures->waiting(), "a.test: robots.txt: server error, HTTP 5xx");
  EXPECT_EQ(failures->waits_until(), hosts().own_gate(id));
  EXPECT_EQ(host().failures, 1u);
}

TEST_F(HostPreparerTest, ACrawlDelayOfMoreThanADayClosesTheHost) {
  host().addresses_until = kNever;
  preparer->ask_robots(id, false, now);
  answer(answered(200, "", "User-agent: *\nCrawl-delay: 86401\n"));
  EXPECT_EQ(host().closed, static_cast<std::uint8_t>(HostEnd::kCrawlDelay));
}

TEST_F(HostPreparerTest, AFailureAtTheTargetOfARedirectClosesTheRedirectingHostOnly) {
  host().addresses_until = kNever;
  hosts().any_host("victim.example").addresses_until = kNever;
  preparer->ask_robots(id, false, now);
  answer(answered(301, "Location: http://victim.example/error\r\n"));
  preparer->start_due(now);
  answer(answered(500, ""));
  EXPECT_LE(hosts().earliest_start(hosts().any_host("victim.example")), now + 1001ms);
  EXPECT_GE(hosts().own_gate(id), now + 1min);
}

TEST_F(HostPreparerTest, RedirectsToOneTargetQueueUp) {
  constexpr HostId kRedirecting = 100;
  for (HostId other = 0; other < kRedirecting; ++other) {
    crawl->state().intern(fmt::format("http://h{}.test/", other));
    hosts()[id + 1 + other].addresses_until = kNever;
    preparer->ask_robots(id + 1 + other, false, now);
    answer(answered(301, "Location: http://victim.example/robots.txt\r\n"));
  }
  const std::size_t before = fetcher.requests.size();
  preparer->start_due(now);
  EXPECT_EQ(fetcher.requests.size(), before + 1) << "the name is looked up once";
  answer(found(0x0a000002));
  for (HostId other = 0; other < kRedirecting; ++other) {
    preparer->start_due(now);
    ASSERT_EQ(fetcher.requests.size(), before + 2 + other);
    EXPECT_EQ(fetcher.requests.back().url, "http://victim.example/robots.txt");
    preparer->start_due(now);
    EXPECT_EQ(fetcher.requests.size(), before + 2 + other) << "one connection";
    answer(answered(404, ""));
    wait(2s);
  }
  EXPECT_EQ(preparer->hosts(), 0u);
  EXPECT_EQ(preparer->next_due(), kNever);
}

TEST_F(HostPreparerTest, CountsTheBytesOfRobotsTxt) {
  host().addresses_until = kNever;
  preparer->ask_robots(id, false, now);
  answer(answered(200, "", std::string(5000, '#')));
  EXPECT_EQ(counts.bytes, 5000u);
}

TEST_F(HostPreparerTest, RejectsSitemapsIfThereIsNoRoom) {
  HostPreparer::Parts parts{crawl->state(),
                            fetcher,
                            slots,
                            *failures,
                            nullptr,
                            counts,
                            clock,
                            filter,
                            fields,
                            *scope,
                            "bowerbird",
                            true,
                            [](std::uint64_t) { return true; }};
  preparer = std::make_unique<HostPreparer>(std::move(parts));
  host().addresses_until = kNever;
  preparer->ask_robots(id, false, now);
  answer(answered(200, "", "Sitemap: http://a.test/map.xml\n"));
  EXPECT_EQ(crawl->state().pages(), 1u);
}

}  // namespace
}  // namespace bowerbird
