#include "export/site_blocks.h"

#include <gtest/gtest.h>

#include "parse/text/main_text.h"
#include "parse/text/repeated_blocks.h"

namespace bowerbird {
namespace {

std::vector<std::uint64_t> list_of(std::span<const std::uint64_t> pairs) {
  return {pairs.begin(), pairs.end()};
}

TEST(SiteBlocks, KeepsPairsThatHalfOfThePagesHave) {
  SiteBlocks sites;
  for (std::uint64_t i = 0; i < 6; ++i) {
    std::vector<std::uint64_t> pairs = {5, 100 + i, 7, 7};
    if (i < 2) pairs.push_back(9);
    if (i < 3) pairs.push_back(2);
    sites.add_page(pairs);
  }
  sites.end_site(1);
  EXPECT_EQ(list_of(sites.of(1)), (std::vector<std::uint64_t>{2, 5, 7}));
  EXPECT_TRUE(sites.of(2).empty());
  // The next site begins anew.
  for (int i = 0; i < 4; ++i) sites.add_page({3});
  sites.end_site(2);
  EXPECT_EQ(list_of(sites.of(2)), (std::vector<std::uint64_t>{3}));
}

TEST(SiteBlocks, PhrasesThatPagesRepeatAreNone) {
  SiteBlocks sites;
  for (int i = 0; i < 4; ++i) sites.add_page({1, 2, 2, 3, 3, 3});
  sites.end_site(1);
  EXPECT_EQ(list_of(sites.of(1)), (std::vector<std::uint64_t>{1, 2}));
}

TEST(SiteBlocks, NeedsSeveralPages) {
  SiteBlocks sites;
  for (int i = 0; i < 3; ++i) sites.add_page({3});
  sites.add_page({});  // a page that cannot be read
  sites.end_site(1);
  EXPECT_TRUE(sites.of(1).empty());
}

TEST(SiteBlocks, SamplesAreSpreadEvenly) {
  EXPECT_TRUE(sampled_pages(3).empty());
  EXPECT_EQ(sampled_pages(5), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  const std::vector<std::size_t> many = sampled_pages(2000);
  ASSERT_EQ(many.size(), SiteBlocks::kSampledPages);
  EXPECT_EQ(many[1], 100u);
  EXPECT_EQ(many.back(), 1900u);
}

TEST(RepeatedBlocks, ABlockRepeatsWithANeighbour) {
  TextExtractor one, two;
  const HtmlTree& a = one.read_tree("<div>menu</div><div>more menu</div><h2>Type</h2><p>yes</p><p>mine</p>");
  const HtmlTree& b = two.read_tree("<div>menu</div><div>more menu</div><h2>Type</h2><p>no</p><p>yes</p>");
  std::vector<std::uint64_t> repeated = block_pairs(a);
  std::sort(repeated.begin(), repeated.end());
  // "yes" has other neighbours here, and a heading is content.
  EXPECT_EQ(find_repeated_blocks(b, repeated), (std::vector<bool>{true, true, false, false, false}));
  EXPECT_EQ(block_pairs(b).size(), b.blocks.size() + 1);
}

}  // namespace
}  // namespace bowerbird
