#include "fetch/idle_connections.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "fetch/client_connection.h"
#include "sys/event_loop.h"

namespace bowerbird {
namespace {

constexpr std::int64_t kIdleSecond = 1'000'000;

class NoOwner final : public ConnectionOwner {
 public:
  void on_connected(ClientConnection&) override {}
  void on_handshake_failed(ClientConnection&, std::string) override {}
  void on_end(ClientConnection&, std::vector<EndedExchange>) override {}
  void on_idle_end(ClientConnection&) override {}
  void on_more(ClientConnection&) override {}
  std::string request_text(const HttpExchange&) const override { return {}; }
};

// Watches descriptors before there is a connection, like a connector.
class IgnoringHandler final : public EventLoop::Handler {
 public:
  void on_ready(std::uint32_t) override {}
};

class Pool {
 public:
  explicit Pool(std::size_t most, std::uint64_t bytes = 1 << 20)
      : idle({most, bytes, 15 * kIdleSecond}, [this](ClientConnection& one) { closed.push_back(one.host); }) {
  }
  ~Pool() {
    for (const int fd : others) ::close(fd);
  }
  void add(const std::string& host, std::int64_t due_us, std::int64_t now_us) {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    others.push_back(ends[1]);
    ASSERT_TRUE(loop->watch(ends[0], Connector::kEvents, nobody).ok());
    connections.push_back(std::make_unique<ClientConnection>(owner, *loop, ends[0],
                                                             *NetAddress::parse("192.0.2.1"), 1000, buffer));
    connections.back()->host = host;
    idle.add(*connections.back(), due_us, now_us);
  }

  std::unique_ptr<EventLoop> loop = std::move(EventLoop::create()).value();
  IgnoringHandler nobody;
  NoOwner owner;
  std::vector<char> buffer = std::vector<char>(100);
  std::vector<int> others;
  std::vector<std::unique_ptr<ClientConnection>> connections;
  std::vector<std::string> closed;
  IdleConnections idle;
};

TEST(IdleConnections, TheLatestDueTimeIsClosedFirst) {
  Pool pool(2);
  pool.add("far", 9 * kIdleSecond, 0);
  pool.add("near", 1 * kIdleSecond, 0);
  EXPECT_TRUE(pool.closed.empty());
  pool.add("between", 5 * kIdleSecond, 0);
  pool.add("nearest", 0, 0);
  EXPECT_EQ(pool.closed, (std::vector<std::string>{"far", "between"}));
}

TEST(IdleConnections, AnOverdueConnectionIsClosedFirst) {
  Pool pool(2);
  pool.add("passed", 1 * kIdleSecond, 0);
  pool.add("far", 30 * kIdleSecond, 10 * kIdleSecond);
  pool.add("near", 12 * kIdleSecond, 10 * kIdleSecond);
  EXPECT_EQ(pool.closed, (std::vector<std::string>{"passed"}));
}

TEST(IdleConnections, MemoryIsLimitedToo) {
  Pool pool(100, 3 * IdleConnections::kPlainBytes);
  for (int i = 0; i < 5; ++i) pool.add(std::to_string(i), i * kIdleSecond, 0);
  EXPECT_EQ(pool.closed, (std::vector<std::string>{"3", "4"}));
  pool.idle.limit(IdleConnections::kPlainBytes, 0);
  EXPECT_EQ(pool.idle.size(), 1u);
  EXPECT_EQ(pool.idle.bytes(), IdleConnections::kPlainBytes);
}

TEST(IdleConnections, AConnectionIsKeptForAWhileAfterItsDueTime) {
  Pool pool(100);
  pool.add("soon", 5 * kIdleSecond, 0);
  pool.add("far", 5 * IdleConnections::kFarUs, 0);
  pool.idle.expire(15 * kIdleSecond);
  EXPECT_TRUE(pool.closed.empty());
  pool.idle.expire(16 * kIdleSecond);
  EXPECT_EQ(pool.closed, (std::vector<std::string>{"far"}));
  pool.idle.expire(21 * kIdleSecond);
  EXPECT_EQ(pool.idle.size(), 0u);
}

TEST(IdleConnections, OnlyAConnectionOfThisHostSchemeAndAddressIsTaken) {
  Pool pool(100);
  pool.add("a.example", 0, 0);
  const std::vector<NetAddress> here = {*NetAddress::parse("192.0.2.1")};
  const std::vector<NetAddress> elsewhere = {*NetAddress::parse("192.0.2.2")};
  EXPECT_EQ(pool.idle.take("b.example", false, here), nullptr);
  EXPECT_EQ(pool.idle.take("a.example", true, here), nullptr);
  EXPECT_EQ(pool.idle.take("a.example", false, elsewhere), nullptr);
  EXPECT_EQ(pool.idle.take("a.example", false, here), pool.connections[0].get());
  EXPECT_EQ(pool.idle.take("a.example", false, here), nullptr);
}

}  // namespace
}  // namespace bowerbird
