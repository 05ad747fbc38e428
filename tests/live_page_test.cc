// The live page in headless Chromium (npm's playwright-core): with a crawl that does not exist, and with a
// real one; and Prometheus, which scrapes a crawl.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "npm_testing.h"
#include "process.h"

namespace bowerbird {
namespace {

class LivePageFull : public testing::Test {
 protected:
  static ShellResult shell(const std::string& command) { return run_shell(command + " 2>&1"); }
  static bool has(const std::string& program) { return shell("command -v " + program).code == 0; }

  // Runs a script of tests/ with the folder of playwright-core, the browser, this program and an empty
  // folder.
  void run(const std::string& script) {
    if (!has("node") || !has("chromium"))
      GTEST_SKIP() << "node or chromium is not installed (apt-get install nodejs chromium)";
    const std::string playwright = npm_package(BOWERBIRD_BINARY, "playwright-core", "1.65.1");
    if (playwright.empty()) GTEST_SKIP() << "playwright-core cannot be had from npm";
    const ShellResult said = shell(fmt::format(
        "cd '{}' && timeout 600 node '{}/tests/{}' '{}' \"$(command -v chromium)\" '{}' '{}'", folder_ / "",
        BOWERBIRD_SOURCE_DIR, script, playwright, BOWERBIRD_BINARY, folder_ / "crawl"));
    EXPECT_EQ(said.code, 0) << said.text;
  }

  TemporaryFolder folder_;
};

TEST_F(LivePageFull, EveryViewAndEveryCommand) {
  run("live_page_browser.mjs");
}

TEST_F(LivePageFull, OfARealCrawl) {
  run("live_crawl_browser.mjs");
}

TEST_F(LivePageFull, PrometheusScrapesACrawlAndEveryExpressionOfTheDashboardHasData) {
  if (!has("node") || !has("prometheus"))
    GTEST_SKIP() << "node or prometheus is not installed (apt-get install nodejs prometheus)";
  const ShellResult said = shell(fmt::format("timeout 300 node '{}/tests/prometheus_scrape.mjs' '{}' '{}'",
                                             BOWERBIRD_SOURCE_DIR, BOWERBIRD_BINARY, folder_ / "crawls"));
  EXPECT_EQ(said.code, 0) << said.text;
}

TEST_F(LivePageFull, AlertRulesPassTheirTests) {
  if (!has("promtool")) GTEST_SKIP() << "promtool is not installed (apt-get install prometheus)";
  const ShellResult said =
      shell("cd " BOWERBIRD_SOURCE_DIR
            "/packaging/prometheus && promtool check rules alerts.yml && promtool test rules "
            "alerts_test.yml");
  EXPECT_EQ(said.code, 0) << said.text;
}

}  // namespace
}  // namespace bowerbird
