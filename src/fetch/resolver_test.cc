#include "fetch/resolver.h"

#include <gtest/gtest.h>

#include "fetch/name_server_testing.h"

namespace bowerbird {
namespace {

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

TEST_F(ResolverTest, RequestsForANameShareOneQuery) {
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

TEST_F(ResolverTest, DestructionAnswersOpenRequests) {
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
