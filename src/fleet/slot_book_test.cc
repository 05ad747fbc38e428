#include "fleet/slot_book.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace bowerbird {
namespace {

TEST(SlotBook, AGateOfWhichNothingIsKnownWaitsForAnInterval) {
  SlotBook book;
  const auto grant = book.ask("a", "ip 1", 500, 1000);
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->who, "a");
  EXPECT_EQ(grant->wait_ms, 500);
}

TEST(SlotBook, TheNextSlotBeginsAnIntervalAfterTheLastWasUsed) {
  SlotBook book;
  book.ask("a", "g", 500, 0);
  EXPECT_FALSE(book.ask("b", "g", 500, 10));
  EXPECT_FALSE(book.ask("c", "g", 500, 20));
  EXPECT_EQ(book.ask("a", "g", 500, 100)->wait_ms, 400) << "who holds it may ask again";
  const auto next = book.give_back("a", "g", true, 900);  // late
  ASSERT_TRUE(next);
  EXPECT_EQ(next->who, "b");
  EXPECT_EQ(next->wait_ms, 500);
  EXPECT_FALSE(book.give_back("a", "g", true, 901)) << "it is no longer a's";
  const auto unused = book.give_back("b", "g", false, 1000);
  ASSERT_TRUE(unused);
  EXPECT_EQ(unused->who, "c");
  EXPECT_EQ(unused->wait_ms, 400);
}

TEST(SlotBook, WhoIsNotHeardOfLosesItsSlot) {
  SlotBook book;
  book.ask("a", "g", 500, 0);
  EXPECT_FALSE(book.ask("b", "g", 500, 5000));
  EXPECT_FALSE(book.ask("b", "g", 500, 5500));
  const auto grant = book.ask("b", "g", 500, 6000);
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->who, "b");
  EXPECT_EQ(grant->wait_ms, 500);
}

TEST(SlotBook, WhoWantsItNoLongerIsPassedOver) {
  SlotBook book;
  book.ask("a", "g", 100, 0);
  book.ask("b", "g", 100, 0);
  book.ask("c", "g", 100, 0);
  book.give_back("b", "g", false, 50);
  EXPECT_EQ(book.give_back("a", "g", true, 100)->who, "c");
}

// Whatever processes do, their requests are an interval apart, and each gets its turn.
TEST(SlotBook, RequestsAreNeverCloserThanTheInterval) {
  constexpr std::int64_t kInterval = 200;
  SlotBook book;
  Rng rng(3);
  std::map<std::string, std::int64_t> holds;  // and since when
  std::map<std::string, int> used;
  std::int64_t last = -kInterval;
  const auto take = [&](const std::optional<SlotBook::Grant>& grant, std::int64_t now) {
    if (grant) holds[grant->who] = now + grant->wait_ms;
  };
  for (std::int64_t now = 0; now < 200'000; now += static_cast<std::int64_t>(rng.below(30))) {
    const std::string who(1, static_cast<char>('a' + rng.below(4)));
    const auto held = holds.find(who);
    if (held == holds.end()) {
      take(book.ask(who, "g", kInterval, now), now);
    } else if (held->second <= now) {
      EXPECT_GE(now - last, kInterval);
      last = now;
      ++used[who];
      holds.erase(held);
      take(book.give_back(who, "g", true, now), now);
    }
  }
  for (const auto& [who, count] : used) EXPECT_GT(count, 100) << who;
  EXPECT_EQ(used.size(), 4u);
}

}  // namespace
}  // namespace bowerbird
