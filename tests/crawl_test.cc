// The live crawler, end to end on loopback.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "crawl_testing.h"
#include "pretended_web_testing.h"
#include "url/site.h"

namespace bowerbird {
namespace {

SiteOptions with_fault(Fault fault, double share, std::uint32_t times = 0) {
  SiteOptions options;
  options.page_faults = {{fault, share, times}};
  return options;
}

TEST(Crawl, FetchesEveryPageOnceAndStoresIt) {
  CrawlBench bench(random_web(400, 20, 4));
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_EQ(bench.last.counts.pages, 400u);
  EXPECT_EQ(bench.outcome(Outcome::kFetched), 400u);
  const auto stored = bench.stored();
  EXPECT_EQ(stored.size(), 400u);
  for (PageId page = 0; page < 400; ++page) EXPECT_EQ(stored.count(bench.page_url(page)), 1u) << page;
  std::map<PageId, int> asked;
  for (const AccessEntry& entry : bench.log()) {
    if (entry.page != kNoPage) ++asked[entry.page];
  }
  EXPECT_EQ(asked.size(), 400u);
  for (const auto& [page, times] : asked) EXPECT_EQ(times, 1) << page;
}

TEST(Crawl, KeepsTheLinkGraph) {
  CrawlBench bench(random_web(60, 10, 4));
  bench.crawl();
  const auto reader = std::move(CrawlReader::open(bench.options.out)).value();
  std::map<std::string, PageId> page_of;
  for (PageId page = 0; page < 60; ++page) page_of[bench.page_url(page)] = page;
  std::uint64_t rows = 0;
  LinkBuffer buffer;
  ASSERT_TRUE(reader
                  ->for_each_links([&](const PageLinks& row) -> Status {
                    ++rows;
                    std::vector<PageId> targets;
                    for (const StoredLink& link : row.links)
                      targets.push_back(page_of.at(reader->url(link.page).value()));
                    const auto expected =
                        bench.web.graph->out(page_of.at(reader->url(row.page).value()), buffer);
                    EXPECT_TRUE(std::equal(targets.begin(), targets.end(), expected.begin(), expected.end()));
                    return {};
                  })
                  .ok());
  EXPECT_EQ(rows, 60u);
}

TEST(Crawl, ObeysRobots) {
  SiteOptions site;
  site.files.disallow = 1;
  CrawlBench bench(random_web(300, 30, 6), site);
  bench.crawl();
  EXPECT_GT(bench.outcome(Outcome::kRobots), 10u);
  for (const AccessEntry& entry : bench.log()) {
    // All paths that end in 3, except in 33.
    EXPECT_FALSE(entry.target.ends_with('3') && !entry.target.ends_with("33")) << entry.target;
  }
}

TEST(Crawl, UnreachableRobotsForbidEverything) {
  SiteOptions site;
  site.robots_faults = {{Fault::kError, 1.0, 0}};
  CrawlBench bench(random_web(30, 10, 4), site);
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_EQ(bench.last.counts.pages, 0u);
  EXPECT_EQ(bench.outcome(Outcome::kRobots), 1u);
  for (const AccessEntry& entry : bench.log()) EXPECT_EQ(entry.target, "/robots.txt");
}

TEST(Crawl, MissingRobotsForbidNothing) {
  SiteOptions site;
  site.robots_faults = {{Fault::kNotFound, 1.0, 0}};
  CrawlBench bench(random_web(30, 10, 4), site);
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 30u);
}

TEST(Crawl, TemporaryFaultsAreRetried) {
  CrawlBench bench(random_web(100, 10, 4), with_fault(Fault::kDropped, 0.3, 1));
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 100u);
  EXPECT_GT(bench.last.counts.retries, 5u);
  EXPECT_EQ(bench.stored().size(), 100u);
}

TEST(Crawl, RespectsRetryAfter) {
  SiteOptions site = with_fault(Fault::kTooMany, 0.2, 1);
  site.retry_after_s = 1;
  CrawlBench bench(random_web(60, 10, 4), site);
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 60u);
}

