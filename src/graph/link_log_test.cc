#include "graph/link_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rng.h"

namespace bowerbird {
namespace {

using Rows = std::vector<std::pair<LinkLog::Node, std::vector<LinkLog::Node>>>;

Rows rows_of(LinkLog& log, unsigned parts) {
  Rows rows;
  for (unsigned part = 0; part < parts; ++part) {
    log.scan(
        part, parts,
        [&](LinkLog::Node page, std::uint32_t links) {
          rows.push_back({page, {}});
          rows.back().second.reserve(links);
        },
        [&](LinkLog::Node to) { rows.back().second.push_back(to); });
  }
  return rows;
}

// Rows of all sizes with near and far links, in random order.
Rows random_rows(std::uint64_t seed, std::size_t count, std::uint32_t nodes) {
  Rng rng(seed);
  Rows rows(count);
  for (auto& [page, links] : rows) {
    page = static_cast<LinkLog::Node>(rng.below(nodes));
    links.resize(rng.below(3) == 0 ? rng.below(200) : rng.below(4));
    for (auto& link : links) link = static_cast<LinkLog::Node>(rng.below(rng.below(2) == 0 ? nodes : 50));
  }
  return rows;
}

LinkLog log_of(const Rows& rows, const LinkLogOptions& options = {}) {
  LinkLog log(options);
  for (const auto& [page, links] : rows) log.append(page, links);
  return log;
}

TEST(LinkLog, ReadsWhatWasAppended) {
  LinkLog none;
  EXPECT_TRUE(rows_of(none, 2).empty());
  const Rows rows = {{0, {}}, {0xfffffff0u, {0, 0xfffffff0u, 1}}, {5, {6, 7, 8, 5}}};
  LinkLog log = log_of(rows);
  EXPECT_EQ(rows_of(log, 1), rows);
}

TEST(LinkLog, ReadsTheSameInAnyNumberOfParts) {
  const Rows rows = random_rows(1, 5000, 0xfffffff0u);
  LinkLog log = log_of(rows);
  for (const unsigned parts : {1u, 2u, 3u, 7u, 1000u}) EXPECT_EQ(rows_of(log, parts), rows) << parts;
  EXPECT_EQ(log.rows(), rows.size());
}

TEST(LinkLog, PacksNearLinksIntoAByte) {
  LinkLog log;
  std::vector<LinkLog::Node> links;
  for (LinkLog::Node i = 1; i <= 100; ++i) links.push_back(1'000'000 + i);
  log.append(1'000'000, links);
  std::string bytes;
  ByteWriter writer(bytes);
  log.save(writer);
  EXPECT_LE(bytes.size(), 100u + 3 + 1 + 64);
}

TEST(LinkLog, SurvivesASnapshot) {
  const Rows rows = random_rows(2, 3000, 100'000);
  std::string bytes;
  ByteWriter writer(bytes);
  log_of(rows).save(writer);
  LinkLog log;
  ByteReader reader(bytes);
  log.load(reader, 100'000);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(rows_of(log, 2), rows);
}

TEST(LinkLog, RefusesASnapshotWithNodesThatAreNotThere) {
  std::string bytes;
  ByteWriter writer(bytes);
  log_of({{3, {9}}}).save(writer);
  for (const std::uint32_t nodes : {3u, 9u}) {
    LinkLog log;
    ByteReader reader(bytes);
    log.load(reader, nodes);
    EXPECT_FALSE(reader.ok()) << nodes;
  }
}

TEST(LinkLog, ReadsNoBytesThatItCouldNotHaveWritten) {
  const auto reads = [](std::string_view bytes, LinkLog::Node nodes = 10) {
    const std::vector<char> exact(bytes.begin(), bytes.end());  // a sanitizer sees a byte too far
    return LinkLog::read_rows(
        {exact.data(), exact.size()}, nodes, [](auto, auto) {}, [](auto) {});
  };
  using namespace std::string_view_literals;
  EXPECT_TRUE(reads(""));
  EXPECT_TRUE(reads("\x03\x02\x02\x04"sv)) << "3: 4, 6";
  EXPECT_FALSE(reads("\x03\x02\x02"sv)) << "it ends inside a row";
  EXPECT_FALSE(reads("\x03"sv));
  EXPECT_FALSE(reads("\x03\x01\x82"sv)) << "it ends inside a number";
  EXPECT_FALSE(reads("\x0a\x00"sv)) << "there is no node 10";
  EXPECT_FALSE(reads("\x03\x01\x0e"sv)) << "nor a link to it";
  EXPECT_FALSE(reads("\x03\x01\x07"sv)) << "nor a node before 0";
  EXPECT_FALSE(reads("\x80\x80\x80\x80\x10\x00"sv, 0xffffffffu)) << "33 bits";
  EXPECT_FALSE(reads("\x80\x80\x80\x80\x80\x00\x00"sv)) << "six bytes";
}

// ---- on disk

// What a crash, a bad disk or an rm leaves.
class BadSpill : public MemorySpill {
 public:
  Status append(RunId run, std::string_view block) override {
    return full ? error("disk full") : MemorySpill::append(run, block);
  }
  bool full = false;
};

LinkLog::Source source_of(const Rows& rows) {
  return [&rows](std::uint64_t number, LinkLog::Row& row) -> Status {
    row.page = rows[number].first;
    row.links = rows[number].second;
    return {};
  };
}

TEST(LinkLog, IsTheSameOnDisk) {
  const Rows rows = random_rows(4, 5000, 1'000'000);
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{200'000}, ~std::uint64_t{0}}) {
    MemorySpill store;
    LinkLog log = log_of(rows, {&store, memory});
    EXPECT_EQ(rows_of(log, 1), rows) << memory;
    EXPECT_EQ(rows_of(log, 2), rows) << memory;
    const LinkLog::Use use = log.use();
    EXPECT_LE(use.memory, std::min<std::uint64_t>(memory, 1'000'000) + 200'000) << memory;
    EXPECT_EQ(use.links_on_disk > 0, memory < 1'000'000) << memory;
    EXPECT_EQ(use.disk, store.bytes()) << memory;
    EXPECT_TRUE(log.take_troubles().empty());
  }
}

TEST(LinkLog, ALowerLimitPutsMoreOnDisk) {
  const Rows rows = random_rows(4, 5000, 1'000'000);
  MemorySpill store;
  LinkLog log = log_of(rows, {&store, ~std::uint64_t{0}});
  EXPECT_EQ(log.use().links_on_disk, 0u);
  log.limit(100'000);
  EXPECT_GT(log.use().links_on_disk, log.links() / 2);
  EXPECT_EQ(rows_of(log, 2), rows);
}

TEST(LinkLog, OnDiskSurvivesASnapshotAndLaterRows) {
  const Rows rows = random_rows(5, 6000, 100'000);
  MemorySpill store;
  LinkLog before({&store, 100'000});
  for (std::size_t i = 0; i < 4000; ++i) before.append(rows[i].first, rows[i].second);
  std::string bytes;
  ByteWriter writer(bytes);
  before.save(writer);
  EXPECT_LT(bytes.size(), 250'000u) << "what is on disk is only named";
  for (std::size_t i = 4000; i < rows.size(); ++i) before.append(rows[i].second.empty() ? 1 : 2, {});

  MemorySpill later;
  later.runs() = store.runs();  // with blocks that the snapshot does not know
  LinkLog after({&later, 100'000});
  ByteReader reader(bytes);
  after.load(reader, 100'000);
  ASSERT_TRUE(reader.ok());
  for (std::size_t i = 4000; i < rows.size(); ++i) after.append(rows[i].first, rows[i].second);
  EXPECT_EQ(rows_of(after, 2), rows);
  EXPECT_TRUE(after.take_troubles().empty());
}

TEST(LinkLog, GoesWithoutWhatItCannotReadAndSaysWhatThatWas) {
  const Rows rows = random_rows(6, 3000, 100'000);
  MemorySpill store;
  LinkLog log = log_of(rows, {&store, 0});
  std::vector<std::string>& blocks = store.runs().begin()->second;
  ASSERT_GT(blocks.size(), 2u);
  blocks[1] = "\xff\xff";
  Rows left = rows_of(log, 2);
  EXPECT_LT(left.size(), rows.size());
  EXPECT_FALSE(log.rebuild_lost({}));
  EXPECT_GT(log.use().links_lost, 0u);
  const std::vector<std::string> troubles = log.take_troubles();
  ASSERT_EQ(troubles.size(), 1u);
  EXPECT_THAT(troubles[0],
              testing::HasSubstr("the block contains other links; the ordering continues without them"));
  EXPECT_EQ(rows_of(log, 2), left);
  EXPECT_FALSE(log.rebuild_lost({})) << "once is enough";
  EXPECT_TRUE(log.take_troubles().empty());
}

TEST(LinkLog, PutsWhatItCannotReadTogetherAgain) {
  const Rows rows = random_rows(6, 3000, 100'000);
  MemorySpill store;
  LinkLog log = log_of(rows, {&store, 0});
  store.runs().clear();
  EXPECT_LT(rows_of(log, 2).size(), rows.size());
  EXPECT_TRUE(log.rebuild_lost(source_of(rows)));
  EXPECT_EQ(rows_of(log, 2), rows);
  EXPECT_EQ(log.use().links_lost, 0u);
  EXPECT_LT(log.use().memory, 200'000u) << "and puts it out again";
  EXPECT_THAT(log.take_troubles()[0], testing::HasSubstr("rebuilt"));
  store.runs().clear();
  rows_of(log, 2);
  EXPECT_TRUE(log.rebuild_lost(source_of(rows)));
  EXPECT_EQ(rows_of(log, 2), rows);
  store.runs().clear();
  EXPECT_EQ(rows_of(log, 2), rows) << "a disk that fails twice is not asked again";
}

TEST(LinkLog, TakesNoOtherRowsForThoseItLost) {
  const Rows rows = random_rows(6, 3000, 100'000), others = random_rows(7, 3000, 100'000);
  MemorySpill store;
  LinkLog log = log_of(rows, {&store, 0});
  store.runs().clear();
  rows_of(log, 1);
  EXPECT_FALSE(log.rebuild_lost(source_of(others)));
  EXPECT_THAT(log.take_troubles()[0], testing::HasSubstr("the log of links contains others"));
}

TEST(LinkLog, IsLoadedWithoutMissingBlocksAndRepairedLater) {
  const Rows rows = random_rows(8, 3000, 100'000);
  MemorySpill store;
  std::string bytes;
  ByteWriter writer(bytes);
  log_of(rows, {&store, 0}).save(writer);
  MemorySpill empty;
  LinkLog log({&empty, 0});
  ByteReader reader(bytes);
  log.load(reader, 100'000);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(log.rows(), rows.size());
  EXPECT_TRUE(log.rebuild_lost(source_of(rows)));
  EXPECT_EQ(rows_of(log, 2), rows);
}

TEST(LinkLog, TriesAgainAndThenSaysThatItsLimitCannotBeKept) {
  const Rows rows = random_rows(6, 12000, 100'000);
  BadSpill store;
  store.full = true;
  LinkLog log = log_of(rows, {&store, 0});
  EXPECT_EQ(rows_of(log, 2), rows);
  EXPECT_EQ(log.use().links_on_disk, 0u);
  const std::vector<std::string> troubles = log.take_troubles();
  ASSERT_EQ(troubles.size(), SpillRetry::kMostFailures);
  EXPECT_THAT(troubles[0], testing::HasSubstr("stays in memory: disk full"));
  ASSERT_FALSE(log.status().ok());
  EXPECT_THAT(log.status().error().text, testing::HasSubstr("the ordering's graph exceeds its memory limit"));
}

}  // namespace
}  // namespace bowerbird
