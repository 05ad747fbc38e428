// Attacks that take too long for a quick test. ./test --full attacks runs them together with the quick tests
// of other attacks, which it names.
#include <gtest/gtest.h>

#include "hostile_server.h"
#include "hostile_tls_server.h"
#include "parse/robots_text.h"
#include "scripted_web.h"

namespace bowerbird {
namespace {

// Counts iterations of the loop, and the maximum of pages done and of URLs discovered in one of them.
class TurnCounter final : public Fetcher {
 public:
  TurnCounter(ScriptedWeb& web, const Crawler*& crawler) : inner_(web), crawler_(crawler) {
    turns = most = most_known = 0;
  }
  void start(FetchRequest request) override { inner_.start(std::move(request)); }
  void poll(std::vector<FetchOutcome>& done, int wait_ms) override {
    ++turns;
    const std::uint64_t now = crawler_->state().frontier().counts().crawled;
    most = std::max(most, now - done_before_);
    done_before_ = now;
    most_known = std::max<std::uint64_t>(most_known, crawler_->state().pages() - known_before_);
    known_before_ = crawler_->state().pages();
    inner_.poll(done, wait_ms);
  }
  std::size_t active() const override { return inner_.active(); }
  void cancel(std::uint64_t id) override { inner_.cancel(id); }
  void cancel_all() override { inner_.cancel_all(); }
  void wake() override {}
  std::string request_text(const FetchRequest& request) const override {
    return inner_.request_text(request);
  }

  inline static std::uint64_t turns = 0;
  inline static std::uint64_t most = 0;
  inline static std::uint64_t most_known = 0;

