// `bowerbird demo` as a user runs it, on a small Web.
#include <gtest/gtest.h>

#include "demo/race.h"
#include "graph/synthetic.h"
#include "process.h"
#include "store/crawl_reader.h"

namespace bowerbird {
namespace {

TEST(Demo, RacesKillsResumesAndReports) {
  const TemporaryFolder folder;
  const std::string out = folder / "demo";
  const Finished done = run_bowerbird({"demo", "--pages", "400", "--out", out, "--no-open"});
  ASSERT_EQ(done.code, 0) << done.err;
  for (const char* text : {"Test Web: 400 pages", "lipr fetched 80 pages", "bfs fetched 80 pages",
                           "each once", "Best by auc", "report.html"}) {
    EXPECT_NE(done.out.find(text), std::string::npos) << text << "\n" << done.out;
  }
  for (const char* policy : {"lipr", "bfs"}) {
    EXPECT_TRUE(CrawlReader::holds_crawl(out + "/" + policy));
    EXPECT_FALSE(read_text(out + "/" + policy + "/report.html").empty());
  }
  EXPECT_FALSE(read_text(out + "/lab/report.html").empty());
  const Finished again = run_bowerbird({"demo", "--pages", "400", "--out", out, "--no-open"});
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("--out"), std::string::npos) << again.err;
}

TEST(Race, CrawlsAreJudgedByTheLogsOfTheirServers) {
  const TemporaryFolder folder;
  SyntheticOptions made;
  made.pages = 300;
  const Web web = make_synthetic(made);
  const auto site = std::move(Site::make(web, {})).value();
  RaceOptions options;
  options.policies = {"lipr", "bfs"};
  options.out = folder.path();
  options.pages = 40;
  std::size_t looks = 0;
  options.watch = [&](const std::vector<Racer>& racers) {
    ++looks;
    return racers.size() == 2;
  };
  const PageId seed = choose_seed(web).value();
  const std::vector<Racer> racers = run_race(web, *site, seed, options).value();
  ASSERT_EQ(racers.size(), 2u);
  EXPECT_GT(looks, 0u);
  for (const Racer& racer : racers) {
    EXPECT_EQ(racer.pages, 40u) << racer.policy;
    EXPECT_GT(racer.importance, 0.1);
    EXPECT_LT(racer.importance, 1);
    EXPECT_EQ(pages_fetched(racer.folder).value(), 40u);
    EXPECT_GE(pages_stored_once(racer.folder).value(), 40u);
  }
  EXPECT_EQ(racers[1].folder, folder / "bfs");
}

// The demonstration agrees with the lab: after a fifth of this Web, lipr has collected about 1.5 times as
// much.
TEST(Demo, TheDefaultOrderingIsAheadFull) {
  const TemporaryFolder folder;
  const Finished done = run_bowerbird({"demo", "--no-open", "--out", folder / "demo"});
  ASSERT_EQ(done.code, 0) << done.err;
  const auto share = [&](const std::string& policy) {
    const std::string text = policy + " fetched 4,000 pages with ";
    const std::size_t found = done.out.find(text);
    return found == std::string::npos ? 0 : std::stod(done.out.substr(found + text.size()));
  };
  EXPECT_GT(share("lipr"), share("bfs") + 5) << done.out;
}

}  // namespace
}  // namespace bowerbird
