#include "policy/reported_score.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(ReportedScore, OfTwoQueuesIsTheOneWithinTheQueue) {
  for (const char* const policy : {"similar", "similar:by=backlink", "similar:variant=basic"}) {
    const ReportedScore hot = reported_score(policy, two_queues::outer(0.25, true));
    EXPECT_EQ(hot.score, 0.25);
    EXPECT_EQ(hot.queue, "hot");
    const ReportedScore other = reported_score(policy, two_queues::outer(-3, false));
    EXPECT_EQ(other.score, -3);
    EXPECT_EQ(other.queue, "other");
  }
}

TEST(ReportedScore, OfOneQueueIsTheScore) {
  for (const char* const policy : {"fpr@100", "combined:similar=1,bfs=2", "lipr"}) {
    EXPECT_EQ(reported_score(policy, 0.5).score, 0.5);
    EXPECT_TRUE(reported_score(policy, 0.5).queue.empty());
  }
}

TEST(ReportedScore, OfASeedThatNoLinkHasScoredIsNoNumber) {
  EXPECT_TRUE(reported_score("lipr", kSeedScore).first);
  EXPECT_FALSE(reported_score("lipr", 12.5).first);
}

}  // namespace
}  // namespace bowerbird
