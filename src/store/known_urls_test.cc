#include "store/known_urls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "base/rng.h"
#include "sys/simulated_disk.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr std::uint64_t kLittle = 100'000;  // bytes: about 3,000 URLs per generation

std::uint64_t nth(std::uint64_t i) {
  return draw(7, i);
}

Status reread_nth(PageId first, PageId end, const std::function<void(std::uint64_t)>& take) {
  for (PageId page = first; page < end; ++page) take(nth(page));
  return {};
}

// With a public hash function one could choose URLs that all hash to the same slot.
TEST(KnownUrls, UrlsChosenToCollideUnderAPublicHashDoNot) {
  std::set<std::uint64_t> places;
  std::size_t chosen = 0;
  for (std::uint64_t i = 0; chosen < 200; ++i) {
    const std::string url = fmt::format("http://attacker.test/{}", i);
    if (hash64(url) >> 56 != 0) continue;
    ++chosen;
    places.insert(KnownUrls::fingerprint(url) >> 56);
  }
  EXPECT_GT(places.size(), 80u);  // of 256; with hash64 it would be one
}

TEST(KnownUrls, KeepsAllInMemoryWithoutALimit) {
  KnownUrls known{KnownUrlsOptions()};
  for (PageId i = 0; i < 100'000; ++i) {
    ASSERT_EQ(known.find(nth(i)), kNoPage);
    ASSERT_EQ(known.add(nth(i)), i);
  }
  for (PageId i = 0; i < 100'000; ++i) ASSERT_EQ(known.find(nth(i)), i);
  EXPECT_TRUE(known.all_in_memory());
  EXPECT_EQ(known.counts().disk, 0u);
}

// Compares with a plain map: recent, popular, old and new URLs, one at a time and in batches.
void agrees_with_a_map(const KnownUrlsOptions& options, std::uint64_t pages, std::uint64_t blocks = 0) {
  KnownUrls known(options);
  known.limit_blocks(blocks);
  std::unordered_map<std::uint64_t, PageId> plain;
  Rng rng(3);
  std::vector<std::uint64_t> batch;
  std::uint64_t prefetched = 0, asked = 0;  // lookups; of these, lookups that needed the disk
  while (known.size() < pages) {
    batch.clear();
    const std::uint64_t size = 1 + rng.below(200);
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t n = known.size() + 40;
      const std::uint64_t kind = rng.below(4);
      batch.push_back(nth(kind == 0   ? rng.below(n)
                          : kind == 1 ? rng.below(std::min<std::uint64_t>(n, 50))
                                      : n - 1 - rng.below(std::min<std::uint64_t>(n, 100))));
    }
    const bool prefetch = rng.below(8) > 0;
    if (prefetch) known.prefetch(batch);
    const std::uint64_t asked_before = known.counts().asked_disk;
    for (const std::uint64_t fingerprint : batch) {
      const auto found = plain.find(fingerprint);
      const PageId page = known.find(fingerprint);
      ASSERT_EQ(page, found == plain.end() ? kNoPage : found->second);
      if (page == kNoPage) plain.emplace(fingerprint, known.add(fingerprint));
    }
    const KnownUrlsCounts now = known.counts();
    if (prefetch) {
      prefetched += batch.size();
      asked += now.asked_disk - asked_before;
    }
    // Little is on disk twice while runs are merged.
    ASSERT_LE(now.disk, now.spilled * 12 + 2 * now.runs * FingerprintRun::kBlock);
  }
  for (const auto& [fingerprint, page] : plain) ASSERT_EQ(known.find(fingerprint), page);
  EXPECT_TRUE(known.status().ok());
  if (options.memory >= kLittle) {
    EXPECT_LT(asked, prefetched / 100);
  }
  const KnownUrlsCounts counts = known.counts();
  EXPECT_GT(counts.spills, 5u);
  EXPECT_GT(counts.merges, 1u);
  if (!options.background) {
    EXPECT_LT(counts.runs, 5 * FingerprintRange::kCount);
  }
  EXPECT_GT(counts.asked_disk, 0u);
  EXPECT_LE(counts.blocks, blocks);
  EXPECT_LT(counts.memory - counts.blocks, 200'000 + pages * 2);
  EXPECT_LT(counts.disk, pages * 10 + counts.runs * FingerprintRun::kBlock);
}

TEST(KnownUrls, AgreeWithAMapIfMostAreOnDisk) {
  const TemporaryFolder folder;
  KnownUrlsOptions options{kLittle, folder / "known"};
  options.background = false;
  agrees_with_a_map(options, 40'000);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "known"));
}

TEST(KnownUrls, AgreeWithAMapWithTheSmallestTable) {
  const TemporaryFolder folder;
  KnownUrlsOptions options{1, folder / "known"};
  options.background = false;
  agrees_with_a_map(options, 3'000);
}

TEST(KnownUrls, MergeInTheBackground) {
  const TemporaryFolder folder;
  agrees_with_a_map({kLittle, folder / "known"}, 40'000);
}

TEST(KnownUrls, MergeInTheBackgroundWithSomeBlocksInMemory) {
  const TemporaryFolder folder;
  agrees_with_a_map({kLittle, folder / "known"}, 40'000, 150'000);
}

// The first pages of nth(), most of them on disk. No background thread.
struct Spilled {
  explicit Spilled(PageId pages) : known({kLittle, folder / "known", &Disk::real(), false}) {
    known.set_reread(reread_nth);
    for (PageId i = 0; i < pages; ++i) known.add(nth(i));
  }
  std::filesystem::directory_iterator files() const {
    return std::filesystem::directory_iterator(folder / "known");
  }
  TemporaryFolder folder;
  KnownUrls known;
};

TEST(KnownUrls, AnswerTheSameFromBlocksInMemoryAndFreeThem) {
  Spilled spilled(40'000);
  KnownUrls& known = spilled.known;
  // Each call reads a piece.
  const auto prefetch_with = [&](std::uint64_t limit) {
    known.limit_blocks(limit);
    for (std::uint64_t i = 0; i <= known.counts().runs; ++i) known.prefetch({});
    return known.counts().blocks;
  };
  // The number of lookups that needed the disk.
  const auto ask_all = [&] {
    const std::uint64_t before = known.counts().asked_disk;
    for (PageId i = 0; i < 40'000; ++i) EXPECT_EQ(known.find(nth(i)), i);
    for (PageId i = 40'000; i < 50'000; ++i) EXPECT_EQ(known.find(nth(i)), kNoPage);
    return known.counts().asked_disk - before;
  };
  EXPECT_EQ(prefetch_with(0), 0u);
  const std::uint64_t with_none = ask_all();
  const std::uint64_t disk = known.counts().disk;  // the newest entries are on disk, too
  EXPECT_EQ(prefetch_with(2 * disk), disk);
  const std::uint64_t with_all = known.counts().memory;
  EXPECT_EQ(ask_all(), 0u);
  const std::uint64_t some = prefetch_with(disk / 2);
  EXPECT_LE(some, disk / 2);
  EXPECT_GT(some, disk / 3);
  EXPECT_EQ(known.counts().memory, with_all - disk + some);
  const std::uint64_t with_some = ask_all();
  EXPECT_GT(with_some, 0u);
  EXPECT_LT(with_some, with_none);
  EXPECT_GE(known.shrink(), some);
  EXPECT_EQ(known.counts().blocks, 0u);
  known.prefetch({});
  EXPECT_EQ(known.counts().blocks, 0u);
  EXPECT_GT(ask_all(), with_some);
}

TEST(KnownUrls, RebuildARunThatIsFoundDamagedWhenLoaded) {
  Spilled spilled(20'000);
  KnownUrls& known = spilled.known;
  for (const auto& file : spilled.files()) {
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(100);
    bytes.put('!');
  }
  known.limit_blocks(std::uint64_t{1} << 20);
  const std::uint64_t damaged = known.counts().runs;
  for (std::uint64_t i = 0; i < 2 * damaged; ++i) known.prefetch({});  // rebuilds a run, or keeps blocks
  EXPECT_EQ(known.counts().repaired, damaged);
  ASSERT_EQ(known.counts().blocks, known.counts().disk);
  for (PageId i = 0; i < 20'000; ++i) ASSERT_EQ(known.find(nth(i)), i);
  EXPECT_TRUE(known.status().ok());
}

TEST(KnownUrls, IgnoreRunsOfAKilledProcess) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "known");
  folder.write("known/run-000000", "left behind");
  KnownUrls known({kLittle, folder / "known"});
  for (PageId i = 0; i < 10'000; ++i) known.add(nth(i));
  for (PageId i = 0; i < 10'000; ++i) ASSERT_EQ(known.find(nth(i)), i);
}

TEST(KnownUrls, FreeMemoryOnRequest) {
  const TemporaryFolder folder;
  KnownUrls known({std::uint64_t{1} << 24, folder / "known"});
  for (PageId i = 0; i < 200'000; ++i) known.add(nth(i));
  EXPECT_TRUE(known.all_in_memory());
  const std::uint64_t before = known.counts().memory;
  known.limit(kLittle);
  EXPECT_LT(known.counts().memory, before / 5);
  known.shrink();
  for (PageId i = 0; i < 200'000; ++i) ASSERT_EQ(known.find(nth(i)), i);
  ASSERT_EQ(known.find(nth(200'000)), kNoPage);
}

// Any damage to a run is reported with the run's pages, the run is rebuilt, and all results stay correct.
class DamagedRun : public ::testing::TestWithParam<const char*> {};

TEST_P(DamagedRun, IsReportedAndRebuilt) {
  Spilled spilled(20'000);
  KnownUrls& known = spilled.known;
  ASSERT_FALSE(known.all_in_memory());
  for (const auto& file : spilled.files()) {
    const std::string how = GetParam();
    if (how == "emptied") std::filesystem::resize_file(file.path(), 0);
    if (how == "cut") std::filesystem::resize_file(file.path(), file.file_size() / 2);
    if (how == "changed") {
      std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
      for (std::uint64_t at = 100; at < file.file_size(); at += FingerprintRun::kBlock) {
        bytes.seekp(static_cast<std::streamoff>(at));
        bytes.put('!');
      }
    }
  }
  for (PageId i = 0; i < 20'000; ++i) ASSERT_EQ(known.find(nth(i)), i);
  ASSERT_EQ(known.find(nth(20'000)), kNoPage);
  EXPECT_TRUE(known.status().ok()) << known.status().error().text;
  EXPECT_GT(known.counts().repaired, 0u);
  const std::vector<std::string> reports = known.take_reports();
  ASSERT_EQ(reports.size(), 2 * known.counts().repaired);
  EXPECT_TRUE(std::any_of(reports.begin(), reports.end(), [](const std::string& report) {
    return report.find("contained the fingerprints of pages 0 to") != std::string::npos;
  }));
}
INSTANTIATE_TEST_SUITE_P(KnownUrls, DamagedRun, ::testing::Values("emptied", "cut", "changed"));

TEST(KnownUrls, ReportARunThatCannotBeRebuilt) {
  const TemporaryFolder folder;
  KnownUrls known({kLittle, folder / "known"});
  for (PageId i = 0; i < 20'000; ++i) known.add(nth(i));
  for (const auto& file : std::filesystem::directory_iterator(folder / "known"))
    std::filesystem::resize_file(file.path(), 0);
  for (PageId i = 0; i < 20'000; ++i) known.find(nth(i));
  ASSERT_FALSE(known.status().ok());
  EXPECT_NE(known.status().error().text.find("could not be rebuilt"), std::string::npos);
}

TEST(KnownUrls, ReportAFullDisk) {
  SimulatedDisk disk;
  disk.fail_at(30'000, SimulatedDisk::Fault::kFull);
  KnownUrlsOptions options{kLittle, "known", &disk};
  options.background = false;
  KnownUrls known(options);
  for (PageId i = 0; i < 50'000; ++i) known.add(nth(i));
  EXPECT_FALSE(known.status().ok());
}

}  // namespace
}  // namespace bowerbird
