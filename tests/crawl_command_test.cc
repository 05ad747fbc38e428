// `bowerbird crawl`, `status`, `urls` and `why` as a user runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "crawl_testing.h"
#include "fetch/name_server_testing.h"
#include "small_site_testing.h"
#include "url/host.h"

namespace bowerbird {
namespace {

TEST(CrawlCommand, ReportsAsJson) {
  CrawlBench bench(random_web(80, 10, 4));
  const Finished done = run_bowerbird(bench.command({"--json"}));
  ASSERT_EQ(done.code, 0) << done.err;
  const auto json = nlohmann::json::parse(done.out);
  EXPECT_EQ(json["pages"], 80);
  EXPECT_EQ(json["outcomes"]["fetched"], 80);
  EXPECT_EQ(json["end"], "nothing left to fetch");
}

TEST(CrawlCommand, UsesTheSingularForOne) {
  CrawlBench bench(random_web(1, 1, 0));
  const Finished done = run_bowerbird(bench.command());
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, testing::HasSubstr("0 pages queued, 1 URL known on 1 host\n"));
  EXPECT_THAT(done.out, testing::Not(testing::HasSubstr("at least"))) << "no bound was asked for";
}

TEST(CrawlCommand, RequiresAContact) {
  const Finished done = run_bowerbird({"crawl", "http://example.org/", "--out", "/nonexistent/x"});
  EXPECT_EQ(done.code, 2);
  EXPECT_NE(done.err.find("--contact"), std::string::npos) << done.err;
}

TEST(CrawlCommand, DryRunTouchesNothing) {
  CrawlBench bench(random_web(10, 10, 2));
  const Finished done = run_bowerbird(bench.command({"--dry-run"}));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("would start a crawl"), std::string::npos) << done.out;
  EXPECT_FALSE(CrawlStore::holds_crawl(bench.options.out));
  EXPECT_EQ(bench.server->connections(), 0u);
}

// The size of core dumps that a crawl may write once it has begun.
std::string core_limit(const std::string& options) {
  const SmallSite site({{"/", {"text/html", "<a href=b>b</a>"}}, {"/b", {"text/html", ""}}});
  const TemporaryFolder folder;
  return shell_output(fmt::format(
      "ulimit -c 64; '{}' crawl {} --out '{}' --allow-net 127.0.0.0/8 --delay 60s --contact "
      "tests@bowerbird.example --quiet {} > /dev/null 2>&1 & crawl=$!; for i in $(seq 200); do [ -s "
      "'{}/options.toml' ] && break; sleep 0.05; done; awk '/core file/ {{ print $5 }}' "
      "/proc/$crawl/limits; kill -9 $crawl",
      BOWERBIRD_BINARY, site.url("/"), folder / "crawl", options, folder / "crawl"));
}

TEST(CrawlCommand, DumpsNoCoreIfItHasSecrets) {
  const std::string without = core_limit("");
  if (without == "0\n") GTEST_SKIP() << "core dumps are off";
  EXPECT_NE(without, "");
  EXPECT_EQ(core_limit("--header 'X-Key: sesame'"), "0\n");
}

TEST(CrawlCommand, ReadsItsOptionsFromAFile) {
  CrawlBench bench(random_web(60, 10, 4));
  const std::string path = bench.folder / "crawl.toml";
  write_text(path, "pages = 12\npolicy = \"bfs\"\n");
  const Finished done = run_bowerbird(bench.command({"--config", path, "--json"}));
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(nlohmann::json::parse(done.out)["pages"], 12);
  write_text(path, "pagges = 12\ndelay = \"soon\"\n");
  const Finished wrong = run_bowerbird(bench.command({"--config", path}));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("did you mean 'pages'"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find(":2:"), std::string::npos) << wrong.err;
}

TEST(CrawlCommand, ABadSeedIsNamed) {
  const TemporaryFolder folder;
  const Finished argument = run_bowerbird({"crawl", "http://good.test/", "ftp://bad.test/", "--contact",
                                           "me@example.org", "--out", folder / "crawl"});
  EXPECT_EQ(argument.code, 2);
  EXPECT_THAT(argument.err, testing::HasSubstr("'ftp://bad.test/' is not a URL to crawl"));
  write_text(folder / "seeds.txt", "http://good.test/\nftp://bad.test/\n");
  const std::vector<std::string> command = {"crawl",          "--seed-file",    folder / "seeds.txt",
                                            "--contact",      "me@example.org", "--out",
                                            folder / "crawl", "--dry-run"};
  const Finished line = run_bowerbird(command);
  EXPECT_EQ(line.code, 2);
  EXPECT_THAT(line.err, testing::HasSubstr("seeds.txt:2: 'ftp://bad.test/' is not a URL to crawl"));
  EXPECT_THAT(line.err,
              testing::HasSubstr("1 bad line: fix the file, or skip such lines with --skip-bad-seeds"));
  std::vector<std::string> skipping = command;
  skipping.push_back("--skip-bad-seeds");
  EXPECT_EQ(run_bowerbird(skipping).code, 0);
}

