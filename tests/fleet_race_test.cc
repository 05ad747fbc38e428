// Fencing with a cluster of brokers: what several clients try at the same moment succeeds for one of them.
#include <gtest/gtest.h>

#include <barrier>
#include <thread>

#include "fleet_testing.h"

namespace bowerbird {
namespace {

constexpr int kServers = 3;
constexpr int kClients = 8;
constexpr int kRounds = 400;

// Three nats-servers on the loopback interface that form a cluster.
class BrokerCluster {
 public:
  explicit BrokerCluster(const TemporaryFolder& folder) {
    std::vector<int> routes;
    for (int i = 0; i < kServers; ++i) {
      ports_.push_back(free_loopback_port());
      routes.push_back(free_loopback_port());
    }
    std::string all;
    for (const int route : routes) all += fmt::format("{}nats://127.0.0.1:{}", all.empty() ? "" : ",", route);
    for (int i = 0; i < kServers; ++i) {
      const std::string name = fmt::format("n{}", i);
      servers_.push_back(std::make_unique<Process>(
          std::vector<std::string>{"-js", "-sd", folder / name, "-n", name, "-a", "127.0.0.1", "-p",
                                   std::to_string(ports_[i]), "--cluster_name", "c", "--cluster",
                                   fmt::format("nats://127.0.0.1:{}", routes[i]), "--routes", all},
          folder / (name + ".log"), nats_server_program()));
    }
  }
  std::unique_ptr<Bus> connect(int i) const {
    for (int tries = 0; tries < 100; ++tries) {
      auto bus =
          Bus::connect(fmt::format("nats://127.0.0.1:{}", ports_[static_cast<std::size_t>(i) % kServers]));
      if (bus.ok()) return std::move(bus).value();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return nullptr;
  }

 private:
  std::vector<int> ports_;
  std::vector<std::unique_ptr<Process>> servers_;
};

// The cluster needs some seconds to elect its leaders.
template <typename Call>
auto until_ok(const Call& call) -> decltype(call()) {
  auto result = call();
  for (int tries = 0; tries < 150 && !result.ok(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    result = call();
  }
  EXPECT_TRUE(result.ok()) << result.error().text;
  return result;
}

// attempt(client, round): whether it succeeded; in doubt counts as no. Returns how many succeeded in each
// round.
std::vector<int> race(const std::function<bool(int client, int round)>& attempt) {
  std::vector<std::atomic<int>> won(kRounds);
  std::barrier start(kClients);
  std::vector<std::thread> threads;
  for (int client = 0; client < kClients; ++client) {
    threads.emplace_back([&, client] {
      for (int round = 0; round < kRounds; ++round) {
        start.arrive_and_wait();
        if (attempt(client, round)) ++won[static_cast<std::size_t>(round)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return {won.begin(), won.end()};
}

TEST(FleetRaceFull, OneOfSeveralClientsWinsWithThreeBrokers) {
  SKIP_WITHOUT_NATS();
  TemporaryFolder folder;
  const BrokerCluster cluster(folder);
  std::vector<std::unique_ptr<Bus>> buses;
  for (int i = 0; i < kClients; ++i) {
    buses.push_back(cluster.connect(i));
    ASSERT_TRUE(buses.back());
  }
  ASSERT_TRUE(until_ok([&] { return buses[0]->make_log("BB-x-log-a", "bb.x.log.a"); }).ok());
  auto store = std::move(until_ok([&] { return buses[0]->store("BB-x", 0); })).value();
  std::vector<std::unique_ptr<BusStore>> stores;
  for (const auto& bus : buses)
    stores.push_back(std::move(until_ok([&] { return bus->store("BB-x", 0); })).value());

  const auto appended = race([&](int client, int round) {
    const std::string data = fmt::format("{} {}", client, round);
    return buses[static_cast<std::size_t>(client)]->append("BB-x-log-a", "bb.x.log.a", data,
                                                           static_cast<std::uint64_t>(round)) ==
           AppendResult::kAccepted;
  });
  for (int round = 0; round < kRounds; ++round)
    EXPECT_EQ(appended[static_cast<std::size_t>(round)], 1) << round;
  const auto end = until_ok([&] { return buses[0]->end_of_log("BB-x-log-a"); });
  EXPECT_EQ((*end)->last, static_cast<std::uint64_t>(kRounds));

  const auto created = race([&](int client, int round) {
    const auto made = stores[static_cast<std::size_t>(client)]->create(fmt::format("claim.{}", round), "x");
    return made.ok() && made->has_value();
  });
  for (int round = 0; round < kRounds; ++round)
    EXPECT_EQ(created[static_cast<std::size_t>(round)], 1) << round;
}

}  // namespace
}  // namespace bowerbird
