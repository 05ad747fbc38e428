// A crawl that is short of memory: what it writes to disk, and damage to that.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "crawl_testing.h"
#include "fetch/body_room.h"
#include "scripted_web.h"

namespace bowerbird {
namespace {

TEST(CrawlMemory, WithKnownUrlsOnDiskFetchesEveryPageOnce) {
  CrawlBench bench(random_web(400, 20, 4));
  bench.options.memory.urls = 1;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_GT(bench.last.memory.urls_on_disk, 300u);
  EXPECT_GT(bench.last.memory.asked_disk, 100u);
  const auto stored = bench.stored();
  EXPECT_EQ(stored.size(), 400u);
  for (PageId page = 0; page < 400; ++page) EXPECT_EQ(stored.count(bench.page_url(page)), 1u) << page;
}

// A simulated memory usage, read every quarter of a second.
TEST(CrawlMemory, GoesThroughTheStagesAsMemoryGetsShort) {
  SiteOptions site;
  site.latency_ms = 20;
  CrawlBench bench(random_web(3000, 20, 4), site);
  bench.options.order.policy = "fpr@100";
  bench.options.budget.bound = true;
  bench.options.memory.budget = std::uint64_t{256} << 20;
  auto crawler = std::move(Crawler::open(bench.options)).value();
  std::vector<double> shares = {0.5, 0.87, 0.91, 0.91, 0.91, 0.91, 0.91, 0.91, 0.95, 0.95, 0.95, 0.5};
  std::size_t look = 0;
  crawler->read_memory_from([&] {
    return static_cast<std::uint64_t>(shares[std::min(look, shares.size() - 1)] *
                                      static_cast<double>(bench.options.memory.budget));
  });
  std::vector<MemoryStage> stages;
  const auto end = crawler->run([&](const CrawlStatus& status) {
    ++look;
    if (stages.empty() || stages.back() != status.memory.stage) stages.push_back(status.memory.stage);
    return CrawlRequest::kContinue;
  });
  ASSERT_TRUE(end.ok()) << end.error().text;
  EXPECT_EQ(*end, CrawlEnd::kNothingLeft);
  EXPECT_EQ(stages, (std::vector<MemoryStage>{MemoryStage::kEasy, MemoryStage::kCaches, MemoryStage::kSpill,
                                              MemoryStage::kFull, MemoryStage::kEasy}));
  const CrawlStatus last = crawler->status();
  EXPECT_TRUE(last.memory.bound_dropped);
  EXPECT_LT(last.guaranteed, 0);
  EXPECT_GT(last.counts.rejected, 0u);
  EXPECT_GT(last.counts.rejected_worth, 0);
  ASSERT_TRUE(crawler->close().ok());
  EXPECT_GT(bench.stored().size(), 1000u) << "and the crawl went on";
}

// A fake Web of long pages: each poll delivers a piece of every page.
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
    for (Transfer* resumed : room_.take_resumed(0)) resumed->waits = false;
    for (auto& one : transfers_) {
      if (one->waits || one->left == 0) continue;
      one->waits = !room_.take(one.get(), kPiece, 0);
      if (one->waits) continue;
      one->outcome.body.append(kPiece, ' ');
      one->left -= kPiece;
    }
    most_ = std::max(most_, room_.used());
    std::erase_if(transfers_, [&](const std::unique_ptr<Transfer>& one) {
      if (one->left > 0) return false;
      room_.leave(one.get());
      done.push_back(std::move(one->outcome));
      return true;
    });
  }
  std::size_t active() const override { return transfers_.size(); }
  void cancel(std::uint64_t) override {}  // all of them end soon
  void cancel_all() override { transfers_.clear(); }
  void limit_bodies(std::uint64_t bytes, bool one_more) override { room_.limit(bytes, one_more); }
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

TEST(CrawlMemory, BodiesInFlightStayWithinTheirShareAndNoneIsLost) {
  constexpr std::uint64_t kMemory = std::uint64_t{128} << 20;
  const std::uint64_t share = memory_shares(kMemory).bodies;
  for (const bool limited : {false, true}) {
    CrawlBench bench(random_web(48, 4, 4));
    bench.options.start.seeds.clear();
    for (PageId page = 0; page < 48; ++page) bench.options.start.seeds.push_back(bench.page_url(page));
    bench.options.politeness.connections = 48;
    bench.options.memory.budget = limited ? kMemory : 0;
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

// The next run cannot use the runs of the last one: they are rebuilt.
TEST(CrawlMemory, RebuildsDamagedRuns) {
  SiteOptions site;
  site.latency_ms = 5;
  CrawlBench bench(random_web(400, 20, 4), site);
  bench.options.memory.urls = 1;
  auto crawler = std::move(Crawler::open(bench.options)).value();
  int damaged = 0;
  const auto end = crawler->run([&](const CrawlStatus&) {
    std::error_code none;
    for (const auto& file : std::filesystem::directory_iterator(bench.options.out + "/known", none)) {
      if (damaged++ % 2 == 0) std::filesystem::resize_file(file.path(), 0, none);
    }
    return CrawlRequest::kContinue;
  });
  ASSERT_TRUE(end.ok()) << end.error().text;
  ASSERT_TRUE(crawler->close().ok());
  EXPECT_EQ(bench.stored().size(), 400u);
  EXPECT_GT(damaged, 0);
}

TEST(CrawlMemory, PagesThatHoldLinksBackAreNotFetchedAgain) {
  for (const char* strategy : {"sydney@1", "shallow@1"}) {
    CrawlBench bench(random_web(200, 20, 6));
    bench.options.order.policy = "fpr";
    bench.options.order.strategy = strategy;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    std::map<PageId, int> asked;
    for (const AccessEntry& entry : bench.log()) {
      if (entry.page != kNoPage) ++asked[entry.page];
    }
    EXPECT_EQ(asked.size(), 200u);
    for (const auto& [page, times] : asked) EXPECT_EQ(times, 1) << page;
  }
}

TEST(CrawlMemory, AQueueThatIsPartlyOnDiskLosesNothing) {
  CrawlBench bench(random_web(400, 20, 8));
  bench.options.order.policy = "opic";
  bench.options.memory.queue = 600;
  bench.options.budget.pages = 60;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
  EXPECT_GT(bench.last.memory.queued_on_disk, 50u);
  EXPECT_EQ(bench.last.troubles, 0u);
  bench.options.budget.pages = 120;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
  EXPECT_GT(bench.last.memory.queued_on_disk, 50u);
  // Spilled data returns when memory is no longer short.
  bench.options.memory.queue = 0;
  bench.options.budget.pages = 0;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_EQ(bench.last.memory.queued_on_disk, 0u);
  EXPECT_EQ(bench.last.troubles, 0u);
  EXPECT_EQ(bench.stored().size(), 400u);
}

TEST(CrawlMemory, AMissingOrDamagedSpillFileIsReportedAndNothingIsLost) {
  for (const bool gone : {true, false}) {
    CrawlBench bench(random_web(300, 20, 8));
    bench.options.memory.queue = 600;
    bench.options.budget.pages = 60;
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
    bench.options.budget.pages = 0;
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
    options.order.policy = "lipr:first=40";  // so that ranks are recomputed often
    options.memory.graph = graph_memory;
    options.politeness.connections = options.politeness.connections_per_host = 1;
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

TEST(CrawlMemory, AnOrderingsGraphOnDiskChangesNoOrder) {
  ManyLinks in_memory(0), on_disk(1);
  in_memory.crawl();
  on_disk.crawl();
  EXPECT_EQ(in_memory.last.memory.links_on_disk, 0u);
  EXPECT_GT(on_disk.last.memory.links_on_disk, 20'000u);
  EXPECT_EQ(on_disk.last.troubles, 0u);
  EXPECT_EQ(on_disk.order(), in_memory.order());
}

TEST(CrawlMemory, AnOrderingsGraphIsRebuiltFromLinksLog) {
  ManyLinks whole(0);
  whole.crawl();
  const std::vector<PageId> expected = whole.order();
  for (const bool gone : {true, false}) {
    ManyLinks bench(1);
    bench.options.budget.pages = 400;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kPages);
    for (const auto& entry : std::filesystem::directory_iterator(bench.options.out + "/spill")) {
      if (gone) {
        std::filesystem::remove(entry.path());
      } else {
        std::filesystem::resize_file(entry.path(), 1000);
      }
    }
    bench.options.budget.pages = 0;
    EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
    EXPECT_GT(bench.last.troubles, 0u);
    EXPECT_NE(bench.jsonl().find("rebuilt from the log of links"), std::string::npos);
    EXPECT_EQ(bench.order(), expected);
  }
}

TEST(CrawlMemory, AnUnreadableUrlEndsTheCrawlWithAnErrorAndItCanBeResumed) {
  ScriptedCrawl crawl;
  crawl.options.start.seeds = {"http://a.test/"};
  std::string body;
  for (int i = 0; i < 500; ++i) {
    const std::string url = fmt::format("http://a.test/{}-{}", i, std::string(200, 'x'));
    body += fmt::format("<a href=\"{}\">x</a>", url);
    crawl.web.add_page(url, "");
  }
  crawl.web.add_page("http://a.test/", body);
  crawl.options.budget.pages = 10;
  crawl.run();
  crawl.options.budget.pages = 0;
  const std::string path = crawl.options.out + "/urls.log";
  const std::string backup = crawl.folder / "urls.log";
  std::filesystem::copy_file(path, backup);
  {
    auto opened = Crawler::open(crawl.options, std::make_unique<ScriptedFetcher>(crawl.web));
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    std::filesystem::resize_file(path, 100);
    const auto end = (*opened)->run();
    ASSERT_FALSE(end.ok());
    EXPECT_NE(end.error().text.find("urls.log"), std::string::npos) << end.error().text;
  }
  std::filesystem::copy_file(backup, path, std::filesystem::copy_options::overwrite_existing);
  crawl.run();
  EXPECT_EQ(crawl.last.counts.pages, 501u);
}

// The ordering needs links.log in the middle of completing a page.
TEST(CrawlMemory, ACommitForTheOrderingHasTheArchiveRecordsOfAllDonePages) {
  ManyLinks bench(1);
  bench.options.budget.pages = 400;
  bench.crawl();
  for (const auto& entry : std::filesystem::directory_iterator(bench.options.out + "/spill"))
    std::filesystem::remove(entry.path());
  bench.options.budget.pages = 0;
  bench.options.storage.commit = Seconds(3600);
  auto crawler = std::move(Crawler::open(bench.options)).value();
  ASSERT_TRUE(crawler->run().ok());
  crawler.reset();  // like a kill
  const auto reader = std::move(CrawlReader::open(bench.options.out)).value();
  EXPECT_GT(reader->crawled(), 400u);
  EXPECT_EQ(reader->fetches(), reader->crawled());
}

}  // namespace
}  // namespace bowerbird
