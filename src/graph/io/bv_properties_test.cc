#include "graph/io/bv_properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bowerbird {
namespace {

using testing::HasSubstr;

constexpr std::string_view kPlain =
    "#BVGraph properties\n"
    "nodes=10\narcs=20\nwindowsize=7\nmaxrefcount=3\nminintervallength=4\nzetak=5\n"
    "compressionflags=\nversion=0\ngraphclass=it.unimi.dsi.webgraph.BVGraph\n";

std::string replaced(std::string_view line, std::string_view by) {
  std::string text(kPlain);
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.replace(at, line.size(), by);
}

std::string complaint(std::string_view text) {
  const auto result = parse_bv_properties(text, "web.properties");
  return result.ok() ? "" : result.error().text;
}

// java.util.Properties.load: the examples of its documentation, and their like.
TEST(JavaProperties, SyntaxIsJavas) {
  const auto parsed = parse_java_properties(
      "# comment\n"
      "  ! another, after blanks\n"
      "\n"
      "Truth = Beauty\n"
      "Colour:Green\r\n"
      "  Blank\tWhite\r"
      "fruits                           apple, banana, pear, \\\n"
      "                                 cantaloupe, \\\n"
      "                                 kiwi\n"
      "cheeses\n"
      "a\\ b\\=c\\:d=x\\ty\\u0041\\u00e9\\z\n"
      "path=C:\\\\\n"
      "equals = = b\n"
      "twice=1\ntwice=2\n"
      "end=open\\",
      "f");
  ASSERT_TRUE(parsed.ok());
  const std::map<std::string, std::string> expected = {
      {"Truth", "Beauty"}, {"Colour", "Green"},
      {"Blank", "White"},  {"fruits", "apple, banana, pear, cantaloupe, kiwi"},
      {"cheeses", ""},     {"a b=c:d", "x\tyA\xc3\xa9z"},
      {"path", "C:\\"},    {"equals", "= b"},
      {"twice", "2"},      {"end", "open"},
  };
  EXPECT_EQ(*parsed, expected);
}

TEST(JavaProperties, BadEscapeNamesTheLine) {
  for (const char* bad : {"a=1\nb=\\u12", "a=1\nb=\\u12g4", "a=1\n\\u=3", "a=1\nb=\\u+123"}) {
    const auto parsed = parse_java_properties(bad, "web.properties");
    ASSERT_FALSE(parsed.ok()) << bad;
    EXPECT_THAT(parsed.error().text, HasSubstr("web.properties: line 2")) << bad;
  }
}

TEST(BvProperties, SayHowTheGraphIsCoded) {
  const auto parsed = parse_bv_properties(
      replaced("compressionflags=", "compressionflags=OUTDEGREES_DELTA | RESIDUALS_GOLOMB|BLOCK_COUNT_UNARY"),
      "f");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->pages, 10u);
  EXPECT_EQ(parsed->links, 20u);
  EXPECT_EQ(parsed->options.window, 7u);
  EXPECT_EQ(parsed->options.max_ref_count, 3u);
  EXPECT_EQ(parsed->options.min_interval, 4u);
  EXPECT_EQ(parsed->options.zeta_k, 5u);
  const BvCodes& codes = parsed->options.codes;
  EXPECT_EQ(codes[BvPart::kOutdegrees], BvCode::kDelta);
  EXPECT_EQ(codes[BvPart::kResiduals], BvCode::kGolomb);
  EXPECT_EQ(codes[BvPart::kBlockCount], BvCode::kUnary);
  EXPECT_EQ(codes[BvPart::kBlocks], BvCode::kGamma);
  EXPECT_EQ(codes[BvPart::kReferences], BvCode::kUnary);
}

