#include "policy/rankmass_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/rng.h"
#include "policy/policy.h"

namespace bowerbird {
namespace {

using Rows = std::vector<std::vector<PageId>>;

Rows random_graph(std::uint64_t seed, PageId pages) {
  Rng rng(seed);
  Rows rows(pages);
  for (auto& row : rows) {
    for (std::uint64_t i = rng.below(7); i > 1; --i) row.push_back(static_cast<PageId>(rng.below(pages)));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return rows;
}

// PageRank personalised to the seeds, dangling mass back to them, iterated by the book.
std::vector<double> personalised(const Rows& rows, const std::vector<PageId>& seeds,
                                 std::vector<double> weights = {}) {
  if (weights.empty()) weights.assign(seeds.size(), 1);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> r(rows.size(), 0);
  for (int i = 0; i < 400; ++i) {
    double back = 0;
    std::vector<double> next(rows.size(), 0);
    for (PageId page = 0; page < rows.size(); ++page) {
      if (rows[page].empty()) back += r[page];
      for (const PageId to : rows[page])
        next[to] += kDamping * r[page] / static_cast<double>(rows[page].size());
    }
    for (std::size_t s = 0; s < seeds.size(); ++s) {
      next[seeds[s]] += (1 - kDamping + kDamping * back) * weights[s] / total;
    }
    r = next;
  }
  return r;
}

// The pages that can be reached, in the order of a breadth-first crawl.
std::vector<PageId> crawl_order(const Rows& rows, const std::vector<PageId>& seeds) {
  std::vector<bool> seen(rows.size());
  std::vector<PageId> order;
  auto see = [&](PageId page) {
    if (!seen[page]) order.push_back(page);
    seen[page] = true;
  };
  for (const PageId page : seeds) see(page);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const PageId to : rows[order[i]]) see(to);
  }
  return order;
}

TEST(RankMassBound, NeverExceedsTheTruthAndArrivesThere) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Rows rows = random_graph(seed, 80);
    const std::vector<PageId> seeds = {3, 11, 40};
    const std::vector<double> truth = personalised(rows, seeds);
    RankMassBound bound;
    for (const PageId page : seeds) bound.seed(page);
    double held = 0, last = 0;
    for (const PageId page : crawl_order(rows, seeds)) {
      bound.crawled(page, rows[page]);
      held += truth[page];
      ASSERT_LE(bound.covered(), held + 1e-12);
      ASSERT_GE(bound.covered(), last);
      ASSERT_GE(bound.slack(), -1e-12);
      last = bound.covered();
    }
    EXPECT_GT(bound.covered(), 0.5);
    for (int i = 0; i < 200; ++i) bound.refine();
    EXPECT_LE(bound.covered(), held + 1e-12);
    EXPECT_NEAR(bound.covered(), held, 1e-9);
    EXPECT_NEAR(held, 1, 1e-9);
    EXPECT_NEAR(bound.slack(), 0, 1e-9);
  }
}

TEST(RankMassBound, HoldsForACrawlThatStopsAnywhere) {
  const Rows rows = random_graph(5, 80);
  const std::vector<double> truth = personalised(rows, {1});
  const std::vector<PageId> order = crawl_order(rows, {1});
  for (std::size_t stop = 1; stop < order.size(); stop += 7) {
    RankMassBound bound;
    bound.seed(1, 1);
    double held = 0;
    for (std::size_t i = 0; i < stop; ++i) {
      bound.crawled(order[i], rows[order[i]]);
      held += truth[order[i]];
    }
    const double before = bound.covered(), possible = before + bound.slack();
    for (int i = 0; i < 300; ++i) bound.refine();
    EXPECT_LE(bound.covered(), held + 1e-12);
    EXPECT_LE(bound.covered(), possible + 1e-12);
    EXPECT_GE(bound.covered(), before);
  }
}

TEST(RankMassBound, RespectsTheWeightsOfTheSeeds) {
  const Rows rows = random_graph(8, 60);
  const std::vector<PageId> seeds = {4, 9};
  const std::vector<double> truth = personalised(rows, seeds, {9, 1});
  RankMassBound bound;
  bound.seed(4, 9);
  bound.seed(9, 1);
  bound.crawled(4, rows[4]);
  EXPECT_LE(bound.covered(), truth[4] + 1e-12);
  EXPECT_GE(bound.covered(), 0.15 * 0.9 - 1e-12);
}

TEST(RankMassBound, CountsAnewWhenSeedsComeLate) {
  const Rows rows = random_graph(7, 80);
  const std::vector<PageId> order = crawl_order(rows, {1, 50});
  const std::vector<double> truth = personalised(rows, {1, 50});
  RankMassBound bound;
  bound.seed(1);
  double held = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 20) {
      bound.seed(50);
      EXPECT_EQ(bound.covered(), 0);
    }
    bound.crawled(order[i], rows[order[i]]);
    held += truth[order[i]];
    if (i < 20) continue;
    EXPECT_LE(bound.covered(), held + 1e-12);
    EXPECT_GT(bound.covered(), held - 0.2);
  }
  bound.tighten(1e-10, 1000);
  EXPECT_NEAR(bound.covered(), held, 1e-9);
}

TEST(RankMassBound, KnowsNothingBeforeTheFirstPage) {
  RankMassBound bound;
  EXPECT_EQ(bound.covered(), 0);
  bound.refine();
  bound.seed(3);
  bound.refine();
  EXPECT_EQ(bound.covered(), 0);
}

TEST(RankMassBound, ALonePageHoldsEverything) {
  RankMassBound bound;
  bound.seed(7, 1);
  bound.crawled(7, {});
  EXPECT_GE(bound.covered(), 0.15);
  for (int i = 0; i < 300; ++i) bound.refine();
  EXPECT_NEAR(bound.covered(), 1, 1e-9);
}

TEST(RankMassBound, SurvivesASnapshot) {
  const Rows rows = random_graph(6, 80);
  const std::vector<PageId> order = crawl_order(rows, {1, 2});
  RankMassBound whole, first;
  for (RankMassBound* bound : {&whole, &first}) {
    bound->seed(1);
    bound->seed(2);
  }
  RankMassBound second;
  for (std::size_t i = 0; i < order.size(); ++i) {
    whole.crawled(order[i], rows[order[i]]);
    (i < 30 ? first : second).crawled(order[i], rows[order[i]]);
    if (i == 29) {
      std::string bytes;
      ByteWriter out(bytes);
      first.save(out);
      ByteReader in(bytes);
      second.load(in);
      ASSERT_TRUE(in.ok());
    }
  }
  EXPECT_EQ(second.covered(), whole.covered());
}

TEST(RankMassBound, RejectsADamagedSnapshot) {
  RankMassBound bound;
  bound.seed(1);
  bound.crawled(1, std::vector<PageId>{2, 3});
  std::string bytes;
  ByteWriter out(bytes);
  bound.save(out);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string cut = bytes.substr(0, length);
    ByteReader in(cut);
    RankMassBound other;
    other.load(in);
    EXPECT_FALSE(in.ok()) << length;
  }
}

}  // namespace
}  // namespace bowerbird