TEST(Crawl, HostileServersNeitherBlockNorCrashIt) {
  SiteOptions site;
  for (const Fault fault : {Fault::kTruncated, Fault::kReset, Fault::kDropped, Fault::kEmpty, Fault::kGarbage,
                            Fault::kBadChunk, Fault::kBadCoding, Fault::kNoLength, Fault::kEndless,
                            Fault::kHugeHead, Fault::kBinary, Fault::kMoved, Fault::kLoop, Fault::kGone,
                            Fault::kForbidden, Fault::kOverlong, Fault::kStall, Fault::kHang, Fault::kDrip}) {
    site.page_faults.push_back({fault, 0.02, 0});
  }
  site.codings = accepted_codings("gzip,br,zstd");
  site.chunked = 0.3;
  CrawlBench bench(random_web(300, 15, 6), site);
  bench.options.fetch.timeout = Seconds(0.3);
  bench.options.fetch.max_body = 1 << 20;
  for (PageId page = 1; page < 30; ++page) bench.options.start.seeds.push_back(bench.page_url(page));
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  std::uint64_t reached = 0;
  for (const std::uint64_t count : bench.last.counts.outcomes) reached += count;
  EXPECT_EQ(reached, bench.last.counts.completed);
  EXPECT_GT(bench.last.counts.pages, 100u);
  EXPECT_EQ(bench.last.queued, 0u);
}

TEST(Crawl, ConnectsToPrivateNetworksOnlyIfAllowed) {
  CrawlBench bench(random_web(10, 10, 2));
  bench.options.network.allow_net = {"10.0.0.0/8"};
  bench.options.politeness.delay = Seconds(0.25);
  bench.options.politeness.connections_per_host = 1;
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 0u);
  EXPECT_EQ(bench.outcome(Outcome::kRefusedAddress), 1u);
  EXPECT_NE(bench.last.refused.find("127.0.0.1"), std::string::npos) << bench.last.refused;
  EXPECT_EQ(bench.server->connections(), 0u);
}

TEST(Crawl, ErrorResponsesAreStoredUnlessDisabled) {
  for (const bool keep : {true, false}) {
    CrawlBench bench(random_web(100, 10, 4), with_fault(Fault::kGone, 0.2));
    bench.options.storage.errors = keep;
    for (PageId page = 1; page < 30; ++page) bench.options.start.seeds.push_back(bench.page_url(page));
    bench.crawl();
    const std::uint64_t gone = bench.outcome(Outcome::kNotFound);
    ASSERT_GT(gone, 3u);
    std::uint64_t errors = 0;
    const auto reader = std::move(CrawlReader::open(bench.options.out)).value();
    ASSERT_TRUE(reader
                    ->for_each_fetch([&](const FetchEntry& entry) -> Status {
                      if (entry.status == 410 || entry.status == 404) ++errors;
                      return {};
                    })
                    .ok());
    EXPECT_EQ(errors, keep ? gone : 0);
    EXPECT_EQ(bench.stored().size(), bench.last.counts.pages + errors);
  }
}

TEST(Crawl, BudgetsEndIt) {
  CrawlBench bench(random_web(300, 30, 5));
  bench.options.budget.pages = 37;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
  EXPECT_EQ(bench.last.counts.pages, 37u);
  EXPECT_EQ(bench.stored().size(), 37u);
  // With a larger budget it continues from there.
  bench.options.budget.pages = 100;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
  EXPECT_EQ(bench.last.counts.pages, 100u);
  EXPECT_EQ(bench.stored().size(), 100u);
  bench.options.budget.pages = 0;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_EQ(bench.stored().size(), 300u);
}

TEST(Crawl, HostsHaveBudgetsOfTheirOwn) {
  CrawlBench bench(random_web(200, 20, 6));
  bench.options.budget.pages_per_host = 5;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  std::map<std::string, int> pages;
  for (const AccessEntry& entry : bench.log()) {
    if (entry.page != kNoPage) ++pages[entry.host];
  }
  EXPECT_EQ(pages.size(), 10u);
  for (const auto& [host, count] : pages) EXPECT_EQ(count, 5) << host;
}

