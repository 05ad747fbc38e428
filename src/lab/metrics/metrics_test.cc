// The metrics compared with naive implementations of the definitions, page by page and with a sort for each
// K.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/rng.h"
#include "graph/csr.h"
#include "lab/metrics/buffer.h"
#include "lab/metrics/cumulative.h"
#include "lab/metrics/hot.h"
#include "lab/metrics/points.h"
#include "lab/metrics/threshold.h"
#include "lab/metrics/yardstick.h"

namespace bowerbird {
namespace {

CsrGraph random_graph(PageId pages, unsigned degree, Rng& rng) {
  CsrBuilder builder;
  for (PageId page = 0; page < pages; ++page) {
    std::vector<PageId> row(rng.below(degree + 1));
    for (PageId& target : row) target = static_cast<PageId>(rng.below(pages));
    builder.add(row);
  }
  return std::move(builder).finish();
}

// A web with a few pages that are not judged, coarse values (many ties), and a crawl of some judged pages.
struct Case {
  explicit Case(std::uint64_t seed) : rng(seed) {
    const auto pages = static_cast<PageId>(1 + rng.below(300));
    graph = random_graph(pages, 6, rng);
    judged = PageSet(pages);
    std::vector<double> value(pages);
    for (PageId page = 0; page < pages; ++page) {
      value[page] = static_cast<double>(rng.below(20)) / 8;
      if (page == 0 || rng.below(10) > 0) {
        judged.add(page);
        order.push_back(page);
      }
    }
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    best = order;
    if (rng.below(3) == 0) order.resize(1 + rng.below(order.size()));  // a crawl that ends early
    yardstick = std::make_unique<Yardstick>("test", value, judged);
    std::stable_sort(best.begin(), best.end(),
                     [&](PageId a, PageId b) { return value[a] != value[b] ? value[a] > value[b] : a < b; });
  }

  std::span<const PageId> first(std::uint64_t k) const {
    return std::span(order).first(std::min<std::uint64_t>(k, order.size()));
  }
  double worth(std::span<const PageId> pages) const {
    double sum = 0;
    for (const PageId page : pages) sum += yardstick->value(page);
    return sum;
  }
  std::uint64_t shared(std::span<const PageId> a, std::span<const PageId> b) const {
    const std::set<PageId> all(a.begin(), a.end());
    return static_cast<std::uint64_t>(
        std::count_if(b.begin(), b.end(), [&](PageId page) { return all.contains(page); }));
  }

