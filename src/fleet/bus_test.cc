// The client with a real broker, if one is installed; the rest of the fleet is tested with a fake one.
#include "fleet/bus.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "fleet/local_server.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(Bus, ABrokerThatIsNotThereIsWorthAnotherTry) {
  const auto none = Bus::connect("nats://127.0.0.1:1");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kRetry);
  EXPECT_NE(none.error().text.find("nats-server -js"), std::string::npos);
  EXPECT_EQ(none.error().text.find(".c:"), std::string::npos) << none.error().text;
}

// Waits for messages from the client's threads.
struct BusEars {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<BusMessage> heard;

  Bus::Receive receive() {
    return [this](BusMessage message) {
      const std::lock_guard lock(mutex);
      heard.push_back(std::move(message));
      changed.notify_all();
    };
  }
  BusMessage wait_for(std::size_t count) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(20), [&] { return heard.size() >= count; });
    EXPECT_GE(heard.size(), count);
    return heard.size() >= count ? heard[count - 1] : BusMessage();
  }
};

TEST(Bus, StoresAndQueuesOfARealBroker) {
  if (!LocalServer::available()) GTEST_SKIP() << "nats-server is not installed (tools/packages.txt)";
  TemporaryFolder folder;
  const auto server = std::move(LocalServer::start(folder / "nats")).value();
  BusEars ears;
  const auto bus = std::move(Bus::connect(server->url())).value();

  EXPECT_FALSE(bus->existing_store("BB-x").ok());
  const auto store = std::move(bus->store("BB-x", 0)).value();
  EXPECT_TRUE(bus->existing_store("BB-x").ok());
  EXPECT_FALSE(store->get("k").value());
  const auto first = store->create("k", "1").value();
  ASSERT_TRUE(first);
  EXPECT_FALSE(store->create("k", "2").value()) << "it exists";
  EXPECT_FALSE(store->update("k", "2", *first + 7).value()) << "another revision";
  EXPECT_TRUE(store->update("k", "2", *first).value());
  EXPECT_EQ(store->get("k").value()->value, "2");
  ASSERT_TRUE(store->put("other", std::string("\0\xff", 2)).ok());
  ASSERT_TRUE(store->put("gone", "x").ok());
  ASSERT_TRUE(store->remove("gone").ok());
  const std::string too_long(std::size_t{8} << 20, 'x');
  EXPECT_FALSE(store->create("long", too_long).ok()) << "no other process was quicker";
  EXPECT_FALSE(store->update("k", too_long, *first).ok());
  const auto all = store->all("").value();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all.at("other").value, std::string("\0\xff", 2));
  ASSERT_TRUE(store->put("member.one", "1").ok());
  ASSERT_TRUE(store->put("members", "2").ok());
  EXPECT_EQ(store->all("member.").value().size(), 1u);

  ASSERT_TRUE(bus->make_stream("BB-x", "bb.x.p.*", 1 << 20).ok());
  ASSERT_TRUE(bus->make_stream("BB-x", "bb.x.p.*", 1 << 20).ok()) << "no error where it exists";
  EXPECT_EQ(bus->publish_kept({{"bb.x.p.1", "one"}, {"bb.y.p.1", "nobody keeps it"}}),
            (std::vector<bool>{true, false}));
  ASSERT_TRUE(bus->subscribe("in", ears.receive()).ok());
  const std::vector<BusQueue> queues = {{"p1", "bb.x.p.1"}};
  EXPECT_FALSE(bus->look_at("BB-x", queues).value().front());
  EXPECT_EQ(bus->take_over("BB-x", queues, "in"), std::vector<bool>{true});
  const BusMessage delivered = ears.wait_for(1);
  EXPECT_EQ(delivered.data, "one");
  EXPECT_EQ(bus->look_at("BB-x", queues).value().front()->to, "in");
  EXPECT_EQ(bus->take_over("BB-x", queues, "in"), std::vector<bool>{true});
  const BusMessage again = ears.wait_for(2);
  EXPECT_EQ(again.data, "one") << "nobody had acknowledged it";
  ASSERT_TRUE(bus->publish(again.reply, "+ACK").ok());
  ASSERT_TRUE(bus->publish("in", "unkept").ok());
  EXPECT_EQ(ears.wait_for(3).data, "unkept");
  bus->stop_listening();
}

TEST(Bus, ALogOfARealBroker) {
  if (!LocalServer::available()) GTEST_SKIP() << "nats-server is not installed (tools/packages.txt)";
  TemporaryFolder folder;
  const auto server = std::move(LocalServer::start(folder / "nats")).value();
  const auto bus = std::move(Bus::connect(server->url())).value();
  EXPECT_FALSE(bus->end_of_log("BB-x-log-a").value());
  EXPECT_EQ(bus->append("BB-x-log-a", "bb.x.log.a", "?", 0), AppendResult::kUnknown) << "nobody keeps it";
  ASSERT_TRUE(bus->make_log("BB-x-log-a", "bb.x.log.a").ok());
  ASSERT_TRUE(bus->make_log("BB-x-log-a", "bb.x.log.a").ok()) << "no error where it exists";
  EXPECT_EQ(bus->end_of_log("BB-x-log-a").value()->last, 0u);
  const std::string bytes("one\0\xff", 5);
  EXPECT_EQ(bus->append("BB-x-log-a", "bb.x.log.a", bytes, 0), AppendResult::kAccepted);
  EXPECT_EQ(bus->append("BB-x-log-a", "bb.x.log.a", "also the first", 0), AppendResult::kConflict);
  EXPECT_EQ(bus->append("BB-x-log-a", "bb.x.log.a", std::string(900'000, 'x'), 1), AppendResult::kAccepted);
  EXPECT_EQ(bus->append("BB-x-log-a", "bb.x.log.a", "also the second", 1), AppendResult::kConflict);
  EXPECT_EQ(bus->append("BB-x-log-a", "bb.x.log.a", "too early", 7), AppendResult::kConflict);
  const auto read = bus->read_log("BB-x-log-a", 1, 4).value();
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].data, bytes);
  EXPECT_EQ(read[1].sequence, 2u);
  EXPECT_EQ(read[1].data.size(), 900'000u);
  const auto end = bus->end_of_log("BB-x-log-a").value();
  EXPECT_EQ(end->last, 2u);
  EXPECT_GT(end->bytes, 900'000u);
}

// All its processes still have a store open.
TEST(Bus, ABrokerThatHasLostItsDataHasNoValues) {
  if (!LocalServer::available()) GTEST_SKIP() << "nats-server is not installed (tools/packages.txt)";
  TemporaryFolder folder;
  auto server = std::move(LocalServer::start(folder / "nats")).value();
  const auto bus = std::move(Bus::connect(server->url())).value();
  const auto store = std::move(bus->store("BB-x", 0)).value();
  ASSERT_TRUE(store->put("k", "1").ok());
  const int port = server->port();
  server->kill();
  EXPECT_FALSE(store->get("k").ok()) << "it may have the data";
  std::filesystem::remove_all(folder / "nats/jetstream");
  server = std::move(LocalServer::start(folder / "nats", port)).value();
  Result<std::optional<BusEntry>> found = error("not tried");
  for (int i = 0; i < 20 && !found.ok(); ++i) found = store->get("k");
  ASSERT_TRUE(found.ok()) << found.error().text;
  EXPECT_FALSE(*found);
}

}  // namespace
}  // namespace bowerbird
