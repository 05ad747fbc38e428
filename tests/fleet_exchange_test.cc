// Processes that exchange links over NATS: every page once, whatever happens to the processes.
#include <gtest/gtest.h>

#include "crawl/crawl_setup.h"
#include "crawl/restore.h"
#include "fleet_testing.h"
#include "team_testing.h"

namespace bowerbird {
namespace {

const std::vector<std::string> kFour = {"p0", "p1", "p2", "p3"};

void all_once(FleetBench& bench, PageId pages) {
  const auto fetches = bench.fetches();
  EXPECT_EQ(fetches.size(), pages);
  for (const auto& [page, count] : fetches) EXPECT_EQ(count, 1) << page;
}

// Exchange mode, against the lab: all pages, each once, as many by each process.
void exchange_as_predicted(PageId pages, PageId per_host) {
  FleetBench bench(random_web(pages, per_host, 4));
  TeamOptions team;
  team.procs = 4;
  team.partitioning = Partitioning::kHostHash;
  const RunResult expected = lab(setting_for(bench, "ids:0"), team);
  for (const std::string& name : kFour) bench.run(name, 4);
  for (const std::string& name : kFour) EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  EXPECT_EQ(bench.stored_by(kFour).size(), pages);
  for (std::size_t i = 0; i < kFour.size(); ++i) {
    EXPECT_EQ(bench.stored_by({kFour[i]}).size(), expected.team->pages[i]) << kFour[i];
  }
  all_once(bench, pages);
}

TEST(FleetExchange, FourProcessesFetchEveryPageOnce) {
  SKIP_WITHOUT_NATS();
  exchange_as_predicted(800, 10);
}

TEST(FleetExchange, FiftyThousandPagesOfFiveHundredHostsFull) {
  SKIP_WITHOUT_NATS();
  exchange_as_predicted(50'000, 100);
}

// Every page is stored, and after merging none twice.
void all_merged(FleetBench& bench, PageId pages) {
  const Finished merged =
      run_bowerbird({"fleet", "merge", bench.folder / "", "--into", bench.dir("merged"), "-q"});
  EXPECT_EQ(merged.code, 0) << merged.err;
  const auto stored = bench.stored_by({"merged"});
  EXPECT_EQ(stored.size(), pages);
  EXPECT_EQ(std::set<std::string>(stored.begin(), stored.end()).size(), pages);
  const Finished sound = run_bowerbird({"warc", "verify", bench.dir("merged")});
  EXPECT_EQ(sound.code, 0) << sound.out << sound.err;
}

// What the orderings of all these processes have on their accounts, at their last commits.
std::map<std::string, double> accounts(FleetBench& bench, const std::vector<std::string>& names) {
  std::map<std::string, double> sums;
  for (const std::string& name : names) {
    const auto reader = std::move(CrawlReader::open(bench.dir(name))).value();
    CrawlOptions options;
    EXPECT_TRUE(adopt_fixed(reader->about(), options).ok());
    HostTable hosts{PolitenessOptions()};
    const auto brain = std::move(Brain::make(brain_options_of(options), hosts, *reader)).value();
    const Status restored = CrawlRestorer(hosts, *brain, "bowerbird").restore(*reader);
    EXPECT_TRUE(restored.ok()) << restored.error().text;
    for (const Account& account : brain->frontier().policy().accounts()) {
      sums[std::string(account.name)] += account.value;
    }
  }
  return sums;
}

// All pages are crawled, so that all cash is in the sink.
void cash_is_conserved(FleetBench& bench, const std::vector<std::string>& names) {
  const auto sums = accounts(bench, names);
  EXPECT_NEAR(sums.at("sent"), sums.at("received"), 1e-9);
  EXPECT_NEAR(sums.at("sink") + sums.at("sent"), sums.at("issued") + sums.at("received"), 1e-9);
  EXPECT_GT(sums.at("sent"), 1);
}

SiteOptions slow() {
  SiteOptions site;
  site.latency_ms = 20;
  return site;
}

TEST(FleetExchange, AProcessThatJoinsLateGetsItsShareFull) {
  SKIP_WITHOUT_NATS();
  FleetBench bench(random_web(1200, 10, 4), slow());
  bench.policy = "opic";
  bench.run("p0", 2);
  bench.run("p1", 2);
  bench.wait_for_requests(150);
  bench.run("p2", 2);
  for (const char* name : {"p0", "p1", "p2"}) {
    EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  }
  bench.options.out = bench.dir("p2");
  EXPECT_GT(bench.stored().size(), 0u);
  EXPECT_EQ(bench.stored_by({"p0", "p1", "p2"}).size(), 1200u);
  cash_is_conserved(bench, {"p0", "p1", "p2"});
  all_merged(bench, 1200);
  all_once(bench, 1200);
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
  cash_is_conserved(bench, kFour);
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
  cash_is_conserved(bench, kFour);
  all_merged(bench, 1200);
}

TEST(FleetExchange, TheEngineMayBeKilledAndComeBackFull) {
  SKIP_WITHOUT_NATS();
  FleetBench bench(random_web(1200, 10, 4), slow());
  bench.policy = "opic";
  for (const std::string& name : kFour) bench.run(name, 4);
  bench.wait_for_requests(300);
  const int port = bench.nats->port();
  bench.nats->kill();
  bench.nats = bench.start(port);
  for (const std::string& name : kFour) EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  cash_is_conserved(bench, kFour);
  all_merged(bench, 1200);
  all_once(bench, 1200);
}

}  // namespace
}  // namespace bowerbird