// Without --out the folder is HOST.crawl, where a crawl with other seeds may be.
TEST(CrawlCommand, TheDefaultFolderOfAnotherCrawlIsRefused) {
  CrawlBench bench(random_web(60, 10, 4));
  const auto crawl = [&](const std::vector<std::string>& seeds) {
    std::vector<std::string> command = bench.command({"--pages", "5"});
    command.erase(command.begin() + 1, command.begin() + 4);  // the seed, --out
    command.insert(command.begin() + 1, seeds.begin(), seeds.end());
    return run_bowerbird(command, "", bench.folder.path());
  };
  ASSERT_EQ(crawl({bench.page_url(0)}).code, 0);
  EXPECT_EQ(crawl({bench.page_url(0)}).code, 0) << "the same seeds: it is resumed";
  const std::string name = host_of_url(bench.page_url(0)) + ".crawl";
  for (const std::vector<std::string>& seeds :
       {std::vector{bench.page_url(1)}, std::vector{bench.page_url(0), bench.page_url(1)}}) {
    const Finished other = crawl(seeds);
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, testing::HasSubstr(name));
    EXPECT_THAT(other.err, testing::HasSubstr(bench.page_url(0)));
    EXPECT_THAT(other.err, testing::HasSubstr("--out"));
  }
  EXPECT_EQ(crawl({bench.page_url(1), "--out", name}).code, 0)
      << "where the folder is named, seeds are added";
}

TEST(CrawlCommand, AResumeNeedsNoMoreThanTheFolder) {
  CrawlBench bench(random_web(60, 10, 4));
  ASSERT_EQ(run_bowerbird(bench.command({"--pages", "10", "--policy", "ieca"})).code, 0);
  const auto on = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"crawl", "--out", bench.options.out, "--json"});
    return json_of(run_bowerbird(more)).value("pages", 0);
  };
  EXPECT_EQ(on({}), 10) << "the budget is remembered too";
  EXPECT_EQ(on({"--pages", "20"}), 20);
  EXPECT_EQ(on({"--pages", "0"}), 60);
}

TEST(CrawlCommand, NewOptionsReplaceRememberedOnes) {
  CrawlBench bench(random_web(60, 10, 4));
  ASSERT_EQ(
      run_bowerbird(bench.command({"--pages", "10", "--exclude", "host-1", "--exclude", "host-2"})).code, 0);
  const auto plan = json_of(
      run_bowerbird({"crawl", "--out", bench.options.out, "--dry-run", "--json", "--exclude", "host-3"}));
  EXPECT_EQ(plan["options"]["exclude"], nlohmann::json({"host-3"}));
  EXPECT_EQ(plan["options"]["pages"], "10");
  EXPECT_EQ(plan["resume"], true);
}

TEST(CrawlCommand, RejectsInvalidContacts) {
  CrawlBench bench(random_web(10, 10, 2));
  const Finished done = run_bowerbird(bench.command({"--contact", "me"}));
  EXPECT_EQ(done.code, 2);
  EXPECT_NE(done.err.find("--contact: 'me' is neither a mail address"), std::string::npos) << done.err;
}

