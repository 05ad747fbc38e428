#include "fleet/wire.h"

#include <gtest/gtest.h>

#include "crawl/state/hosts.h"

namespace bowerbird {
namespace {

TEST(Wire, WhatIsWrittenIsRead) {
  const auto envelope =
      read_envelope(write_envelope("c", {{"b", 7, 9}, std::make_shared<const std::string>("body")}));
  ASSERT_TRUE(envelope);
  EXPECT_EQ(envelope->carrier, "c");
  EXPECT_EQ(envelope->message.id.sender, "b");
  EXPECT_EQ(envelope->message.id.partition, 7u);
  EXPECT_EQ(*envelope->message.content, "body");

  const auto receipts = read_receipts(write_receipts({{"a", 1, 2}, {"b", 3, 4}}));
  ASSERT_TRUE(receipts);
  ASSERT_EQ(receipts->size(), 2u);
  EXPECT_EQ((*receipts)[1].number, 4u);

  const auto request =
      read_slot_request(write_slot_request({SlotRequest::What::kUsed, "a", "ip 127.0.0.1", 500}));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->what, SlotRequest::What::kUsed);
  EXPECT_EQ(request->gate, "ip 127.0.0.1");
  EXPECT_EQ(request->interval_ms, 500);

  const auto grant = read_slot_grant(write_slot_grant({"g", 12}));
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->wait_ms, 12);
}

TEST(Wire, TheLongestCrawlDelayThatIsObeyedCanBeAskedFor) {
  const auto request =
      read_slot_request(write_slot_request({SlotRequest::What::kAsk, "a", "g", kMostCrawlDelay.count()}));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->interval_ms, kMostCrawlDelay.count());
  EXPECT_FALSE(read_slot_request(
      write_slot_request({SlotRequest::What::kAsk, "a", "g", kMostCrawlDelay.count() + 1})));
}

TEST(Wire, WhatIsCutOffOrTooLongIsRefused) {
  const std::string envelope =
      write_envelope("c", {{"b", 7, 9}, std::make_shared<const std::string>("body")});
  const std::string receipts = write_receipts({{"sender", 1, 2}});
  const std::string request = write_slot_request({SlotRequest::What::kAsk, "a", "g", 500});
  const std::string grant = write_slot_grant({"g", 12});
  for (std::size_t size = 0; size < envelope.size(); ++size)
    EXPECT_FALSE(read_envelope(envelope.substr(0, size)));
  for (std::size_t size = 1; size < receipts.size(); ++size)
    EXPECT_FALSE(read_receipts(receipts.substr(0, size)));
  for (std::size_t size = 0; size < request.size(); ++size)
    EXPECT_FALSE(read_slot_request(request.substr(0, size)));
  for (std::size_t size = 0; size < grant.size(); ++size)
    EXPECT_FALSE(read_slot_grant(grant.substr(0, size)));
  EXPECT_FALSE(read_envelope(envelope + "x"));
  EXPECT_FALSE(read_slot_request(request + "x"));
  EXPECT_FALSE(read_slot_grant(grant + "x"));
}

}  // namespace
}  // namespace bowerbird
