// The live crawler, end to end on loopback.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "crawl_testing.h"
#include "fetch/body_room.h"
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

TEST(Crawl, WithKnownUrlsOnDiskFetchesEveryPageOnceToo) {
  CrawlBench bench(random_web(400, 20, 4));
  bench.options.url_memory = 1;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_GT(bench.last.memory.urls_on_disk, 300u);
  EXPECT_GT(bench.last.memory.asked_disk, 100u);
  const auto stored = bench.stored();
  EXPECT_EQ(stored.size(), 400u);
  for (PageId page = 0; page < 400; ++page) EXPECT_EQ(stored.count(bench.page_url(page)), 1u) << page;
}

// What the machine says of the memory is made up here: a look at it every quarter of a second.
TEST(Crawl, GoesThroughTheStagesAsMemoryGetsShort) {
  SiteOptions site;
  site.latency_ms = 20;
  CrawlBench bench(random_web(3000, 20, 4), site);
  bench.options.policy = "fpr@100";
  bench.options.memory = std::uint64_t{256} << 20;
  auto crawler = std::move(Crawler::open(bench.options)).value();
  std::vector<double> shares = {0.5, 0.87, 0.91, 0.91, 0.91, 0.91, 0.91, 0.91, 0.95, 0.95, 0.95, 0.5};
  std::size_t look = 0;
  crawler->read_memory_from([&] {
    return static_cast<std::uint64_t>(shares[std::min(look, shares.size() - 1)] *
                                      static_cast<double>(bench.options.memory));
  });
  std::vector<MemoryStage> stages;
  const auto end = crawler->run([&](const CrawlStatus& status) {
    ++look;
    if (stages.empty() || stages.back() != status.memory.stage) stages.push_back(status.memory.stage);
    return CrawlWish::kGoOn;
  });
  ASSERT_TRUE(end.ok()) << end.error().text;
  EXPECT_EQ(*end, CrawlEnd::kNothingLeft);
  EXPECT_EQ(stages, (std::vector<MemoryStage>{MemoryStage::kEasy, MemoryStage::kCaches, MemoryStage::kSpill,
                                              MemoryStage::kFull, MemoryStage::kEasy}));
  const CrawlStatus last = crawler->status();
  EXPECT_TRUE(last.memory.bound_given_up);
  EXPECT_LT(last.covered, 0);
  EXPECT_GT(last.counts.turned_away, 0u);
  EXPECT_GT(last.counts.turned_away_worth, 0);
  ASSERT_TRUE(crawler->close().ok());
  EXPECT_GT(bench.stored().size(), 1000u) << "and the crawl went on";
}

// A pretended Web of long pages: a piece of each comes with every look.
class LongPages final : public Fetcher {
 public:
  static constexpr std::uint64_t kBody = 1 << 20, kPiece = 16 << 10;
  explicit LongPages(std::uint64_t& most) : most_(most) {}

  void start(FetchRequest request) override {
    auto one = std::make_unique<Transfer>();
    one->outcome.id = request.id;
    one->outcome.end = request.resolve_only ? FetchEnd::kResolved : FetchEnd::kAnswered;
    one->outcome.address = NetAddress::parse("127.0.0.1");
    const bool robots = request.url.ends_with("/robots.txt");
    one->outcome.status = robots ? 404 : 200;
    one->outcome.head =
        robots ? "HTTP/1.1 404 No\r\n\r\n" : "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    one->left = robots || request.resolve_only ? 0 : kBody;
    transfers_.push_back(std::move(one));
  }
  void poll(std::vector<FetchOutcome>& done, int) override {
    for (Transfer* resumed : room_.take_resumed()) resumed->waits = false;
    for (auto& one : transfers_) {
      if (one->waits || one->left == 0) continue;
      one->waits = !room_.take(one.get(), kPiece);
      if (one->waits) continue;
      one->outcome.body.append(kPiece, ' ');
      one->left -= kPiece;
    }
    most_ = std::max(most_, room_.used());
    std::erase_if(transfers_, [&](const std::unique_ptr<Transfer>& one) {
      if (one->left > 0) return false;
      room_.leave(one.get(), one->outcome.body.size());
      done.push_back(std::move(one->outcome));
      return true;
    });
  }
  std::size_t active() const override { return transfers_.size(); }
  void cancel_all() override { transfers_.clear(); }
  void limit_bodies(std::uint64_t bytes) override { room_.limit(bytes); }
  std::uint64_t body_bytes() const override { return room_.used(); }
  void wake() override {}
  std::string request_text(const FetchRequest&) const override { return "GET / HTTP/1.1\r\n\r\n"; }

