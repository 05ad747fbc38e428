#include "base/ordered_work.h"

#include <gtest/gtest.h>

#include <atomic>

namespace bowerbird {
namespace {

TEST(OrderedWork, GivesItemsInTheirOrderWithinTheWindow) {
  for (const unsigned threads : {1u, 4u}) {
    std::atomic<std::uint64_t> taken = 0;
    std::vector<std::uint64_t> seen;
    std::atomic<bool> ahead = false;
    const Status done = ordered_work(
        1000, threads, 8,
        [&](unsigned worker, std::uint64_t i) {
          if (worker >= threads || i > taken + 8) ahead = true;  // one more is being taken
          return i * i;
        },
        [&](std::uint64_t i, std::uint64_t item) -> Result<bool> {
          EXPECT_EQ(item, i * i);
          seen.push_back(i);
          taken = i + 1;
          return true;
        });
    ASSERT_TRUE(done.ok());
    EXPECT_FALSE(ahead);
    EXPECT_EQ(seen.size(), 1000u);
  }
}

TEST(OrderedWork, EndsEarly) {
  std::uint64_t taken = 0;
  const auto make = [](unsigned, std::uint64_t i) { return i; };
  EXPECT_TRUE(ordered_work(1'000'000'000, 2, 4, make, [&](std::uint64_t i, std::uint64_t) -> Result<bool> {
                return ++taken < 10 || i < 9;
              }).ok());
  EXPECT_EQ(taken, 10u);
  const Status failed = ordered_work(
      1'000'000'000, 2, 4, make, [](std::uint64_t, std::uint64_t) -> Result<bool> { return error("full"); });
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().text, "full");
  EXPECT_TRUE(ordered_work(0, 2, 4, make, [](std::uint64_t, std::uint64_t) -> Result<bool> {
                return error("nothing to take");
              }).ok());
}

}  // namespace
}  // namespace bowerbird