  Rng rng;
  CsrGraph graph;
  PageSet judged;
  std::vector<PageId> order;  // as crawled
  std::vector<PageId> best;   // judged pages, best first
  std::unique_ptr<Yardstick> yardstick;
};

constexpr std::uint64_t kCases = 60;

TEST(Points, CheckpointsAreWholeNumbersOfPages) {
  const Points points(5551);
  const std::vector<std::uint64_t> expected = {55, 111, 277, 555, 832, 1110, 1665, 2497, 3330, 4440, 5551};
  for (std::size_t i = 0; i < kCheckpoints.size(); ++i) EXPECT_EQ(points[points.of(i)], expected[i]);
}

TEST(Points, SharesThatAreNotExactInBinaryDoNotLoseAPage) {
  const Points points(20);
  EXPECT_EQ(points[points.of(4)], 3u);  // 15 % of 20
  const Points hundred(100);
  for (std::size_t i = 0; i < kCheckpoints.size(); ++i) {
    EXPECT_EQ(hundred[hundred.of(i)], kCheckpoints[i].percent);
  }
}

TEST(Points, CurvesHaveAtLeastTwoHundredPointsWhereThereAreAsManyPages) {
  EXPECT_GE(Points(200).size(), 200u);
  EXPECT_GE(Points(1'000'000'000).size(), 200u);
  EXPECT_EQ(Points(3).at(), (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(Points(0).at(), (std::vector<std::uint64_t>{0}));
}

TEST(Yardstick, RanksJudgedPagesBestFirstTiesByLowerId) {
  PageSet judged(5);
  for (const PageId page : {0u, 2u, 3u, 4u}) judged.add(page);
  const Yardstick yardstick("test", {1, 9, 5, 1, 5}, judged);
  EXPECT_EQ(yardstick.best_first(), (std::vector<PageId>{2, 4, 0, 3}));
  EXPECT_EQ(yardstick.rank(4), 1u);
  EXPECT_EQ(yardstick.rank(1), kNoPage);
  EXPECT_DOUBLE_EQ(yardstick.total(), 12);
}

// Four pages worth 4, 3, 2, 1, crawled as 2, 4, 1, 3: the curve is .3, .4, .8, 1.
TEST(Cumulative, WorkedExample) {
  PageSet judged(4);
  for (PageId page = 0; page < 4; ++page) judged.add(page);
  const Yardstick yardstick("test", {4, 3, 2, 1}, judged);
  const Points points(4);
  CumulativeImportance cumulative(yardstick, points);
  CrawlAndStop hot(yardstick, points);
  for (const PageId page : {1u, 3u, 0u, 2u}) {
    cumulative.page(page);
    hot.page(page);
  }
  const std::vector<double> curve = cumulative.curve();
  const std::vector<double> expected = {0, .3, .4, .8, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(curve[i], expected[i]);
  EXPECT_DOUBLE_EQ(cumulative.auc(), (.3 + .4 + .8 + 1) / 4);
  EXPECT_EQ(hot.curve(), (std::vector<double>{0, 0, .5, 2.0 / 3, 1}));
}

TEST(Cumulative, StaysFlatAfterTheCrawlsEnd) {
  PageSet judged(4);
  for (PageId page = 0; page < 4; ++page) judged.add(page);
  const Yardstick yardstick("test", {4, 3, 2, 1}, judged);
  const Points points(4);
  CumulativeImportance cumulative(yardstick, points);
  cumulative.page(0);
  EXPECT_DOUBLE_EQ(cumulative.curve().back(), .4);
  EXPECT_DOUBLE_EQ(cumulative.auc(), .4);
}

TEST(Cumulative, AWebWithoutWorthDoesNotDivideByZero) {
  PageSet judged(2);
  judged.add(0);
  const Yardstick yardstick("test", {0, 0}, judged);
  const Points points(1);
  CumulativeImportance cumulative(yardstick, points);
  cumulative.page(0);
  EXPECT_EQ(cumulative.curve().back(), 0);
  EXPECT_EQ(cumulative.auc(), 0);
}

TEST(Cumulative, AgreesWithItsDefinition) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const Case c(seed);
    const Points points(c.best.size());
    CumulativeImportance cumulative(*c.yardstick, points);
    for (const PageId page : c.order) cumulative.page(page);
    const std::vector<double> curve = cumulative.curve();
    const double total = c.worth(c.best);
    double area = 0;
    for (std::uint64_t k = 1; k <= c.best.size(); ++k) area += c.worth(c.first(k));
    if (total == 0) continue;
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_NEAR(curve[i], c.worth(c.first(points[i])) / total, 1e-12) << seed;
    }
    ASSERT_NEAR(cumulative.auc(), area / total / static_cast<double>(c.best.size()), 1e-12) << seed;
  }
}

TEST(CrawlAndStop, AgreesWithItsDefinition) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const Case c(seed);
    const Points points(c.best.size());
    CrawlAndStop hot(*c.yardstick, points);
    for (const PageId page : c.order) hot.page(page);
    const std::vector<double> curve = hot.curve();
    for (std::size_t i = 1; i < points.size(); ++i) {
      const std::uint64_t k = points[i];
      const auto both = static_cast<double>(c.shared(std::span(c.best).first(k), c.first(k)));
      ASSERT_DOUBLE_EQ(curve[i], both / static_cast<double>(k)) << seed;
    }
  }
}

TEST(CrawlAndStop, NoMorePagesAreHotThanAreWorthSomething) {
  PageSet judged(4);
  for (PageId page = 0; page < 4; ++page) judged.add(page);
  const Yardstick yardstick("test", {0, 0, 2, 1}, judged);
  const Points points(4);
  CrawlAndStop hot(yardstick, points, 2);
  for (const PageId page : {0u, 2u, 1u, 3u}) hot.page(page);
  EXPECT_EQ(hot.curve(), (std::vector<double>{0, 0, .5, .5, 1}));
}

TEST(CrawlAndStop, TheBestOrderHasEveryHotPage) {
  const Case c(7);
  const Points points(c.best.size());
  CrawlAndStop hot(*c.yardstick, points);
  for (const PageId page : c.best) hot.page(page);
  const std::vector<double> curve = hot.curve();
  EXPECT_TRUE(std::all_of(curve.begin() + 1, curve.end(), [](double y) { return y == 1; }));
}

TEST(Threshold, AgreesWithItsDefinition) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    Case c(seed);
    const Points points(c.best.size());
    const double threshold = static_cast<double>(c.rng.below(20)) / 8;
    std::vector<PageId> hot_pages;
    for (const PageId page : c.best) {
      if (c.yardstick->value(page) >= threshold) hot_pages.push_back(page);
    }
    CrawlWithThreshold metric(*c.yardstick, points, threshold);
    for (const PageId page : c.order) metric.page(page);
    ASSERT_EQ(metric.hot_pages(), hot_pages.size());
    const std::vector<double> curve = metric.curve();
    for (std::size_t i = 0; i < points.size() && !hot_pages.empty(); ++i) {
      const auto both = static_cast<double>(c.shared(hot_pages, c.first(points[i])));
      ASSERT_DOUBLE_EQ(curve[i], both / static_cast<double>(hot_pages.size())) << seed;
    }
  }
}