TEST(BvProperties, MissingPropertiesHaveTheDefaultsOfWebGraph) {
  const auto parsed = parse_bv_properties(
      "nodes=1\narcs=0\nwindowsize=0\nminintervallength=0\nversion=0\n"
      "graphclass=class it.unimi.dsi.big.webgraph.BVGraph\n",
      "f");
  ASSERT_TRUE(parsed.ok()) << parsed.error().text;
  EXPECT_EQ(parsed->options.zeta_k, 3u);
  EXPECT_EQ(parsed->options.codes, BvCodes());
  EXPECT_EQ(parsed->options.max_ref_count, BvOptions::kUnlimited);
}

TEST(BvProperties, MinusOneReferencesAreUnlimited) {
  EXPECT_EQ(parse_bv_properties(replaced("maxrefcount=3", "maxrefcount=-1"), "f")->options.max_ref_count,
            BvOptions::kUnlimited);
}

// webgraph-rs writes block counts with the code of the blocks and has no flag for them.
TEST(BvProperties, BlockCountsOfTheRustEditionFollowItsBlocks) {
  const std::string flags = "compressionflags=BLOCKS_DELTA";
  const auto java = parse_bv_properties(replaced("compressionflags=", flags), "f");
  const auto rust = parse_bv_properties(replaced("compressionflags=", flags + "\nendianness=big"), "f");
  EXPECT_EQ(java->options.codes[BvPart::kBlockCount], BvCode::kGamma);
  EXPECT_EQ(rust->options.codes[BvPart::kBlockCount], BvCode::kDelta);
}

TEST(BvProperties, MissingKeysAreNamed) {
  for (const std::string key :
       {"nodes", "arcs", "windowsize", "minintervallength", "version", "graphclass"}) {
    EXPECT_THAT(complaint(replaced("\n" + key + "=", "\nother=")),
                HasSubstr("web.properties: there is no '" + key));
  }
}

TEST(BvProperties, NonsenseIsRefused) {
  const auto refused = [](std::string_view line, std::string_view by, std::string_view why) {
    EXPECT_THAT(complaint(replaced(line, by)), HasSubstr(std::string(why))) << by;
  };
  refused("nodes=10", "nodes=-1", "nodes=-1: not a number");
  refused("nodes=10", "nodes=", "nodes=: not a number");
  refused("nodes=10", "nodes=10x", "not a number");
  refused("nodes=10", "nodes=4294967295", "more than");
  refused("nodes=10", "nodes=99999999999999999999999", "not a number");
  refused("arcs=20", "arcs=101", "more than 10 nodes can have");
  refused("windowsize=7", "windowsize=2147483648", "more than");
  refused("maxrefcount=3", "maxrefcount=-2", "not a number");
  refused("zetak=5", "zetak=0", "zetak=0");
  refused("zetak=5", "zetak=33", "zetak=33");
  refused("version=0", "version=1", "version=1");
  refused("version=0", "version=0\nendianness=little", "endianness=little");
  refused("it.unimi.dsi.webgraph.BVGraph", "it.unimi.dsi.webgraph.EFGraph", "only BVGraph");
  refused("compressionflags=", "compressionflags=OUTDEGREES_HUFFMAN", "'OUTDEGREES_HUFFMAN'");
  refused("compressionflags=", "compressionflags=GAMMA", "'GAMMA'");
  refused("compressionflags=", "compressionflags=BLOCKS_GAMMA||", "''");
  refused("compressionflags=", "compressionflags=BLOCKS_GAMMA|BLOCKS_DELTA", "another code");
}

TEST(BvCodes, EveryNameReadsBack) {
  for (std::size_t part = 0; part < kBvParts; ++part) {
    for (int code = 1; code <= 7; ++code) {
      BvCodes codes;
      codes[static_cast<BvPart>(part)] = static_cast<BvCode>(code);
      const auto parsed = BvCodes::parse(codes.format());
      ASSERT_TRUE(parsed.ok()) << codes.format();
      EXPECT_EQ(*parsed, codes) << codes.format();
    }
  }
  EXPECT_EQ(BvCodes().format(), "");
}

}  // namespace
}  // namespace bowerbird
