#include "crawl/state/events.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

constexpr Time kNow(1'700'000'000s);

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
  const SeedsAdded seeds = there_and_back(SeedsAdded{{{7, 0.25, true}, {8, 3, false}}, 12.5}, kNow);
  ASSERT_EQ(seeds.seeds.size(), 2u);
  EXPECT_EQ(seeds.seeds[0].page, 7u);
  EXPECT_EQ(seeds.seeds[0].weight, 0.25);
  EXPECT_TRUE(seeds.seeds[0].sitemap);
  EXPECT_EQ(seeds.total, 12.5);
  const PageRetried retried = there_and_back(PageRetried{5, kNow + 123ms, true}, kNow);
  EXPECT_EQ(retried.page, 5u);
  EXPECT_EQ(retried.due, kNow + 123ms);
  EXPECT_TRUE(retried.counted);
  const RobotsChanged robots =
      there_and_back(RobotsChanged{1, Time(99ms), false, "User-agent: *\n", true}, Time(1s));
  EXPECT_EQ(robots.until, Time(99ms));
  EXPECT_FALSE(robots.reached);
  EXPECT_EQ(robots.text, "User-agent: *\n");
  EXPECT_TRUE(robots.https);
  const RequisitesFound found = there_and_back(RequisitesFound{3, false, {{9, 2}, {7, 0}}, 4, 1}, kNow);
  EXPECT_EQ(found.from, 3u);
  EXPECT_FALSE(found.of_page);
  ASSERT_EQ(found.found.size(), 2u);
  EXPECT_EQ(found.found[0], (FoundRequisite{9, 2}));
  EXPECT_EQ(found.left_out, 4u);
  EXPECT_EQ(found.excluded, 1u);
  EXPECT_EQ(there_and_back(RequisiteEnded{9, 3, 17}, kNow).bytes, 17u);
  EXPECT_EQ(there_and_back(PageTaken{Time(50ms), kNoPage, false}, Time(20ms)).page, kNoPage);
}

TEST(CrawlEvents, NeverIsKept) {
  EXPECT_EQ(there_and_back(GateSet{3, kNever}, kNow).opens, kNever);
  EXPECT_EQ(there_and_back(GateSet{3, Time{}}, kNow).opens, Time{});
}

TEST(CrawlEvents, TimesNearTheClockTakeOneByte) {
  std::string payload;
  encode_event(PageRetried{0, kNow + 30ms, false}, kNow, payload);
  EXPECT_EQ(payload.size(), 3u);
  payload.clear();
  encode_event(PagesHeld{{{7, RefreshTime((kNow - 30ms).time_since_epoch())}}}, kNow, payload);
  EXPECT_EQ(payload.size(), 3u);
}

TEST(CrawlEvents, TimesOfVisitsAreReadWithoutTheClock) {
  PageVisited visit;
  visit.time = visit.changed_at = RefreshTime(kNow.time_since_epoch());
  visit.fresh_until = visit.time + 1h;
  std::string payload;
  encode_event(visit, kNow, payload);
  Event raw;
  raw.type = event_number<PageVisited>();
  raw.payload = payload;
  const auto decoded = decode_event(raw, Time{});
  ASSERT_TRUE(decoded.ok());
  const PageVisited& read = std::get<PageVisited>(*decoded);
  EXPECT_EQ(read.time, visit.time);
  EXPECT_EQ(read.changed_at, visit.changed_at);
  EXPECT_EQ(read.fresh_until, visit.fresh_until);
}

TEST(CrawlEvents, InvalidEventsAreRefused) {
  Event raw;
  raw.type = 255;
  EXPECT_FALSE(decode_event(raw, kNow).ok());
  raw.type = event_number<SeedsAdded>();
  raw.payload = "\xff\xff\xff\xff\x0f";  // a count that is larger than the input
  EXPECT_FALSE(decode_event(raw, kNow).ok());
  raw.type = event_number<BatchesFlushed>();
  raw.payload = "more";
  EXPECT_FALSE(decode_event(raw, kNow).ok());
}

}  // namespace
}  // namespace bowerbird
