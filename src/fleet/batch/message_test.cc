#include "fleet/batch/message.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/varint.h"

namespace bowerbird {
namespace {

LinkBatch small_batch() {
  LinkBatch batch;
  batch.urls.push_back({"http://a.test/", 1, 0, 0, false});
  batch.urls.push_back({"http://b.test/", 3, 2, 1, true});
  LinkBatch::Group group;
  group.visit.score = 0.5;
  group.visit.links = 4;
  group.visit.other_host = 1;
  group.visit.crawled = group.visit.known = 1;
  group.links = {{0, false}, {1, true}};
  batch.groups.push_back(group);
  return batch;
}

TEST(Message, ALinkBatchComesBack) {
  const auto body = unpack(pack(small_batch()));
  ASSERT_TRUE(body.ok());
  const auto& batch = std::get<LinkBatch>(*body);
  ASSERT_EQ(batch.urls.size(), 2u);
  EXPECT_EQ(batch.urls[1].url, "http://b.test/");
  EXPECT_EQ(batch.urls[1].hops, 2);
  EXPECT_TRUE(batch.urls[1].sitemap);
  ASSERT_EQ(batch.groups.size(), 1u);
  EXPECT_EQ(batch.groups[0].visit.score, 0.5);
  EXPECT_TRUE(batch.groups[0].links[1].other_host);
}

TEST(Message, RequisitesComeBack) {
  LinkBatch batch = small_batch();
  EXPECT_FALSE(has_requisites(pack(batch)));
  batch.requisites.push_back({"http://a.test/x.css", 0, 1, 2, 3, "http://b.test/", 4, 5});
  const std::string packed = pack(batch);
  EXPECT_TRUE(has_requisites(packed));
  const auto body = unpack(packed);
  ASSERT_TRUE(body.ok());
  const SentRequisite& one = std::get<LinkBatch>(*body).requisites.at(0);
  EXPECT_EQ(one.url, "http://a.test/x.css");
  EXPECT_EQ(one.root, "http://b.test/");
  EXPECT_EQ(std::vector<int>({one.end, one.kind, one.depth, one.frames, one.links}),
            std::vector<int>({0, 1, 2, 3, 4}));
  EXPECT_EQ(one.found, 5u);
  PartitionTransfer transfer;
  transfer.requisites = {{"http://a.test/x.css", 9, 0, 1, 0, "", 0, 0}, one};
  const auto moved = unpack(pack(transfer));
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(std::get<PartitionTransfer>(*moved).requisites.at(0).end, 9);
  EXPECT_EQ(std::get<PartitionTransfer>(*moved).requisites.at(1).root, "http://b.test/");
}

TEST(Message, APartitionTransferComesBack) {
  PartitionTransfer transfer;
  transfer.epoch = 7;
  transfer.last = true;
  transfer.pages.push_back({{"http://a.test/", 1, 0, 0, false}, true, 0, "visits"});
  transfer.pages.push_back({{"http://a.test/x", 2, 0, 3, false}, false, 1.25, {}});
  transfer.hosts.push_back({"a.test", Time(1s), 1, 9, 12.5f});
  transfer.last_sequences = {{"b", 4}};
  const std::string packed = pack(transfer);
  EXPECT_TRUE(is_transfer(packed));
  EXPECT_FALSE(is_transfer(pack(small_batch())));
  EXPECT_FALSE(is_transfer(""));
  const auto body = unpack(packed);
  ASSERT_TRUE(body.ok());
  const auto& again = std::get<PartitionTransfer>(*body);
  EXPECT_EQ(again.epoch, 7u);
  EXPECT_FALSE(again.first);
  EXPECT_TRUE(again.last);
  EXPECT_TRUE(again.pages[0].done);
  EXPECT_EQ(again.pages[0].visits, "visits");
  EXPECT_EQ(again.pages[1].score, 1.25);
  EXPECT_EQ(again.pages[1].visits, "");
  EXPECT_EQ(again.hosts[0].answer_ms, 12.5f);
  EXPECT_EQ(again.last_sequences, transfer.last_sequences);
}

TEST(Message, HostileBytesAreRefused) {
  LinkBatch batch = small_batch();
  const std::string good = pack(batch);
  EXPECT_FALSE(unpack("").ok());
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_FALSE(unpack(good.substr(0, size)).ok());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    static_cast<void>(unpack(bad).ok());  // no crash
  }
  batch.groups[0].links[0].url = 7;
  EXPECT_FALSE(unpack(pack(batch)).ok()) << "a link to a URL that is not in the batch";
  batch = small_batch();
  batch.groups[0].visit.links = 1;
  EXPECT_FALSE(unpack(pack(batch)).ok()) << "more links than the page has";
  batch = small_batch();
  batch.groups[0].visit.crawled = 2;
  EXPECT_FALSE(unpack(pack(batch)).ok()) << "more pages crawled than known";
  batch.groups[0].visit.crawled = batch.groups[0].visit.known = 0;
  EXPECT_FALSE(unpack(pack(batch)).ok()) << "the page itself is not counted";
  batch = small_batch();
  batch.groups[0].links.clear();
  EXPECT_FALSE(unpack(pack(batch)).ok()) << "a page without links";
  batch = small_batch();
  batch.urls[0].url = "x";
  EXPECT_FALSE(unpack(pack(batch)).ok()) << "too short for a URL";
}

TEST(Message, AFewBytesThatBecomeManyAreRefused) {
  PartitionTransfer transfer;
  transfer.pages.assign(1'000'000, {{"http://a.test/", 1, 0, 0, false}, true, 0});
  const std::string packed = pack(transfer);
  EXPECT_LT(packed.size(), 10'000u);
  EXPECT_FALSE(unpack(packed).ok());
}

TEST(Message, NumbersThatNothingCanBeCalculatedWithAreRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  LinkBatch batch = small_batch();
  batch.groups[0].visit.score = -infinity;
  auto body = unpack(pack(batch));
  ASSERT_TRUE(body.ok());
  EXPECT_EQ(std::get<LinkBatch>(*body).groups[0].visit.score, -1e15);

  PartitionTransfer transfer;
  transfer.pages.push_back({{"http://a.test/", 1, 0, 0, false}, false, 1e300});
  body = unpack(pack(transfer));
  ASSERT_TRUE(body.ok());
  EXPECT_EQ(std::get<PartitionTransfer>(*body).pages[0].score, 1e15);
  transfer.pages[0].score = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(unpack(pack(transfer)).ok());
  transfer.pages.clear();

  const PartitionTransfer::HostNote note{"a.test", Time(1s), 1, 9, 12.5f};
  for (const float answer_ms : {-1.0f, 1e10f, static_cast<float>(infinity)}) {
    transfer.hosts = {note};
    transfer.hosts[0].answer_ms = answer_ms;
    EXPECT_FALSE(unpack(pack(transfer)).ok()) << answer_ms;
  }
  for (const Time opens : {Time(-1ms), Time(Duration{std::int64_t{1} << 60})}) {
    transfer.hosts = {note};
    transfer.hosts[0].opens = opens;
    EXPECT_FALSE(unpack(pack(transfer)).ok()) << milliseconds_of(opens);
  }
  transfer.hosts = {note};
  EXPECT_TRUE(unpack(pack(transfer)).ok());
  transfer.epoch = ~std::uint64_t{0};
  EXPECT_FALSE(unpack(pack(transfer)).ok());
}

TEST(Message, IdsAndContentsAreReadAsPartOfALongerText) {
  std::string text;
  put_message(text, {{"a", 3, 9}, std::make_shared<const std::string>("body")});
  text += "rest";
  VarintReader in(text);
  const Message message = get_message(in);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(in.left(), 4u);
  EXPECT_EQ(message.id.sender, "a");
  EXPECT_EQ(*message.content, "body");
}

}  // namespace
}  // namespace bowerbird
