#include "urlfrontier/queue_table.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(QueueTable, NumbersQueuesAndKeepsTheirSettings) {
  QueueTable table;
  EXPECT_EQ(table.add("a"), 0u);
  EXPECT_EQ(table.add("b"), 1u);
  EXPECT_EQ(table.find("b"), 1u);
  EXPECT_EQ(table.find("c"), std::nullopt);
  table[1].delay = 500ms;
  table[1].blocked_until = Time(70ms);
  table[1].served = Time(3ms);
  table[1].urls = 9;
  table[1].completed = 4;
  table[1].again = 2;
  EXPECT_EQ(table[1].open(), 7u);
  std::string bytes;
  ByteWriter out(bytes);
  table.save(out);
  QueueTable again;
  ByteReader in(bytes);
  again.load(in);
  ASSERT_TRUE(in.ok());
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again.find("a"), 0u);
  EXPECT_EQ(again[1].delay, 500ms);
  EXPECT_EQ(again[1].blocked_until, Time(70ms));
  EXPECT_EQ(again[1].served, Time(3ms));
  EXPECT_EQ(again[1].open(), 7u);
  EXPECT_GT(again.bytes(), 0u);
}

TEST(QueueTable, TheLimitCountsCompletedAndLeasedUrls) {
  UrlQueue queue;
  queue.completed = 2;
  queue.in_process = 1;
  EXPECT_FALSE(queue.is_over_limit());
  queue.limit = 4;
  EXPECT_FALSE(queue.is_over_limit());
  queue.limit = 3;
  EXPECT_TRUE(queue.is_over_limit());
}

TEST(QueueTable, RefusesDamagedBytes) {
  QueueTable table;
  table.add("a");
  std::string bytes;
  ByteWriter out(bytes);
  table.save(out);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    QueueTable cut;
    ByteReader in(std::string_view(bytes).substr(0, length));
    cut.load(in);
    EXPECT_FALSE(in.ok()) << length;
  }
  // Two queues of one name.
  std::string twice = bytes + bytes.substr(8);
  twice[0] = 2;
  QueueTable same;
  ByteReader in(twice);
  same.load(in);
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace bowerbird
