#include "crawl/state/restored_crawl.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

CrawlOptions restored_options(const std::string& folder) {
  CrawlOptions options;
  options.out = folder;
  options.order.policy = "bfs";
  options.storage.durable = false;
  return options;
}

// Three seeds, the first one done, with a snapshot before that.
void write_restorable(const CrawlOptions& options) {
  const auto crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
  EXPECT_FALSE(crawl->resumed());
  ASSERT_TRUE(crawl->restore().ok());
  CrawlState& state = crawl->state();
  state.record_to(&crawl->store());
  for (const char* const url : {"http://a.test/", "http://b.test/", "http://c.test/"}) {
    state.add_seeds({{state.intern(url), 1, false}});
  }
  ASSERT_TRUE(crawl->store().commit("", [&](ByteWriter& out) { return state.save(out); }).ok());
  ASSERT_TRUE(crawl->store().wait_for_commits().ok());
  const auto page = state.next(Time(1ms));
  ASSERT_TRUE(page);
  state.complete({*page, {}});
  CrawlCounts counts;
  counts.pages = 1;
  crawl->store().commit(
      counts_to_state(counts, CrawlEnd::kStopped, {.queued = 2, .memory = {}, .guaranteed = -1}));
  ASSERT_TRUE(crawl->store().wait_for_commits().ok());
}

std::string named(const std::string& folder, const std::string& part) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().filename().string().find(part) != std::string::npos) {
      return entry.path().string();
    }
  }
  return "";
}

TEST(RestoredCrawl, HasCountsAfterOpeningAndTheStateAfterRestoring) {
  TemporaryFolder folder;
  const CrawlOptions options = restored_options(folder / "crawl");
  write_restorable(options);
  for (const OpenPurpose purpose : {OpenPurpose::kRead, OpenPurpose::kResume}) {
    const auto crawl = std::move(RestoredCrawl::open(options, purpose)).value();
    EXPECT_TRUE(crawl->resumed());
    EXPECT_EQ(crawl->counts().pages, 1u);
    EXPECT_EQ(crawl->end(), CrawlEnd::kStopped);
    EXPECT_EQ(crawl->moment().queued, 2u);
    ASSERT_TRUE(crawl->restore().ok());
    EXPECT_TRUE(crawl->take_warnings().empty());
    EXPECT_EQ(crawl->state().frontier().counts().primary, 2u);
    EXPECT_EQ(crawl->state().frontier().counts().crawled, 1u);
  }
}

TEST(RestoredCrawl, ReadingTakesTheOptionsOfTheFolderAndNoLock) {
  TemporaryFolder folder;
  write_restorable(restored_options(folder / "crawl"));
  const auto writer = RestoredCrawl::open(restored_options(folder / "crawl"), OpenPurpose::kResume);
  ASSERT_TRUE(writer.ok());
  const auto reader = RestoredCrawl::open_to_read(folder / "crawl");
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ((*reader)->options().order.policy, "bfs");
  EXPECT_FALSE(RestoredCrawl::open(restored_options(folder / "crawl"), OpenPurpose::kResume).ok())
      << "another process has it";
}

TEST(RestoredCrawl, AnOptionThatCannotChangeIsRefused) {
  TemporaryFolder folder;
  CrawlOptions options = restored_options(folder / "crawl");
  write_restorable(options);
  options.order.policy = "opic";
  const auto other = RestoredCrawl::open(options, OpenPurpose::kResume);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().text.find("--policy"), std::string::npos);
}

TEST(RestoredCrawl, ADamagedSnapshotIsReplacedByTheJournal) {
  TemporaryFolder folder;
  write_restorable(restored_options(folder / "crawl"));
  const std::string snapshot = named(folder / "crawl", "snapshot");
  ASSERT_FALSE(snapshot.empty());
  std::fstream(snapshot, std::ios::in | std::ios::out).seekp(40) << "damaged damaged";
  const auto crawl = std::move(RestoredCrawl::open_to_read(folder / "crawl")).value();
  const Status restored = crawl->restore();
  ASSERT_TRUE(restored.ok()) << restored.error().text;
  EXPECT_EQ(crawl->state().frontier().counts().crawled, 1u);
}

TEST(RestoredCrawl, AFolderWithoutACrawlIsAnError) {
  TemporaryFolder folder;
  EXPECT_FALSE(RestoredCrawl::open_to_read(folder / "none").ok());
}

}  // namespace
}  // namespace bowerbird