TEST(Crawl, DepthAndScopeLimitIt) {
  CrawlBench bench(make_ring(100));
  bench.options.budget.depth = 2;
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 7u);  // 0; 1 to 3; 4 to 6
  CrawlBench narrow(make_ring(100));
  narrow.options.scope.mode = ScopeMode::kHost;
  narrow.crawl();
  EXPECT_EQ(narrow.last.counts.pages, 10u);
}

TEST(Crawl, ChangedFixedOptionsAreRefusedAtAResume) {
  CrawlBench bench(random_web(20, 10, 3));
  bench.crawl();
  bench.options.order.policy = "dfs";
  const auto again = Crawler::open(bench.options);
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().text.find("--policy"), std::string::npos) << again.error().text;
}

TEST(Crawl, SeedsMayBeAddedAtAResume) {
  CrawlBench bench(make_web({{1}, {0}, {3}, {2}}, {0, 0, 1, 1}));
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 2u);
  bench.options.start.seeds = {bench.page_url(2)};
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 4u);
}

TEST(Crawl, StopsAtTheGivenImportance) {
  CrawlBench bench(random_web(300, 30, 5));
  bench.options.budget.stop_at_importance = 0.3;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kImportance);
  EXPECT_GE(bench.last.guaranteed, 0.3);
  EXPECT_LT(bench.last.counts.pages, 300u);
}

TEST(Crawl, ComputesTheBoundOnlyIfEnabled) {
  CrawlBench bench(random_web(50, 10, 5));
  bench.crawl();
  EXPECT_LT(bench.last.guaranteed, 0);
  EXPECT_EQ(status_json(bench.last, CrawlEnd::kNothingLeft).find("importance_covered"), std::string::npos);
  bench.options.budget.stop_at_importance = 0.5;
  const auto late = Crawler::open(bench.options);
  ASSERT_FALSE(late.ok());
  EXPECT_NE(late.error().text.find("--stop-at-importance needs --bound from the start"), std::string::npos)
      << late.error().text;
}

TEST(Crawl, FollowsTheSitemapsOfRobots) {
  SiteOptions site;
  site.files.sitemaps = true;
  // No page links to another: only the host's sitemap lists them.
  CrawlBench bench(make_web({{}, {}, {}, {}}, {0, 0, 0, 0}), site);
  bench.crawl();
  std::set<PageId> asked;
  for (const AccessEntry& entry : bench.log()) {
    if (entry.page != kNoPage) asked.insert(entry.page);
  }
  EXPECT_EQ(asked.size(), 4u);
}

TEST(Crawl, DoesNotDependOnTheNumberOfParsers) {
  for (const std::uint64_t parsers : {0, 1, 3}) {
    CrawlBench bench(random_web(200, 20, 5));
    bench.options.parsers = parsers;
    bench.crawl();
    EXPECT_EQ(bench.last.counts.pages, 200u) << parsers;
  }
}

TEST(Crawl, EndsWithinAMinuteIfDnsIsSilent) {
  CrawlBench bench(random_web(10, 10, 2));
  bench.options.start.seeds = {"http://a.test/", "http://b.test/"};
  ManualClock clock;
  PretendedWeb::Record record;
  auto web = std::make_unique<PretendedWeb>(
      clock, [](const std::string&) { return PretendedWeb::Page(); }, record);
  web->silence_dns();
  auto crawler = std::move(Crawler::open(bench.options, std::move(web), nullptr, &clock)).value();
  EXPECT_EQ(crawler->run().value(), CrawlEnd::kNoDns);
  EXPECT_LT(clock.now_us(), 60'000'000);
  EXPECT_EQ(crawler->status().counts.seeds_failed, 2u);
  EXPECT_EQ(crawler->status().queued, 2u) << "a resume tries them again";
}

// ---- politeness