TEST(CrawlCommand, NamesItsOrderingAndKeepsIt) {
  CrawlBench bench(random_web(60, 10, 4));
  const auto order = [&](std::vector<std::string> more) {
    const Finished done = run_bowerbird(bench.command(std::move(more)));
    EXPECT_EQ(done.code, 0) << done.err;
    const std::size_t at = done.err.find("ordering: ");
    return at == std::string::npos ? done.err : done.err.substr(at, done.err.find('\n', at) - at);
  };
  EXPECT_THAT(order({"--pages", "10"}), testing::StartsWith("ordering: lipr (default; needs "));
  EXPECT_EQ(order({"--pages", "20"}), "ordering: lipr");

  bench.options.out = bench.folder / "topical";
  EXPECT_EQ(order({"--pages", "10", "--topic", "rose garden"}), "ordering: similar (default with a topic)");
  EXPECT_EQ(order({"--pages", "20"}), "ordering: similar");
  const Finished changed = run_bowerbird(bench.command({"--pages", "30", "--topic", "tulip"}));
  EXPECT_NE(changed.code, 0);
  EXPECT_NE(changed.err.find("--topic cannot change from 'rose garden'"), std::string::npos) << changed.err;

  bench.options.out = bench.folder / "simple";
  EXPECT_EQ(order({"--pages", "10", "--policy", "bfs"}), "ordering: bfs");
  EXPECT_EQ(order({"--pages", "20"}), "ordering: bfs");
}