TEST(Threshold, AShareIsTheWorthOfTheLastPageInIt) {
  PageSet judged(5);
  for (PageId page = 0; page < 5; ++page) judged.add(page);
  const Yardstick yardstick("test", {1, 2, 3, 4, 5}, judged);
  EXPECT_EQ(Threshold::parse("40%")->value(yardstick), 4);
  EXPECT_EQ(Threshold::parse("1%")->value(yardstick), 5);
  const Yardstick mostly_nothing("test", {0, 0, 3, 0, 5}, judged);
  EXPECT_EQ(Threshold::parse("80%")->value(mostly_nothing), 3);
  EXPECT_EQ(Threshold::parse("100")->value(yardstick), 100);
  EXPECT_EQ(Threshold::parse("1e-5")->value(yardstick), 1e-5);
  EXPECT_FALSE(Threshold::parse("many").ok());
  EXPECT_FALSE(Threshold::parse("140%").ok());
}

// The buffer by its definition: all kept pages are scanned whenever one must be dropped.
std::vector<double> naive_buffer(const Case& c, EstimateKind kind, const std::vector<std::uint64_t>& sizes) {
  std::vector<double> fractions;
  for (const std::uint64_t size : sizes) {
    Estimate estimate(kind, c.graph, *c.yardstick);
    std::vector<PageId> kept;  // in the order of their crawl
    for (const PageId page : c.order) {
      (void)estimate.crawled(page, c.graph.out(page));
      kept.push_back(page);
      if (kept.size() <= size) continue;
      std::size_t lowest = 0;
      for (std::size_t i = 1; i < kept.size(); ++i) {
        if (estimate.of(kept[i]) <= estimate.of(kept[lowest])) lowest = i;
      }
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(lowest));
    }
    const auto hot = static_cast<double>(c.shared(std::span(c.best).first(size), kept));
    fractions.push_back(size == 0 ? 0 : hot / static_cast<double>(size));
  }
  return fractions;
}

TEST(LimitedBuffer, AgreesWithItsDefinition) {
  for (const EstimateKind kind : {EstimateKind::kBacklink, EstimateKind::kPageRank, EstimateKind::kExact}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const Case c(seed);
      const std::uint64_t n = c.best.size();
      const std::vector<std::uint64_t> sizes = {0, 1, n / 20, n / 5, n / 2, n};
      LimitedBuffer buffer(kind, c.graph, *c.yardstick, sizes);
      for (const PageId page : c.order) buffer.page(page, c.graph.out(page));
      ASSERT_EQ(buffer.fractions(), naive_buffer(c, kind, sizes)) << seed;
    }
  }
}

