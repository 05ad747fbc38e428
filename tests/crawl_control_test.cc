// Commands to a running crawl: what they do, and that they survive a kill.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "crawl_testing.h"
#include "url/url.h"

namespace bowerbird {
namespace {

LiveCommand command(const std::string& name, RuleTarget target = RuleTarget::kEverything,
                    const std::string& value = "", std::vector<std::string> values = {}) {
  LiveCommand made;
  made.change.time = 1'700'000'000'000;
  made.change.origin = "test";
  made.change.command = name;
  made.change.arguments = "{}";
  made.target = target;
  made.value = value;
  made.values = std::move(values);
  return made;
}

std::string host_of(const std::string& url) {
  Url parsed;
  EXPECT_EQ(parse_url(url, nullptr, parsed), UrlFault::kNone);
  return std::string(parsed.host());
}

struct CrawlControl : testing::Test {
  // Runs until `pages` are fetched, then destroys the crawler without close(), like a kill.
  void crawl_and_kill(std::uint64_t pages, const std::vector<LiveCommand>& commands) {
    auto opened = Crawler::open(bench.options);
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    Crawler& crawler = **opened;
    const auto end = crawler.run([&](const CrawlStatus& status) {
      if (status.counts.pages < pages) {
        crawler.call_watch();
        return CrawlRequest::kContinue;
      }
      for (const LiveCommand& one : commands) {
        const CommandResult result = crawler.execute(one);
        EXPECT_EQ(result.kind, CommandResult::Kind::kDone) << result.text;
      }
      return CrawlRequest::kStop;
    });
    ASSERT_TRUE(end.ok()) << end.error().text;
  }
  std::unique_ptr<Crawler> reopen() {
    auto opened = Crawler::open(bench.options);
    EXPECT_TRUE(opened.ok()) << opened.error().text;
    return std::move(*opened);
  }
  bool notes_say(const Crawler& crawler, std::string_view text) const {
    return std::ranges::any_of(crawler.notes(),
                               [&](const std::string& note) { return note.find(text) != note.npos; });
  }