 private:
  struct Transfer {
    FetchOutcome outcome;
    std::uint64_t left = 0;
    bool waits = false;
  };
  std::vector<std::unique_ptr<Transfer>> transfers_;
  BodyRoom<Transfer> room_;
  std::uint64_t& most_;
};

TEST(Crawl, BodiesUnderWayStayWithinTheirShareAndNoneIsLost) {
  constexpr std::uint64_t kMemory = std::uint64_t{128} << 20;
  const std::uint64_t share = memory_shares(kMemory).bodies;
  for (const bool limited : {false, true}) {
    CrawlBench bench(random_web(48, 4, 4));
    bench.options.seeds.clear();
    for (PageId page = 0; page < 48; ++page) bench.options.seeds.push_back(bench.page_url(page));
    bench.options.connections = 48;
    bench.options.memory = limited ? kMemory : 0;
    std::uint64_t most = 0;
    bench.crawl(std::make_unique<LongPages>(most));
    EXPECT_EQ(bench.last.counts.pages, 48u);
    EXPECT_EQ(bench.last.counts.bytes, 48 * LongPages::kBody);
    if (limited) {
      EXPECT_LE(most, share + LongPages::kBody);
    } else {
      EXPECT_GT(most, share + LongPages::kBody) << "this Web is no trial";
    }
  }
}

// What is left of a run is of no use to the next one: it is made anew.
TEST(Crawl, MakesItsRunsAnewWhereTheyAreDamaged) {
  SiteOptions site;
  site.latency_ms = 5;
  CrawlBench bench(random_web(400, 20, 4), site);
  bench.options.url_memory = 1;
  auto crawler = std::move(Crawler::open(bench.options)).value();
  int damaged = 0;
  const auto end = crawler->run([&](const CrawlStatus&) {
    std::error_code none;
    for (const auto& file : std::filesystem::directory_iterator(bench.options.out + "/known", none)) {
      if (damaged++ % 2 == 0) std::filesystem::resize_file(file.path(), 0, none);
    }
    return CrawlWish::kGoOn;
  });
  ASSERT_TRUE(end.ok()) << end.error().text;
  ASSERT_TRUE(crawler->close().ok());
  EXPECT_EQ(bench.stored().size(), 400u);
  EXPECT_GT(damaged, 0);
}

TEST(Crawl, PagesThatHoldLinksBackAreNotFetchedAgain) {
  for (const char* strategy : {"sydney@1", "shallow@1"}) {
    CrawlBench bench(random_web(200, 20, 6));
    bench.options.policy = "fpr";
    bench.options.strategy = strategy;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    std::map<PageId, int> asked;
    for (const AccessEntry& entry : bench.log()) {
      if (entry.page != kNoPage) ++asked[entry.page];
    }
    EXPECT_EQ(asked.size(), 200u);
    for (const auto& [page, times] : asked) EXPECT_EQ(times, 1) << page;
  }
}

TEST(Crawl, AQueueThatIsPartlyOnDiskLosesNothing) {
  CrawlBench bench(random_web(400, 20, 8));
  bench.options.policy = "opic";
  bench.options.queue_memory = 600;
  bench.options.pages = 60;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
  EXPECT_GT(bench.last.memory.queued_on_disk, 50u);
  EXPECT_EQ(bench.last.troubles, 0u);
  bench.options.pages = 120;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
  EXPECT_GT(bench.last.memory.queued_on_disk, 50u);
  // What lies on disk comes back where memory is no longer short.
  bench.options.queue_memory = 0;
  bench.options.pages = 0;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_EQ(bench.last.memory.queued_on_disk, 0u);
  EXPECT_EQ(bench.last.troubles, 0u);
  EXPECT_EQ(bench.stored().size(), 400u);
}

