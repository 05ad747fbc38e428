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

TEST(BodyRoom, WithoutALimitThereIsAlwaysRoom) {
  BodyRoom<Transfer> room;
  Transfer one;
  EXPECT_TRUE(room.take(&one, std::uint64_t{1} << 40, 0));
  EXPECT_EQ(room.used(), std::uint64_t{1} << 40);
}

// Pieces of random bodies in random order: every body ends, and at most the limit plus the longest body
// is taken.
TEST(BodyRoom, LimitIsKeptAndEveryBodyEnds) {
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
      ASSERT_LE(room.used(), kLimit + kLimit / 8 + kLongest);
    }
    EXPECT_EQ(room.used(), 0u);
    EXPECT_GT(waited, 0u);
  }
}

TEST(BodyRoom, ATransferThatEndsWhileWaitingIsRemoved) {
  BodyRoom<Transfer> room;
  room.limit(10);
  Transfer ahead, waits;
  EXPECT_TRUE(room.take(&ahead, 20, 0));
  EXPECT_FALSE(room.take(&waits, 1, 0));
  room.leave(&waits);
  room.leave(&ahead);
  EXPECT_TRUE(room.take_resumed(0).empty());
}

constexpr std::uint64_t kPiece = 64 << 10, kRoom = 10 * kPiece;
constexpr std::int64_t kSecond = 1'000'000;

// Completed bodies fill the room, so no transfer is ahead.
TEST(BodyRoom, NoTransferIsAheadIfThatIsNotAllowed) {
  BodyRoom<Transfer> room;
  room.limit(kRoom, false);
  std::vector<Transfer> others(10);
  for (Transfer& other : others) EXPECT_TRUE(room.take(&other, kPiece, 0));
  EXPECT_FALSE(room.take(others.data(), kPiece, 0));
  EXPECT_TRUE(room.take_resumed(0).empty());
  room.limit(kRoom, true);
  EXPECT_EQ(room.take_resumed(0), std::vector<Transfer*>{others.data()});
}

// They fill the room at once, and then continue byte by byte.
TEST(BodyRoom, SlowBodiesHoldHalfOfTheRoomWhileOthersWait) {
  BodyRoom<Transfer> room;
  room.limit(kRoom);
  std::vector<Transfer> slow(10);
  for (Transfer& one : slow) EXPECT_TRUE(room.take(&one, kPiece, 0));
  EXPECT_TRUE(room.take_slow(10 * kSecond).empty()) << "nobody waits";
  Transfer ahead, fast;
  EXPECT_TRUE(room.take(&ahead, kPiece, 10 * kSecond));
  EXPECT_FALSE(room.take(&fast, kPiece, 10 * kSecond));
  for (Transfer& one : slow) EXPECT_TRUE(room.take(&one, 1, 10 * kSecond)) << "they do not hide by waiting";
  const std::vector<Transfer*> ended = room.take_slow(10 * kSecond);
  EXPECT_EQ(ended.size(), 6u);
  for (Transfer* one : ended) room.leave(one);
  room.leave(&ahead);
  EXPECT_EQ(room.take_resumed(10 * kSecond), std::vector<Transfer*>{&fast});
}

TEST(BodyRoom, ASlowBodyDoesNotStayAhead) {
  BodyRoom<Transfer> room;
  room.limit(kRoom);
  Transfer slow, held, fast;
  EXPECT_TRUE(room.take(&held, kRoom - kPiece, 0));
  EXPECT_TRUE(room.take(&slow, kPiece, 0));
  EXPECT_TRUE(room.take(&slow, kPiece, 0)) << "ahead of all";
  EXPECT_FALSE(room.take(&held, kPiece, 0));
  EXPECT_FALSE(room.take(&fast, kPiece, 0));
  EXPECT_TRUE(room.take_resumed(kSecond).empty());
  EXPECT_TRUE(room.take_slow(9 * kSecond).empty()) << "it holds little";
  EXPECT_EQ(room.take_resumed(9 * kSecond), std::vector<Transfer*>{&held});
}

}  // namespace
}  // namespace bowerbird