// Records when each request begins, and how often the crawl polls without waiting.
class Recorder final : public Fetcher {
 public:
  struct Start {
    std::string host;
    std::int64_t us;
  };
  struct Record {
    std::vector<Start> starts;
    std::uint64_t looks = 0;
  };
  Recorder(const CrawlOptions& options, Record& record) : record_(record) {
    FetcherOptions network;
    network.connect_to = options.network.connect_to;
    network.filter = std::move(NetFilter::parse(options.network.allow_net)).value();
    inner_ = std::move(make_fetcher(network)).value();
  }
  void start(FetchRequest request) override {
    Url url;
    EXPECT_EQ(parse_url(request.url, nullptr, url), UrlFault::kNone);
    if (!request.resolve_only) record_.starts.push_back({std::string(url.host()), MonotonicClock().now_us()});
    inner_->start(std::move(request));
  }
  void poll(std::vector<FetchOutcome>& done, int wait_ms) override {
    if (wait_ms == 0) ++record_.looks;
    inner_->poll(done, wait_ms);
  }
  std::size_t active() const override { return inner_->active(); }
  void cancel(std::uint64_t id) override { inner_->cancel(id); }
  void cancel_all() override { inner_->cancel_all(); }
  void wake() override { inner_->wake(); }
  std::string request_text(const FetchRequest& request) const override {
    return inner_->request_text(request);
  }

 private:
  std::unique_ptr<Fetcher> inner_;
  Record& record_;
};

// Hosts whose robots.txt is being fetched count as in flight; with the bandwidth used up nothing may begin
// either.
TEST(Crawl, DoesNotSpinWhileNothingCanBeStarted) {
  for (const std::uint64_t bandwidth : {0, 300'000}) {
    SiteOptions slow;
    slow.latency_ms = 5;
    CrawlBench bench(random_web(100, 2, 5), slow);
    bench.options.politeness.connections = 4;
    bench.options.politeness.bandwidth = bandwidth;
    Recorder::Record record;
    bench.crawl(std::make_unique<Recorder>(bench.options, record));
    EXPECT_EQ(bench.last.counts.pages, 100u);
    EXPECT_LT(record.looks, 300u) << bandwidth;
  }
}

TEST(Crawl, KeepsTheGatesOfHostsAddressesAndDomains) {
  CrawlBench bench(random_web(60, 6, 4));
  bench.options.politeness.delay = Seconds(0.060);
  bench.options.politeness.delay_ip = Seconds(0.002);
  bench.options.politeness.delay_domain = Seconds(0.010);
  bench.options.politeness.adapt = 0;
  bench.options.politeness.connections_per_host = 1;
  Recorder::Record record;
  bench.crawl(std::make_unique<Recorder>(bench.options, record));
  EXPECT_EQ(bench.last.counts.pages, 60u);
  std::map<std::string, std::int64_t> last_of_host, last_of_site;
  std::int64_t last_of_all = -1'000'000;
  for (const Recorder::Start& start : record.starts) {
    const std::string site = site_of_host(start.host);
    const auto since = [&](const std::map<std::string, std::int64_t>& map, const std::string& key) {
      const auto found = map.find(key);
      return found == map.end() ? std::int64_t{1'000'000} : start.us - found->second;
    };
    EXPECT_GE(since(last_of_host, start.host), 60'000) << start.host;
    EXPECT_GE(since(last_of_site, site), 10'000) << site;
    EXPECT_GE(start.us - last_of_all, 2'000);
    last_of_host[start.host] = last_of_site[site] = last_of_all = start.us;
  }
  EXPECT_EQ(record.starts.size(), 70u);  // and ten robots.txt
}

TEST(Crawl, RespectsCrawlDelay) {
  SiteOptions site;
  site.files.crawl_delay_s = 0.05;
  CrawlBench bench(make_ring(10), site);
  Recorder::Record record;
  bench.crawl(std::make_unique<Recorder>(bench.options, record));
  const auto& starts = record.starts;
  ASSERT_EQ(starts.size(), 11u);
  for (std::size_t i = 1; i < starts.size(); ++i) EXPECT_GE(starts[i].us - starts[i - 1].us, 49'000) << i;
}

}  // namespace
}  // namespace bowerbird
