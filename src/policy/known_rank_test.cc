#include "policy/known_rank.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "graph/csr.h"
#include "graph/pagerank.h"

namespace bowerbird {
namespace {

std::vector<PageId> some_links(std::uint64_t seed, PageId page, PageId pages) {
  Rng rng(draw(seed, page));
  std::vector<PageId> links(rng.below(12));
  for (PageId& link : links) link = static_cast<PageId>(rng.below(pages));
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

KnownRank crawl_all(PageId pages, std::uint64_t every, unsigned threads) {
  KnownRank known({.every = every, .expected = 0}, threads);
  known.add_seed(0);
  Visit visit;
  for (PageId page = 0; page < pages; ++page) {
    visit.page = page;
    visit.crawled = page + 1;
    known.crawled(visit, some_links(3, page, pages));
  }
  return known;
}

TEST(KnownRank, OfAWholeWebIsItsPageRank) {
  constexpr PageId kPages = 500;
  CsrBuilder builder;
  for (PageId page = 0; page < kPages; ++page) {
    std::vector<PageId> links = some_links(3, page, kPages);
    builder.add(links);
  }
  const CsrGraph graph = std::move(builder).finish();
  const PageRank truth = *pagerank(graph);
  const KnownRank known = crawl_all(kPages, 50, 1);
  EXPECT_EQ(known.computed_at(), kPages);
  double off = 0;
  for (PageId page = 0; page < kPages; ++page) off += std::fabs(known.rank(page) - truth.rank[page]);
  EXPECT_LT(off, 1e-5);
}

// What a page had at first and what it got later are links of one page.
TEST(KnownRank, LinksMayComeLater) {
  constexpr PageId kPages = 300;
  CsrBuilder builder;
  KnownRank known({}, 1);
  for (PageId page = 0; page < kPages; ++page) {
    std::vector<PageId> links = some_links(5, page, kPages);
    known.add_links(page, std::span(links).first(links.size() / 2));
    builder.add(links);
  }
  known.compute();
  EXPECT_EQ(known.rows_since(), 0u);
  for (PageId page = 0; page < kPages; ++page) {
    const std::vector<PageId> links = some_links(5, page, kPages);
    if (!links.empty()) known.add_links(page, std::span(links).subspan(links.size() / 2));
  }
  EXPECT_GT(known.rows_since(), 100u);
  known.compute();
  const CsrGraph graph = std::move(builder).finish();
  const PageRank truth = *pagerank(graph);
  const std::vector<std::uint32_t> degrees = in_degrees(graph), seen = known.links_seen();
  double off = 0;
  for (PageId page = 0; page < kPages; ++page) {
    off += std::fabs(known.rank(page) - truth.rank[page]);
    EXPECT_EQ(seen[page], degrees[page]) << page;
  }
  EXPECT_LT(off, 1e-5);

  std::string bytes;
  ByteWriter out(bytes);
  known.save(out);
  KnownRank loaded({}, 1);
  ByteReader in(bytes);
  loaded.load(in);
  ASSERT_TRUE(in.ok());
  loaded.compute();
  known.compute();
  for (PageId page = 0; page < kPages; ++page) EXPECT_EQ(loaded.rank(page), known.rank(page));
}

TEST(KnownRank, DoesNotDependOnThreads) {
  constexpr PageId kPages = 20'000;
  const KnownRank one = crawl_all(kPages, kPages / 2, 1), three = crawl_all(kPages, kPages / 2, 3);
  for (PageId page = 0; page < kPages; ++page) ASSERT_EQ(one.rank(page), three.rank(page));
}

TEST(KnownRank, ComputesEveryKPages) {
  EXPECT_EQ(crawl_all(100, 30, 1).computed_at(), 90u);
  EXPECT_EQ(crawl_all(29, 30, 1).computed_at(), 0u);
  EXPECT_EQ(crawl_all(29, 30, 1).rank(0), 0);
}

TEST(KnownRank, PagesThatAreOnlyKnownCountAsDangling) {
  // 0 links to 1 and 2, which are unknown: all their rank is spread over the three.
  KnownRank known({.every = 1, .expected = 0}, 1);
  known.add_seed(0);
  Visit visit;
  visit.crawled = 1;
  EXPECT_TRUE(known.crawled(visit, std::vector<PageId>{1, 2}));
  EXPECT_NEAR(known.rank(0) + known.rank(1) + known.rank(2), 1, 1e-12);
  EXPECT_EQ(known.rank(1), known.rank(2));
  EXPECT_NEAR(known.rank(1), known.rank(0) * (1 + 0.85 / 2), 1e-6);
  EXPECT_EQ(known.rank(3), 0);
}

}  // namespace
}  // namespace bowerbird
