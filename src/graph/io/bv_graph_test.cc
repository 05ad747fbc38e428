#include "graph/io/bv_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "graph/io/bv_testing.h"
#include "graph/io/bv_twin.h"

namespace bowerbird {
namespace {

using bv_testing::accessed;
using bv_testing::bytes_of;
using bv_testing::from_bits;
using bv_testing::Lists;
using bv_testing::open_bytes;
using bv_testing::scanned;
using testing::HasSubstr;

BvProperties properties(std::uint64_t pages, std::uint64_t links, std::uint32_t window = 7,
                        std::uint32_t min_interval = 3) {
  BvProperties result;
  result.pages = pages;
  result.links = links;
  result.options.window = window;
  result.options.min_interval = min_interval;
  return result;
}

// Four pages, by hand. Gamma: 1, 010, 011, 00100, 00101, 00110, 00111 for 0 ... 6; unary: 1, 01, 001; zeta 3:
// 100, 1010, 1011, 1100, 1101, 1110, 1111 for 0 ... 6.
const Lists kLists = {{1, 3}, {0, 1, 2, 3}, {}, {1, 2, 3}};
const char* const kBits =
    // 0: two links, no reference, no interval; residuals 1 (+1 = 2), 3 (gap 2, less one)
    "011 1 1 1011 1010 "
    // 1: four links, no reference, one interval: left end 0 (-1 = 1), length 4 (less three)
    "00101 1 010 010 010 "
    // 2: none
    "1 "
    // 3: three links, refers to page 1; two blocks: copy none, skip one, the rest is copied
    "00100 001 011 1 1";
const BvProperties kFour = properties(4, 9);

std::string complaint(const BvProperties& said, std::string_view bits) {
  const std::string bytes = from_bits(bits);
  const auto graph = open_bytes(said, bytes);
  EXPECT_FALSE(BvTwin::decode(said, bytes_of(bytes)).has_value()) << "the twin finds nothing wrong";
  if (!graph.ok()) return graph.error().text;
  accessed(**graph);
  const Status random = (*graph)->status();
  const auto again = open_bytes(said, bytes);
  scanned(**again);
  const Status scan = (*again)->status();
  EXPECT_EQ(random.ok(), scan.ok()) << "random access and scan disagree";
  return scan.ok() ? "" : scan.error().text;
}

TEST(BvGraph, ReadsAListOfEachKind) {
  const auto graph = open_bytes(kFour, from_bits(kBits));
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ((*graph)->pages(), 4u);
  EXPECT_EQ((*graph)->links(), 9u);
  EXPECT_EQ((*graph)->bits(), 42u);
  EXPECT_EQ(scanned(**graph), kLists);
  EXPECT_EQ(accessed(**graph), kLists);
  EXPECT_TRUE((*graph)->status().ok());
  EXPECT_EQ(BvTwin::decode(kFour, bytes_of(from_bits(kBits))), kLists);
}

// The example of Boldi and Vigna, The WebGraph framework I, tables 1 to 4: the numbers of pages 15 to 18. The
// others are empty.
TEST(BvGraph, ReadsTheExampleOfThePaper) {
  bv_testing::StringSink sink;
  BitWriter out(sink);
  const auto write = [&](BvCode code, std::initializer_list<std::uint64_t> numbers) {
    for (const std::uint64_t number : numbers) bv::write_code(out, code, 3, number);
  };
  for (int page = 0; page < 15; ++page) write(BvCode::kGamma, {0});
  write(BvCode::kGamma, {11});
  write(BvCode::kUnary, {0});
  write(BvCode::kGamma, {2, 0, 3, 2, 0});
  write(BvCode::kZeta, {3, 189, 111, 718});
  write(BvCode::kGamma, {10});
  write(BvCode::kUnary, {1});
  write(BvCode::kGamma, {7, 0, 0, 2, 1, 1, 0, 0});
  write(BvCode::kGamma, {1, 600, 0});
  write(BvCode::kZeta, {12, 3018});
  write(BvCode::kGamma, {0});
  write(BvCode::kGamma, {5});
  write(BvCode::kUnary, {3});
  write(BvCode::kGamma, {1, 4});
  write(BvCode::kGamma, {0});
  write(BvCode::kZeta, {64});
  for (int page = 19; page < 3100; ++page) write(BvCode::kGamma, {0});
  ASSERT_TRUE(out.finish().ok());

  Lists expected(3100);
  expected[15] = {13, 15, 16, 17, 18, 19, 23, 24, 203, 315, 1034};
  expected[16] = {15, 16, 17, 22, 23, 24, 315, 316, 317, 3041};
  expected[18] = {13, 15, 16, 17, 50};
  const BvProperties said = properties(3100, 26, 3, 2);
  const auto graph = open_bytes(said, sink.text());
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ(scanned(**graph), expected);
  EXPECT_EQ(accessed(**graph), expected);
  EXPECT_EQ(BvTwin::decode(said, bytes_of(sink.text())), expected);
}

TEST(BvGraph, ScanMayBeginAndStopAnywhere) {
  const auto graph = open_bytes(kFour, from_bits(kBits));
  for (PageId first = 0; first <= 4; ++first) {
    for (PageId last = first; last <= 4; ++last) {
      EXPECT_EQ(scanned(**graph, first, last), Lists(kLists.begin() + first, kLists.begin() + last));
    }
  }
  int visits = 0;
  (*graph)->scan(0, 4, [&](PageId, std::span<const PageId>) { return ++visits < 2; });
  EXPECT_EQ(visits, 2);
}

TEST(BvGraph, WithoutWindowNoReferenceIsStoredAndWithoutIntervalsNoCount) {
  const auto graph = open_bytes(properties(2, 3, 0, 0), from_bits("011 100 100  010 1010"));
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ(scanned(**graph), (Lists{{0, 1}, {0}}));
}

TEST(BvGraph, EmptyGraphIsAGraph) {
  const auto graph = open_bytes(properties(0, 0), "");
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ((*graph)->pages(), 0u);
  EXPECT_TRUE(scanned(**graph).empty());
}

TEST(BvGraph, LongChainOfReferencesNeedsNoStack) {
  const PageId pages = 200'000;
  std::string bits = "010 1 1 100 ";
  for (PageId page = 1; page < pages; ++page) bits += "010 01 1 ";
  BvProperties said = properties(pages, pages);
  const auto graph = open_bytes(said, from_bits(bits));
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  LinkBuffer buffer;
  const auto links = (*graph)->out(pages - 1, buffer);
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(links[0], 0u);
}

// Pages that link to all pages, and a window that would keep all their lists: the scan forgets some of them.
TEST(BvGraph, ListsThatTheWindowForgotAreDecodedAgain) {
  const PageId pages = 150'000;
  const PageId full = 180;
  bv_testing::StringSink sink;
  BitWriter out(sink);
  const auto gamma = [&](std::uint64_t x) { bv::write_code(out, BvCode::kGamma, 0, x); };
  for (PageId page = 0; page < full; ++page) {
    gamma(pages);
    if (page < 150 || page % 3 != 0) {
      out.unary(0);
      gamma(1);
      gamma(bv::to_natural(-static_cast<std::int64_t>(page)));
      gamma(pages - 3);
    } else {
      out.unary(page % 2 == 0 ? 150 : 3);
      gamma(0);
    }
  }
  for (PageId page = full; page < pages; ++page) gamma(0);
  ASSERT_TRUE(out.finish().ok());
  const auto graph = open_bytes(properties(pages, std::uint64_t{full} * pages, 5000), sink.text());
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  std::uint64_t wrong = 0;
  (*graph)->scan(0, pages, [&](PageId page, std::span<const PageId> links) {
    wrong += links.size() != (page < full ? pages : 0) || (!links.empty() && links.back() != pages - 1);
    return true;
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_TRUE((*graph)->status().ok());
}

TEST(BvGraph, ManyThreadsMayRead) {
  const auto graph = open_bytes(kFour, from_bits(kBits));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads(4);
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      for (int round = 0; round < 200; ++round)
        wrong += accessed(**graph) != kLists || scanned(**graph) != kLists;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(BvGraph, PaddingToWordsIsAllowed) {
  EXPECT_TRUE(open_bytes(kFour, from_bits(kBits) + std::string(10, '\0')).ok());
}

// --- errors are reported, with their position ---

TEST(BvGraph, TruncatedFileIsNamedWithThePage) {
  const std::string whole = from_bits(kBits);
  EXPECT_THAT(complaint(kFour, std::string(kBits).substr(0, 40)), HasSubstr("test.graph: page"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(open_bytes(kFour, whole.substr(0, size)).ok()) << size;
  }
}

TEST(BvGraph, LyingCountsAreFound) {
  EXPECT_THAT(complaint(properties(4, 8), kBits), HasSubstr("have 9 links, but the properties say arcs=8"));
  EXPECT_THAT(complaint(properties(4, 10), kBits), HasSubstr("arcs=10"));
  EXPECT_THAT(complaint(properties(4, 9), std::string(kBits) + "1"), HasSubstr("too few nodes"));
  EXPECT_THAT(complaint(properties(4, 9), std::string(kBits) + std::string(200, '0')), HasSubstr("bit 42"));
  EXPECT_THAT(complaint(properties(5, 9), kBits), HasSubstr("page 4"));
  EXPECT_THAT(complaint(properties(49, 9), kBits), HasSubstr("49 nodes"));
  EXPECT_THAT(complaint(properties(4'000'000'000, 9), kBits), HasSubstr("has room for 48"));
}

TEST(BvGraph, LinksOutOfRangeAreFound) {
  EXPECT_THAT(complaint(properties(2, 1), "1 010 1 1 1011"),
              HasSubstr("page 1: near bit 10: it links to a page"));
  EXPECT_THAT(complaint(properties(2, 1), "010 1 1 1010  1"), HasSubstr("page 0"));
  EXPECT_THAT(complaint(properties(2, 2), "1 011 1 1 100 100"), HasSubstr("does not exist"));
  // An interval that begins before page 0, and one that ends after the last.
  EXPECT_THAT(complaint(properties(4, 3), "00100 1 010 010 1  1 1 1"), HasSubstr("does not exist"));
  EXPECT_THAT(complaint(properties(4, 3), "1 1 1 00100 1 010 1 1"), HasSubstr("page 3"));
}

TEST(BvGraph, MoreLinksThanPagesAreFound) {
  EXPECT_THAT(complaint(properties(2, 3), "00100 1 1 100 100 100  1"),
              HasSubstr("more links than there are pages"));
}

TEST(BvGraph, ReferencesOutsideTheWindowAreFound) {
  EXPECT_THAT(complaint(properties(2, 1), "010 01 1 1 100 1"), HasSubstr("page 0"));
  EXPECT_THAT(complaint(properties(3, 2, 1), "010 1 1 100  1  010 001 1 1 1"),
              HasSubstr("outside its window"));
}

TEST(BvGraph, BlocksLongerThanTheirListAreFound) {
  const std::string first = "011 1 1 100 100 ";  // links 0 and 1
  EXPECT_THAT(complaint(properties(2, 4), first + "011 01 010 00100"), HasSubstr("copies more links"));
  EXPECT_THAT(complaint(properties(2, 4), first + "011 01 011 010 010"), HasSubstr("copies more links"));
  EXPECT_THAT(complaint(properties(2, 4), first + "011 01 00101 1 1 1 1"), HasSubstr("copies more links"));
  // Two copied, but only one wanted.
  EXPECT_THAT(complaint(properties(2, 3), first + "010 01 1"), HasSubstr("copies more links"));
}

TEST(BvGraph, IntervalsLongerThanTheListAreFound) {
  EXPECT_THAT(complaint(properties(4, 3), "00100 1 010 1 010  1 1 1"), HasSubstr("intervals hold more"));
  EXPECT_THAT(complaint(properties(4, 3), "00100 1 011 1 1 1 1  1 1 1"), HasSubstr("intervals hold more"));
}

TEST(BvGraph, LinksNamedTwiceAreFound) {
  // The residual 1 lies in the interval 0 ... 2.
  EXPECT_THAT(complaint(properties(4, 4), "00101 1 010 1 1 1011  1 1 1"), HasSubstr("contains a link twice"));
  // The residual 0 was copied.
  EXPECT_THAT(complaint(properties(2, 3), "010 1 1 100  011 01 1 1 1010"),
              HasSubstr("contains a link twice"));
}

TEST(BvGraph, MoreResidualsThanBitsAreFound) {
  // 99 links of 100 pages and nothing to read them from.
  std::string bits = std::string(90, '1') + "0000001100100 1 1";
  EXPECT_THAT(complaint(properties(100, 99), bits),
              HasSubstr("page 90: near bit 105: it has more links than the file"));
}

TEST(BvGraph, NumbersBeyondAllBoundsAreFoundBeforeAnythingIsAllocated) {
  // A degree of 60 bits in delta, of which nothing follows.
  BvProperties said = properties(1, 0);
  said.options.codes[BvPart::kOutdegrees] = BvCode::kDelta;
  EXPECT_THAT(complaint(said, "00000 111101"),
              HasSubstr("page 0: near bit 11: a number is not valid in its code"));
  // Counts of 2^40: of blocks, of intervals, and the length of an interval.
  const std::string huge = std::string(40, '0') + "1" + std::string(40, '0');
  EXPECT_THAT(complaint(properties(2, 4), "011 1 1 100 100  011 01" + huge), HasSubstr("copies more links"));
  EXPECT_THAT(complaint(properties(4, 3), "00100 1" + huge + "111"), HasSubstr("intervals hold more"));
  EXPECT_THAT(complaint(properties(4, 3), "00100 1 010 1" + huge + "111"), HasSubstr("does not exist"));
}

// --- the offsets file ---

// The offsets 0, 13, 28, 29, 42 as distances in gamma.
const std::string kOffsets = from_bits("1 0001110 000010000 010 0001110");

TEST(BvGraph, OffsetsFileSavesThePass) {
  const auto graph = open_bytes(kFour, from_bits(kBits), &kOffsets);
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ(scanned(**graph), kLists);
  EXPECT_EQ(accessed(**graph), kLists);
}

TEST(BvGraph, UnfitOffsetsAreRefused) {
  for (const char* bits : {
           "",
           "1",
           "1 0001110 000010000 010",                  // one missing
           "010 0001110 000010000 010 0001110",        // does not begin at 0
           "1 0001110 000010000 1 0000100000",         // a list without bits
           "1 0001110 000010000 010 000000011111111",  // beyond the file
           "1 0001110 000010000 010 1",                // no end
           "0000000000000000000000000000000000000000",
       }) {
    const std::string offsets = from_bits(bits);
    const auto graph = open_bytes(kFour, from_bits(kBits), &offsets);
    ASSERT_FALSE(graph.ok()) << bits;
    EXPECT_THAT(graph.error().text, HasSubstr("test.")) << bits;
  }
}

// Two empty pages after four unused bits: the offsets must not make this valid if it is invalid without them.
TEST(BvGraph, OffsetsThatBeginLateAreRefused) {
  const std::string offsets = from_bits("00101 010 010");
  EXPECT_FALSE(open_bytes(properties(2, 0), from_bits("0000 1 1"), &offsets).ok());
}

TEST(BvGraph, LyingOffsetsNeverGiveWrongLists) {
  const std::string whole = from_bits(kBits);
  int opened = 0;
  for (std::uint64_t a = 1; a < 40; ++a) {
    for (std::uint64_t b = a + 1; b < 41; ++b) {
      for (std::uint64_t c = b + 1; c < 42; ++c) {
        bv_testing::StringSink sink;
        BitWriter out(sink);
        std::uint64_t before = 0;
        for (const std::uint64_t offset : {std::uint64_t{0}, a, b, c, std::uint64_t{42}}) {
          bv::write_code(out, BvCode::kGamma, 0, offset - before);
          before = offset;
        }
        ASSERT_TRUE(out.finish().ok());
        const auto graph = open_bytes(kFour, whole, &sink.text());
        if (!graph.ok()) continue;
        ++opened;
        const auto again = open_bytes(kFour, whole, &sink.text());
        const bool honest = a == 13 && b == 28 && c == 29;
        EXPECT_EQ(accessed(**graph) == kLists, honest) << a << " " << b << " " << c;
        EXPECT_EQ((*graph)->status().ok(), honest) << a << " " << b << " " << c;
        EXPECT_EQ(scanned(**again) == kLists, honest) << a << " " << b << " " << c;
        EXPECT_EQ((*again)->status().ok(), honest) << a << " " << b << " " << c;
      }
    }
  }
  EXPECT_GT(opened, 0);
}

// --- files ---

class BvFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + std::to_string(::getpid()) + "_bv_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
  }
  std::string folder_;
};

const char* const kText =
    "nodes=4\narcs=9\nwindowsize=7\nminintervallength=3\nversion=0\n"
    "graphclass=it.unimi.dsi.webgraph.BVGraph\n";

TEST_F(BvFiles, OpenByAnyOfTheirNames) {
  write("web.graph", from_bits(kBits));
  write("web.properties", kText);
  for (const char* name : {"/web", "/web.graph", "/web.properties"}) {
    const auto graph = BvGraph::open(folder_ + name);
    ASSERT_TRUE(graph.ok()) << graph.error().text;
    EXPECT_EQ(scanned(**graph), kLists);
  }
  write("web.offsets", kOffsets);
  EXPECT_TRUE(BvGraph::open(folder_ + "/web").ok());
  write("web.offsets", "");
  const auto graph = BvGraph::open(folder_ + "/web");
  ASSERT_FALSE(graph.ok());
  EXPECT_THAT(graph.error().text, HasSubstr("/web.offsets: 0 bytes"));
}

TEST_F(BvFiles, MissingOnesAreNamed) {
  EXPECT_THAT(BvGraph::open(folder_ + "/web").error().text, HasSubstr("web.properties: cannot open"));
  write("web.properties", kText);
  EXPECT_THAT(BvGraph::open(folder_ + "/web").error().text, HasSubstr("web.graph: cannot open"));
}

TEST(BvGraph, OpeningMayBeStopped) {
  const std::string bytes = from_bits(kBits);
  BvGraph::Files files{"test.graph", bytes_of(bytes), std::nullopt, nullptr};
  const Progress stop([](std::string_view, std::uint64_t, std::uint64_t) { return false; });
  const auto graph = BvGraph::from_files(kFour, files, stop);
  ASSERT_FALSE(graph.ok());
  EXPECT_THAT(graph.error().text, HasSubstr("stopped"));
}

TEST(BvOffsets, KeepsNumbersOfAnySize) {
  for (const std::uint64_t step : {1ull, 100ull, 1ull << 25, 1ull << 33}) {
    BvOffsets offsets;
    for (std::uint64_t i = 0; i < 1000; ++i) offsets.push(i * step);
    EXPECT_EQ(offsets.size(), 1000u);
    for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(offsets[i], i * step);
  }
}

// --- a published graph ---

std::string data_folder() {
  const char* given = std::getenv("BOWERBIRD_DATA");
  return given != nullptr ? given : std::string(BOWERBIRD_SOURCE_DIR) + "/../shared/data";
}

// LAW's cnr-2000; the figures come with the data, from another reader.
TEST(BvGraph, ReadsThePublishedCnr2000) {
  const std::string base = data_folder() + "/cnr-2000-nat/cnr-2000-nat";
  if (!file_exists(base + ".graph")) GTEST_SKIP() << "no real graphs at " << data_folder();
  const auto graph = BvGraph::open(base);
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ((*graph)->pages(), 325'557u);
  EXPECT_EQ((*graph)->links(), 3'216'152u);
  std::uint64_t links = 0, dangling = 0, self_loops = 0;
  std::size_t max_out = 0;
  std::vector<std::uint32_t> in((*graph)->pages());
  (*graph)->scan(0, (*graph)->pages(), [&](PageId page, std::span<const PageId> out) {
    links += out.size();
    dangling += out.empty();
    max_out = std::max(max_out, out.size());
    for (const PageId target : out) {
      self_loops += target == page;
      ++in[target];
    }
    return true;
  });
  EXPECT_TRUE((*graph)->status().ok());
  EXPECT_EQ(links, 3'216'152u);
  EXPECT_EQ(dangling, 78'056u);
  EXPECT_EQ(self_loops, 87'442u);
  EXPECT_EQ(max_out, 2716u);
  EXPECT_EQ(*std::max_element(in.begin(), in.end()), 18'235u);
}

}  // namespace
}  // namespace bowerbird
