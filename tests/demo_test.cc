// `bowerbird demo` as a user runs it, on a small Web.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace bowerbird
