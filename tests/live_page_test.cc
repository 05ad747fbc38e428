// The live page in headless Chromium (npm's playwright-core), with a simulated crawl and with a real one.
// Without a browser: the API, its access rules, commands that survive a kill, fleets; Prometheus, which
// scrapes a crawl; and the service manager.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "crawl_testing.h"
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
    const std::string playwright = npm_package(BOWERBIRD_BINARY, "playwright-core", "1.61.1");
    if (playwright.empty()) GTEST_SKIP() << "playwright-core cannot be had from npm";
    const ShellResult said = shell(fmt::format(
        "cd '{}' && timeout 600 node '{}/tests/{}' '{}' \"$(command -v chromium)\" '{}' '{}'", folder_ / "",
        BOWERBIRD_SOURCE_DIR, script, playwright, BOWERBIRD_BINARY, folder_ / "crawl"));
    EXPECT_EQ(said.code, 0) << said.text;
  }

  // Without a browser.
  void run_plain(const std::string& script) {
    if (!has("node")) GTEST_SKIP() << "node is not installed (apt-get install nodejs)";
    const ShellResult said =
        shell(fmt::format("timeout 300 node '{}/tests/{}' '{}' '{}'", BOWERBIRD_SOURCE_DIR, script,
                          BOWERBIRD_BINARY, folder_ / "crawl"));
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

TEST_F(LivePageFull, EveryKindOfChangeSurvivesAKill) {
  run_plain("live_kill.mjs");
}

TEST_F(LivePageFull, AccessRulesAndSlowClients) {
  run_plain("live_access.mjs");
}

TEST_F(LivePageFull, OfAFleet) {
  if (!has("nats-server")) GTEST_SKIP() << "nats-server is not installed (apt-get install nats-server)";
  run_plain("live_fleet.mjs");
}

TEST_F(LivePageFull, PrometheusScrapesACrawlAndEveryExpressionOfTheDashboardHasData) {
  if (!has("node") || !has("prometheus"))
    GTEST_SKIP() << "node or prometheus is not installed (apt-get install nodejs prometheus)";
  run_plain("prometheus_scrape.mjs");
}

TEST_F(LivePageFull, AlertRulesPassTheirTests) {
  if (!has("promtool")) GTEST_SKIP() << "promtool is not installed (apt-get install prometheus)";
  const ShellResult said =
      shell("cd " BOWERBIRD_SOURCE_DIR
            "/packaging/prometheus && promtool check rules alerts.yml && promtool test rules "
            "alerts_test.yml");
  EXPECT_EQ(said.code, 0) << said.text;
}

// Datagrams to the socket that $NOTIFY_SOCKET names, until the service says that it is stopping.
class ServiceManager {
 public:
  explicit ServiceManager(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    CHECK(path.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, path.data(), path.size());
    CHECK(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    reader_ = std::thread([this] {
      char text[4096];
      while (heard_.empty() || heard_.back() != "STOPPING=1") {
        const auto n = ::recv(fd_, text, sizeof text, 0);
        if (n <= 0) return;
        heard_.emplace_back(text, static_cast<std::size_t>(n));
      }
    });
  }
  ~ServiceManager() { ::close(fd_); }
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;
  const std::vector<std::string>& heard() {
    reader_.join();
    return heard_;
  }

 private:
  int fd_;
  std::vector<std::string> heard_;
  std::thread reader_;
};

TEST(LivePage, NotifiesTheServiceManager) {
  CrawlBench bench(random_web(30, 3, 4));
  ServiceManager manager(bench.folder / "notify");
  const std::string environment =
      fmt::format("env NOTIFY_SOCKET={} WATCHDOG_USEC=2000000 {}", bench.folder / "notify", BOWERBIRD_BINARY);
  std::string command = environment;
  for (const std::string& word : bench.command()) command += " '" + word + "'";
  const ShellResult done = run_shell(command + " 2>&1");
  EXPECT_EQ(done.code, 0) << done.text;
  const std::vector<std::string>& heard = manager.heard();
  EXPECT_TRUE(heard.front().starts_with("READY=1\nSTATUS=")) << heard.front();
  EXPECT_NE(std::ranges::find(heard, "WATCHDOG=1"), heard.end());
  EXPECT_TRUE(
      std::ranges::any_of(heard, [](const std::string& text) { return text.starts_with("STATUS="); }));
}

}  // namespace
}  // namespace bowerbird