 private:
  ScriptedFetcher inner_;
  const Crawler*& crawler_;
  std::uint64_t done_before_ = 0;
  std::uint64_t known_before_ = 0;
};

// 500 KB of rules that fail only at the end of a URL, and a page with 80,000 links to check.
TEST(AttacksFull, SlowRulesAndForbiddenLinksDoNotBlockTheLoop) {
  ScriptedCrawl crawl;
  std::string rules = "user-agent: *\n";
  for (unsigned number = 0; rules.size() < kRobotsLimit - 100; ++number) {
    rules += "disallow: ";
    for (unsigned bit = 0; bit < 14; ++bit) rules += (number >> bit & 1) != 0 ? "*aa" : "*a";
    rules += "*b\n";
  }
  crawl.web.add("http://evil.example/robots.txt", {200, "", rules});
  std::string links;
  for (int i = 0; i < 80'000; ++i) links += fmt::format("<a href=/b{}{}>", std::string(60, 'a'), i);
  crawl.web.add_page("http://evil.example/", links);
  crawl.web.add_page("http://good.example/", "<a href=/1>1</a>");
  crawl.web.add_page("http://good.example/1", "good");
  crawl.options.start.seeds = {"http://evil.example/", "http://good.example/"};
  const Crawler* running = nullptr;
  auto opened = Crawler::open(crawl.options, std::make_unique<TurnCounter>(crawl.web, running));
  ASSERT_TRUE(opened.ok()) << opened.error().text;
  running = opened->get();
  ASSERT_TRUE((*opened)->run().ok());
  const CrawlStatus status = (*opened)->status();
  ASSERT_TRUE((*opened)->close().ok());
  EXPECT_EQ(status.counts.outcomes[static_cast<std::size_t>(Outcome::kRobots)], 80'000u);
  EXPECT_EQ(status.counts.pages, 3u);
  EXPECT_LE(TurnCounter::most, 1000u);
  EXPECT_GE(TurnCounter::turns, 80u);
  RecordProperty("longest_step_us", static_cast<int>(status.counts.longest.step_us));
}

// The links of the largest page become known over several iterations. With one connection nothing is handed
// out before it is done, and the next pages are the first of its links.
TEST(AttacksFull, AHundredThousandLinksBecomeKnownOverSeveralTurns) {
  ScriptedCrawl crawl;
  std::string links;
  for (int i = 0; i < 100'000; ++i) links += fmt::format("<a href=http://h{}.example/>", i);
  crawl.web.add_page("http://evil.example/", links);
  for (int i = 0; i < 3; ++i) crawl.web.add_page(fmt::format("http://h{}.example/", i), "good");
  crawl.options.start.seeds = {"http://evil.example/"};
  crawl.options.politeness.connections = 1;
  crawl.options.budget.pages = 4;
  const Crawler* running = nullptr;
  auto opened = Crawler::open(crawl.options, std::make_unique<TurnCounter>(crawl.web, running));
  ASSERT_TRUE(opened.ok()) << opened.error().text;
  running = opened->get();
  ASSERT_TRUE((*opened)->run().ok());
  EXPECT_EQ((*opened)->status().known, 100'001u);
  ASSERT_TRUE((*opened)->close().ok());
  EXPECT_LE(TurnCounter::most_known, 20'000u);
  std::vector<std::string> pages;
  for (const FetchRequest& request : crawl.web.requests) {
    if (!request.url.ends_with("/robots.txt")) pages.push_back(request.url);
  }
  EXPECT_EQ(pages, (std::vector<std::string>{"http://evil.example/", "http://h0.example/",
                                             "http://h1.example/", "http://h2.example/"}));
}

// Each sitemap names ten others and itself.
TEST(AttacksFull, CyclicSitemapsEnd) {
  ScriptedCrawl crawl;
  crawl.web.add("http://evil.example/robots.txt", {200, "", "sitemap: http://evil.example/s0.xml\n"});
  crawl.web.add_page("http://evil.example/", "hello");
  for (int i = 0; i < 3000; ++i) {
    std::string index = "<sitemapindex>";
    for (int k = 0; k <= 10; ++k)
      index += fmt::format("<sitemap><loc>http://evil.example/s{}.xml</loc></sitemap>", (i * k + k) % 3000);
    crawl.web.add(fmt::format("http://evil.example/s{}.xml", i), {200, "Content-Type: text/xml\r\n", index});
  }
  crawl.options.start.seeds = {"http://evil.example/"};
  crawl.run();
  for (const std::string& url : crawl.web.requested()) EXPECT_EQ(crawl.web.requested().count(url), 1u) << url;
}

// Fifty thousand entries, and as many without a URL.
TEST(AttacksFull, ALargeSitemapIsReadAndInvalidEntriesAreCounted) {
  ScriptedCrawl crawl;
  std::string map = "<urlset>";
  for (int i = 0; i < 50'000; ++i)
    map += fmt::format("<url><loc>http://evil.example/{}</loc></url><url><loc>nonsense:{}</loc></url>", i, i);
  crawl.web.add("http://evil.example/map.xml", {200, "Content-Type: text/xml\r\n", map});
  crawl.options.start.sitemaps = {"http://evil.example/map.xml"};
  crawl.options.budget.pages = 5;
  crawl.run();
  EXPECT_GE(crawl.last.known, 25'000u);
  EXPECT_GE(crawl.last.counts.sitemap_unreadable, 25'000u);
}

TEST(AttacksFull, RedirectsWithoutEndEnd) {
  ScriptedCrawl crawl;
  for (int i = 0; i < 2000; ++i) {
    crawl.web.add(fmt::format("http://h{}.example/", i),
                  {302, fmt::format("Location: http://h{}.example/\r\n", i + 1), ""});
    crawl.web.add(fmt::format("http://h{}.example/robots.txt", i),
                  {302, fmt::format("Location: http://h{}.example/robots.txt\r\n", i + 1), ""});
  }
  crawl.options.start.seeds = {"http://h0.example/"};
  crawl.run();
  EXPECT_LT(crawl.web.requests.size(), 200u);
}

// The same servers, with robots.txt as harmful as everything else: no host whose rules could not be read is
// crawled, and the good one is.
TEST(AttacksFull, HostileRobotsFilesDelayNoOtherHost) {
  const HostileServer server;
  const TemporaryFolder folder;
  CrawlOptions options = among_hostile_servers(folder / "crawl");
  options.start.seeds = {server.url(kGood)};
  for (int harm = kGood + 1; harm < kHarms; ++harm)
    options.start.seeds.push_back(server.url(harm, "/", true));
  for (std::size_t i = 0; i < raw_replies().size(); ++i)
    options.start.seeds.push_back(server.url(kRaw + static_cast<int>(i), "/", true));
  auto crawler = std::move(Crawler::open(options)).value();
  const auto end = crawler->run();
  ASSERT_TRUE(end.ok()) << end.error().text;
  EXPECT_EQ(*end, CrawlEnd::kNothingLeft);
  ASSERT_TRUE(crawler->close().ok());
  const auto found = outcomes(options.out);
  for (int i = 0; i < kGoodPages; ++i) {
    const auto at = found.find(server.url(kGood, fmt::format("/{}", i)));
    EXPECT_TRUE(at != found.end() && at->second == "fetched") << i;
  }
  for (const int harm : {kEndlessHead, kBomb, kTooShort, kHalfHead, kHalfClosed}) {
    const auto at = found.find(server.url(harm, "/", true));
    EXPECT_TRUE(at == found.end() || at->second != "fetched") << harm;
  }
}

// Crawls these hosts; returns the outcome of each URL.
std::map<std::string, std::string> crawl_hostile_tls(const HostileTlsServer& server, bool http2,
                                                     const std::vector<std::string>& hosts) {
  const TemporaryFolder folder;
  write_text(folder / "authority.pem", server.authority_pem());
  CrawlOptions options = among_hostile_servers(folder / "crawl");
  options.network.connect_to = server.address();
  options.network.certificates = folder / "authority.pem";
  options.network.http2 = http2;
  options.fetch.connect_timeout = Seconds(1);
  options.fetch.timeout = Seconds(1);
  for (const std::string& host : hosts) options.start.seeds.push_back("https://" + host + "/");
  auto crawler = std::move(Crawler::open(options)).value();
  const auto end = crawler->run();
  EXPECT_TRUE(end.ok() && *end == CrawlEnd::kNothingLeft);
  EXPECT_TRUE(crawler->close().ok());
  return outcomes(options.out);
}

// By default HTTP/2 is used only with hosts that refuse HTTP/1.1.
TEST(AttacksFull, HostsThatViolateTlsDelayNoOtherHost) {
  const HostileTlsServer server;
  std::vector<std::string> good = {"good.test"};
  for (const auto& [host, harm] : HostileTlsServer::http2_harms()) good.push_back(host);
  std::vector<std::string> hosts = HostileTlsServer::tls_harms();
  hosts.insert(hosts.end(), good.begin(), good.end());
  auto found = crawl_hostile_tls(server, false, hosts);
  EXPECT_EQ(server.http2_connections(), 0u);
  for (const std::string& host : good) {
    for (const char* const path : {"", "1", "2", "3", "4", "5"})
      EXPECT_EQ(found["https://" + host + "/" + path], "fetched") << host;
  }
  for (const std::string& host : HostileTlsServer::tls_harms()) {
    const bool slow = host == "silent.test" || host == "drips.test";
    EXPECT_EQ(found["https://" + host + "/"], slow ? "timed-out" : "tls-error") << host;
    EXPECT_FALSE(found.contains("https://" + host + "/1")) << host;
  }
}

// Floods of frames, empty DATA frames among them, end; good hosts are crawled next to them.
TEST(AttacksFull, RequestsToHostsThatBreakHttp2End) {
  const HostileTlsServer server;
  std::vector<std::string> hosts;
  for (const auto& [host, harm] : HostileTlsServer::http2_harms()) hosts.push_back(host);
  const std::size_t harmful = hosts.size();
  hosts.push_back("good.test");
  auto found = crawl_hostile_tls(server, true, hosts);
  EXPECT_GT(server.http2_connections(), harmful);
  for (const std::string& host : hosts) {
    EXPECT_NE(found["https://" + host + "/"], "") << host;
    EXPECT_EQ(found["https://" + host + "/"] == "fetched", host == "good.test") << host;
  }
  for (const char* const path : {"1", "2", "3", "4", "5"})
    EXPECT_EQ(found[fmt::format("https://good.test/{}", path)], "fetched") << path;
}

}  // namespace
}  // namespace bowerbird
