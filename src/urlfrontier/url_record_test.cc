#include "urlfrontier/url_record.h"

#include <gtest/gtest.h>

#include <limits>

#include "urlfrontier/url_events.h"

namespace bowerbird {
namespace {

TEST(UrlRecord, IsReadBackAsItWasWritten) {
  UrlRecord record;
  record.payload = std::string("a\0b", 3);
  record.due = Time(1'700'000'000s);
  record.visit = {
      .page = 7, .discovered = 3, .score = -0.5, .links = 9, .other_host = 2, .crawled = 5, .known = 40};
  const auto again = UrlRecord::decode(record.encode());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->payload, record.payload);
  EXPECT_EQ(again->due, record.due);
  ASSERT_TRUE(again->visit);
  EXPECT_EQ(again->visit->page, 7u);
  EXPECT_EQ(again->visit->score, -0.5);
  EXPECT_EQ(again->visit->known, 40u);
  const auto none = UrlRecord::decode(UrlRecord{}.encode());
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->visit);
  EXPECT_EQ(none->due, kForever);
}

TEST(UrlRecord, KeepsInfiniteScores) {
  UrlRecord record;
  record.visit = {.score = -std::numeric_limits<double>::infinity()};
  const auto again = UrlRecord::decode(record.encode());
  ASSERT_TRUE(again && again->visit);
  EXPECT_EQ(again->visit->score, record.visit->score);
  record.visit->score = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(UrlRecord::decode(record.encode()));
}

TEST(UrlRecord, RefusesOtherBytes) {
  UrlRecord record;
  record.visit = Visit{};
  const std::string bytes = record.encode();
  EXPECT_FALSE(UrlRecord::decode(bytes + "x"));
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(UrlRecord::decode(bytes.substr(0, length))) << length;
}

template <typename E>
E there_and_back(const E& event) {
  std::string bytes;
  put_event(bytes, event);
  VarintReader in(bytes);
  const UrlEvent decoded = get_event(in);
  EXPECT_TRUE(in.ok() && in.at_end());
  return std::get<E>(decoded);
}

TEST(UrlEvents, AreReadBackAsTheyWereWritten) {
  EXPECT_EQ(there_and_back(UrlAdded{3, "http://a/"}).url, "http://a/");
  const SeedsEntered seeds = there_and_back(SeedsEntered{{1, 2}, {0.25, 3}, 3.25, true});
  EXPECT_EQ(seeds.pages, (std::vector<PageId>{1, 2}));
  EXPECT_EQ(seeds.weights, (std::vector<double>{0.25, 3}));
  EXPECT_TRUE(seeds.light);
  EXPECT_EQ(there_and_back(LinksFound{kNoPage, {5}}).parent, kNoPage);
  EXPECT_EQ(there_and_back(UrlTaken{1, kForever}).until, kForever);
  EXPECT_EQ(there_and_back(QueueChanged{2, -1ms, Time(50ms), ~std::uint64_t{0}}).delay, -1ms);
  EXPECT_EQ(there_and_back(PriorityGiven{2, -7}).priority, -7);
  EXPECT_EQ(there_and_back(PageDemoted{9}).page, 9u);
}

// The numbers are in folders that exist.
TEST(UrlEvents, KeepTheirNumbers) {
  EXPECT_EQ(url_event_number<QueueAdded>(), 0);
  EXPECT_EQ(url_event_number<RecordWritten>(), 11);
  EXPECT_EQ(url_event_number<PageDemoted>(), 14);
}

TEST(UrlEvents, InvalidOnesAreRefused) {
  const auto refused = [](const std::string& bytes) {
    VarintReader in(bytes);
    get_event(in);
    return !in.ok();
  };
  EXPECT_TRUE(refused(""));
  EXPECT_TRUE(refused("\x7f"));
  std::string bytes(1, url_event_number<UrlsRemoved>());
  EXPECT_TRUE(refused(bytes + "\xff\xff\xff\xff\x0f"));  // a count that is larger than the input
  bytes = url_event_number<SeedsEntered>();
  bytes += std::string("\x00\x01", 2) + std::string("\0\0\0\0\0\0\xf8\x7f", 8);  // NaN
  EXPECT_TRUE(refused(bytes + std::string(9, '\0')));
}

}  // namespace
}  // namespace bowerbird
