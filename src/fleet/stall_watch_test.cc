#include "fleet/stall_watch.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(StallWatch, AProcessThatHasNotBegunOrCommitsInTimeWorks) {
  StallWatch watch;
  EXPECT_FALSE(watch.is_stalled(1'000'000'000)) << "restoring a large crawl may take long";
  watch.commit_requested(0);
  EXPECT_FALSE(watch.is_stalled(StallWatch::kCommitMs));
  watch.commit_durable();
  EXPECT_FALSE(watch.is_stalled(StallWatch::kCommitMs + 1));
}

TEST(StallWatch, ACommitThatDoesNotReachTheDiskIsAStallUntilItDoes) {
  StallWatch watch;
  watch.commit_requested(1000);
  watch.commit_requested(50'000);  // at the end, while the first is not durable
  EXPECT_TRUE(watch.is_stalled(1001 + StallWatch::kCommitMs));
  watch.commit_durable();
  EXPECT_FALSE(watch.is_stalled(1001 + StallWatch::kCommitMs));
}

TEST(StallWatch, ACrawlThatDoesNoStepIsAStall) {
  StallWatch watch;
  watch.stepped(1000);
  EXPECT_FALSE(watch.is_stalled(1000 + StallWatch::kStepMs));
  EXPECT_TRUE(watch.is_stalled(1001 + StallWatch::kStepMs));
  watch.stepped(700'000);
  EXPECT_FALSE(watch.is_stalled(700'001));
}

}  // namespace
}  // namespace bowerbird
