// One page links to a thousand hosts that never finish a response. The other hosts keep at least nine tenths
// of their pages per second, whatever the ordering. A fake Web and a manual clock.
#include <gtest/gtest.h>

#include "crawl/loop/crawler.h"
#include "pretended_web_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr unsigned kGoodHosts = 60;
constexpr double kSeconds = 5;

struct Attack {
  const char* name;
  unsigned hosts = 0;
  bool one_domain = false;  // and one address
  bool dns_hangs = false;
  bool robots_hangs = false;
  bool pages_hang = false;
};

constexpr Attack kNone{"none"};
constexpr Attack kAttacks[] = {
    {"wildcard", 400, true},
    {"silent_dns", 1000, false, true},
    {"silent_dns_of_one_domain", 1000, true, true},
    {"hanging_robots", 1000, false, false, true},
    {"hanging_pages", 1000, false, false, false, true},
    {"hanging_pages_behind_one_address", 1000, true, false, false, true},
};

bool is_good(const std::string& url) {
  return url.find("://good") != std::string::npos;
}

class AttackedCrawl {
 public:
  AttackedCrawl(const Attack& attack, const std::string& policy) : attack_(attack) {
    for (unsigned host = 0; host < kGoodHosts; ++host)
      options.start.seeds.push_back(fmt::format("http://good{}.test/0", host));
    options.out = folder_ / "crawl";
    options.identity.contact = "tests@bowerbird.example";
    options.order.policy = policy;
    options.scope.mode = ScopeMode::kAny;
    options.politeness.delay = Seconds(0.5);
    options.politeness.adapt = 0;
    options.storage.durable = false;
    options.selection.traps = false;
    options.parsers = 0;
    options.network_threads = 0;
    options.budget.time = Seconds(kSeconds);
  }
  // Requests for pages of good hosts.
  std::size_t good_pages() {
    auto web = std::make_unique<PretendedWeb>(
        clock_, [this](const std::string& url) { return page(url); }, record);
    web->latency_us = 20'000;
    web->names = [this](const std::string& host) { return name(host); };
    web->robots = [this](const std::string& host) {
      return PretendedWeb::Robots{"", "", !is_good("://" + host) && attack_.robots_hangs};
    };
    auto crawler = std::move(Crawler::open(options, std::move(web), nullptr, &clock_)).value();
    EXPECT_TRUE(crawler->run().ok());
    EXPECT_TRUE(crawler->close().ok());
    return static_cast<std::size_t>(std::ranges::count_if(record.pages, is_good));
  }

  CrawlOptions options;
  PretendedWeb::Record record;

 private:
  // Every page links to the next of its host; the very first also links to the attackers, before that.
  PretendedWeb::Page page(const std::string& url) const {
    if (!is_good(url)) return {"<a href=/>again</a>", attack_.pages_hang};
    std::string body;
    if (url == options.start.seeds.front()) {
      for (unsigned host = 0; host < attack_.hosts; ++host)
        body +=
            fmt::format("<a href=http://{}/>x</a>", attack_.one_domain ? fmt::format("h{}.evil.test", host)
                                                                       : fmt::format("evil{}.test", host));
      for (std::size_t host = options.start.seeds.size(); host < kGoodHosts; ++host)
        body += fmt::format("<a href=http://good{}.test/0>x</a>", host);
    }
    const unsigned number = static_cast<unsigned>(std::stoul(url.substr(url.rfind('/') + 1)));
    for (unsigned next = number + 1; next < number + 4; ++next)
      body += fmt::format("<a href=/{}>x</a>", next);
    return {body, false};
  }
  PretendedWeb::Name name(const std::string& host) const {
    if (is_good("://" + host))
      return {{NetAddress::ipv4(0x0a000000u + static_cast<std::uint32_t>(std::stoul(host.substr(4))))},
              false};
    if (attack_.one_domain) return {{NetAddress::ipv4(0x0b000000u)}, attack_.dns_hangs};
    return {{NetAddress::ipv4(0x0c000000u + static_cast<std::uint32_t>(std::stoul(host.substr(4))))},
            attack_.dns_hangs};
  }

  const Attack& attack_;
  TemporaryFolder folder_;
  ManualClock clock_;
};

TEST(CrawlAttack, OtherHostsKeepNineTenthsOfTheirRate) {
  for (const char* policy : {"bfs", "lipr"}) {
    const std::size_t undisturbed = AttackedCrawl(kNone, policy).good_pages();
    EXPECT_GE(undisturbed, kGoodHosts * 2 * (kSeconds - 1)) << policy;
    for (const Attack& attack : kAttacks) {
      AttackedCrawl crawl(attack, policy);
      EXPECT_GE(10 * crawl.good_pages(), 9 * undisturbed) << attack.name << ", " << policy;
      EXPECT_LE(crawl.record.most_hanging, crawl.options.politeness.connections / 2) << attack.name;
    }
  }
}

// Requests without a response are cancelled while others wait, so that hosts found later are crawled.
TEST(CrawlAttack, HostsFoundAfterTheAttackersAreCrawled) {
  for (const Attack& attack : kAttacks) {
    AttackedCrawl crawl(attack, "bfs");
    crawl.options.start.seeds.resize(1);
    crawl.options.budget.time = Seconds(60);
    crawl.good_pages();
    std::set<std::string> hosts;
    for (const std::string& url : crawl.record.pages) {
      if (is_good(url)) hosts.insert(url.substr(0, url.rfind('/')));
    }
    EXPECT_EQ(hosts.size(), kGoodHosts) << attack.name;
  }
}

}  // namespace
}  // namespace bowerbird
