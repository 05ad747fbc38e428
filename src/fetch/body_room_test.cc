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
  EXPECT_TRUE(room.take(&one, std::uint64_t{1} << 40));
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
      if (!room.take(&one, piece)) {
        one.waits = true;
        ++waited;
      } else if ((one.has += piece) == one.length) {
        room.leave(&one, one.has);
        one.length = 0;
        ++ended;
      }
      for (Transfer* resumed : room.take_resumed()) resumed->waits = false;
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
  EXPECT_TRUE(room.take(&ahead, 20));
  EXPECT_FALSE(room.take(&waits, 1));
  room.leave(&waits, 0);
  room.leave(&ahead, 20);
  EXPECT_TRUE(room.take_resumed().empty());
}

}  // namespace
}  // namespace bowerbird
