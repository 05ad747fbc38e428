#include "crawl/loop/requisite_queue.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(RequisiteQueue, HasAQueueForEachHost) {
  RequisiteQueue queue(100);
  queue.add(1, 7, 0);
  queue.add(2, 7, 0);
  queue.add(3, 8, 0);
  EXPECT_EQ(queue.next_host(0), 7u);
  EXPECT_EQ(queue.first(7), 1u);
  queue.start(7, 0);
  EXPECT_TRUE(queue.is_in_flight(1));
  EXPECT_EQ(queue.next_host(0), 7u);
  EXPECT_EQ(queue.first(7), 2u);
  queue.wait(7, 50);
  EXPECT_EQ(queue.next_host(0), 8u);
  queue.start(8, 0);
  EXPECT_FALSE(queue.next_host(49));
  EXPECT_EQ(queue.next_due(), 50);
  EXPECT_EQ(queue.next_host(50), 7u);
  queue.drop(7, 50);
  queue.end(1);
  EXPECT_FALSE(queue.idle());
  queue.end(3);
  EXPECT_TRUE(queue.idle());
  EXPECT_EQ(queue.next_due(), kNoTime);
}

TEST(RequisiteQueue, HostsWaitForRequestsToEnd) {
  RequisiteQueue queue(100);
  queue.add(1, 7, 0);
  ASSERT_EQ(queue.next_host(0), 7u);
  queue.wait(7, kNoTime);
  EXPECT_FALSE(queue.next_host(1000));
  queue.add(2, 7, 0);
  EXPECT_FALSE(queue.next_host(1000)) << "its line waits";
  queue.wake(1000);
  EXPECT_EQ(queue.next_host(1000), 7u);
}

TEST(RequisiteQueue, AFailedRequisiteComesFirstWhenItsRetryIsDue) {
  RequisiteQueue queue(100);
  queue.add(1, 7, 0);
  queue.add(2, 7, 0);
  queue.next_host(0);
  queue.start(7, 0);
  queue.retry(1, 7, 300, true);
  EXPECT_EQ(queue.tries(1), 1u);
  EXPECT_FALSE(queue.idle());
  EXPECT_EQ(queue.next_host(300), 7u);
  EXPECT_EQ(queue.first(7), 1u);
  queue.start(7, 300);
  queue.end(1);
  EXPECT_EQ(queue.tries(1), 0u);
}

TEST(RequisiteQueue, IsCrowdedAtItsLimit) {
  RequisiteQueue queue(2);
  queue.add(1, 7, 0);
  EXPECT_FALSE(queue.is_crowded());
  queue.add(2, 8, 0);
  EXPECT_TRUE(queue.is_crowded());
}

}  // namespace
}  // namespace bowerbird
