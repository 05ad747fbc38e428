#include "fleet/mailbox.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(Mailbox, NewsIsTakenOnceAndStopStays) {
  Mailbox mailbox;
  int woken = 0;
  mailbox.set_wake([&] { ++woken; });
  mailbox.update([](FleetNews& news) {
    news.messages.push_back({{"b", 1, 1}, std::make_shared<const std::string>()});
    news.confirmed.push_back({"a", 2, 3});
    news.warnings.emplace_back("careful");
    news.plan = PlannedPart{{true}, {1}};
    news.stop = true;
    news.page_limit = 7;
  });
  EXPECT_EQ(woken, 1);
  FleetNews first, second;
  mailbox.take(first);
  mailbox.take(second);
  EXPECT_EQ(first.messages.size(), 1u);
  EXPECT_EQ(first.confirmed.size(), 1u);
  EXPECT_EQ(first.warnings.size(), 1u);
  EXPECT_TRUE(first.plan);
  EXPECT_TRUE(second.messages.empty() && second.confirmed.empty() && second.warnings.empty());
  EXPECT_FALSE(second.plan);
  EXPECT_TRUE(second.stop);
  EXPECT_EQ(second.page_limit, 7u);
}

TEST(Mailbox, AProcessWithUnreadMessagesIsNotQuiet) {
  Mailbox mailbox;
  EXPECT_FALSE(mailbox.heartbeat().quiet) << "no report yet";
  MemberReport report;
  report.quiet = true;
  report.status.counts.pages = 5;
  report.held = {{1, 2}};
  mailbox.report(report);
  EXPECT_TRUE(mailbox.heartbeat().quiet);
  EXPECT_EQ(mailbox.heartbeat().pages, 5u);
  EXPECT_EQ(mailbox.heartbeat().held, report.held);
  mailbox.update([](FleetNews& news) { news.messages.emplace_back(); });
  EXPECT_FALSE(mailbox.heartbeat().quiet);
}

TEST(Mailbox, AbsorbedOrphansCountAsUnsentUntilTheNextReport) {
  Mailbox mailbox;
  mailbox.report({});
  mailbox.absorbed("b");
  EXPECT_EQ(mailbox.heartbeat().to_send, 1u);
  EXPECT_EQ(mailbox.absorbed(), std::vector<std::string>{"b"});
  mailbox.close("b");
  EXPECT_TRUE(mailbox.absorbed().empty());
  mailbox.report({});
  EXPECT_EQ(mailbox.heartbeat().to_send, 0u);
}

TEST(Mailbox, ALossIsForEver) {
  Mailbox mailbox;
  EXPECT_FALSE(mailbox.lost());
  mailbox.lose("claimed");
  EXPECT_TRUE(mailbox.lost());
  FleetNews news;
  mailbox.take(news);
  EXPECT_EQ(news.lost, "claimed");
  EXPECT_TRUE(mailbox.lost());
}

}  // namespace
}  // namespace bowerbird