TEST(Crawl, AMissingOrDamagedSpillFileIsReportedAndNothingIsLost) {
  for (const bool gone : {true, false}) {
    CrawlBench bench(random_web(300, 20, 8));
    bench.options.queue_memory = 600;
    bench.options.pages = 60;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(bench.options.out + "/spill")) {
      ++files;
      if (gone) {
        std::filesystem::remove(entry.path());
      } else {
        std::ofstream(entry.path(), std::ios::binary) << "not a run";
      }
    }
    EXPECT_GT(files, 0u);
    bench.options.pages = 0;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    EXPECT_EQ(bench.last.troubles, 1u);
    EXPECT_EQ(bench.stored().size(), 300u);
    std::ifstream log(bench.options.out + "/crawl.jsonl");
    const std::string text((std::istreambuf_iterator<char>(log)), {});
    EXPECT_NE(text.find("entries of scores"), text.npos) << "what it held";
  }
}

// Pages with so many links that some of them have left memory before half of the crawl is over.
struct ManyLinks : CrawlBench {
  explicit ManyLinks(std::uint64_t graph_memory) : CrawlBench(random_web(500, 25, 150)) {
    options.policy = "lipr:first=40";  // so that ranks are refreshed often
    options.graph_memory = graph_memory;
    options.connections = options.connections_per_host = 1;
  }
  std::vector<PageId> order() {
    std::vector<PageId> pages;
    for (const AccessEntry& entry : log()) {
      if (entry.page != kNoPage) pages.push_back(entry.page);
    }
    return pages;
  }
  std::string jsonl() const {
    std::ifstream log(options.out + "/crawl.jsonl");
    return {std::istreambuf_iterator<char>(log), {}};
  }
};

TEST(Crawl, AnOrderingsGraphOnDiskChangesNoOrder) {
  ManyLinks in_memory(0), on_disk(1);
  in_memory.crawl();
  on_disk.crawl();
  EXPECT_EQ(in_memory.last.memory.links_on_disk, 0u);
  EXPECT_GT(on_disk.last.memory.links_on_disk, 20'000u);
  EXPECT_EQ(on_disk.last.troubles, 0u);
  EXPECT_EQ(on_disk.order(), in_memory.order());
}

TEST(Crawl, AnOrderingsGraphIsMendedFromTheLogOfLinks) {
  ManyLinks whole(0);
  whole.crawl();
  const std::vector<PageId> expected = whole.order();
  for (const bool gone : {true, false}) {
    ManyLinks bench(1);
    bench.options.pages = 400;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
    for (const auto& entry : std::filesystem::directory_iterator(bench.options.out + "/spill")) {
      if (gone) {
        std::filesystem::remove(entry.path());
      } else {
        std::filesystem::resize_file(entry.path(), 1000);
      }
    }
    bench.options.pages = 0;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    EXPECT_GT(bench.last.troubles, 0u);
    EXPECT_NE(bench.jsonl().find("put together again from the log of links"), std::string::npos);
    EXPECT_EQ(bench.order(), expected);
  }
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
  site.disallow = 1;
  CrawlBench bench(random_web(300, 30, 6), site);
  bench.crawl();
  EXPECT_GT(bench.outcome(Outcome::kRobots), 10u);
  for (const AccessEntry& entry : bench.log()) {
    // All paths that end in 3, but in 33.
    EXPECT_FALSE(entry.target.ends_with('3') && !entry.target.ends_with("33")) << entry.target;
  }
}

TEST(Crawl, RobotsThatCannotBeHadForbidEverything) {
  SiteOptions site;
  site.robots_faults = {{Fault::kError, 1.0, 0}};
  CrawlBench bench(random_web(30, 10, 4), site);
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_EQ(bench.last.counts.pages, 0u);
  EXPECT_EQ(bench.outcome(Outcome::kRobots), 1u);
  for (const AccessEntry& entry : bench.log()) EXPECT_EQ(entry.target, "/robots.txt");
}

TEST(Crawl, RobotsThatAreNotThereForbidNothing) {
  SiteOptions site;
  site.robots_faults = {{Fault::kNotFound, 1.0, 0}};
  CrawlBench bench(random_web(30, 10, 4), site);
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 30u);
}

