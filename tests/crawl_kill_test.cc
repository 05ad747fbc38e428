// Kills at any time: the crawl resumes from its last commit, and in the end nothing is missing or stored
// twice.
#include <gtest/gtest.h>

#include <map>

#include "crawl/state/restored_crawl.h"
#include "crawl_testing.h"

namespace bowerbird {
namespace {

void kill_and_resume(int kills, PageId pages, std::uint64_t seed, const std::string& policy = "fpr@100",
                     const std::vector<std::string>& further = {}, unsigned degree = 4,
                     const char* begin_pages = "60") {
  SiteOptions site;
  site.seed = 5;
  site.latency_ms = 10;  // so that no machine finishes before the first kill
  site.page_faults = {{Fault::kDropped, 0.05, 1}, {Fault::kNotFound, 0.05, 0}};
  CrawlBench bench(random_web(pages, 20, degree, seed), site);
  Rng rng(seed);
  std::vector<std::string> command = {"crawl",         bench.page_url(0),
                                      "--out",         bench.options.out,
                                      "--scope",       "any",
                                      "--policy",      policy,
                                      "--connect-to",  bench.options.network.connect_to,
                                      "--allow-net",   "127.0.0.0/8",
                                      "--delay",       "0",
                                      "--contact",     "tests@bowerbird.example",
                                      "--connections", "8",
                                      "--patience",    "0.001",
                                      "--commit",      "10ms",
                                      "--no-durable",  "--no-traps"};
  command.insert(command.end(), further.begin(), further.end());
  if (!further.empty()) {
    // So that there is a snapshot, with files it refers to, when the crawl is killed.
    std::vector<std::string> begin = command;
    begin.insert(begin.end(), {"--pages", begin_pages});
    const Finished begun = run_bowerbird(begin);
    EXPECT_EQ(begun.code, 0) << begun.err;
    command.insert(command.end(), {"--pages", "0"});
  }
  int killed = 0;
  for (int i = 0; i < kills; ++i) {
    const std::chrono::microseconds delay(5'000 + static_cast<std::int64_t>(rng.below(120'000)));
    if (run_and_kill(command, delay)) ++killed;
  }
  const Finished finished = run_bowerbird(command);
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_GT(killed, 0);

  const auto stored = bench.stored();
  CrawlBench calm(random_web(pages, 20, degree, seed), site);
  calm.options.order.policy = policy;
  calm.crawl();
  const auto expected = calm.stored();
  EXPECT_GT(expected.size(), pages / 2) << "the seed may be one of the pages that fail";
  EXPECT_EQ(std::set<std::string>(stored.begin(), stored.end()),
            std::set<std::string>(expected.begin(), expected.end()));
  EXPECT_EQ(stored.size(), expected.size()) << "no page is stored twice";
}

TEST(CrawlKilled, ContinuesFromItsLastCommit) {
  kill_and_resume(8, 300, 1);
}

TEST(CrawlKilled, HeldLinksAreStillThere) {
  kill_and_resume(6, 300, 2, "bfs", {"--strategy", "sydney@2"});
  kill_and_resume(6, 300, 3, "fpr@100", {"--strategy", "shallow@1"});
}

TEST(CrawlKilled, SpilledPagesAreStillThere) {
  kill_and_resume(8, 300, 4, "fpr@100", {"--queue-memory", "600"});
}

TEST(CrawlKilled, TheOrderingsGraphIsStillThere) {
  kill_and_resume(6, 600, 5, "lipr", {"--graph-memory", "1"}, 150, "420");
}

TEST(CrawlKilled, TwoHundredTimesFull) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    kill_and_resume(20, 600, seed);
    kill_and_resume(20, 600, seed, "bfs", {"--strategy", "sydney@2", "--queue-memory", "1000"});
    kill_and_resume(10, 900, seed, "lipr", {"--graph-memory", "1", "--queue-memory", "1000"}, 150, "420");
  }
}

