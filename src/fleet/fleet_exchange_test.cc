#include "fleet/fleet_exchange.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

TEST(FleetExchange, JoiningIsTriedAgainOnlyWhereThatCanHelp) {
  for (const auto& [kind, text] :
       {std::pair{ErrorKind::kRetry, "busy"}, std::pair{ErrorKind::kNeedsUser, "refused"}}) {
    FleetRig rig;
    rig.broker.broken = error(kind, "{}", text);
    const auto joined =
        FleetExchange::join(std::make_unique<FakeBus>(rig.broker), FleetRig::options("a"), rig.clock);
    ASSERT_FALSE(joined.ok());
    EXPECT_EQ(joined.error().text, text);
    EXPECT_EQ(rig.broker.refusals, kind == ErrorKind::kRetry ? 5u : 1u);
  }
}

TEST(FleetExchange, AProcessThatDoesNotFitIsRefused) {
  FleetRig rig;
  FleetPlan plan = first_plan(4, {"b"});
  plan.settings = R"({"policy":["opic"]})";
  rig.put_plan(plan);
  FleetOptions options = FleetRig::options("a");
  options.coordinator.settings = R"({"policy":["bfs"]})";
  const auto other = FleetExchange::join(std::make_unique<FakeBus>(rig.broker), options, rig.clock);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().text.find("--policy"), std::string::npos);
  options.coordinator.settings = plan.settings;
  MemberRecord taken = FleetRig::record_of("a");
  taken.state = MemberRecord::State::kAbsorbed;
  rig.add_member("a", taken);
  EXPECT_FALSE(FleetExchange::join(std::make_unique<FakeBus>(rig.broker), options, rig.clock).ok());
}

// With its threads: from joining to the end of a fleet of one.
TEST(FleetExchange, HearsOfItsPartitionsAndConfirmsThem) {
  FleetRig rig;
  FleetOptions options = FleetRig::options("a", 2);
  options.coordinator.pages = 10;
  auto exchange =
      std::move(FleetExchange::join(std::make_unique<FakeBus>(rig.broker), options, rig.clock)).value();
  std::mutex mutex;
  std::condition_variable changed;
  bool woken = false;
  const auto wake = [&] {
    const std::lock_guard lock(mutex);
    woken = true;
    changed.notify_all();
  };
  FleetNews news;
  exchange->take(news);
  EXPECT_EQ(news.page_limit, 0u) << "until we know how many pages the others have";
  exchange->live();
  exchange->begin(wake);
  for (int i = 0; i < 100 && news.messages.size() < 2; ++i) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(1), [&] { return woken; });
    woken = false;
    lock.unlock();
    rig.pass_ms(300);  // for the control loop, which sleeps by the real clock
    exchange->take(news);
  }
  EXPECT_TRUE(exchange->may_work());
  ASSERT_TRUE(news.plan);
  EXPECT_EQ(news.plan->ours, (std::vector<bool>{true, true}));
  ASSERT_EQ(news.messages.size(), 2u);
  EXPECT_TRUE(is_transfer(*news.messages[0].content));
  exchange->received({news.messages[0].id, news.messages[1].id});
  exchange->finish();
  EXPECT_TRUE(rig.broker.kept.empty()) << "acknowledged";
  EXPECT_FALSE(exchange->may_work());
  EXPECT_FALSE(rig.members().at("a").heartbeat);
}

}  // namespace
}  // namespace bowerbird
