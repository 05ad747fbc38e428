#include "graph/io/bv_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "graph/io/bv_testing.h"
#include "graph/io/bv_twin.h"

namespace bowerbird {
namespace {

using bv_testing::accessed;
using bv_testing::bytes_of;
using bv_testing::graph_of;
using bv_testing::Lists;
using bv_testing::open_bytes;
using bv_testing::scanned;
using bv_testing::StringSink;
using bv_testing::weblike;
using testing::HasSubstr;

struct Written {
  BvStats stats;
  BvProperties properties;
  std::string lists, offsets;
};

Written compressed(const Graph& graph, const BvOptions& options) {
  StringSink lists, offsets;
  const auto stats = compress_bv(graph, options, lists, offsets);
  EXPECT_TRUE(stats.ok());
  return {*stats, {stats->pages, stats->links, options}, lists.text(), offsets.text()};
}

// The fast reader, with and without offsets, by scan and by random access, and the slow implementation.
void expect_reads_back(const Lists& lists, const BvOptions& options) {
  SCOPED_TRACE(testing::Message() << "window " << options.window << ", references " << options.max_ref_count
                                  << ", interval " << options.min_interval << ", k " << options.zeta_k << " "
                                  << options.codes.format());
  const Written written = compressed(graph_of(lists), options);
  for (const std::string* offsets : {&written.offsets, static_cast<const std::string*>(nullptr)}) {
    const auto graph = open_bytes(written.properties, written.lists, offsets);
    ASSERT_TRUE(graph.ok()) << graph.error().text;
    ASSERT_EQ(scanned(**graph), lists);
    ASSERT_EQ(accessed(**graph), lists);
    ASSERT_TRUE((*graph)->status().ok()) << (*graph)->status().error().text;
    EXPECT_EQ((*graph)->bits(), written.stats.graph_bits());
  }
  ASSERT_EQ(BvTwin::decode(written.properties, bytes_of(written.lists)), lists);
  EXPECT_EQ(written.stats.copied_links + written.stats.interval_links + written.stats.residual_links,
            written.stats.links);
}

// Every graph of up to three pages, and many of four.
TEST(BvWriter, AllSmallGraphsReadBack) {
  for (const PageId pages : {0, 1, 2, 3, 4}) {
    const std::uint64_t graphs = std::uint64_t{1} << (pages * pages);
    const std::uint64_t step = pages == 4 ? 251 : 1;
    for (std::uint64_t which = 0; which < graphs; which += step) {
      Lists lists(pages);
      for (PageId i = 0; i < pages * pages; ++i) {
        if ((which >> i & 1) != 0) lists[i / pages].push_back(i % pages);
      }
      BvOptions options;
      options.min_interval = 2;
      expect_reads_back(lists, options);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(BvWriter, EveryWindowChainAndIntervalReadsBack) {
  const Lists lists = weblike(120, 1);
  for (const std::uint32_t window : {0u, 1u, 3u, 7u, 200u}) {
    for (const std::uint32_t chain : {0u, 1u, 3u, BvOptions::kUnlimited}) {
      for (const std::uint32_t interval : {0u, 1u, 2u, 4u, 1000u}) {
        BvOptions options;
        options.window = window;
        options.max_ref_count = chain;
        options.min_interval = interval;
        expect_reads_back(lists, options);
      }
    }
  }
}

TEST(BvWriter, EveryCodeOfEveryPartReadsBack) {
  const Lists lists = weblike(100, 2);
  for (std::size_t part = 0; part < kBvParts; ++part) {
    for (int code = 1; code <= 7; ++code) {
      for (const std::uint32_t k : {1u, 2u, 3u, 7u}) {
        BvOptions options;
        options.codes[static_cast<BvPart>(part)] = static_cast<BvCode>(code);
        options.zeta_k = k;
        expect_reads_back(lists, options);
      }
    }
  }
}

TEST(BvWriter, EveryZetaReadsBack) {
  const Lists lists = weblike(100, 3);
  for (std::uint32_t k = 1; k <= BvOptions::kMaxZetaK; ++k) {
    BvOptions options;
    options.zeta_k = k;
    expect_reads_back(lists, options);
  }
}

TEST(BvWriter, RandomGraphsWithRandomOptionsReadBack) {
  for (std::uint64_t seed = 10; seed < 60; ++seed) {
    Rng rng(seed);
    BvOptions options;
    options.window = static_cast<std::uint32_t>(rng.below(12));
    options.max_ref_count = static_cast<std::uint32_t>(rng.below(6));
    options.min_interval = static_cast<std::uint32_t>(rng.below(6));
    options.zeta_k = static_cast<std::uint32_t>(1 + rng.below(8));
    for (std::size_t part = 0; part < kBvParts; ++part) {
      options.codes[static_cast<BvPart>(part)] = static_cast<BvCode>(1 + rng.below(7));
    }
    expect_reads_back(weblike(static_cast<PageId>(1 + rng.below(150)), seed), options);
  }
}

// Pages 15 and 18 of the example of Boldi and Vigna, The WebGraph framework I, tables 1 to 4; the others are
// empty.
TEST(BvWriter, CodesTheExampleOfThePaper) {
  Lists lists(1100);
  lists[15] = {13, 15, 16, 17, 18, 19, 23, 24, 203, 315, 1034};
  lists[18] = {13, 15, 16, 17, 50};
  BvOptions options;
  options.min_interval = 2;
  const Written written = compressed(graph_of(lists), options);
  EXPECT_EQ(written.stats.copied_links, 4u);
  EXPECT_EQ(written.stats.interval_links, 7u);
  EXPECT_EQ(written.stats.residual_links, 5u);
  EXPECT_EQ(written.stats.distance_total, 3u);
  EXPECT_EQ(written.stats.chain_total, 1u);

  BitReader in(bytes_of(written.lists));
  const auto gamma = [&] { return bv::read_gamma(in); };
  for (int page = 0; page < 15; ++page) EXPECT_EQ(gamma(), 0u);
  // Degree 11, no reference, intervals 15 ... 19 and 23 ... 24, residuals 13, 203, 315, 1034.
  std::vector<std::uint64_t> numbers = {gamma(), in.unary(), gamma(), gamma(), gamma(), gamma(), gamma()};
  for (int i = 0; i < 4; ++i) numbers.push_back(bv::read_zeta3(in));
  EXPECT_THAT(numbers, testing::ElementsAre(11, 0, 2, 0, 3, 2, 0, 3, 189, 111, 718));
  for (int page = 16; page < 18; ++page) EXPECT_EQ(gamma(), 0u);
  // Degree 5, reference 3, one block of 4, no interval, residual 50.
  numbers = {gamma(), in.unary(), gamma(), gamma(), gamma(), bv::read_zeta3(in)};
  EXPECT_THAT(numbers, testing::ElementsAre(5, 3, 1, 4, 0, 64));
}

TEST(BvWriter, ChainsAreNeverLongerThanAllowed) {
  const Lists same(50, {3, 9, 27});
  BvOptions options;
  options.max_ref_count = 3;
  const Written written = compressed(graph_of(same), options);
  EXPECT_LE(written.stats.chain_total, 3u * 50);
  options.max_ref_count = 0;
  EXPECT_EQ(compressed(graph_of(same), options).stats.copied_links, 0u);
  options.max_ref_count = BvOptions::kUnlimited;
  options.window = 1;
  EXPECT_EQ(compressed(graph_of(same), options).stats.chain_total, 49u * 50 / 2);
}

TEST(BvWriter, LinksThatAreNotAscendingOrOutOfRangeAreRefused) {
  const auto refused = [](const std::vector<PageId>& targets) {
    const CsrGraph graph({0, targets.size(), targets.size()}, targets);
    StringSink lists, offsets;
    const auto stats = compress_bv(graph, {}, lists, offsets);
    return stats.ok() ? "" : stats.error().text;
  };
  EXPECT_EQ(refused({0, 1}), "");
  EXPECT_THAT(refused({1, 0}), HasSubstr("page 0: its links are not ascending"));
  EXPECT_THAT(refused({1, 1}), HasSubstr("page 0: its links are not ascending"));
  EXPECT_THAT(refused({0, 2}), HasSubstr("page 0: a link to 2"));
}

TEST(BvWriter, ErrorsOfTheSourceAndTheSinkAreReported) {
  const CsrGraph graph = graph_of({{0}});
  StringSink sink;
  bv_testing::FullSink full;
  EXPECT_THAT(compress_bv(graph, {}, full, sink).error().text, HasSubstr("no space"));
  EXPECT_THAT(compress_bv(graph, {}, sink, full).error().text, HasSubstr("no space"));
  BvOptions bad;
  bad.zeta_k = 0;
  EXPECT_THAT(compress_bv(graph, bad, sink, sink).error().text, HasSubstr("zetak=0"));
  const Progress stop([](std::string_view, std::uint64_t, std::uint64_t) { return false; });
  EXPECT_THAT(compress_bv(graph, {}, sink, sink, stop).error().text, HasSubstr("stopped"));

  const BvProperties two{2, 2, {}};
  const auto damaged = open_bytes(two, bv_testing::from_bits("010 1 1 1011  010 1 1 1011"));
  ASSERT_TRUE(damaged.ok()) << damaged.error().text;
  EXPECT_THAT(compress_bv(**damaged, {}, sink, sink).error().text, HasSubstr("page 1"));
}

class BvWrittenFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + std::to_string(::getpid()) + "_bvw_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

TEST_F(BvWrittenFiles, OpenAgainWithTheSameOptions) {
  const Lists lists = weblike(200, 5);
  BvOptions options;
  options.window = 5;
  options.max_ref_count = BvOptions::kUnlimited;
  options.min_interval = 2;
  options.zeta_k = 4;
  options.codes[BvPart::kOutdegrees] = BvCode::kDelta;
  options.codes[BvPart::kOffsets] = BvCode::kDelta;
  const auto stats = write_bv(graph_of(lists), folder_ + "/web.graph", options);
  ASSERT_TRUE(stats.ok()) << stats.error().text;
  const auto graph = BvGraph::open(folder_ + "/web");
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ(scanned(**graph), lists);
  EXPECT_EQ((*graph)->properties().options, options);
  EXPECT_EQ((*graph)->bits(), stats->graph_bits());
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 3u) << "nothing temporary is left";
}

TEST_F(BvWrittenFiles, FailureKeepsTheOldGraph) {
  ASSERT_TRUE(write_bv(graph_of({{0}}), folder_ + "/web").ok());
  const CsrGraph bad({0, 1}, {7});
  EXPECT_FALSE(write_bv(bad, folder_ + "/web").ok());
  const auto graph = BvGraph::open(folder_ + "/web");
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  EXPECT_EQ(scanned(**graph), (Lists{{0}}));
  EXPECT_FALSE(write_bv(bad, folder_ + "/no/such/folder/web").ok());
}

// The keys that WebGraph's own reader needs, and the figures it writes.
TEST_F(BvWrittenFiles, PropertiesHaveTheKeysOfWebGraph) {
  ASSERT_TRUE(write_bv(graph_of(weblike(100, 6)), folder_ + "/web").ok());
  std::ifstream file(folder_ + "/web.properties");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto keys = parse_java_properties(text, "web.properties");
  ASSERT_TRUE(keys.ok());
  for (const char* key : {"nodes", "arcs", "windowsize", "maxrefcount", "minintervallength", "zetak",
                          "compressionflags", "version", "graphclass", "bitsperlink", "bitspernode", "avgref",
                          "avgdist", "compratio", "copiedarcs", "intervalisedarcs", "residualarcs"}) {
    EXPECT_TRUE(keys->contains(key)) << key;
  }
  EXPECT_EQ(keys->at("graphclass"), "it.unimi.dsi.webgraph.BVGraph");
  EXPECT_EQ(keys->at("windowsize"), "7");
}

std::string data_folder() {
  const char* given = std::getenv("BOWERBIRD_DATA");
  return given != nullptr ? given : std::string(BOWERBIRD_SOURCE_DIR) + "/../shared/data";
}

// With the options of the published file, every bit of it.
TEST(BvWriter, WritesThePublishedCnr2000) {
  const std::string base = data_folder() + "/cnr-2000-nat/cnr-2000-nat";
  if (!file_exists(base + ".graph")) GTEST_SKIP() << "no real graphs at " << data_folder();
  const auto graph = BvGraph::open(base);
  ASSERT_TRUE(graph.ok()) << graph.error().text;
  const Written written = compressed(**graph, (*graph)->properties().options);
  EXPECT_NEAR(written.stats.bits_per_link(), 3.56, 0.01);
  const auto published = MappedFile::open(base + ".graph");
  EXPECT_TRUE(written.lists == (*published)->text()) << "differs from the published file";
}

}  // namespace
}  // namespace bowerbird