// With so little memory known URLs are constantly written to disk and merged.
TEST(CrawlKilled, WhileItSpillsLosesNothing) {
  kill_and_resume(8, 300, 2, "fpr@100", {"--url-memory", "1"});
}

TEST(CrawlKilled, WhileItSpillsTwoHundredTimesFull) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    kill_and_resume(20, 600, seed, "fpr@100", {"--url-memory", "1"});
}

TEST(CrawlKilled, BeforeItsFirstCommitKeepsItsSeeds) {
  CrawlBench bench(random_web(20, 20, 4));
  { ASSERT_TRUE(Crawler::open(bench.options).ok()); }  // destroyed without close(), as by a kill
  bench.options.start.seeds.clear();
  bench.crawl();
  EXPECT_EQ(bench.stored().size(), 20u);
}

TEST(CrawlInterrupted, EndsCleanlyAndContinues) {
  SiteOptions site;
  site.latency_ms = 20;
  CrawlBench bench(random_web(200, 20, 4), site);
  const std::vector<std::string> command = bench.command();
  const Finished first = run_and_interrupt(command, std::chrono::milliseconds(150));
  EXPECT_EQ(first.code, 130) << first.err;
  const Finished second = run_bowerbird(command);
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(bench.stored().size(), 200u);
}

// The folder can be read and resumed whenever the crawl is killed, each page has one first visit, and no
// copy is lost that a 304 confirms.
void kill_while_refreshing(int kills, std::uint64_t seed) {
  SiteOptions site;
  site.seed = 5;
  site.changes_per_day = 0.5;
  site.latency_ms = 2;
  site.page_faults = {{Fault::kDropped, 0.05, 1}, {Fault::kNotFound, 0.02, 0}};
  CrawlBench bench(random_web(200, 20, 4, seed), site);
  Rng rng(seed);
  const std::vector<std::string> command = bench.command(
      {"--policy", "lipr", "--forever", "--time-scale", "86400", "--refresh-rate", "300/day",
       "--shortest-interval", "1h", "--patience", "0.001", "--commit", "10ms", "--no-traps", "--no-report"});
  int killed = 0;
  for (int i = 0; i < kills; ++i) {
    const std::chrono::microseconds delay(50'000 + static_cast<std::int64_t>(rng.below(400'000)));
    if (run_and_kill(command, delay)) ++killed;
  }
  EXPECT_EQ(killed, kills);
  std::vector<std::string> last = command;
  last.insert(last.end(), {"--time", "3s"});
  const Finished finished = run_bowerbird(last);
  EXPECT_EQ(finished.code, 0) << finished.err;
  const Finished verified = run_bowerbird({"warc", "verify", bench.options.out});
  EXPECT_EQ(verified.code, 0) << verified.out << verified.err;

  const auto crawl = std::move(RestoredCrawl::open_to_read(bench.options.out)).value();
  ASSERT_TRUE(crawl->make_state().ok());
  std::map<PageId, int> first, stored;
  std::uint64_t visits = 0;
  const Status replayed = crawl->replay_from_beginning(
      [&](const CrawlEvent& event, const std::function<Status()>& apply) -> Status {
        if (const auto* const visit = std::get_if<PageVisited>(&event)) {
          if (visit->first) ++first[visit->page];
          visits += visit->first ? 0 : 1;
        }
        return apply();
      });
  ASSERT_TRUE(replayed.ok()) << replayed.error().text;
  for (const auto& [page, count] : first) EXPECT_EQ(count, 1) << page;
  EXPECT_GT(first.size(), 150u);
  EXPECT_GT(visits, 300u);
  EXPECT_EQ(crawl->counts().refresh.visits, visits);
}

TEST(CrawlRefreshKilled, AHundredTimesFull) {
  kill_while_refreshing(100, 3);
}

}  // namespace
}  // namespace bowerbird