TEST(CrawlCommand, StatusUrlsAndWhyDescribeIt) {
  SiteOptions site;
  site.files.disallow = 1;
  CrawlBench bench(random_web(100, 50, 4), site);
  ASSERT_EQ(run_bowerbird(bench.command({"--pages", "40"})).code, 0);
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

TEST(CrawlCommand, AdvisesWhenEveryAddressIsRefused) {
  CrawlBench bench(random_web(10, 10, 2));
  const Finished done =
      run_bowerbird({"crawl", bench.page_url(0), "--out", bench.options.out, "--connect-to",
                     bench.options.network.connect_to, "--contact", "tests@bowerbird.example"});
  EXPECT_EQ(done.code, 1);
  EXPECT_NE(done.out.find("--allow-net"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("127.0.0.1"), std::string::npos) << done.out;
  EXPECT_THAT(done.err, testing::HasSubstr("no page was fetched"));
}

// ---- how a crawl ends

TEST(CrawlCommand, SeedsThatCannotBeResolvedEndItAndAreNamed) {
  NameServer names;
  names.names["nosuch.test"] = {3, 0, 0};
  names.run();
  const TemporaryFolder folder;
  const auto crawl = [&](const std::vector<std::string>& seeds, const std::string& out) {
    std::vector<std::string> command = {"crawl",          "--dns", names.address(), "--contact",
                                        "me@example.org", "--out", folder / out};
    command.insert(command.end(), seeds.begin(), seeds.end());
    return run_bowerbird(command);
  };
  for (const bool resumed : {false, true}) {
    const Finished done = crawl({"http://nosuch.test/"}, "none");
    EXPECT_EQ(done.code, 1) << resumed;
    EXPECT_THAT(done.err, testing::HasSubstr("no page was fetched"));
    EXPECT_THAT(done.err, testing::HasSubstr("seed http://nosuch.test/: no such host"));
  }
  EXPECT_EQ(json_of(run_bowerbird({"why", folder / "none", "http://nosuch.test/", "--json"}))["reason"],
            "no such host");
  // SERVFAIL: the names may exist later.
  const Finished silent = crawl({"http://a.test/", "http://b.test/"}, "silent");
  EXPECT_EQ(silent.code, 1);
  EXPECT_THAT(silent.err, testing::HasSubstr("DNS did not answer for any seed"));
  EXPECT_THAT(silent.err, testing::HasSubstr("seed http://a.test/: DNS did not answer"));
  EXPECT_THAT(silent.err, testing::HasSubstr("seed http://b.test/: DNS did not answer"));
  const auto why = json_of(run_bowerbird({"why", folder / "silent", "http://a.test/", "--json"}));
  EXPECT_EQ(why["host_trouble"], "a.test: DNS did not answer, 1 failure in a row");
}

TEST(CrawlCommand, StatusSaysWhetherItRunsAndWhyItFailed) {
  SiteOptions site;
  site.latency_ms = 20;
  CrawlBench bench(random_web(2000, 50, 5), site);
  const auto state = [&] {
    const Finished status = run_bowerbird({"status", bench.options.out});
    EXPECT_EQ(status.code, 0) << status.err;
    return status.out.substr(0, status.out.find('\n'));
  };
  {
    bench.options.storage.commit = Seconds(0.01);
    auto running = std::move(Crawler::open(bench.options)).value();
    bool seen = false;
    const auto end = running->run([&](const CrawlStatus& now) {
      if (now.counts.pages < 50) return CrawlRequest::kContinue;
      if (!seen) {
        EXPECT_EQ(state(), fmt::format("state     running (pid {})", ::getpid()));
      }
      seen = true;
      return CrawlRequest::kStop;
    });
    ASSERT_TRUE(end.ok()) << end.error().text;
    ASSERT_TRUE(seen);
  }
  EXPECT_EQ(state(), "state     killed, can be resumed") << "it was not closed";
  const Finished full = run_with_small_files({"crawl", "--out", bench.options.out}, 20);
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(state(), testing::StartsWith("state     failed, can be resumed: "));
  EXPECT_THAT(state(), testing::HasSubstr("largest size allowed"));
  EXPECT_EQ(run_bowerbird({"crawl", "--out", bench.options.out, "--pages", "30"}).code, 0);
  EXPECT_EQ(state(), "state     page budget reached");
}

TEST(CrawlCommand, QueuedUrlsComeBestFirst) {
  CrawlBench bench(random_web(200, 20, 5));
  for (const char* policy : {"backlink", "bfs"}) {
    bench.options.out = bench.folder / policy;
    const auto crawl = [&](const char* pages) {
      return run_bowerbird(bench.command({"--pages", pages, "--policy", policy, "--connections", "1"}));
    };
    ASSERT_EQ(crawl("50").code, 0);
    const std::string all = run_bowerbird({"urls", bench.options.out}).out;
    const std::string top = run_bowerbird({"urls", bench.options.out, "--top", "1"}).out;
    EXPECT_EQ(std::count(top.begin(), top.end(), '\n'), 1) << top;
    EXPECT_TRUE(all.starts_with(top));
    double last = 1e300;
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) {
      const double score = std::stod(line.substr(line.find('\t') + 1));
      EXPECT_LE(score, last) << policy;
      last = score;
    }
    ASSERT_EQ(crawl("51").code, 0);
    const std::string done = run_bowerbird({"urls", bench.options.out, "--state", "done"}).out;
    EXPECT_THAT(done, testing::HasSubstr(top.substr(0, top.find('\t')) + "\n")) << policy;
  }
}

TEST(CrawlCommand, SaysWhatItsRulesExcludeAndWhatWouldIncludeIt) {
  CrawlBench bench(make_ring(100));
  bench.options.out = bench.folder / "include";
  const Finished include = run_bowerbird(bench.command({"--include", "/usage/"}));
  EXPECT_EQ(include.code, 0) << include.err;
  const std::string line =
      "excluded  3 links: no --include matches; to include them, use another --include\n";
  EXPECT_THAT(include.out, testing::HasSubstr(line));
  EXPECT_THAT(run_bowerbird({"status", bench.options.out}).out, testing::HasSubstr(line));
  EXPECT_EQ(nlohmann::json::parse(read_text(bench.options.out + "/report.json"))["excluded"][0]["links"], 3);

  bench.options.out = bench.folder / "depth";
  EXPECT_THAT(
      run_bowerbird(bench.command({"--depth", "0"})).out,
      testing::HasSubstr("3 links: too many links from a seed; to include them, use a larger --depth\n"));

  bench.options.out = bench.folder / "types";
  const Finished types = run_bowerbird(bench.command({"--types", "image"}));
  EXPECT_EQ(types.code, 1) << "no page";
  EXPECT_THAT(types.err, testing::HasSubstr("--types image: links are found in HTML pages only"));
  EXPECT_THAT(types.err, testing::HasSubstr("--requisites"));
  EXPECT_THAT(types.out,
              testing::HasSubstr("1 page: not of a type in --types; to include it, use --types html\n"));
}

TEST(CrawlCommand, AFailedSeedAmongGoodOnesIsNamed) {
  CrawlBench bench(random_web(20, 10, 3));
  const std::string missing = bench.page_url(0) + "/missing";
  const Finished done = run_bowerbird(bench.command({missing}));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, testing::HasSubstr(missing + ": HTTP 404"));
  const Finished again = run_bowerbird({"crawl", "--out", bench.options.out});
  EXPECT_EQ(again.code, 0) << "nothing left to do: " << again.err;
  EXPECT_THAT(again.out, testing::HasSubstr(missing + ": HTTP 404"));
  const auto status = json_of(run_bowerbird({"status", bench.options.out, "--json"}));
  EXPECT_EQ(status["seeds_failed"], 1);
  EXPECT_EQ(status["failed_seeds"][0]["url"], missing);
}

