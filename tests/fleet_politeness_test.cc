// Several processes that send requests to the same host, domain and address are together as polite as one.
#include <gtest/gtest.h>

#include "fleet_judges.h"
#include "fleet_testing.h"

namespace bowerbird {
namespace {

// The distances of requests with the same key, in seconds.
template <typename Key>
std::vector<double> gaps(const std::vector<AccessEntry>& log, const Key& key) {
  std::map<std::string, std::int64_t> last;
  std::vector<double> all;
  for (const AccessEntry& entry : log) {
    const auto [place, fresh] = last.try_emplace(key(entry), entry.start_us);
    if (!fresh) all.push_back(static_cast<double>(entry.start_us - place->second) / 1e6);
    place->second = entry.start_us;
  }
  return all;
}

// The server sees a request a little after it was started: on a busy machine some gaps look shorter.
void expect_apart(std::vector<double> all, double least, const char* what) {
  ASSERT_GT(all.size(), 20u);
  std::sort(all.begin(), all.end());
  EXPECT_GT(all[0], 0.5 * least) << what;
  EXPECT_GT(all[all.size() / 50], 0.9 * least) << what;
}

// Six hosts of two domains behind one address, their URLs spread over three processes.
TEST(FleetPoliteness, ProcessesTakeTurnsForAHostADomainAndAnAddressFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 120, kHosts = 6;
  Rng rng(5);
  std::vector<std::vector<PageId>> rows(kPages);
  std::vector<HostId> hosts;
  std::vector<std::string> names;
  for (PageId page = 0; page < kPages; ++page) {
    const PageId host = page % kHosts;
    hosts.push_back(host);
    names.push_back(fmt::format("http://h{}.{}.test/{}", host, host % 2 == 0 ? "even" : "odd", page));
    if (page > 0) rows[rng.below(std::min<PageId>(page, 20))].push_back(page);
  }
  for (auto& row : rows) std::sort(row.begin(), row.end());
  FleetBench bench(make_web(std::move(rows), hosts, names));
  bench.more = {"--partition", "url-hash", "--delay",    "0.8", "--delay-domain", "0.4",
                "--delay-ip",  "0.2",      "--patience", "1",   "--adapt",        "0"};
  for (const char* name : {"p0", "p1", "p2"}) bench.run(name, 3);
  for (const char* name : {"p0", "p1", "p2"}) {
    EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
    EXPECT_GT(bench.stored_by({name}).size(), 10u);
  }
  all_once(bench, kPages);
  const auto log = bench.log();
  expect_apart(gaps(log, [](const AccessEntry& entry) { return entry.host; }), 0.8, "a host");
  expect_apart(gaps(log, [](const AccessEntry& entry) { return entry.host.substr(entry.host.find('.')); }),
               0.4, "a domain");
  expect_apart(gaps(log, [](const AccessEntry&) { return std::string(); }), 0.2, "an address");
}

}  // namespace
}  // namespace bowerbird