TEST(LimitedBuffer, AWorthThatIsPlainKeepsTheBestPages) {
  Case c(3);
  const std::vector<std::uint64_t> sizes = {c.best.size() / 4 + 1};
  LimitedBuffer buffer(EstimateKind::kExact, c.graph, *c.yardstick, sizes);
  // Crawled by id: among equals the first crawled stays, as hot pages break ties by lower id.
  std::sort(c.best.begin(), c.best.end());
  for (const PageId page : c.best) buffer.page(page, c.graph.out(page));
  EXPECT_EQ(buffer.fractions(), std::vector<double>{1});
}

TEST(LimitedBuffer, SizesAreSharesOrNumbers) {
  EXPECT_EQ(BufferSize::parse("5%")->pages(5551), 277u);
  EXPECT_EQ(BufferSize::parse("0.05")->pages(5551), 277u);
  EXPECT_EQ(BufferSize::parse("0.15")->pages(20), 3u);
  EXPECT_EQ(BufferSize::parse("500")->pages(5551), 500u);
  EXPECT_EQ(BufferSize::parse("10k")->pages(5551), 5551u);
  EXPECT_EQ(BufferSize::parse("5%")->label, "0.05");
  EXPECT_FALSE(BufferSize::parse("five").ok());
  EXPECT_FALSE(BufferSize::parse("0").ok());
  EXPECT_TRUE(parse_buffers({"none"})->empty());
}

// PageRank over the known graph, from scratch and to convergence.
std::vector<double> naive_known_rank(const CsrGraph& graph, std::span<const PageId> crawled) {
  std::set<PageId> known(crawled.begin(), crawled.end());
  const std::set<PageId> done(crawled.begin(), crawled.end());
  for (const PageId page : crawled) known.insert(graph.out(page).begin(), graph.out(page).end());
  const auto n = static_cast<double>(known.size());
  std::vector<double> rank(graph.pages(), 0);
  for (const PageId page : known) rank[page] = 1 / n;
  for (int i = 0; i < 80; ++i) {
    std::vector<double> next(graph.pages(), 0);
    double spread = .15;
    for (const PageId page : known) {
      const auto links = graph.out(page);
      if (!done.contains(page) || links.empty()) {
        spread += .85 * rank[page];
      } else {
        for (const PageId target : links)
          next[target] += .85 * rank[page] / static_cast<double>(links.size());
      }
    }
    for (const PageId page : known) next[page] += spread / n;
    rank = next;
  }
  return rank;
}

TEST(Estimate, PageRankIsThatOfTheKnownGraph) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Case c(seed);
    Estimate estimate(EstimateKind::kPageRank, c.graph, *c.yardstick);
    for (std::size_t i = 0; i < c.order.size(); ++i) {
      if (!estimate.crawled(c.order[i], c.graph.out(c.order[i]))) continue;
      const auto expected = naive_known_rank(c.graph, std::span(c.order).first(i + 1));
      double difference = 0;
      for (PageId page = 0; page < c.graph.pages(); ++page) {
        difference += std::abs(expected[page] - estimate.of(page));
      }
      // A dozen iterations from the last result leave .85^12 of what has changed since.
      ASSERT_LT(difference, 0.03) << seed;
    }
  }
}

TEST(Estimate, BacklinksAreThoseSeen) {
  CsrBuilder builder;
  std::vector<std::vector<PageId>> rows = {{1, 2}, {2}, {0}};
  for (auto& row : rows) builder.add(row);
  const CsrGraph graph = std::move(builder).finish();
  PageSet judged(3);
  for (PageId page = 0; page < 3; ++page) judged.add(page);
  const Yardstick yardstick("test", {0, 0, 0}, judged);
  Estimate estimate(EstimateKind::kBacklink, graph, yardstick);
  EXPECT_FALSE(estimate.crawled(0, graph.out(0)));
  EXPECT_EQ(estimate.of(2), 1);
  EXPECT_FALSE(estimate.crawled(1, graph.out(1)));
  EXPECT_EQ(estimate.of(2), 2);
  EXPECT_EQ(estimate.of(0), 0);
}

}  // namespace
}  // namespace bowerbird
