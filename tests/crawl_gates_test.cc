// Politeness towards hosts that are requested indirectly: targets of redirected robots.txt files, addresses
// that several hosts share, and hosts from before a resume. A fake Web and a manual clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "crawl/loop/crawler.h"
#include "crawl/state/restored_crawl.h"
#include "crawl_options_testing.h"
#include "pretended_web_testing.h"
#include "process.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

class GatedCrawl {
 public:
  GatedCrawl() {
    options = quick_crawl_options(folder_ / "crawl");
    options.network.allow_net.clear();
    options.politeness.delay = CrawlOptions().politeness.delay;
    options.politeness.adapt = 0;
    options.selection.traps = false;
    page = [](const std::string&) { return PretendedWeb::Page{"<p>words</p>"}; };
    names = [this](const std::string& host) {
      const auto [found, fresh] =
          addresses_.try_emplace(host, static_cast<std::uint32_t>(0x0a000000u + addresses_.size()));
      return PretendedWeb::Name{{NetAddress::ipv4(found->second)}, false};
    };
  }
  void run() {
    auto web = std::make_unique<PretendedWeb>(clock, page, record);
    web->latency_us = 30'000;
    web->names = names;
    web->robots = robots;
    auto crawler = std::move(Crawler::open(options, std::move(web), nullptr, &clock)).value();
    const auto end = crawler->run([this](const CrawlStatus& status) {
      if (!status.stall.empty()) stalls.insert(status.stall);
      return CrawlRequest::kContinue;
    });
    EXPECT_TRUE(end.ok());
    last = crawler->status();
    EXPECT_TRUE(crawler->close().ok());
  }
  // The start times of requests whose URL contains `text`, in seconds.
  std::vector<double> times(std::string_view text) const {
    std::vector<double> found;
    for (const PretendedWeb::Request& request : record.requests) {
      if (request.url.find(text) != std::string::npos) found.push_back(static_cast<double>(request.us) / 1e6);
    }
    return found;
  }
  static double least_gap(const std::vector<double>& times) {
    double least = 1e9;
    for (std::size_t i = 1; i < times.size(); ++i) least = std::min(least, times[i] - times[i - 1]);
    return least;
  }

  CrawlOptions options;
  ManualClock clock;
  std::function<PretendedWeb::Page(const std::string&)> page;
  std::function<PretendedWeb::Name(const std::string&)> names;
  std::function<PretendedWeb::Robots(const std::string&)> robots;
  PretendedWeb::Record record;
  CrawlStatus last;
  std::set<std::string> stalls;  // why nothing was fetched

 private:
  TemporaryFolder folder_;
  std::map<std::string, std::uint32_t> addresses_;
};

TEST(CrawlGates, ARedirectedRobotsTxtWaitsForItsTargetWhetherKnownOrNot) {
  for (const bool known : {false, true}) {
    GatedCrawl crawl;
    for (int host = 0; host < 40; ++host)
      crawl.options.start.seeds.push_back(fmt::format("http://h{}.test/", host));
    if (known) crawl.options.start.seeds.push_back("http://victim.example/");
    crawl.robots = [](const std::string& host) {
      return host == "victim.example" ? PretendedWeb::Robots{}
                                      : PretendedWeb::Robots{"", "http://victim.example/robots.txt"};
    };
    crawl.run();
    const std::vector<double> times = crawl.times("victim.example");
    EXPECT_EQ(times.size(), known ? 42u : 40u);
    EXPECT_GE(GatedCrawl::least_gap(times), 1) << known;
    EXPECT_EQ(crawl.last.counts.pages, known ? 41u : 40u);
  }
}

TEST(CrawlGates, TargetsOfRedirectsShareTheGateOfTheirAddress) {
  GatedCrawl crawl;
  for (int host = 0; host < 20; ++host)
    crawl.options.start.seeds.push_back(fmt::format("http://h{}.test/", host));
  crawl.robots = [](const std::string& host) {
    return host.starts_with("h") ? PretendedWeb::Robots{"", "http://victim-" + host + "/robots.txt"}
                                 : PretendedWeb::Robots{};
  };
  crawl.names = [inner = crawl.names](const std::string& host) {
    return host.starts_with("h") ? inner(host) : PretendedWeb::Name{{NetAddress::ipv4(0x0b000001)}, false};
  };
  crawl.run();
  EXPECT_EQ(crawl.times("victim").size(), 20u);
  EXPECT_GE(GatedCrawl::least_gap(crawl.times("victim")), 0.5);
}

TEST(CrawlGates, ADelayIsNoBackOff) {
  GatedCrawl crawl;
  crawl.options.start.seeds = {"http://h.test/1", "http://h.test/2", "http://h.test/3"};
  crawl.options.politeness.delay = std::chrono::seconds(9);
  crawl.run();
  EXPECT_EQ(crawl.last.counts.pages, 3u);
  EXPECT_TRUE(std::ranges::any_of(crawl.stalls, [](const std::string& text) {
    return text.starts_with("all remaining hosts are waiting for their delays; next request in ");
  }));
  for (const std::string& text : crawl.stalls) EXPECT_EQ(text.find("backing off"), text.npos) << text;
}

