#include "sys/event_loop.h"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "sys/clock.h"

namespace bowerbird {
namespace {

std::unique_ptr<EventLoop> make_loop() {
  auto loop = EventLoop::create();
  EXPECT_TRUE(loop.ok());
  return std::move(*loop);
}

struct Pair {
  Pair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds.data()), 0); }
  ~Pair() {
    ::close(fds[0]);
    ::close(fds[1]);
  }
  std::array<int, 2> fds{};
};

struct Reader final : EventLoop::Handler {
  Reader(EventLoop& l, int f) : loop(l), fd(f) {}
  void on_ready(std::uint32_t events) override {
    EXPECT_TRUE(events & EPOLLIN);
    char byte = 0;
    EXPECT_EQ(::read(fd, &byte, 1), 1);
    text.push_back(byte);
    if (byte == '.') loop.finish();
  }
  EventLoop& loop;
  int fd;
  std::string text;
};

TEST(EventLoop, CallsTheHandlerOfAReadyDescriptor) {
  const auto loop = make_loop();
  Pair pair;
  Reader reader(*loop, pair.fds[0]);
  ASSERT_TRUE(loop->watch(pair.fds[0], EPOLLIN, reader).ok());
  ASSERT_EQ(::write(pair.fds[1], "ab.", 3), 3);
  loop->run();
  EXPECT_EQ(reader.text, "ab.");
}

struct Alarm final : EventLoop::Handler {
  Alarm(EventLoop& l, std::vector<int>& o, int n) : loop(l), order(o), number(n) {}
  void on_ready(std::uint32_t) override {}
  void on_timer() override {
    order.push_back(number);
    if (order.size() == 3) loop.finish();
  }
  EventLoop& loop;
  std::vector<int>& order;
  int number;
};

TEST(EventLoop, TimersFireInTheOrderOfTheirTimes) {
  const auto loop = make_loop();
  std::vector<int> order;
  Alarm one(*loop, order, 1), two(*loop, order, 2), three(*loop, order, 3), never(*loop, order, 4);
  const std::int64_t now = loop->now_us();
  loop->set_timer(three, now + 300);
  loop->set_timer(one, now + 900);
  loop->set_timer(one, now + 100);
  loop->set_timer(two, now + 200);
  loop->set_timer(never, now + 150);
  loop->clear_timer(never);
  loop->run();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

struct Again final : EventLoop::Handler {
  explicit Again(EventLoop& l) : loop(l) {}
  void on_ready(std::uint32_t) override {}
  void on_timer() override {
    if (++calls == 5) return loop.finish();
    loop.set_timer(*this, loop.now_us() - 1000);
  }
  EventLoop& loop;
  int calls = 0;
};

TEST(EventLoop, ATimerInThePastLetsOthersHaveTheirTurn) {
  const auto loop = make_loop();
  Again again(*loop);
  loop->set_timer(again, 0);
  loop->run();
  EXPECT_EQ(again.calls, 5);
}

struct Other final : EventLoop::Handler {
  void on_ready(std::uint32_t) override { ++calls; }
  int calls = 0;
};

// Retires both readers of one batch at the first event: the second event must not reach the dead.
struct Killer final : EventLoop::Handler {
  Killer(EventLoop& l, std::array<int, 2> f, std::unique_ptr<Killer>* o) : loop(l), fds(f), other(o) {}
  void on_ready(std::uint32_t) override {
    loop.forget(fds[0]);
    loop.forget(fds[1]);
    if (*other) loop.retire(std::move(*other));
    loop.finish();
  }
  EventLoop& loop;
  std::array<int, 2> fds;
  std::unique_ptr<Killer>* other;
};

TEST(EventLoop, ARetiredHandlerHearsNoMore) {
  const auto loop = make_loop();
  Pair a, b;
  std::unique_ptr<Killer> first, second;
  first = std::make_unique<Killer>(*loop, std::array{a.fds[0], b.fds[0]}, &second);
  second = std::make_unique<Killer>(*loop, std::array{a.fds[0], b.fds[0]}, &first);
  ASSERT_TRUE(loop->watch(a.fds[0], EPOLLIN, *first).ok());
  ASSERT_TRUE(loop->watch(b.fds[0], EPOLLIN, *second).ok());
  ASSERT_EQ(::write(a.fds[1], "x", 1), 1);
  ASSERT_EQ(::write(b.fds[1], "x", 1), 1);
  loop->run();
  EXPECT_NE(first == nullptr, second == nullptr);
}

TEST(EventLoop, AnotherThreadCanWakeIt) {
  const auto loop = make_loop();
  int woken = 0;
  loop->on_wake([&] {
    ++woken;
    loop->finish();
  });
  std::thread other([&] { loop->wake(); });
  loop->run();
  other.join();
  EXPECT_EQ(woken, 1);
}

TEST(EventLoop, WatchingNothingIsAnError) {
  const auto loop = make_loop();
  Other other;
  EXPECT_FALSE(loop->watch(-1, EPOLLIN, other).ok());
}

TEST(Clock, AManualClockStandsStill) {
  ManualClock clock(5);
  EXPECT_EQ(clock.now_us(), 5);
  clock.advance(7);
  EXPECT_EQ(clock.now_us(), 12);
  clock.set(1);
  EXPECT_EQ(clock.now_us(), 1);
}

TEST(Clock, AScaledClockStartsAtTheWallAndRunsFaster) {
  const WallClock wall;
  const std::int64_t before = wall.now_us();
  const ScaledClock clock(1e6);
  const std::int64_t first = clock.now_us();
  EXPECT_GE(first, before);
  const MonotonicClock monotonic;
  const std::int64_t start = monotonic.now_us();
  while (monotonic.now_us() < start + 10) {
  }
  EXPECT_GE(clock.now_us(), first + 9'000'000);
}

}  // namespace
}  // namespace bowerbird
