#include "store/cdxj.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>

#include "base/rng.h"
#include "store/file_names.h"
#include "store/known_payloads.h"
#include "sys/simulated_disk.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(Cdxj, ALineHasTheFormOfPywb) {
  FetchEntry entry;
  entry.time_us = 1'763'270'400'000'000;
  entry.status = 200;
  entry.mime = "text/html";
  entry.offset = 771;
  entry.length = 1219;
  entry.file = "x.warc.gz";
  EXPECT_EQ(cdxj_line("http://www.example.org/\"a", entry),
            "org,example)/\"a 20251116052000 "
            "{\"url\":\"http://www.example.org/\\\"a\",\"mime\":\"text/html\",\"status\":\"200\","
            "\"digest\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\",\"length\":\"1219\",\"offset\":\"771\","
            "\"filename\":\"x.warc."
            "gz\"}");
  entry.revisit = true;
  EXPECT_NE(cdxj_line("http://www.example.org/", entry).find("\"mime\":\"warc/revisit\""), std::string::npos);
}

TEST(LineSorter, SortsMoreThanItsMemory) {
  for (const std::size_t memory : {std::size_t{100}, std::size_t{5000}, std::size_t{1} << 20}) {
    SimulatedDisk disk;
    Rng rng(memory);
    std::vector<std::string> lines;
    std::vector<std::string> sorted;
    {
      LineSorter sorter(disk, "/scratch", memory);
      for (int i = 0; i < 500; ++i) {
        lines.push_back(fmt::format("{} {}", rng.below(200), std::string(rng.below(50), 'x')));
        ASSERT_TRUE(sorter.add(lines.back()).ok());
      }
      ASSERT_TRUE(sorter
                      .finish([&](std::string_view line) -> Status {
                        sorted.emplace_back(line);
                        return {};
                      })
                      .ok());
    }
    std::sort(lines.begin(), lines.end());
    EXPECT_EQ(sorted, lines);
    EXPECT_FALSE(disk.exists("/scratch"));
  }
}

// Allocations while fifty runs are merged. Not checked under sanitizers.
TEST(LineSorter, MergesWithinItsMemory) {
  constexpr std::size_t kMemory = std::size_t{512} << 10;
  const TemporaryFolder folder;
  LineSorter sorter(Disk::real(), folder / "scratch", kMemory);
  const std::string line(1000, 'x');
  for (int i = 0; i < 25'000; ++i) ASSERT_TRUE(sorter.add(line + std::to_string(i)).ok());
  const std::size_t before = ::mallinfo2().uordblks;
  std::size_t most = before;
  int lines = 0;
  ASSERT_TRUE(sorter
                  .finish([&](std::string_view) -> Status {
                    if (lines++ % 100 == 0) most = std::max(most, ::mallinfo2().uordblks);
                    return {};
                  })
                  .ok());
  EXPECT_EQ(lines, 25'000);
  EXPECT_LE(most - before, 2 * kMemory);
}

TEST(KnownPayloads, RemembersTheFirstOfEachDigest) {
  KnownPayloads known;
  EXPECT_FALSE(known.find(sha1("x")));
  for (PageId page = 0; page < 3000; ++page) known.add(sha1(std::to_string(page % 2000)), {page, page * 2});
  EXPECT_EQ(known.size(), 2000u);
  for (PageId page = 0; page < 2000; ++page) {
    const auto found = known.find(sha1(std::to_string(page)));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->page, page);
    EXPECT_EQ(found->time_us, std::int64_t{page} * 2);
  }
  EXPECT_FALSE(known.find(sha1("2000")));
}

TEST(KnownPayloads, ForgetTheOldestAtTheLimit) {
  KnownPayloads known(100'000);
  for (PageId page = 0; page < 100'000; ++page) {
    known.add(sha1(std::to_string(page)), {page, page});
    ASSERT_LE(known.bytes(), 100'000u);
    if (page >= 500) {
      ASSERT_TRUE(known.find(sha1(std::to_string(page - 500))));
    }
  }
  EXPECT_FALSE(known.find(sha1("0")));
}

TEST(FileNames, AreReadableAndStayInTheirFolder) {
  EXPECT_EQ(file_path_of_url("http://www.example.org/"), "www.example.org/index.html");
  EXPECT_EQ(file_path_of_url("http://www.example.org"), "www.example.org/index.html");
  EXPECT_EQ(file_path_of_url("http://h:81/a/b.html?q=1#x"), "h_81/a/b.html_q=1");
  EXPECT_EQ(file_path_of_url("http://h/a/"), "h/a/index.html");
  EXPECT_EQ(file_path_of_url("http://h/../../etc/passwd"), "h/_/_/etc/passwd");
  EXPECT_EQ(file_path_of_url("http://../x"), "_/x");
  EXPECT_EQ(file_path_of_url("http://h//x"), "h/x");
  EXPECT_EQ(file_path_of_url("urn:x:../.."), "other/urn_x_.._..");
  EXPECT_EQ(file_path_of_url("http://h/a\\b\n\x01"), "h/a_b__");
  EXPECT_EQ(file_path_of_url(""), "other/_");
}

TEST(FileNames, LongNamesAreTruncatedAndStillDiffer) {
  const std::string a = file_path_of_url("http://h/" + std::string(500, 'x') + "a");
  const std::string b = file_path_of_url("http://h/" + std::string(500, 'x') + "b");
  EXPECT_LT(a.size(), 250u);
  EXPECT_NE(a, b);
  std::string deep = "http://h";
  for (int i = 0; i < 2000; ++i) deep += "/x";
  EXPECT_LT(file_path_of_url(deep).size(), 50u);
}

}  // namespace
}  // namespace bowerbird
