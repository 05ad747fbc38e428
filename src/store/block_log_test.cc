#include "store/block_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "store/links.h"
#include "sys/simulated_disk.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;

// A log of URLs with 7 records per block.
struct UrlLog {
  std::vector<std::string> urls;
  std::string bytes;

  explicit UrlLog(int count) {
    BlockEncoder encoder;
    Block block;
    for (int i = 0; i < count; ++i) {
      urls.push_back(fmt::format("http://www.example.org/page/{}", i * i));
      put_url_record(block.raw, urls.back());
      if (++block.records == 7 || i + 1 == count) {
        encoder.encode(block, bytes);
        const std::uint64_t next = block.first + block.records;
        block = Block();
        block.first = next;
      }
    }
  }
};

BlockReader reader_of(SimulatedDisk& disk, const std::string& bytes) {
  disk.put("/log", bytes);
  auto file = disk.open("/log", Disk::Open::kRead);
  CHECK(file.ok());
  return BlockReader(std::move(*file), "/log", bytes.size());
}

TEST(BlockLog, RecordsComeBackInOrder) {
  const UrlLog log(100);
  SimulatedDisk disk;
  BlockReader reader = reader_of(disk, log.bytes);
  std::vector<std::string> urls;
  for (;;) {
    const auto block = reader.next();
    ASSERT_TRUE(block.ok());
    if (*block == nullptr) break;
    EXPECT_EQ((*block)->first, urls.size());
    VarintReader in((*block)->raw);
    for (std::uint32_t i = 0; i < (*block)->records; ++i) urls.emplace_back(get_url_record(in));
    EXPECT_TRUE(in.ok());
  }
  EXPECT_EQ(urls, log.urls);
}

TEST(BlockLog, AnyRecordIsFoundByItsNumber) {
  const UrlLog log(100);
  SimulatedDisk disk;
  BlockReader reader = reader_of(disk, log.bytes);
  Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    const auto page = static_cast<PageId>(rng.below(100));
    const auto block = reader.find(page);
    ASSERT_TRUE(block.ok());
    ASSERT_NE(*block, nullptr);
    EXPECT_EQ(url_in_block(**block, page), log.urls[page]);
  }
  const auto beyond = reader.find(100);
  ASSERT_TRUE(beyond.ok());
  EXPECT_EQ(*beyond, nullptr);
}

TEST(BlockLog, EveryChangedByteIsDetected) {
  const UrlLog log(20);
  for (std::size_t at = 0; at < log.bytes.size(); ++at) {
    std::string bytes = log.bytes;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x11);
    SimulatedDisk disk;
    BlockReader reader = reader_of(disk, bytes);
    bool noticed = false;
    for (;;) {
      const auto block = reader.next();
      noticed = !block.ok();
      if (noticed) {
        EXPECT_THAT(block.error().text, HasSubstr("/log: byte "));
      }
      if (noticed || *block == nullptr) break;
    }
    EXPECT_TRUE(noticed) << at;
  }
}

TEST(BlockLog, AMissingBlockIsDetected) {
  const UrlLog log(20);
  SimulatedDisk disk;
  const std::size_t second = log.bytes.find("BBLK", 1);
  BlockReader reader = reader_of(disk, log.bytes.substr(second));
  const auto block = reader.find(8);
  ASSERT_FALSE(block.ok());
  EXPECT_THAT(block.error().text, HasSubstr("a block is missing"));
}

TEST(LinksRecord, IsReadBackAsItWasWritten) {
  Rng rng(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<StoredLink> links(rng.below(40));
    for (StoredLink& link : links) {
      link.page = static_cast<PageId>(rng.below(rng.below(2) == 0 ? 100 : kMaxPages));
      link.flags = static_cast<std::uint8_t>(rng.below(3) == 0 ? rng.below(256) : 0);
    }
    std::string raw;
    const auto page = static_cast<PageId>(rng.below(kMaxPages));
    put_links_record(raw, page, links);
    VarintReader in(raw);
    PageLinks found;
    get_links_record(in, found);
    ASSERT_TRUE(in.ok());
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(found.page, page);
    EXPECT_EQ(found.links, links);
  }
}

TEST(LinksRecord, NeedsOneBytePerLinkToANewPage) {
  std::vector<StoredLink> links;
  for (PageId i = 0; i < 50; ++i) links.push_back({1'000'000 + i, 0});
  std::string raw;
  put_links_record(raw, 5, links);
  EXPECT_LT(raw.size(), 60u);
}

TEST(LinksRecord, AnInvalidIdIsRejected) {
  for (const std::int64_t difference : {std::int64_t{-2}, static_cast<std::int64_t>(kMaxPages)}) {
    std::string raw;
    put_varint(raw, 1);
    put_varint(raw, 1);
    put_varint(raw, zigzag(difference) << 1);
    VarintReader in(raw);
    PageLinks found;
    get_links_record(in, found);
    EXPECT_FALSE(in.ok());
  }
}

}  // namespace
}  // namespace bowerbird
