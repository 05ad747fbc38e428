#include "fleet/commit_fence.h"

#include <gtest/gtest.h>

#include <future>
#include <memory>

namespace bowerbird {
namespace {

TEST(CommitFence, OpensWhileTheLeaseIsHeld) {
  ManualClock clock{1'000'000};
  CommitFence fence(clock);
  EXPECT_FALSE(fence.held());
  fence.hold_until(5000);
  EXPECT_TRUE(fence.held());
  EXPECT_TRUE(fence.wait().ok());
  clock.advance(4'000'000);
  EXPECT_FALSE(fence.held());
}

TEST(CommitFence, CountsHowOftenTheLeaseExpired) {
  ManualClock clock{1'000'000};
  CommitFence fence(clock);
  fence.hold_until(5000);
  fence.hold_until(6000);
  EXPECT_EQ(fence.lapses(), 0u) << "it was renewed in time";
  clock.advance(5'000'000);
  fence.hold_until(9000);
  EXPECT_EQ(fence.lapses(), 1u);
}

TEST(CommitFence, ACommitWaitsForTheLease) {
  ManualClock clock{1'000'000};
  CommitFence fence(clock);
  auto waiting = std::async(std::launch::async, [&] { return fence.wait(); });
  fence.hold_until(5000);
  EXPECT_TRUE(waiting.get().ok());
}

TEST(CommitFence, ACommitAfterATakeoverFails) {
  ManualClock clock{1'000'000};
  CommitFence fence(clock);
  auto waiting = std::async(std::launch::async, [&] { return fence.wait(); });
  fence.lose("b has taken over");
  fence.lose("a later reason");
  EXPECT_EQ(waiting.get().error().text, "b has taken over");
  fence.hold_until(5000);
  EXPECT_FALSE(fence.held()) << "it is lost for good";
  EXPECT_FALSE(fence.wait().ok());
}

TEST(CommitFence, AProcessThatEndsDoesNotWait) {
  ManualClock clock{1'000'000};
  CommitFence fence(clock);
  fence.end_waiting();
  EXPECT_FALSE(fence.wait().ok());
  fence.hold_until(5000);
  EXPECT_TRUE(fence.wait().ok());
}

}  // namespace
}  // namespace bowerbird
