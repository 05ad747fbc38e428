#include "crawl/state/visit_table.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

VisitRecord visit_with(std::uint64_t digest, std::string_view etag) {
  VisitRecord record;
  record.digest = digest;
  record.visited = RefreshTime(1s);
  record.set_etag(etag);
  return record;
}

TEST(VisitTable, KeepsTheLastRecordOfAPage) {
  TemporaryFolder folder;
  VisitTable table;
  ASSERT_TRUE(table.open(folder / "visits.bin", false).ok());
  EXPECT_FALSE(table.get(5).was_visited());
  table.put(5, visit_with(1, "\"a\""));
  table.put(7, visit_with(2, "\"b\""));
  table.begin_commit(false);
  table.put(5, visit_with(3, "\"c\""));
  EXPECT_EQ(table.get(5).digest, 3u);
  table.begin_commit(true);
  table.begin_commit(true);
  EXPECT_EQ(table.bytes(), 0u) << "all is in the file";
  EXPECT_EQ(table.get(5).digest, 3u);
  EXPECT_EQ(table.get(5).etag(), "\"c\"");
  EXPECT_EQ(table.get(7).digest, 2u);
  EXPECT_FALSE(table.get(6).was_visited());
}

TEST(VisitTable, TheFileIsNeverAheadOfTheCommits) {
  TemporaryFolder folder;
  {
    VisitTable table;
    ASSERT_TRUE(table.open(folder / "visits.bin", false).ok());
    table.put(1, visit_with(1, "\"a\""));
    table.begin_commit(true);  // requested, not durable
    table.put(2, visit_with(2, "\"b\""));
  }
  VisitTable table;
  ASSERT_TRUE(table.open(folder / "visits.bin", false).ok());
  EXPECT_FALSE(table.get(1).was_visited());
  EXPECT_FALSE(table.get(2).was_visited());
}

TEST(VisitTable, ASnapshotHasTheRecordsMissingInTheFile) {
  TemporaryFolder folder;
  VisitTable table;
  ASSERT_TRUE(table.open(folder / "visits.bin", false).ok());
  table.put(1, visit_with(1, "\"a\""));
  table.begin_commit(true);
  table.put(2, visit_with(2, "\"b\""));
  std::string bytes;
  ByteWriter out(bytes);
  table.save(out);
  VisitTable other;
  ASSERT_TRUE(other.open(folder / "other.bin", false).ok());
  ByteReader in(bytes);
  other.load(in);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(other.get(1).digest, 1u);
  EXPECT_EQ(other.get(2).etag(), "\"b\"");
  for (std::size_t at = 8; at < bytes.size(); at += 17) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    VisitTable damaged;
    ASSERT_TRUE(damaged.open(folder / "damaged.bin", false).ok());
    ByteReader from(bad);
    damaged.load(from);  // fails, or gives another page: never a crash
  }
}

TEST(VisitTable, ATornRecordCountsAsUnknown) {
  TemporaryFolder folder;
  const std::string path = folder / "visits.bin";
  {
    VisitTable table;
    ASSERT_TRUE(table.open(path, false).ok());
    table.put(3, visit_with(9, "\"x\""));
    table.begin_commit(true);
    table.begin_commit(true);
  }
  std::FILE* const file = std::fopen(path.c_str(), "r+");
  std::fseek(file, 3 * 256 + 100, SEEK_SET);
  std::fputs("torn", file);
  std::fclose(file);
  VisitTable table;
  ASSERT_TRUE(table.open(path, false).ok());
  EXPECT_FALSE(table.get(3).was_visited());
}

TEST(VisitRecord, KeepsNoEtagThatIsTooLong) {
  VisitRecord record;
  record.set_etag(std::string(VisitRecord::kLongestTag, 'x'));
  EXPECT_EQ(record.etag().size(), VisitRecord::kLongestTag);
  record.set_etag(std::string(VisitRecord::kLongestTag + 1, 'x'));
  EXPECT_TRUE(record.etag().empty());
}

TEST(VisitRecord, RemembersLinks) {
  VisitRecord record;
  for (PageId to = 0; to < 40; ++to) record.add_link(to * 7);
  for (PageId to = 0; to < 40; ++to) EXPECT_TRUE(record.has_link(to * 7));
  int unseen = 0;
  for (PageId to = 1000; to < 2000; ++to) unseen += record.has_link(to) ? 0 : 1;
  EXPECT_GT(unseen, 800);
}

}  // namespace
}  // namespace bowerbird
