// The reports of `bowerbird lab`, `lab refresh` and `bowerbird crawl` in a real browser: what
// report_browser.mjs, refresh_report_browser.mjs and crawl_report_browser.mjs check, for several kinds of
// report.
#include <gtest/gtest.h>

#include "crawl_testing.h"
#include "process.h"

namespace bowerbird {
namespace {

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

ShellResult shell(const std::string& command) {
  return run_shell(command + " 2>&1");
}

class ReportInBrowser : public testing::Test {
 protected:
  void SetUp() override {
    if (shell("node --version").code != 0) GTEST_SKIP() << "node is not installed (apt-get install nodejs)";
    if (shell("command -v chromium").code != 0)
      GTEST_SKIP() << "chromium is not installed (apt-get install chromium)";
  }

  void make(std::vector<std::string> args) {
    args.insert(args.begin(), "lab");
    args.insert(args.end(), {"--out", folder_ / "out", "--quiet"});
    const Finished finished = run_bowerbird(args);
    ASSERT_EQ(finished.code, 0) << finished.err;
  }

  void look(const std::vector<std::string>& texts = {}, const std::string& script = "report_browser.mjs") {
    std::string command = "timeout 300 node " + quoted(std::string(BOWERBIRD_SOURCE_DIR "/tests/") + script) +
                          " chromium " + quoted(folder_ / "out");
    for (const std::string& text : texts) command += " " + quoted(text);
    const ShellResult said = shell(command);
    EXPECT_EQ(said.code, 0) << said.text;
  }

  // Crawls what `bench` serves into out/, which then has a report.
  void crawl(CrawlBench& bench, std::uint64_t pages = 0) {
    bench.options.out = folder_ / "out";
    bench.options.budget.pages = pages;
    bench.options.storage.commit = Seconds(0.05);
    bench.crawl();
    const Finished finished = run_bowerbird({"report", folder_ / "out"});
    ASSERT_EQ(finished.code, 0) << finished.err;
  }
  void look_at_crawl(const std::vector<std::string>& texts = {}) { look(texts, "crawl_report_browser.mjs"); }

  TemporaryFolder folder_;
};

TEST_F(ReportInBrowser, OfOneOrderingFull) {
  make({"synthetic:pages=2000", "--policies", "bfs"});
  look({"How good is bfs order?"});
}

TEST_F(ReportInBrowser, OfAllOrderingsFull) {
  make({"synthetic:pages=3000"});
  look({"Crawl in ", "Terms", "bowerbird lab synthetic:pages=3000 --out"});
}

TEST_F(ReportInBrowser, OfSeveralGraphsRepeatsAndStrategiesFull) {
  write_text(folder_ / "several.toml",
             "policies = [\"bfs\", \"opic\"]\nstrategies = [\"all\", \"sydney@4\"]\nrepeat = 3\n"
             "[[graph]]\npath = \"synthetic:pages=1000\"\n[[graph]]\npath = \"synthetic:pages=2000,seed=2\"\n"
             "[[graph]]\nname = \"not judged\"\npath = \"synthetic:pages=500\"\nimportance = \"none\"\n");
  make({folder_ / "several.toml"});
  look({"On all 2 graphs", "Bands show the lowest and highest of 3 crawls"});
}

TEST_F(ReportInBrowser, OfHostileNamesFull) {
  const std::string name = "<img src=x onerror=alert(1)>&amp;\"'";
  write_text(folder_ / (name + ".graph-txt"), "4\n1 2 3\n2\n3\n1\n");
  write_text(folder_ / (name + ".urls"),
             "http://h/\nhttp://h/</script><script>alert(2)</script>\nhttp://h/<!--<script>\n"
             "http://h/\u2028\u202e{{title}}\n");
  make({folder_ / name, "--seeds", "ids:0"});
  look({name, "http://h/</script><script>alert(2)</script>", "http://h/<!--<script>", "{{title}}"});
}

TEST_F(ReportInBrowser, OfAnEmptyGraphFull) {
  write_text(folder_ / "empty.graph-txt", "0\n");
  make({folder_ / "empty"});
  look({"There is nothing to crawl"});
}

TEST_F(ReportInBrowser, OfRefreshPoliciesFull) {
  make({"refresh", "synthetic:pages=1000", "--budget", "2%,10%", "--repeat", "2", "--days", "60", "--warm-up",
        "30"});
  look({"Best possible", "keeps most pages fresh"}, "refresh_report_browser.mjs");
}

TEST_F(ReportInBrowser, OfRefreshPoliciesWithDiscoveryFull) {
  make({"refresh", "synthetic:pages=1000", "--budget", "5%", "--discovery", "--days", "60", "--warm-up",
        "30"});
  look({"Held pages", "from the seeds"}, "refresh_report_browser.mjs");
}

TEST_F(ReportInBrowser, OfACrawlFull) {
  SiteOptions site;
  site.latency_ms = 5;
  site.files.disallow = 0.3;
  site.page_faults = {{Fault::kGone, 0.1, 0}, {Fault::kDropped, 0.05, 1}, {Fault::kError, 0.05, 0}};
  CrawlBench bench(random_web(1500, 30, 6), site);
  for (PageId page = 1; page < 30; ++page) bench.options.start.seeds.push_back(bench.page_url(page));
  crawl(bench, 1000);
  look_at_crawl({"1,000 pages in ", "Outcomes", "without politeness", "bowerbird report"});
}

TEST_F(ReportInBrowser, OfACrawlOfHostileNamesFull) {
  const std::vector<std::string> names = {
      "http://h.test/", "http://h.test/</script><script>alert(2)</script>", "http://h.test/<!--<script>",
      "http://h.test/?{{title}}&amp;\"'<img src=x onerror=alert(1)>"};
  CrawlBench bench(make_web({{1, 2, 3}, {2}, {3}, {1}}, {0, 0, 0, 0}, names));
  crawl(bench);
  look_at_crawl({"4 pages in "});
}

TEST_F(ReportInBrowser, OfACrawlThatGotNothingFull) {
  SiteOptions site;
  site.robots_faults = {{Fault::kError, 1.0, 0}};
  CrawlBench bench(random_web(5, 5, 2), site);
  crawl(bench);
  look_at_crawl({"No page was fetched"});
}

}  // namespace
}  // namespace bowerbird