TEST(Crawl, PassingTroubleIsTriedAgain) {
  CrawlBench bench(random_web(100, 10, 4), with_fault(Fault::kDropped, 0.3, 1));
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 100u);
  EXPECT_GT(bench.last.counts.retries, 5u);
  EXPECT_EQ(bench.stored().size(), 100u);
}

TEST(Crawl, WaitsWhereAServerAsksForIt) {
  SiteOptions site = with_fault(Fault::kTooMany, 0.2, 1);
  site.retry_after_s = 1;
  CrawlBench bench(random_web(60, 10, 4), site);
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 60u);
}

TEST(Crawl, HostileServersNeitherStallNorBreakIt) {
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
  bench.options.timeout_s = 0.3;
  bench.options.max_body = 1 << 20;
  for (PageId page = 1; page < 30; ++page) bench.options.seeds.push_back(bench.page_url(page));
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  std::uint64_t reached = 0;
  for (const std::uint64_t count : bench.last.counts.outcomes) reached += count;
  EXPECT_EQ(reached, bench.last.counts.completed);
  EXPECT_GT(bench.last.counts.pages, 100u);
  EXPECT_EQ(bench.last.queued, 0u);
}

TEST(Crawl, NeverConnectsToAPrivateNetworkUnlessToldSo) {
  CrawlBench bench(random_web(10, 10, 2));
  bench.options.allow_net = {"10.0.0.0/8"};
  bench.options.delay_s = 0.25;
  bench.options.connections_per_host = 1;
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 0u);
  EXPECT_EQ(bench.outcome(Outcome::kRefusedAddress), 1u);
  EXPECT_NE(bench.last.refused.find("127.0.0.1"), std::string::npos) << bench.last.refused;
  EXPECT_EQ(bench.server->connections(), 0u);
}

TEST(Crawl, AnswersThatAreErrorsAreKeptUnlessSwitchedOff) {
  for (const bool keep : {true, false}) {
    CrawlBench bench(random_web(100, 10, 4), with_fault(Fault::kGone, 0.2));
    bench.options.store_errors = keep;
    for (PageId page = 1; page < 30; ++page) bench.options.seeds.push_back(bench.page_url(page));
    bench.crawl();
    const std::uint64_t gone = bench.outcome(Outcome::kNotFound);
    ASSERT_GT(gone, 3u);
    std::uint64_t errors = 0;
    const auto reader = std::move(CrawlReader::open(bench.options.out)).value();
    ASSERT_TRUE(reader
                    ->for_each_fetch([&](const FetchPlace& place) -> Status {
                      if (place.status == 410 || place.status == 404) ++errors;
                      return {};
                    })
                    .ok());
    EXPECT_EQ(errors, keep ? gone : 0);
    EXPECT_EQ(bench.stored().size(), bench.last.counts.pages + errors);
  }
}

TEST(Crawl, BudgetsEndIt) {
  CrawlBench bench(random_web(300, 30, 5));
  bench.options.pages = 37;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
  EXPECT_EQ(bench.last.counts.pages, 37u);
  EXPECT_EQ(bench.stored().size(), 37u);
  // A larger budget goes on from there.
  bench.options.pages = 100;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
  EXPECT_EQ(bench.last.counts.pages, 100u);
  EXPECT_EQ(bench.stored().size(), 100u);
  bench.options.pages = 0;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_EQ(bench.stored().size(), 300u);
}

TEST(Crawl, HostsHaveBudgetsOfTheirOwn) {
  CrawlBench bench(random_web(200, 20, 6));
  bench.options.pages_per_host = 5;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  std::map<std::string, int> pages;
  for (const AccessEntry& entry : bench.log()) {
    if (entry.page != kNoPage) ++pages[entry.host];
  }
  EXPECT_EQ(pages.size(), 10u);
  for (const auto& [host, count] : pages) EXPECT_EQ(count, 5) << host;
}

TEST(Crawl, DepthAndScopeNarrowIt) {
  CrawlBench bench(make_ring(100));
  bench.options.depth = 2;
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 7u);  // 0; 1 to 3; 4 to 6
  CrawlBench narrow(make_ring(100));
  narrow.options.scope.mode = "host";
  narrow.crawl();
  EXPECT_EQ(narrow.last.counts.pages, 10u);
}

