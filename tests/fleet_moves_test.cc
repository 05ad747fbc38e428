// Partitions that move during a crawl: processes join, leave, or have more to do than others.
#include <gtest/gtest.h>

#include "fleet/launcher.h"
#include "fleet_judges.h"
#include "fleet_testing.h"

namespace bowerbird {
namespace {

TEST(FleetMoves, AProcessThatJoinsLateGetsItsShareFull) {
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
  EXPECT_GT(bench.stored_by({"p2"}).size(), 50u);
  EXPECT_EQ(bench.stored_by({"p0", "p1", "p2"}).size(), 1200u);
  cash_is_conserved(bench, {"p0", "p1", "p2"}, 1200);
  all_merged(bench, 1200);
  all_once(bench, 1200);
}

// With dynamic coordination a process gets partitions by their work, not by their number.
TEST(FleetMoves, PartitionsMoveFromBusyToIdleProcessesFull) {
  SKIP_WITHOUT_NATS();
  FleetBench bench(random_web(4000, 10, 4), slow());
  bench.policy = "opic";
  bench.more = {"--coordination", "dynamic"};
  bench.run("p0", 1);
  bench.wait_for_requests(500);
  bench.run("p1", 1);
  for (const char* name : {"p0", "p1"}) {
    EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  }
  EXPECT_GT(bench.stored_by({"p1"}).size(), 200u);
  cash_is_conserved(bench, {"p0", "p1"}, 4000);
  all_merged(bench, 4000);
  all_once(bench, 4000);
}

// The process ends while the crawl continues, and leaves nothing to take over.
TEST(FleetMoves, AProcessThatLeavesGivesAllItsPartitionsAwayFull) {
  SKIP_WITHOUT_NATS();
  FleetBench bench(random_web(4000, 10, 4), slow());
  bench.policy = "opic";
  for (const char* name : {"p0", "p1", "p2"}) bench.run(name, 3);
  bench.wait_for_requests(500);
  const Finished left = run_bowerbird({"fleet", "leave", bench.nats->url(), "p1"});
  EXPECT_EQ(left.code, 0) << left.err;
  EXPECT_EQ(bench.processes["p1"]->wait(), 0) << bench.said("p1");
  EXPECT_TRUE(bench.processes["p0"]->running());
  {
    const auto admin = std::move(FleetAdmin::open(bench.nats->url(), "crawl")).value();
    const FleetView view = std::move(admin->look()).value();
    ASSERT_TRUE(view.members.contains("p1"));
    EXPECT_EQ(view.members.at("p1").record->state, MemberRecord::State::kLeft);
    for (const std::string& owner : view.plan->owners) EXPECT_NE(owner, "p1");
  }
  // It may join again, with what it stored.
  bench.run("p1", 3);
  for (const char* name : {"p0", "p1", "p2"}) {
    EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  }
  cash_is_conserved(bench, {"p0", "p1", "p2"}, 4000);
  all_merged(bench, 4000);
  all_once(bench, 4000);
}

TEST(FleetMoves, AProcessThatIsStoppedReturnsWithoutHurryFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 1500;
  FleetBench bench(random_web(kPages, 10, 4), slow());
  bench.policy = "opic";
  bench.lease = "3";
  const std::vector<std::string> all = {"p0", "p1", "p2"};
  for (const std::string& name : all) bench.run(name, 3);
  bench.wait_for_requests(200);
  for (const std::string& name : all) {
    bench.processes[name]->send(SIGTERM);
    bench.processes[name]->wait();
    std::this_thread::sleep_for(std::chrono::seconds(8));  // longer than a process that is lost may be away
    bench.run(name, 3);
  }
  for (const std::string& name : all) EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
  cash_is_conserved(bench, all, kPages);
  all_merged(bench, kPages);
  all_once(bench, kPages);
}

TEST(FleetMoves, ALeavingProcessStaysIfTheOthersAreLostFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 3000;
  FleetBench bench(random_web(kPages, 10, 4), slow());
  bench.policy = "opic";
  bench.lease = "5";
  for (const char* name : {"p0", "p1"}) bench.run(name, 2);
  bench.wait_for_requests(300);
  const Finished leave = run_bowerbird({"fleet", "leave", bench.nats->url(), "p1"});
  EXPECT_EQ(leave.code, 0) << leave.err;
  bench.processes["p0"]->send(SIGKILL);
  EXPECT_EQ(bench.processes["p1"]->wait(), 0) << bench.said("p1");
  cash_is_conserved(bench, {"p0", "p1"}, kPages);
  all_merged(bench, kPages);
}

// Moves in progress when the sender, or the process that has just accepted them, is lost.
TEST(FleetMoves, ProcessesAreLostWhilePartitionsMoveFull) {
  SKIP_WITHOUT_NATS();
  for (const int wait_ms : {0, 400, 900, 1600}) {
    SCOPED_TRACE(wait_ms);
    constexpr PageId kPages = 3000;
    FleetBench bench(random_web(kPages, 10, 4), slow());
    bench.policy = "opic";
    bench.lease = "8";  // a process that gets no CPU time for a while must not count as lost
    for (const char* name : {"p0", "p1", "p2", "p3"}) bench.run(name, 4);
    bench.wait_for_requests(300);
    Finished leave = run_bowerbird({"fleet", "leave", bench.nats->url(), "p1"});
    for (int tries = 1; tries < 5 && leave.code != 0; ++tries)
      leave = run_bowerbird({"fleet", "leave", bench.nats->url(), "p1"});
    EXPECT_EQ(leave.code, 0) << leave.err;
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
    bench.processes["p2"]->send(SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms / 4));
    bench.processes["p1"]->send(SIGKILL);
    bench.run("p4", 4);
    for (const char* name : {"p0", "p3", "p4"}) {
      EXPECT_EQ(bench.processes[name]->wait(), 0) << bench.said(name);
    }
    cash_is_conserved(bench, {"p0", "p1", "p2", "p3", "p4"}, kPages);
    all_merged(bench, kPages);
  }
}

}  // namespace
}  // namespace bowerbird
