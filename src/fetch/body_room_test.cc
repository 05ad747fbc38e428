#include "fetch/body_room.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"

namespace bowerbird {
namespace {

struct Transfer {
  std::uint64_t length = 0, has = 0;
  bool waits = false;
};

TEST(BodyRoom, WithoutALimitTakesAll) {
  BodyRoom<Transfer> room;
  Transfer one;
  EXPECT_TRUE(room.take(&one, std::uint64_t{1} << 40, 0));
  EXPECT_EQ(room.used(), std::uint64_t{1} << 40);
}

// Pieces of random bodies in random order: every body ends, and never is more taken than the limit and the
// longest body.
TEST(BodyRoom, IsKeptAndEveryBodyEnds) {
  constexpr std::uint64_t kLimit = 1000, kLongest = 700;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    BodyRoom<Transfer> room;
    room.limit(kLimit);
    std::vector<Transfer> transfers(30);
    for (Transfer& one : transfers) one.length = 1 + rng.below(kLongest);
    std::uint64_t ended = 0, waited = 0;
    for (int step = 0; ended < transfers.size(); ++step) {
      ASSERT_LT(step, 1'000'000);
      Transfer& one = transfers[rng.below(transfers.size())];
      if (one.length == 0 || one.waits) continue;
      const std::uint64_t piece = std::min(one.length - one.has, 1 + rng.below(100));
      if (!room.take(&one, piece, 0)) {
        one.waits = true;
        ++waited;
      } else if ((one.has += piece) == one.length) {
        room.leave(&one);
        one.length = 0;
        ++ended;
      }
      for (Transfer* resumed : room.take_resumed(0)) resumed->waits = false;
      ASSERT_LE(room.used(), kLimit + kLongest);
    }
    EXPECT_EQ(room.used(), 0u);
    EXPECT_GT(waited, 0u);
  }
}

TEST(BodyRoom, OneThatEndsWhileItWaitsIsForgotten) {
  BodyRoom<Transfer> room;
  room.limit(10);
  Transfer ahead, waits;
  EXPECT_TRUE(room.take(&ahead, 20, 0));
  EXPECT_FALSE(room.take(&waits, 1, 0));
  room.leave(&waits);
  room.leave(&ahead);
  EXPECT_TRUE(room.take_resumed(0).empty());
}

// Bodies that have come in fill the room: nobody goes ahead of them.
TEST(BodyRoom, NobodyGoesAheadWhereThatIsNotAllowed) {
  BodyRoom<Transfer> room;
  room.limit(1, false);
  Transfer one, other;
  EXPECT_TRUE(room.take(&one, 1, 0));
  EXPECT_FALSE(room.take(&one, 10, 0));
  EXPECT_FALSE(room.take(&other, 10, 0));
  EXPECT_TRUE(room.take_resumed(0).empty());
  room.limit(1, true);
  EXPECT_EQ(room.take_resumed(0), std::vector<Transfer*>{&one});
}

TEST(BodyRoom, SlowBodiesHoldHalfOfItWhileOthersWait) {
  constexpr std::int64_t kSecond = 1'000'000;
  BodyRoom<Transfer> room;
  room.limit(1000);
  std::vector<Transfer> slow(10);
  for (Transfer& one : slow) EXPECT_TRUE(room.take(&one, 100, 0));
  EXPECT_TRUE(room.take_slow(10 * kSecond).empty()) << "nobody waits";
  Transfer ahead, fast;
  EXPECT_TRUE(room.take(&ahead, 1, 10 * kSecond));
  EXPECT_FALSE(room.take(&fast, 1, 10 * kSecond));
  const std::vector<Transfer*> ended = room.take_slow(11 * kSecond);
  EXPECT_EQ(ended.size(), 5u);
  for (Transfer* one : ended) room.leave(one);
  EXPECT_EQ(room.take_resumed(11 * kSecond), std::vector<Transfer*>{}) << "it is not half empty yet";
  room.leave(&ahead);
  EXPECT_EQ(room.take_resumed(11 * kSecond), std::vector<Transfer*>{&fast});
}

TEST(BodyRoom, ASlowBodyDoesNotStayAhead) {
  constexpr std::int64_t kSecond = 1'000'000;
  BodyRoom<Transfer> room;
  room.limit(1000);
  Transfer slow, held, fast;
  EXPECT_TRUE(room.take(&held, 900, 0));
  EXPECT_TRUE(room.take(&slow, 101, 0)) << "ahead of all";
  EXPECT_FALSE(room.take(&held, 1, 0));
  EXPECT_FALSE(room.take(&fast, 1, 0));
  EXPECT_TRUE(room.take_resumed(kSecond).empty());
  EXPECT_TRUE(room.take_slow(3 * kSecond).empty()) << "it holds little";
  EXPECT_EQ(room.take_resumed(3 * kSecond), std::vector<Transfer*>{&held});
}

}  // namespace
}  // namespace bowerbird
