// Orderings whose growing graph is on disk: the same as in memory, whatever happens to the disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontier/crawl_testing.h"

namespace bowerbird {
namespace {

using namespace testing_web;
using testing::HasSubstr;

constexpr const char* kOrderings[] = {"lipr", "batch-pagerank", "partial-pagerank",
                                      "combined:lipr=1,batch-pagerank=0.5"};

// Large enough that most of its links are beyond the piece that is always in memory.
const TestWeb& large_web() {
  static const TestWeb web = random_web(5, 1500);
  return web;
}

CrawlSetup on_disk(const std::string& policy, SpillStore& store, std::uint64_t bytes = 0) {
  CrawlSetup setup;
  setup.policy = policy;
  setup.spill = &store;
  setup.graph_bytes = bytes;
  return setup;
}

// The rows of this crawl so far, as a log of links has them.
CrawledRows rows_of(const TestWeb& web, const std::vector<PageId>& order) {
  return [&web, &order](std::uint64_t row, std::vector<PageId>& pages) -> Status {
    if (row >= order.size()) return error("there is no row {}", row);
    pages.assign(1, order[row]);
    pages.insert(pages.end(), web.out[order[row]].begin(), web.out[order[row]].end());
    return {};
  };
}

// Crawls to the end, recording each page before it is completed.
void crawl_noting(Frontier& frontier, const TestWeb& web, std::vector<PageId>& order,
                  std::size_t most = ~0ull) {
  while (order.size() < most) {
    const auto job = frontier.next(Time{});
    if (!job) return;
    order.push_back(job->page);
    frontier.complete(job->page, web.links(job->page), web.on_topic(job->page));
  }
}

TEST(GraphOnDisk, ChangesNoOrder) {
  const TestWeb& web = large_web();
  for (const char* policy : kOrderings) {
    const std::vector<PageId> expected = crawl(web, {.policy = policy});
    for (const auto& [bytes, threads] : {std::pair(0ull, 1u), {0ull, 2u}, {80'000ull, 5u}, {~0ull, 2u}}) {
      MemorySpill store;
      CrawlSetup setup = on_disk(policy, store, bytes);
      setup.threads = threads;
      const auto frontier = make_frontier(web, setup, {});
      give_seeds(*frontier, setup.seeds);
      EXPECT_EQ(crawl_on(*frontier, web), expected) << policy << " " << bytes << " " << threads;
      EXPECT_EQ(frontier->policy().graph_use().links_on_disk > 20'000, bytes < 1'000'000) << policy;
      EXPECT_TRUE(frontier->take_troubles().empty());
    }
  }
}

TEST(GraphOnDisk, TakesMemoryForStateOnly) {
  const TestWeb& web = large_web();
  for (const char* policy : {"lipr:samples=1000", "batch-pagerank", "partial-pagerank"}) {
    MemorySpill store;
    const CrawlSetup setup = on_disk(policy, store);
    const auto frontier = make_frontier(web, setup, {});
    give_seeds(*frontier, setup.seeds);
    crawl_on(*frontier, web);
    const std::uint64_t stated = memory_of(policy)->bytes(web.pages(), 0, 0);
    EXPECT_LE(frontier->policy().bytes(), stated + 150'000) << policy << ": and the piece that grows";
    EXPECT_GT(frontier->policy().graph_use().disk, 60'000u) << policy;
  }
}

TEST(GraphOnDisk, GoesOnFromASnapshotThatNamesItsBlocks) {
  const TestWeb& web = large_web();
  for (const char* policy : kOrderings) {
    MemorySpill store;
    const CrawlSetup setup = on_disk(policy, store);
    const auto before = make_frontier(web, setup, {});
    give_seeds(*before, setup.seeds);
    crawl_on(*before, web, 1000);
    std::string bytes;
    ByteWriter writer(bytes);
    before->save(writer);
    MemorySpill restored;
    const std::vector<PageId> expected = crawl_on(*before, web);
    restored.runs() = store.runs();  // blocks written since are there as well

    // With another limit than it had, or none.
    for (const std::uint64_t limit : {0ull, ~0ull}) {
      MemorySpill base = restored;
      const auto after = make_frontier(web, on_disk(policy, base, limit), {});
      ByteReader reader(bytes);
      const Status loaded = after->load(reader);
      ASSERT_TRUE(loaded.ok()) << loaded.error().text;
      EXPECT_EQ(crawl_on(*after, web), expected) << policy << " " << limit;
    }
  }
}

TEST(GraphOnDisk, IsPutTogetherAgainWhereItWasDamaged) {
  const TestWeb& web = large_web();
  for (const char* policy : kOrderings) {
    MemorySpill store;
    std::vector<PageId> order;
    CrawlSetup setup = on_disk(policy, store);
    setup.rows = rows_of(web, order);
    const auto frontier = make_frontier(web, setup, {});
    give_seeds(*frontier, setup.seeds);
    crawl_noting(*frontier, web, order, 1000);
    for (auto& [run, blocks] : store.runs()) blocks[0] = "nothing of the kind";
    crawl_noting(*frontier, web, order, 1200);
    store.runs().clear();
    crawl_noting(*frontier, web, order);
    EXPECT_EQ(order, crawl(web, {.policy = policy})) << policy;
    EXPECT_THAT(frontier->take_troubles(), testing::Each(HasSubstr("rebuilt")));
  }
}

TEST(GraphOnDisk, IsDoneWithoutWhereNobodyKnowsItsLinks) {
  const TestWeb& web = large_web();
  for (const char* policy : kOrderings) {
    MemorySpill store;
    const CrawlSetup setup = on_disk(policy, store);
    const auto frontier = make_frontier(web, setup, {});
    give_seeds(*frontier, setup.seeds);
    std::vector<PageId> order = crawl_on(*frontier, web, 1000);
    store.runs().clear();
    const std::vector<PageId> rest = crawl_on(*frontier, web);
    EXPECT_EQ(order.size() + rest.size(), web.reachable(setup.seeds).size()) << policy;
    EXPECT_THAT(frontier->take_troubles(), testing::Contains(HasSubstr("continues without them"))) << policy;
  }
}

}  // namespace
}  // namespace bowerbird