TEST(CrawlCommand, WithoutAPageTheExitCodeIsOne) {
  SiteOptions site;
  site.page_faults = {{Fault::kForbidden, 1.0, 0}};
  CrawlBench bench(random_web(20, 10, 3), site);
  const Finished done = run_bowerbird(bench.command({"--pages", "5"}));
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, testing::HasSubstr("seed " + bench.page_url(0) + ": HTTP 40"));
  EXPECT_EQ(run_bowerbird({"crawl", "--out", bench.options.out}).code, 1) << "it still has none";
}

TEST(CrawlCommand, ABadRegularExpressionIsAUsageError) {
  CrawlBench bench(random_web(10, 10, 2));
  for (const char* option : {"--include", "--exclude"}) {
    const Finished done = run_bowerbird(bench.command({option, "("}));
    EXPECT_EQ(done.code, 2);
    EXPECT_THAT(done.err,
                testing::HasSubstr(std::string(option) + ": '(' is not a valid RE2 regular expression"));
  }
}

// The score is the sum of what links, seeds and everything else contributed.
TEST(CrawlCommand, WhyListsTheContributionOfEachLink) {
  CrawlBench bench(random_web(100, 20, 5));
  for (const char* policy : {"fpr@100", "opic", "backlink", "batch-pagerank:k=10"}) {
    const std::string folder = bench.folder / policy;
    std::vector<std::string> command = bench.command({"--pages", "50", "--policy", policy});
    command[3] = folder;
    const Finished crawled = run_bowerbird(command);
    ASSERT_EQ(crawled.code, 0) << crawled.err;
    int told = 0;
    for (PageId page = 0; page < 100; page += 7) {
      const Finished why = run_bowerbird({"why", folder, bench.page_url(page), "--json"});
      ASSERT_EQ(why.code, 0) << why.err;
      const auto json = nlohmann::json::parse(why.out);
      if (!json.contains("score")) continue;
      double sum = json.value("given_as_seed", 0.0) + json.value("given_elsewhere", 0.0);
      if (json["links_to_it"] > json["parents"].size()) continue;
      for (const auto& parent : json["parents"]) {
        sum += parent["gave"].get<double>();
        if (parent.value("how", "") == "after it was fetched") {
          EXPECT_EQ(parent["gave"], 0);
        }
      }
      EXPECT_NEAR(sum, json["worth"].get<double>(), 1e-9) << policy << ": " << why.out;
      ++told;
    }
    EXPECT_GT(told, 5) << policy;
  }
}

