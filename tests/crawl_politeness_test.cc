// Politeness as the servers see it: the access log of the test Web shows no two requests to a host, an
// address or a registrable domain closer than its gate, also across a stop and a resume.
#include <gtest/gtest.h>

#include <map>

#include "crawl_testing.h"
#include "url/site.h"

namespace bowerbird {
namespace {

// A request may be delayed between sending and logging, and the next one may not.
constexpr std::int64_t kSlackUs = 60'000;
constexpr std::int64_t kHostUs = 600'000, kDomainUs = 300'000, kAddressUs = 150'000;

// Four hosts of two domains, all behind one address, six pages each.
Web four_hosts() {
  constexpr PageId kPages = 24;
  std::vector<std::vector<PageId>> rows(kPages);
  std::vector<HostId> hosts(kPages);
  std::vector<std::string> names;
  const std::vector<std::string> name_of = {"a.one.test", "b.one.test", "a.two.test", "b.two.test"};
  for (PageId page = 0; page < kPages; ++page) {
    hosts[page] = page / 6;
    names.push_back("http://" + name_of[hosts[page]] + "/p" + std::to_string(page));
    for (PageId step = 1; step < kPages; ++step) rows[page].push_back((page + step) % kPages);
    std::sort(rows[page].begin(), rows[page].end());
  }
  return make_web(std::move(rows), hosts, names);
}

// The minimum distance of two requests with the same key.
template <typename Key>
std::map<std::string, std::int64_t> closest(const std::vector<AccessEntry>& entries, Key key) {
  std::map<std::string, std::int64_t> last, gap;
  for (const AccessEntry& entry : entries) {
    const std::string of = key(entry);
    if (const auto before = last.find(of); before != last.end()) {
      const auto [found, fresh] = gap.try_emplace(of, entry.start_us - before->second);
      if (!fresh) found->second = std::min(found->second, entry.start_us - before->second);
    }
    last[of] = entry.start_us;
  }
  return gap;
}

TEST(Politeness, IsKeptTowardsHostsAddressesAndDomainsAlsoAcrossAResume) {
  CrawlBench bench(four_hosts());
  bench.options.politeness.delay = Seconds(kHostUs / 1e6);
  bench.options.politeness.delay_domain = Seconds(kDomainUs / 1e6);
  bench.options.politeness.delay_ip = Seconds(kAddressUs / 1e6);
  bench.options.politeness.adapt = 0;
  bench.options.politeness.connections_per_host = 1;
  bench.options.fetch.timeout = Seconds(30);
  for (const std::uint64_t pages : {8, 16, 0}) {
    bench.options.budget.pages = pages;
    bench.crawl();
  }
  EXPECT_EQ(bench.last.counts.pages, 24u);
  const std::vector<AccessEntry> log = bench.log();
  EXPECT_EQ(log.size(), 28u) << "24 pages, and the rules of four hosts once";

  const auto by_host = closest(log, [](const AccessEntry& entry) { return entry.host; });
  const auto by_domain = closest(log, [](const AccessEntry& entry) { return site_of_host(entry.host); });
  const auto by_address = closest(log, [](const AccessEntry&) { return std::string("127.0.0.1"); });
  EXPECT_EQ(by_host.size(), 4u);
  EXPECT_EQ(by_domain.size(), 2u);
  for (const auto& [host, gap] : by_host) EXPECT_GE(gap, kHostUs - kSlackUs) << host;
  for (const auto& [domain, gap] : by_domain) EXPECT_GE(gap, kDomainUs - kSlackUs) << domain;
  for (const auto& [address, gap] : by_address) EXPECT_GE(gap, kAddressUs - kSlackUs) << address;
}

}  // namespace
}  // namespace bowerbird