// When the address is free, one host gets a request; the others must not cost anything.
TEST(CrawlGates, HostsThatShareAnAddressAreNotAllLookedAt) {
  constexpr std::uint64_t kHosts = 1000;
  GatedCrawl crawl;
  for (std::uint64_t host = 0; host < kHosts; ++host)
    crawl.options.start.seeds.push_back(fmt::format("http://h{0}.d{0}.test/", host));
  crawl.names = [](const std::string&) { return PretendedWeb::Name{{NetAddress::ipv4(0x0b000001)}, false}; };
  crawl.run();
  EXPECT_EQ(crawl.last.counts.pages, kHosts);
  EXPECT_GE(GatedCrawl::least_gap(crawl.times("http")), 0.5);
  const auto restored = std::move(RestoredCrawl::open_to_read(crawl.options.out)).value();
  ASSERT_TRUE(restored->make_state().ok());
  std::uint64_t blocked = 0;
  const Status replayed = restored->replay_from_beginning(
      [&](const CrawlEvent& event, const std::function<Status()>& apply) -> Status {
        blocked += std::holds_alternative<PageBlocked>(event) ? 1 : 0;
        return apply();
      });
  ASSERT_TRUE(replayed.ok()) << replayed.error().text;
  EXPECT_LE(blocked, 10 * kHosts);
}

// Connections go only to addresses whose delay was kept: a new DNS answer is checked first.
TEST(CrawlGates, RequestsOnlyGoToAddressesWhoseDelayWasKept) {
  GatedCrawl crawl;
  crawl.options.start.seeds = {"http://a.test/", "http://b.example/", "http://c.example/"};
  const NetAddress shared = NetAddress::ipv4(0x0b000001);
  crawl.names = [&](const std::string& host) {
    const auto last = static_cast<std::uint32_t>(host.front());
    return PretendedWeb::Name{{NetAddress::ipv4(0x0a000000u + last), shared}, false};
  };
  crawl.run();
  ASSERT_EQ(crawl.record.requests.size(), 6u);
  std::vector<double> times;
  for (const PretendedWeb::Request& request : crawl.record.requests) {
    EXPECT_EQ(request.addresses.size(), 2u);
    times.push_back(static_cast<double>(request.us) / 1e6);
  }
  EXPECT_GE(GatedCrawl::least_gap(times), 0.5) << "the second address of all three is the same";
}

TEST(CrawlGates, AfterAResumeAHostWaitsItsFullDelay) {
  GatedCrawl crawl;
  crawl.options.start.seeds = {"http://a.test/"};
  crawl.robots = [](const std::string&) { return PretendedWeb::Robots{"User-agent: *\nCrawl-delay: 3\n"}; };
  crawl.page = [](const std::string&) { return PretendedWeb::Page{"<a href=/1>1</a><a href=/2>2</a>"}; };
  crawl.options.budget.pages = 1;
  crawl.run();
  // As if the machine had been off: according to the journal the delay is over.
  crawl.clock.advance(std::int64_t{60} * 1'000'000);
  const double resumed = static_cast<double>(crawl.clock.now_us()) / 1e6;
  crawl.options.budget.pages = 2;
  crawl.record = {};
  crawl.run();
  ASSERT_EQ(crawl.record.requests.size(), 1u);
  EXPECT_GE(static_cast<double>(crawl.record.requests.front().us) / 1e6, resumed + 3);
}

TEST(CrawlGates, AHostWithACrawlDelayOfMoreThanADayIsNotCrawled) {
  for (const bool too_long : {false, true}) {
    GatedCrawl crawl;
    crawl.options.start.seeds = {"http://a.test/"};
    crawl.robots = [&](const std::string&) {
      return PretendedWeb::Robots{fmt::format("User-agent: *\nCrawl-delay: {}\n", too_long ? 90'000 : 7200)};
    };
    crawl.run();
    EXPECT_EQ(crawl.record.pages.size(), too_long ? 0u : 1u);
    EXPECT_EQ(crawl.last.queued, too_long ? 1u : 0u);
    ASSERT_EQ(crawl.last.counts.failed_seeds.size(), too_long ? 1u : 0u);
    if (too_long) {
      EXPECT_EQ(crawl.last.counts.failed_seeds[0].url, "http://a.test/");
      EXPECT_EQ(crawl.last.counts.failed_seeds[0].reason,
                "its robots.txt asks for more than a day between two requests");
    }
    const auto why = json_of(run_bowerbird({"why", crawl.options.out, "http://a.test/", "--json"}));
    if (too_long) {
      EXPECT_EQ(why["host_ended"], "its robots.txt asks for more than a day between two requests");
    } else {
      EXPECT_FALSE(why.contains("host_ended")) << why;
      EXPECT_GE(GatedCrawl::least_gap(crawl.times("a.test")), 7200);
    }
  }
}

}  // namespace
}  // namespace bowerbird
