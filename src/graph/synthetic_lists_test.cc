#include "graph/synthetic_lists.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace bowerbird {
namespace {

using Pages = std::vector<PageId>;

template <std::uint32_t kCapacity>
LinkList<kCapacity> list_of(const Pages& pages) {
  LinkList<kCapacity> list;
  for (const PageId page : pages) list.push(page);
  return list;
}

// The members of a set of small numbers.
Pages pages_of(unsigned set) {
  Pages pages;
  for (PageId page = 0; page < 32; ++page) {
    if ((set >> page & 1) != 0) pages.push_back(page);
  }
  return pages;
}

TEST(SyntheticLists, EveryTwoSmallListsAreMergedAsSets) {
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      const Pages expected = pages_of(a | b);
      Pages merged(12);
      merged.resize(merge_links(pages_of(a).data(), static_cast<std::uint32_t>(std::popcount(a)),
                                pages_of(b).data(), static_cast<std::uint32_t>(std::popcount(b)),
                                merged.data()));
      EXPECT_EQ(merged, expected);
      merged.resize(12);
      merged.resize(join_links(pages_of(a).data(), static_cast<std::uint32_t>(std::popcount(a)),
                               pages_of(b).data(), static_cast<std::uint32_t>(std::popcount(b)),
                               merged.data()));
      EXPECT_EQ(merged, expected);

      LinkList<12> list = list_of<12>(pages_of(a));
      merge_into(list, list_of<8>(pages_of(b)));
      EXPECT_EQ(Pages(list.at.begin(), list.at.begin() + list.size), expected);
    }
  }
}

TEST(SyntheticLists, AFullListTakesNoMore) {
  LinkList<4> list = list_of<4>({1, 5, 9});
  merge_into(list, list_of<4>({2, 3, 4}));
  EXPECT_EQ(Pages(list.at.begin(), list.at.begin() + list.size), (Pages{1, 2, 5, 9}));
  merge_into(list, list_of<4>({0}));
  EXPECT_EQ(list.size, 4u);
}

TEST(SyntheticLists, InsertedLinksAreSorted) {
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    std::set<PageId> expected;
    Pages row(40);
    std::uint32_t size = 0;
    for (int i = 0; i < 30; ++i) {
      const auto page = static_cast<PageId>(rng.below(40));
      expected.insert(page);
      size = insert_link(page, row.data(), size);
    }
    EXPECT_EQ(Pages(row.begin(), row.begin() + size), Pages(expected.begin(), expected.end()));
  }
}

TEST(SyntheticLists, ALinkIsTakenOutIfItIsThere) {
  for (unsigned set = 0; set < 64; ++set) {
    for (PageId page = 0; page < 7; ++page) {
      Pages row = pages_of(set);
      row.resize(erase_link(page, row.data(), static_cast<std::uint32_t>(row.size())));
      EXPECT_EQ(row, pages_of(set & ~(1u << page)));
    }
  }
}

TEST(SyntheticLists, RanksStayBelowTheirLimitAndFavourTheFirst) {
  Rng rng(1);
  for (const std::uint32_t n : {1u, 2u, 3u, 100u, 0xffffffffu}) {
    std::uint32_t first = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::uint32_t rank = popular_rank(rng.next(), n);
      EXPECT_LT(rank, n);
      first += rank == 0;
    }
    EXPECT_GT(first, 30u);
  }
}

TEST(SyntheticLists, ScalingIsRightOnAverage) {
  std::uint32_t sum = 0;
  for (std::uint64_t bits = 0; bits < 256; ++bits) sum += scaled(3, 100, bits);
  EXPECT_EQ(sum, 300u);
}

}  // namespace
}  // namespace bowerbird
