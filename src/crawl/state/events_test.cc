#include "crawl/state/events.h"

#include <gtest/gtest.h>

#include "crawl/state/hosts.h"

namespace bowerbird {
namespace {

template <typename E>
E there_and_back(const E& event, Time now) {
  std::string payload;
  encode_event(event, now, payload);
  Event raw;
  raw.type = event_number<E>();
  raw.payload = payload;
  const auto decoded = decode_event(raw, now);
  EXPECT_TRUE(decoded.ok());
  return std::get<E>(*decoded);
}

TEST(CrawlEvents, AreReadBackAsTheyWereWritten) {
  const SeedsAdded seeds = there_and_back(SeedsAdded{{{7, 0.25, true}, {8, 3, false}}, 12.5}, 0);
  ASSERT_EQ(seeds.seeds.size(), 2u);
  EXPECT_EQ(seeds.seeds[0].page, 7u);
  EXPECT_EQ(seeds.seeds[0].weight, 0.25);
  EXPECT_TRUE(seeds.seeds[0].sitemap);
  EXPECT_EQ(seeds.total, 12.5);
  const PageRetried retried = there_and_back(PageRetried{5, 1'700'000'000'123, true}, 1'700'000'000'000);
  EXPECT_EQ(retried.page, 5u);
  EXPECT_EQ(retried.due, 1'700'000'000'123);
  EXPECT_TRUE(retried.counted);
  const RobotsChanged robots = there_and_back(RobotsChanged{1, 99, false, "User-agent: *\n", true}, 1000);
  EXPECT_EQ(robots.until, 99);
  EXPECT_FALSE(robots.reached);
  EXPECT_EQ(robots.text, "User-agent: *\n");
  EXPECT_TRUE(robots.https);
  const RequisitesFound found = there_and_back(RequisitesFound{3, false, {{9, 2}, {7, 0}}, 4, 1}, 0);
  EXPECT_EQ(found.from, 3u);
  EXPECT_FALSE(found.of_page);
  ASSERT_EQ(found.found.size(), 2u);
  EXPECT_EQ(found.found[0], (FoundRequisite{9, 2}));
  EXPECT_EQ(found.left_out, 4u);
  EXPECT_EQ(found.excluded, 1u);
  EXPECT_EQ(there_and_back(RequisiteEnded{9, 3, 17}, 0).bytes, 17u);
  EXPECT_EQ(there_and_back(PageTaken{50, kNoPage, false}, 20).page, kNoPage);
}

TEST(CrawlEvents, KNoTimeIsKept) {
  EXPECT_EQ(there_and_back(GateSet{3, kNoTime}, 1'700'000'000'000).opens, kNoTime);
  EXPECT_EQ(there_and_back(GateSet{3, 0}, 1'700'000'000'000).opens, 0);
}

TEST(CrawlEvents, TimesNearTheClockTakeOneByte) {
  std::string payload;
  encode_event(PageRetried{0, 1'700'000'000'030, false}, 1'700'000'000'000, payload);
  EXPECT_EQ(payload.size(), 3u);
}

TEST(CrawlEvents, InvalidEventsAreRefused) {
  Event raw;
  raw.type = 255;
  EXPECT_FALSE(decode_event(raw, 0).ok());
  raw.type = event_number<SeedsAdded>();
  raw.payload = "\xff\xff\xff\xff\x0f";  // a count that is larger than the input
  EXPECT_FALSE(decode_event(raw, 0).ok());
  raw.type = event_number<BatchesFlushed>();
  raw.payload = "more";
  EXPECT_FALSE(decode_event(raw, 0).ok());
}

}  // namespace
}  // namespace bowerbird
