// `bowerbird crawl`, `status`, `urls` and `why` as a user runs them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "crawl_testing.h"

namespace bowerbird {
namespace {

std::vector<std::string> crawl_command(const CrawlBench& bench, std::vector<std::string> more = {}) {
  std::vector<std::string> command = {"crawl",        bench.page_url(0),
                                      "--out",        bench.options.out,
                                      "--scope",      "any",
                                      "--delay",      "0",
                                      "--connect-to", bench.options.connect_to,
                                      "--contact",    "tests@bowerbird.example",
                                      "--allow-net",  "127.0.0.0/8",
                                      "--no-durable"};
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

TEST(CrawlCommand, ReportsAsJson) {
  CrawlBench bench(random_web(80, 10, 4));
  const Finished done = run_bowerbird(crawl_command(bench, {"--json"}));
  ASSERT_EQ(done.code, 0) << done.err;
  const auto json = nlohmann::json::parse(done.out);
  EXPECT_EQ(json["pages"], 80);
  EXPECT_EQ(json["outcomes"]["fetched"], 80);
  EXPECT_EQ(json["end"], "nothing left to fetch");
}

TEST(CrawlCommand, AsksWhoIsCrawling) {
  const Finished done = run_bowerbird({"crawl", "http://example.org/", "--out", "/nonexistent/x"});
  EXPECT_EQ(done.code, 2);
  EXPECT_NE(done.err.find("--contact"), std::string::npos) << done.err;
}

TEST(CrawlCommand, DryRunTouchesNothing) {
  CrawlBench bench(random_web(10, 10, 2));
  const Finished done = run_bowerbird(crawl_command(bench, {"--dry-run"}));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("would begin a crawl"), std::string::npos) << done.out;
  EXPECT_FALSE(CrawlStore::holds_crawl(bench.options.out));
  EXPECT_EQ(bench.server->connections(), 0u);
}

TEST(CrawlCommand, ReadsItsOptionsFromAFile) {
  CrawlBench bench(random_web(60, 10, 4));
  const std::string path = bench.folder / "crawl.toml";
  write_text(path, "pages = 12\npolicy = \"bfs\"\n");
  const Finished done = run_bowerbird(crawl_command(bench, {"--config", path, "--json"}));
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(nlohmann::json::parse(done.out)["pages"], 12);
  write_text(path, "pagges = 12\ndelay = \"soon\"\n");
  const Finished wrong = run_bowerbird(crawl_command(bench, {"--config", path}));
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.err.find("did you mean 'pages'"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find(":2:"), std::string::npos) << wrong.err;
}

TEST(CrawlCommand, AResumeNeedsNoMoreThanTheFolder) {
  CrawlBench bench(random_web(60, 10, 4));
  ASSERT_EQ(run_bowerbird(crawl_command(bench, {"--pages", "10", "--policy", "ieca"})).code, 0);
  const Finished done = run_bowerbird({"crawl", "--out", bench.options.out, "--scope", "any", "--delay", "0",
                                       "--connect-to", bench.options.connect_to, "--contact",
                                       "tests@bowerbird.example", "--allow-net", "127.0.0.0/8", "--json"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(nlohmann::json::parse(done.out)["pages"], 60);
}

TEST(CrawlCommand, SaysWhichOrderItFollowsAndKeepsIt) {
  CrawlBench bench(random_web(60, 10, 4));
  const auto order = [&](std::vector<std::string> more) {
    const Finished done = run_bowerbird(crawl_command(bench, std::move(more)));
    EXPECT_EQ(done.code, 0) << done.err;
    const std::size_t at = done.err.find("order: ");
    return at == std::string::npos ? done.err : done.err.substr(at, done.err.find('\n', at) - at);
  };
  EXPECT_EQ(order({"--pages", "10"}), "order: lipr; the default: for 100 known pages lipr needs 9.8 KiB");
  EXPECT_EQ(order({"--pages", "20"}), "order: lipr");

  bench.options.out = bench.folder / "topical";
  EXPECT_EQ(order({"--pages", "10", "--topic", "rose garden"}), "order: similar; since there is a topic");
  EXPECT_EQ(order({"--pages", "20"}), "order: similar");
  const Finished changed = run_bowerbird(crawl_command(bench, {"--pages", "30", "--topic", "tulip"}));
  EXPECT_NE(changed.code, 0);
  EXPECT_NE(changed.err.find("--topic was \"rose garden\""), std::string::npos) << changed.err;

  bench.options.out = bench.folder / "simple";
  EXPECT_EQ(order({"--pages", "10", "--policy", "bfs"}), "order: bfs");
  EXPECT_EQ(order({"--pages", "20"}), "order: bfs");
}

TEST(CrawlCommand, StatusUrlsAndWhyTellOfIt) {
  SiteOptions site;
  site.disallow = 1;
  CrawlBench bench(random_web(100, 50, 4), site);
  ASSERT_EQ(run_bowerbird(crawl_command(bench, {"--pages", "40"})).code, 0);
  const std::string& folder = bench.options.out;

  const Finished status = run_bowerbird({"status", folder, "--json"});
  ASSERT_EQ(status.code, 0) << status.err;
  EXPECT_EQ(nlohmann::json::parse(status.out)["pages"], 40);

  const Finished queued = run_bowerbird({"urls", folder, "--state", "queued"});
  ASSERT_EQ(queued.code, 0) << queued.err;
  EXPECT_NE(queued.out.find("http://host-"), std::string::npos) << queued.out;
  const Finished done = run_bowerbird({"urls", folder, "--state", "done"});
  EXPECT_NE(done.out.find(bench.page_url(0) + "\n"), std::string::npos) << done.out;
  const Finished failed = run_bowerbird({"urls", folder, "--state", "failed"});
  EXPECT_NE(failed.out.find("\trobots\n"), std::string::npos) << failed.out;

  const std::string blocked = failed.out.substr(0, failed.out.find('\t'));
  const Finished why = run_bowerbird({"why", folder, blocked, "--json"});
  ASSERT_EQ(why.code, 0) << why.err;
  const auto json = nlohmann::json::parse(why.out);
  EXPECT_EQ(json["state"], "done");
  EXPECT_EQ(json["outcome"], "robots");
  EXPECT_EQ(json["robots"], "forbidden by robots.txt");
  EXPECT_GT(json["links_to_it"], 0);
  EXPECT_NE(run_bowerbird({"why", folder, "http://elsewhere.example/"}).out.find("unknown"),
            std::string::npos);
}

}  // namespace
}  // namespace bowerbird
