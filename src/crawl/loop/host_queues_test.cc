#include "crawl/loop/host_queues.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(HostQueues, HasAQueueForEachHost) {
  HostQueues queue(100);
  queue.add(1, 7, Time{});
  queue.add(2, 7, Time{});
  queue.add(3, 8, Time{});
  EXPECT_EQ(queue.next_host(Time{}), 7u);
  EXPECT_EQ(queue.first(7), 1u);
  queue.start(7, Time{});
  EXPECT_TRUE(queue.is_in_flight(1));
  EXPECT_EQ(queue.next_host(Time{}), 7u);
  EXPECT_EQ(queue.first(7), 2u);
  queue.wait(7, Time(50ms));
  EXPECT_EQ(queue.next_host(Time{}), 8u);
  queue.start(8, Time{});
  EXPECT_FALSE(queue.next_host(Time(49ms)));
  EXPECT_EQ(queue.next_due(), Time(50ms));
  EXPECT_EQ(queue.next_host(Time(50ms)), 7u);
  queue.drop(7, Time(50ms));
  queue.end(1);
  EXPECT_FALSE(queue.idle());
  queue.end(3);
  EXPECT_TRUE(queue.idle());
  EXPECT_EQ(queue.next_due(), kNever);
}

TEST(HostQueues, HostsWaitForRequestsToEnd) {
  HostQueues queue(100);
  queue.add(1, 7, Time{});
  ASSERT_EQ(queue.next_host(Time{}), 7u);
  queue.wait(7, kNever);
  EXPECT_FALSE(queue.next_host(Time(1s)));
  queue.add(2, 7, Time{});
  EXPECT_FALSE(queue.next_host(Time(1s))) << "its line waits";
  queue.wake(Time(1s));
  EXPECT_EQ(queue.next_host(Time(1s)), 7u);
}

TEST(HostQueues, AFailedRequisiteComesFirstWhenItsRetryIsDue) {
  HostQueues queue(100);
  queue.add(1, 7, Time{});
  queue.add(2, 7, Time{});
  queue.next_host(Time{});
  queue.start(7, Time{});
  queue.retry(1, 7, Time(300ms), true);
  EXPECT_EQ(queue.tries(1), 1u);
  EXPECT_FALSE(queue.idle());
  EXPECT_EQ(queue.next_host(Time(300ms)), 7u);
  EXPECT_EQ(queue.first(7), 1u);
  queue.start(7, Time(300ms));
  queue.end(1);
  EXPECT_EQ(queue.tries(1), 0u);
}

TEST(HostQueues, IsCrowdedAtItsLimit) {
  HostQueues queue(2);
  queue.add(1, 7, Time{});
  EXPECT_FALSE(queue.is_crowded());
  queue.add(2, 8, Time{});
  EXPECT_TRUE(queue.is_crowded());
}

}  // namespace
}  // namespace bowerbird