TEST(CrawlCommand, PageObeysTheRulesOfACrawl) {
  SiteOptions site;
  site.files.disallow = 1;
  site.codings = accepted_codings("gzip");
  CrawlBench bench(random_web(40, 40, 4), site);
  const auto page = [&](const std::string& url, std::vector<std::string> more) {
    std::vector<std::string> args = {"page", url, "--connect-to", bench.options.network.connect_to, "--json"};
    args.insert(args.end(), more.begin(), more.end());
    return run_bowerbird(args);
  };
  const std::vector<std::string> polite = {
      "--contact", "tests@bowerbird.example", "--allow-net", "127.0.0.0/8", "--delay", "0"};
  const Finished good = page(bench.page_url(1), polite);
  ASSERT_EQ(good.code, 0) << good.err;
  const auto json = nlohmann::json::parse(good.out);
  EXPECT_EQ(json["status"], 200);
  EXPECT_EQ(json["url"], bench.page_url(1));
  LinkBuffer buffer;
  EXPECT_EQ(json["links"].size(), bench.web.graph->out(1, buffer).size());

  EXPECT_NE(page(bench.page_url(3), polite).err.find("robots.txt forbids it"), std::string::npos);
  EXPECT_EQ(page(bench.page_url(1), {}).code, 2) << "without a contact";
  const Finished refused = page(bench.page_url(1), {"--contact", "tests@bowerbird.example"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("--allow-net"), std::string::npos) << refused.err;
  for (const AccessEntry& entry : bench.log()) EXPECT_NE(entry.page, 3u);
}

TEST(CrawlCommand, LabReplaysACrawlFromItsOwnSeeds) {
  CrawlBench bench(random_web(60, 10, 4));
  ASSERT_EQ(run_bowerbird(bench.command({"--pages", "40"})).code, 0);
  const Finished lab = run_bowerbird({"lab", bench.options.out, "--policies", "bfs", "--json"});
  ASSERT_EQ(lab.code, 0) << lab.err;
  const auto json = nlohmann::json::parse(lab.out);
  EXPECT_EQ(json["seed_spec"], "the crawl's own") << lab.out;
}

// ---- the report

nlohmann::json report_of(const std::string& folder) {
  return nlohmann::json::parse(read_text(folder + "/report.json"));
}

TEST(CrawlCommand, LeavesAReport) {
  CrawlBench bench(random_web(200, 20, 5), [] {
    SiteOptions site;
    site.page_faults = {{Fault::kGone, 0.1, 0}};
    return site;
  }());
  std::vector<std::string> more = {"--pages", "120", "--policy", "bfs"};
  for (PageId page = 1; page < 10; ++page) more.push_back(bench.page_url(page));
  ASSERT_EQ(run_bowerbird(bench.command(more)).code, 0);
  const auto json = report_of(bench.options.out);
  EXPECT_EQ(json["pages"], 120);
  EXPECT_EQ(json["end"], "page budget reached");
  std::uint64_t outcomes = 0, fetched = 0, failed = 0;
  for (const auto& one : json["outcomes"]) outcomes += one["count"].get<std::uint64_t>();
  EXPECT_EQ(outcomes, json["done"]);
  for (const auto& host : json["hosts"]) {
    fetched += host["fetched"].get<std::uint64_t>();
    failed += host["failed"].get<std::uint64_t>();
  }
  EXPECT_EQ(fetched, 120u);
  EXPECT_EQ(fetched + failed, json["done"]);
  EXPECT_EQ(json["curves"]["pages"].back(), 120);
  EXPECT_EQ(json["curves"]["failed"].back(), failed);
  EXPECT_NEAR(json["curves"]["importance"].back().get<double>(), 1, 1e-4);
  const auto& order = json["order"];
  EXPECT_EQ(order["pages"], json["done"]);
  EXPECT_GT(order["real"]["auc"], 0.3);
  EXPECT_GE(order["ideal"]["auc"], order["unconstrained"]["auc"]);
  EXPECT_NEAR(order["cost"].get<double>(),
              order["unconstrained"]["auc"].get<double>() - order["real"]["auc"].get<double>(), 2e-6);
  EXPECT_EQ(json["best"].size(), 50u);
  EXPECT_NE(read_text(bench.options.out + "/report.html").find("bowerbird crawl"), std::string::npos);
}

TEST(CrawlCommand, WithOneConnectionAndNoDelayTheOrderIsKept) {
  CrawlBench bench(random_web(150, 15, 5));
  for (const char* policy : {"bfs", "fpr@100", "lipr"}) {
    std::vector<std::string> command =
        bench.command({"--connections", "1", "--policy", policy, "--expected-pages", "150"});
    command[3] = bench.folder / policy;
    ASSERT_EQ(run_bowerbird(command).code, 0);
    const auto json = report_of(bench.folder / policy);
    EXPECT_EQ(json["order"]["cost"], 0) << policy << " " << json["order"]["real"]["auc"];
  }
}

TEST(CrawlCommand, ReportsOfACrawlThatWasKilled) {
  SiteOptions site;
  site.latency_ms = 20;
  CrawlBench bench(random_web(2000, 50, 5), site);
  ASSERT_TRUE(run_and_kill(bench.command({"--commit", "0.05"}), std::chrono::milliseconds(2000)));
  ASSERT_TRUE(CrawlStore::holds_crawl(bench.options.out));
  const Finished report = run_bowerbird({"report", bench.options.out, "--out", bench.folder / "elsewhere"});
  ASSERT_EQ(report.code, 0) << report.err;
  EXPECT_EQ(report.out, (bench.folder / "elsewhere") + "/report.html\n");
  EXPECT_EQ(report_of(bench.folder / "elsewhere")["end"], "killed, can be resumed");
}

TEST(CrawlCommand, TheReportContainsNoSecrets) {
  CrawlBench bench(random_web(10, 10, 2));
  const Finished done = run_bowerbird(bench.command(
      {"--auth", "h.test=me:opensesame", "--cookie=h.test=id=opensesame", "--header", "X-Key: opensesame"}));
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(read_text(bench.options.out + "/report.html").find("opensesame"), std::string::npos);
  EXPECT_NE(read_text(bench.options.out + "/report.json").find("--cookie=h.test=..."), std::string::npos);
}

TEST(CrawlCommand, NoReportIsWrittenIfDisabled) {
  CrawlBench bench(random_web(10, 10, 2));
  ASSERT_EQ(run_bowerbird(bench.command({"--no-report"})).code, 0);
  EXPECT_EQ(read_text(bench.options.out + "/report.html"), "");
}

}  // namespace
}  // namespace bowerbird
