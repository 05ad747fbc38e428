// Copies of crawl folders: only the newest one continues, and only once at a time.
#include <gtest/gtest.h>

#include <filesystem>

#include "fleet_judges.h"
#include "fleet_testing.h"

namespace bowerbird {
namespace {

void stop(FleetBench& bench, const std::vector<std::string>& names) {
  for (const std::string& name : names) bench.processes[name]->send(SIGTERM);
  for (const std::string& name : names) bench.processes[name]->wait();
}

TEST(FleetIdentity, AnOlderCopyAndACopyAtWorkAreRefused) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 1200;
  FleetBench bench(random_web(kPages, 10, 4), slow());
  bench.lease = "5";
  bench.policy = "opic";
  const auto all = std::filesystem::copy_options::recursive;
  const auto run_both = [&](std::size_t more) {
    const std::size_t before = bench.requests();
    for (const char* const name : {"p0", "p1"}) bench.run(name, 2);
    bench.wait_for_requests(before + more);
  };
  run_both(200);
  stop(bench, {"p0", "p1"});
  std::filesystem::copy(bench.dir("p1"), bench.dir("older"), all);
  run_both(200);
  stop(bench, {"p0", "p1"});

  std::filesystem::rename(bench.dir("p1"), bench.dir("newest"));
  std::filesystem::rename(bench.dir("older"), bench.dir("p1"));
  EXPECT_EQ(bench.run("p1", 2).wait(), 1);
  EXPECT_NE(bench.said("p1").find("older copy"), std::string::npos) << bench.said("p1");
  std::filesystem::remove_all(bench.dir("p1"));
  std::filesystem::rename(bench.dir("newest"), bench.dir("p1"));
  std::filesystem::copy(bench.dir("p1"), bench.dir("clone"), all);

  run_both(50);
  std::vector<std::string> words = bench.args("p1", 2);
  words[2] = bench.dir("clone");
  Process clone(words, bench.dir("clone.log"));
  EXPECT_EQ(clone.wait(), 1);
  EXPECT_NE(bench.said("clone").find("copy"), std::string::npos) << bench.said("clone");
  for (const char* const name : {"p0", "p1"}) EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  std::filesystem::remove_all(bench.dir("clone"));
  cash_is_conserved(bench, {"p0", "p1"}, kPages);
  all_merged(bench, kPages);
  all_once(bench, kPages);
}

}  // namespace
}  // namespace bowerbird