  CrawlBench bench{random_web(200, 20, 4)};
};

// The server's log shows no request between the pause and the resume.
TEST_F(CrawlControl, APauseStopsRequestsUntilItEnds) {
  auto crawler = reopen();
  int turns = 0;
  std::int64_t quiet_from = 0, quiet_to = 0;
  const auto end = crawler->run([&](const CrawlStatus& status) {
    crawler->call_watch();
    if (turns == 0 && status.counts.pages >= 20) {
      EXPECT_EQ(crawler->execute(command("pause")).kind, CommandResult::Kind::kDone);
      turns = 1;
    } else if (turns >= 1 && turns < 50 && status.under_way == 0) {
      if (turns == 1) quiet_from = MonotonicClock().now_us();
      if (++turns == 50) {
        quiet_to = MonotonicClock().now_us();
        EXPECT_EQ(crawler->execute(command("resume")).kind, CommandResult::Kind::kDone);
      }
    }
    return CrawlRequest::kContinue;
  });
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(*end, CrawlEnd::kNothingLeft);
  EXPECT_EQ(crawler->status().counts.pages, 200u);
  EXPECT_TRUE(crawler->close().ok());
  EXPECT_GT(quiet_to, quiet_from);
  for (const AccessEntry& entry : bench.log())
    EXPECT_FALSE(entry.start_us > quiet_from && entry.start_us < quiet_to) << entry.target;
}

TEST_F(CrawlControl, APausedCrawlResumesPausedAfterAKill) {
  crawl_and_kill(20, {command("pause")});
  auto crawler = reopen();
  EXPECT_TRUE(std::as_const(*crawler).state().control().is_paused());
  EXPECT_TRUE(
      notes_say(*crawler, fmt::format("resume it with `bowerbird ctl {} resume`", bench.options.out)));
  const std::uint64_t before = crawler->status().counts.pages;
  int turns = 0;
  ASSERT_TRUE(crawler
                  ->run([&](const CrawlStatus&) {
                    crawler->call_watch();
                    return ++turns < 20 ? CrawlRequest::kContinue : CrawlRequest::kStop;
                  })
                  .ok());
  EXPECT_EQ(crawler->status().counts.pages, before);
}

TEST_F(CrawlControl, AnOptionStaysAfterAKillUnlessTheNextRunIsGivenAnother) {
  crawl_and_kill(20, {command("set", RuleTarget::kEverything, "pages", {"150"})});
  {
    auto crawler = reopen();  // the same command again
    EXPECT_EQ(crawler->options().budget.pages, 150u);
    EXPECT_TRUE(notes_say(*crawler, "--pages is 150"));
  }
  bench.options.budget.pages = 60;
  {
    auto crawler = reopen();
    EXPECT_EQ(crawler->options().budget.pages, 60u);
    EXPECT_TRUE(notes_say(*crawler, "60 replaces 150"));
    EXPECT_TRUE(crawler->close().ok());
  }
  EXPECT_EQ(reopen()->options().budget.pages, 60u);
}

// How often an ordering recomputes its ranks depends on the page budget at the start of the crawl.
TEST_F(CrawlControl, ThePagesAfterABudgetWasSetAreRepeatedInTheirOrder) {
  bench.options.order.policy = "lipr";
  crawl_and_kill(20, {command("set", RuleTarget::kEverything, "pages", {"30"})});
  crawl_and_kill(25, {command("set", RuleTarget::kEverything, "pages", {"190"})});
  for (const std::uint64_t pages : {60, 110, 160}) crawl_and_kill(pages, {});
  auto crawler = reopen();
  ASSERT_TRUE(crawler
                  ->run([&](const CrawlStatus&) {
                    crawler->call_watch();
                    return CrawlRequest::kContinue;
                  })
                  .ok());
  EXPECT_EQ(crawler->status().counts.pages, 190u);
  EXPECT_TRUE(crawler->close().ok());
}

TEST_F(CrawlControl, WrongOptionsAreRefusedAndChangeNothing) {
  auto crawler = reopen();
  using Kind = CommandResult::Kind;
  EXPECT_EQ(crawler->execute(command("set", RuleTarget::kEverything, "policy", {"bfs"})).kind,
            Kind::kConflict);
  EXPECT_EQ(crawler->execute(command("set", RuleTarget::kEverything, "nonsense", {"1"})).kind,
            Kind::kBadRequest);
  EXPECT_EQ(crawler->execute(command("set", RuleTarget::kEverything, "pages", {"many"})).kind,
            Kind::kBadRequest);
  EXPECT_EQ(crawler->execute(command("block", RuleTarget::kPattern, "(")).kind, Kind::kBadRequest);
  for (const char* const host : {"http://a.test/", "a.test/page", "a test", "", "a\nb"})
    EXPECT_EQ(crawler->execute(command("pause", RuleTarget::kHost, host)).kind, Kind::kBadRequest) << host;
  for (const char* const host : {"a.test", "A.test:8080", "127.0.0.1", "[::1]:81"})
    EXPECT_EQ(crawler->execute(command("unblock", RuleTarget::kHost, host)).kind, Kind::kDone) << host;
  EXPECT_EQ(crawler->execute(command("resume")).text, "the crawl is not paused");
  EXPECT_EQ(crawler->execute(command("fetch", RuleTarget::kEverything, "ftp://a/")).kind, Kind::kBadRequest);
  EXPECT_EQ(crawler->execute(command("seed", RuleTarget::kEverything, "", {"http://"})).kind,
            Kind::kBadRequest);
  EXPECT_EQ(std::as_const(*crawler).state().control().changes_made(), 0u);
}

TEST_F(CrawlControl, ABlockedHostIsNotAskedUntilItIsUnblocked) {
  const std::string host = host_of(bench.page_url(100));
  ASSERT_NE(host, host_of(bench.page_url(0)));
  crawl_and_kill(0, {command("block", RuleTarget::kHost, host)});
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  for (const std::string& url : bench.stored()) EXPECT_NE(host_of(url), host);
  const std::uint64_t without = bench.last.counts.pages;
  auto crawler = reopen();
  EXPECT_EQ(crawler->execute(command("unblock", RuleTarget::kHost, host)).kind, CommandResult::Kind::kDone);
  ASSERT_TRUE(crawler->run().ok());
  EXPECT_GT(crawler->status().counts.pages, without);
  EXPECT_TRUE(crawler->close().ok());
}

TEST_F(CrawlControl, PagesSuspendedByABlockedPatternReturnWhenItEnds) {
  const std::string host = host_of(bench.page_url(100));
  crawl_and_kill(0, {command("block", RuleTarget::kPattern, "^http://" + host + "/")});
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  for (const std::string& url : bench.stored()) EXPECT_NE(host_of(url), host);
  auto crawler = reopen();
  EXPECT_FALSE(std::as_const(*crawler).state().control().suspended().empty());
  EXPECT_EQ(crawler->execute(command("unblock", RuleTarget::kPattern, "^http://" + host + "/")).kind,
            CommandResult::Kind::kDone);
  ASSERT_TRUE(crawler->run().ok());
  EXPECT_EQ(crawler->status().counts.pages, 200u);
  EXPECT_TRUE(crawler->close().ok());
}

TEST_F(CrawlControl, ARequestedUrlIsFetchedNextAndSurvivesAKill) {
  bench.options.order.policy = "lipr";
  const std::string wanted = bench.page_url(199);
  crawl_and_kill(5, {command("pause"), command("fetch", RuleTarget::kEverything, wanted)});
  auto crawler = reopen();
  EXPECT_LE(std::as_const(*crawler).state().control().requested().size(), 1u);  // it may have been in flight
  EXPECT_EQ(crawler->execute(command("resume")).kind, CommandResult::Kind::kDone);
  ASSERT_TRUE(crawler->run().ok());
  EXPECT_EQ(crawler->status().counts.pages, 200u);
  EXPECT_TRUE(std::as_const(*crawler).state().control().requested().empty());
  EXPECT_TRUE(crawler->close().ok());
}

// The ordering may hand it out before the request does.
TEST_F(CrawlControl, ARequestedPageIsFetchedOnce) {
  auto crawler = reopen();
  bool asked = false;
  ASSERT_TRUE(crawler
                  ->run([&](const CrawlStatus&) {
                    for (PageId page = 100; !asked && page < 200; ++page)
                      crawler->execute(command("fetch", RuleTarget::kEverything, bench.page_url(page)));
                    asked = true;
                    crawler->call_watch();
                    return CrawlRequest::kContinue;
                  })
                  .ok());
  EXPECT_TRUE(crawler->close().ok());
  std::map<PageId, int> times;
  for (const AccessEntry& entry : bench.log()) ++times[entry.page];
  for (PageId page = 0; page < 200; ++page) EXPECT_EQ(times[page], 1) << page;
}

TEST_F(CrawlControl, ARequestedPageThatIsDoneIsFetchedAgain) {
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  LiveCommand retry = command("retry");
  retry.failed = {{bench.page_url(3), static_cast<std::uint8_t>(Outcome::kTimedOut)}};
  auto crawler = reopen();
  const CommandResult result = crawler->execute(retry);
  EXPECT_EQ(result.affected, 1u);
  ASSERT_TRUE(crawler->run().ok());
  EXPECT_TRUE(std::as_const(*crawler).state().control().requested().empty());
  EXPECT_TRUE(crawler->close().ok());
  const auto log = bench.log();
  EXPECT_EQ(std::ranges::count_if(log, [](const AccessEntry& entry) { return entry.page == 3; }), 2);
}

TEST_F(CrawlControl, NewSeedsAndAWiderScopeBringMorePages) {
  bench.options.scope.mode = ScopeMode::kHost;
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  const std::uint64_t few = bench.last.counts.pages;
  EXPECT_LT(few, 200u);
  auto crawler = reopen();
  EXPECT_EQ(crawler->execute(command("seed", RuleTarget::kEverything, "", {bench.page_url(100)})).kind,
            CommandResult::Kind::kDone);
  ASSERT_TRUE(crawler->run().ok());
  EXPECT_GT(crawler->status().counts.pages, few);
  EXPECT_TRUE(crawler->close().ok());
  crawler.reset();  // releases the lock of the folder
  auto wider = reopen();
  EXPECT_EQ(wider->execute(command("set", RuleTarget::kEverything, "scope", {"any"})).kind,
            CommandResult::Kind::kDone);
  ASSERT_TRUE(wider->run().ok());
  EXPECT_EQ(wider->status().counts.pages, 200u);
  EXPECT_TRUE(wider->close().ok());
}

// Links excluded by the old scope enter, although the crawl is killed before it has judged them again.
TEST_F(CrawlControl, LinksAreJudgedByAWidenedScopeAfterAKill) {
  CrawlBench whole{random_web(200, 20, 4)};
  whole.options.scope.mode = bench.options.scope.mode = ScopeMode::kHost;
  whole.options.start.seeds.push_back(whole.page_url(100));
  EXPECT_EQ(whole.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  ASSERT_LT(bench.last.counts.pages, whole.last.counts.pages);
  {
    auto crawler = reopen();
    EXPECT_EQ(crawler->execute(command("seed", RuleTarget::kEverything, "", {bench.page_url(100)})).kind,
              CommandResult::Kind::kDone);
  }
  EXPECT_TRUE(std::filesystem::exists(bench.options.out + "/scope.pending"));
  EXPECT_EQ(bench.crawl(), CrawlEnd::kNothingLeft);
  EXPECT_EQ(bench.last.counts.pages, whole.last.counts.pages);
  EXPECT_FALSE(std::filesystem::exists(bench.options.out + "/scope.pending"));
}

}  // namespace
}  // namespace bowerbird
