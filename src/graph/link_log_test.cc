#include "graph/link_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/rng.h"

namespace bowerbird {
namespace {

using Rows = std::vector<std::pair<LinkLog::Node, std::vector<LinkLog::Node>>>;

Rows rows_of(const LinkLog& log, unsigned parts) {
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

// Rows of all sizes with near and far links, in no order.
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

LinkLog log_of(const Rows& rows) {
  LinkLog log;
  for (const auto& [page, links] : rows) log.append(page, links);
  return log;
}

TEST(LinkLog, ReadsWhatWasAppended) {
  EXPECT_TRUE(rows_of(LinkLog(), 2).empty());
  const Rows rows = {{0, {}}, {0xfffffff0u, {0, 0xfffffff0u, 1}}, {5, {6, 7, 8, 5}}};
  EXPECT_EQ(rows_of(log_of(rows), 1), rows);
}

TEST(LinkLog, ReadsTheSameInAnyNumberOfParts) {
  const Rows rows = random_rows(1, 5000, 0xfffffff0u);
  const LinkLog log = log_of(rows);
  for (const unsigned parts : {1u, 2u, 3u, 7u, 1000u}) EXPECT_EQ(rows_of(log, parts), rows) << parts;
  EXPECT_EQ(log.rows(), rows.size());
}

TEST(LinkLog, PacksNearLinksIntoAByte) {
  LinkLog log;
  std::vector<LinkLog::Node> links;
  for (LinkLog::Node i = 1; i <= 100; ++i) links.push_back(1'000'000 + i);
  log.append(1'000'000, links);
  EXPECT_LE(log.bytes(), 100u + 3 + 1 + sizeof(std::uint64_t));
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

TEST(LinkLog, RefusesASnapshotThatEndsInsideARow) {
  std::string bytes;
  ByteWriter writer(bytes);
  writer.put<std::uint64_t>(1);
  writer.put_array(std::vector<std::uint8_t>{3, 2, 0});
  LinkLog log;
  ByteReader reader(bytes);
  log.load(reader, 10);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace bowerbird