TEST(Crawl, WhatCannotChangeIsRefusedAtAResume) {
  CrawlBench bench(random_web(20, 10, 3));
  bench.crawl();
  bench.options.policy = "dfs";
  const auto again = Crawler::open(bench.options);
  ASSERT_FALSE(again.ok());
  EXPECT_NE(again.error().text.find("--policy"), std::string::npos) << again.error().text;
}

TEST(Crawl, SeedsMayBeAddedAtAResume) {
  CrawlBench bench(make_web({{1}, {0}, {3}, {2}}, {0, 0, 1, 1}));
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 2u);
  bench.options.seeds = {bench.page_url(2)};
  bench.crawl();
  EXPECT_EQ(bench.last.counts.pages, 4u);
}

TEST(Crawl, StopsAtTheImportanceAskedFor) {
  CrawlBench bench(random_web(300, 30, 5));
  bench.options.stop_at_importance = 0.3;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kImportance);
  EXPECT_GE(bench.last.covered, 0.3);
  EXPECT_LT(bench.last.counts.pages, 300u);
}

TEST(Crawl, FollowsTheSitemapsOfRobots) {
  SiteOptions site;
  site.sitemaps = true;
  // No page links to another: only the sitemap of the host knows them.
  CrawlBench bench(make_web({{}, {}, {}, {}}, {0, 0, 0, 0}), site);
  bench.crawl();
  std::set<PageId> asked;
  for (const AccessEntry& entry : bench.log()) {
    if (entry.page != kNoPage) asked.insert(entry.page);
  }
  EXPECT_EQ(asked.size(), 4u);
}

TEST(Crawl, IsTheSameWhateverReadsThePages) {
  for (const std::uint64_t parsers : {0, 1, 3}) {
    CrawlBench bench(random_web(200, 20, 5));
    bench.options.parsers = parsers;
    bench.crawl();
    EXPECT_EQ(bench.last.counts.pages, 200u) << parsers;
  }
}

// ---- politeness

// Writes down when each request begins, and how often the crawl looks for an end without waiting for one.
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
    CurlFetcherOptions curl;
    curl.connect_to = options.connect_to;
    curl.filter = std::move(NetFilter::parse(options.allow_net)).value();
    inner_ = std::move(CurlFetcher::make(curl)).value();
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
  void cancel_all() override { inner_->cancel_all(); }
  void wake() override { inner_->wake(); }
  std::string request_text(const FetchRequest& request) const override {
    return inner_->request_text(request);
  }

 private:
  std::unique_ptr<Fetcher> inner_;
  Record& record_;
};

// Hosts whose rules are asked for count as under way; with the bandwidth used up nothing may begin either.
TEST(Crawl, DoesNotSpinWhileThereIsNoRoomForMore) {
  for (const std::uint64_t bandwidth : {0, 300'000}) {
    SiteOptions slow;
    slow.latency_ms = 5;
    CrawlBench bench(random_web(100, 2, 5), slow);
    bench.options.connections = 4;
    bench.options.bandwidth = bandwidth;
    Recorder::Record record;
    bench.crawl(std::make_unique<Recorder>(bench.options, record));
    EXPECT_EQ(bench.last.counts.pages, 100u);
    EXPECT_LT(record.looks, 300u) << bandwidth;
  }
}

TEST(Crawl, NoHostAddressOrDomainIsAskedBeforeItsGateOpens) {
  CrawlBench bench(random_web(60, 6, 4));
  bench.options.delay_s = 0.060;
  bench.options.delay_ip_s = 0.002;
  bench.options.delay_domain_s = 0.010;
  bench.options.adapt = 0;
  bench.options.connections_per_host = 1;
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

TEST(Crawl, CrawlDelayHolds) {
  SiteOptions site;
  site.crawl_delay_s = 0.05;
  CrawlBench bench(make_ring(10), site);
  Recorder::Record record;
  bench.crawl(std::make_unique<Recorder>(bench.options, record));
  const auto& starts = record.starts;
  ASSERT_EQ(starts.size(), 11u);
  for (std::size_t i = 1; i < starts.size(); ++i) EXPECT_GE(starts[i].us - starts[i - 1].us, 49'000) << i;
}

}  // namespace
}  // namespace bowerbird
