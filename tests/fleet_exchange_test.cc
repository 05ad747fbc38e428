// Processes that exchange links over NATS: every page once, whatever happens to the processes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fleet_judges.h"
#include "fleet_testing.h"
#include "team_testing.h"

namespace bowerbird {
namespace {

const std::vector<std::string> kFour = {"p0", "p1", "p2", "p3"};

constexpr const char* kEndings[] = {"de", "fr", "com", "org"};

// Pages with low numbers have most of the links, so that the order of fetching matters.
Web skewed_web(PageId pages, PageId per_host) {
  Rng rng(11);
  std::vector<std::vector<PageId>> rows(pages);
  std::vector<HostId> hosts(pages);
  for (PageId page = 0; page < pages; ++page) {
    hosts[page] = static_cast<HostId>(draw(5, page) % (pages / per_host));
    if (page > 0) rows[rng.below(page)].push_back(page);
    for (int i = 0; i < 4; ++i) rows[page].push_back(static_cast<PageId>(rng.below(rng.below(pages) + 1)));
  }
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  std::vector<std::string> names;
  for (PageId page = 0; page < pages; ++page) {
    names.push_back(fmt::format("http://h{}.{}/{}", hosts[page], kEndings[hosts[page] % 4], page));
  }
  return make_web(std::move(rows), hosts, names);
}

// The quality of an order, by the lab's measure.
double auc_of(const Setting& setting, const std::vector<AccessEntry>& log) {
  Evaluation evaluation(setting);
  LinkBuffer buffer;
  for (const AccessEntry& entry : log) {
    if (entry.page != kNoPage) evaluation.page(entry.page, setting.web.graph->out(entry.page, buffer));
  }
  return evaluation.finish(false).measured.front().auc;
}

// Exchange mode, compared with the lab: all pages, each once, as many per process; quality within a tenth.
// Returns the URLs sent per page, live and as predicted. The number of pages per batch depends on the speed
// of a live crawl, so the lab uses the live number.
std::pair<double, double> exchange_as_predicted(PageId pages, PageId per_host,
                                                Partitioning partitioning = Partitioning::kHostHash) {
  FleetBench bench(skewed_web(pages, per_host));
  bench.policy = "opic";
  TeamOptions team;
  team.procs = 4;
  team.partitioning = partitioning;
  bench.more = {"--json", "--partition", std::string(name_of(partitioning))};
  if (partitioning == Partitioning::kHierarchical) {
    team.rules = "de=0;fr=1;com=2;org=3";
    bench.more.insert(bench.more.end(), {"--partition-rules", team.rules});
  }
  for (const std::string& name : kFour) bench.run(name, 4);
  double sent = 0, messages = 0;
  for (const std::string& name : kFour) {
    EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
    const auto report = nlohmann::json::parse(bench.said(name));
    sent += report.at("urls_sent").get<double>();
    messages += report.at("parcels_sent").get<double>();
  }
  // Each process sends to the partitions of the three others.
  const double others = kPartitions * 3.0 / 4;
  team.batch = static_cast<std::uint32_t>(std::max(1.0, pages * others / messages));
  const Setting setting = setting_for(bench, "ids:0");
  const RunResult expected = lab(setting, team, bench.policy);
  EXPECT_EQ(bench.stored_by(kFour).size(), pages);
  for (std::size_t i = 0; i < kFour.size(); ++i) {
    EXPECT_EQ(bench.stored_by({kFour[i]}).size(), expected.team->pages[i]) << kFour[i];
  }
  all_once(bench, pages);
  const double auc = expected.scores.measured.front().auc;
  EXPECT_NEAR(auc_of(setting, bench.log()), auc, 0.1 * auc);
  EXPECT_EQ(expected.team->overlap(), 0);
  EXPECT_EQ(expected.crawled, pages);
  return {sent / pages, expected.team->exchanged_per_page()};
}

TEST(FleetExchange, FourProcessesFetchEveryPageOnce) {
  SKIP_WITHOUT_NATS();
  exchange_as_predicted(800, 10);
}

TEST(FleetExchange, EveryPageIsFetchedOnceWithAnyPartitioningFull) {
  SKIP_WITHOUT_NATS();
  for (const Partitioning kind :
       {Partitioning::kSiteHash, Partitioning::kUrlHash, Partitioning::kHierarchical}) {
    SCOPED_TRACE(name_of(kind));
    exchange_as_predicted(1500, 10, kind);
  }
}

TEST(FleetExchange, FiftyThousandPagesOfFiveHundredHostsFull) {
  SKIP_WITHOUT_NATS();
  const auto [sent, predicted] = exchange_as_predicted(50'000, 100);
  EXPECT_NEAR(sent, predicted, 0.1 * predicted);
}

TEST(FleetExchange, PopularUrlsAreSentLessOftenAndNothingIsMissedFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 5000;
  std::map<std::string, double> sent;
  for (const char* count : {"0", "1000"}) {
    FleetBench bench(skewed_web(kPages, 10), slow());
    bench.policy = "opic";
    bench.more = {"--json", "--replicate", count};
    for (const std::string& name : kFour) bench.run(name, 4);
    for (const std::string& name : kFour) {
      EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
      sent[count] += nlohmann::json::parse(bench.said(name)).at("urls_sent").get<double>();
    }
    cash_is_conserved(bench, kFour, kPages);
    all_merged(bench, kPages);
    all_once(bench, kPages);
  }
  EXPECT_LT(sent["1000"], 0.9 * sent["0"]);
}

TEST(FleetExchange, AKilledProcessIsTakenOver) {
  SKIP_WITHOUT_NATS();
  FleetBench bench(random_web(1200, 10, 4), slow());
  bench.lease = "5";
  bench.policy = "opic";
  for (const std::string& name : kFour) bench.run(name, 4);
  bench.wait_for_requests(300);
  bench.processes["p2"]->send(SIGKILL);
  for (const char* name : {"p0", "p1", "p3"}) {
    EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  }
  cash_is_conserved(bench, kFour, 1200);
  all_merged(bench, 1200);
}

TEST(FleetExchange, AProcessThatSleptTooLongIsOutFull) {
  SKIP_WITHOUT_NATS();
  FleetBench bench(random_web(1200, 10, 4), slow());
  bench.lease = "5";
  bench.policy = "opic";
  for (const std::string& name : kFour) bench.run(name, 4);
  bench.wait_for_requests(300);
  bench.processes["p1"]->send(SIGSTOP);
  for (const char* name : {"p0", "p2", "p3"}) {
    EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  }
  bench.processes["p1"]->send(SIGCONT);
  EXPECT_EQ(bench.processes["p1"]->wait(), 1);
  EXPECT_NE(bench.said("p1").find("taken over"), std::string::npos) << bench.said("p1");
  cash_is_conserved(bench, kFour, 1200);
  all_merged(bench, 1200);
}

TEST(FleetExchange, TheBrokerMayBeKilledAndComeBackFull) {
  SKIP_WITHOUT_NATS();
  FleetBench bench(random_web(1200, 10, 4), slow());
  bench.policy = "opic";
  for (const std::string& name : kFour) bench.run(name, 4);
  bench.wait_for_requests(300);
  const int port = bench.nats->port();
  bench.nats->kill();
  bench.nats = bench.start(port);
  for (const std::string& name : kFour) EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  cash_is_conserved(bench, kFour, 1200);
  all_merged(bench, 1200);
  all_once(bench, 1200);
}

// A process that does not receive its messages, and a small stream: the others keep their messages and
// continue.
TEST(FleetExchange, SendingToAFullBrokerIsRetriedFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 3000;
  FleetBench bench(random_web(kPages, 10, 4), slow());
  bench.policy = "opic";
  const FleetNames names{"crawl"};
  const auto bus = std::move(Bus::connect(bench.nats->url())).value();
  ASSERT_TRUE(bus->make_stream(names.stream(), names.subjects(), 256 << 10).ok());
  for (const std::string& name : kFour) bench.run(name, 4);
  bench.wait_for_requests(300);
  bench.processes["p3"]->send(SIGSTOP);
  const BusRequest senseless{names.partition(3), std::string(60 << 10, 'x')};
  const std::vector<bool> taken = bus->publish_kept(std::vector<BusRequest>(8, senseless));
  EXPECT_FALSE(taken.back()) << "it is full";
  const std::size_t requests = bench.requests();
  bench.wait_for_requests(requests + 100);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  bench.processes["p3"]->send(SIGCONT);
  for (const std::string& name : kFour) EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  cash_is_conserved(bench, kFour, kPages);
  all_merged(bench, kPages);
  all_once(bench, kPages);
}

}  // namespace
}  // namespace bowerbird
