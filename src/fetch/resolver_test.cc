#include "fetch/resolver.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <thread>

namespace bowerbird {
namespace {

// A name server on loopback: one A record or NXDOMAIN for each name, SERVFAIL for others.
class NameServer {
 public:
  NameServer() : fd_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    socklen_t size = sizeof address;
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~NameServer() {
    ::shutdown(fd_, SHUT_RDWR);
    if (thread_.joinable()) {
      sockaddr_in self{};
      self.sin_family = AF_INET;
      self.sin_port = htons(port_);
      self.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      ::sendto(fd_, "", 0, 0, reinterpret_cast<sockaddr*>(&self), sizeof self);
      thread_.join();
    }
    ::close(fd_);
  }
  NameServer(const NameServer&) = delete;
  NameServer& operator=(const NameServer&) = delete;

  void run() {
    thread_ = std::thread([this] { serve(); });
  }
  std::string address() const { return fmt::format("127.0.0.1:{}", port_); }

  struct Record {
    int code;  // 0: an address; 3: no such name; 2: failure
    std::uint8_t last;
    std::uint32_t ttl;
  };
  std::map<std::string, Record> names;
  std::atomic<int> asked{0};

 private:
  void serve() {
    for (;;) {
      std::uint8_t packet[512];
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const ssize_t n = ::recvfrom(fd_, packet, sizeof packet, 0, reinterpret_cast<sockaddr*>(&from), &size);
      if (n < 17) return;
      answer(std::string(reinterpret_cast<char*>(packet), static_cast<std::size_t>(n)), from);
    }
  }
  void answer(std::string packet, const sockaddr_in& to) {
    std::string name;
    std::size_t at = 12;
    while (packet[at] != 0) {
      if (!name.empty()) name += '.';
      name += packet.substr(at + 1, static_cast<std::size_t>(packet[at]));
      at += 1 + static_cast<std::size_t>(packet[at]);
    }
    const bool four = packet[at + 2] == 1;
    packet.resize(at + 5);
    const auto found = names.find(name);
    const Record record = found == names.end() ? Record{2, 0, 0} : found->second;
    if (four) ++asked;
    packet[2] = static_cast<char>(0x81);
    packet[3] = static_cast<char>(0x80 | record.code);
    packet.replace(6, 6, std::string("\0\0\0\0\0\0", 6));
    if (record.code == 0 && four) {
      packet[7] = 1;
      packet += std::string("\xc0\x0c\0\1\0\1", 6);
      for (int shift = 24; shift >= 0; shift -= 8) packet += static_cast<char>(record.ttl >> shift);
      packet += std::string("\0\4\xc0\0\2", 5);
      packet += static_cast<char>(record.last);
    }
    ::sendto(fd_, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
  }

  int fd_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

class ResolverTest : public testing::Test {
 protected:
  void start(std::size_t entries = 1000) {
    server.run();
    loop = std::move(EventLoop::create()).value();
    ResolverOptions options;
    options.servers = server.address();
    options.hosts_file = false;
    options.timeout_s = 5;
    options.tries = 1;
    options.cache_entries = entries;
    resolver = std::move(Resolver::make(*loop, options, &clock)).value();
  }
  Resolution ask(const std::string& name) {
    std::optional<Resolution> got;
    resolver->resolve(name, [&](const Resolution& resolution) { got = resolution; });
    while (!got) loop->step(1000);
    return *got;
  }

  NameServer server;
  ManualClock clock;
  std::unique_ptr<EventLoop> loop;
  std::unique_ptr<Resolver> resolver;
};

TEST_F(ResolverTest, KeepsAnAnswerForItsTimeToLive) {
  server.names["a.example"] = {0, 7, 100};
  start();
  EXPECT_EQ(ask("a.example").addresses.front().text(), "192.0.2.7");
  EXPECT_EQ(ask("a.example").status, ResolveStatus::kFound);
  EXPECT_EQ(server.asked, 1);
  clock.advance(99'000'000);
  ask("a.example");
  EXPECT_EQ(server.asked, 1);
  clock.advance(2'000'000);
  ask("a.example");
  EXPECT_EQ(server.asked, 2);
}

TEST_F(ResolverTest, TimesToLiveAreKeptWithinBounds) {
  server.names["short.example"] = {0, 1, 0};
  server.names["long.example"] = {0, 2, 1'000'000};
  start();
  EXPECT_EQ(ask("short.example").until_us, 60'000'000);
  EXPECT_EQ(ask("long.example").until_us, 1'800'000'000);
}

TEST_F(ResolverTest, FailuresAreRememberedForAShorterTime) {
  server.names["none.example"] = {3, 0, 0};
  start();
  EXPECT_EQ(ask("none.example").status, ResolveStatus::kNoSuchName);
  EXPECT_EQ(ask("none.example").until_us, 600'000'000);
  EXPECT_EQ(server.asked, 1);
  EXPECT_EQ(ask("broken.example").status, ResolveStatus::kFailed);
  EXPECT_EQ(ask("broken.example").until_us, 30'000'000);
}

TEST_F(ResolverTest, OneQueryAnswersAllWhoAsked) {
  server.names["a.example"] = {0, 7, 100};
  start();
  int answers = 0;
  for (int i = 0; i < 5; ++i) resolver->resolve("a.example", [&](const Resolution&) { ++answers; });
  while (answers < 5) loop->step(1000);
  EXPECT_EQ(resolver->queries(), 1u);
}

TEST_F(ResolverTest, AddressesNeedNoQuery) {
  start();
  EXPECT_EQ(ask("198.51.100.1").addresses.front().text(), "198.51.100.1");
  EXPECT_EQ(ask("[2001:db8::1]").addresses.front().text(), "2001:db8::1");
  EXPECT_EQ(resolver->queries(), 0u);
}

TEST_F(ResolverTest, TheCacheIsBounded) {
  for (int i = 0; i < 40; ++i) server.names[fmt::format("h{}.example", i)] = {0, 1, 100};
  start(10);
  for (int i = 0; i < 40; ++i) {
    clock.advance(1'000'000);
    ask(fmt::format("h{}.example", i));
    EXPECT_LE(resolver->cached(), 10u);
  }
  const int before = server.asked;
  ask("h39.example");
  EXPECT_EQ(server.asked, before) << "the youngest is kept";
}

TEST_F(ResolverTest, WhatIsOpenIsAnsweredWhenItGoes) {
  start();
  bool answered = false;
  resolver->resolve("late.example", [&](const Resolution& resolution) {
    answered = true;
    EXPECT_EQ(resolution.status, ResolveStatus::kFailed);
  });
  resolver.reset();
  EXPECT_TRUE(answered);
}

TEST(Resolver, BadServersAreAnError) {
  auto loop = std::move(EventLoop::create()).value();
  ResolverOptions options;
  options.servers = "not an address";
  EXPECT_FALSE(Resolver::make(*loop, options).ok());
}

}  // namespace
}  // namespace bowerbird
