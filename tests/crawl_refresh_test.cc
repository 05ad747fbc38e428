// Pages that are fetched again: rounds, conditional requests, servers with wrong validators, and learned
// change rates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "crawl/inspect/crawl_log.h"
#include "crawl/state/events.h"
#include "crawl/state/restored_crawl.h"
#include "lab/crawl_graph.h"
#include "scripted_web.h"
#include "store/crawl_reader.h"
#include "sys/clock.h"

namespace bowerbird {
namespace {

// Crawls a scripted Web, then makes as many rounds as the test wants.
class RefreshedCrawl {
 public:
  RefreshedCrawl() {
    options = quick_crawl_options(folder / "crawl");
    options.politeness.patience = 0.0001;
    options.start.seeds = {"http://a.test/"};
    options.refresh.shortest = Seconds(0);
  }

  CrawlStatus run() {
    auto opened = Crawler::open(options, std::make_unique<ScriptedFetcher>(web), nullptr, &clock);
    EXPECT_TRUE(opened.ok()) << opened.error().text;
    if (!opened.ok()) return {};
    if (lasts_a_day) clock.advance(std::int64_t{86'500} * 1'000'000);
    clock.advance(more_days * std::int64_t{86'400} * 1'000'000);
    const auto end = (*opened)->run();
    EXPECT_TRUE(end.ok()) << end.error().text;
    last_end = *end;
    const CrawlStatus status = (*opened)->status();
    const Status closed = (*opened)->close();
    EXPECT_TRUE(closed.ok()) << closed.error().text;
    options.start.seeds.clear();
    return status;
  }
  CrawlStatus round(std::uint64_t pages = 0) {
    web.requests.clear();
    options.refresh.round = true;
    options.refresh.round_pages = pages;
    options.budget.pages = 0;
    return run();
  }
  std::vector<PageVisited> visits(const std::string& url) const {
    std::vector<PageVisited> found;
    const auto reader = std::move(CrawlReader::open(options.out)).value();
    PageId wanted = kNoPage;
    EXPECT_TRUE(reader
                    ->for_each_url([&](PageId page, std::string_view text) {
                      if (text == url) wanted = page;
                    })
                    .ok());
    EXPECT_TRUE(reader
                    ->walk(
                        [&](const Event& event) -> Status {
                          if (event.type != event_number<PageVisited>()) return {};
                          BB_TRY(const CrawlEvent decoded, decode_event(event, Time{}));
                          if (std::get<PageVisited>(decoded).page == wanted)
                            found.push_back(std::get<PageVisited>(decoded));
                          return {};
                        },
                        [](const CommitRecord&) -> Status { return {}; })
                    .ok());
    return found;
  }

  // Advances with each read, so that waits end.
  class StridingClock final : public Clock {
   public:
    std::int64_t now_us() const override { return us_ += 2000; }
    void advance(std::int64_t us) { us_ += us; }

   private:
    mutable std::int64_t us_ = 0;
  };

  ScriptedWeb web;
  TemporaryFolder folder;
  CrawlOptions options;
  StridingClock clock;
  bool lasts_a_day = true;  // each run takes a day
  int more_days = 0;        // each run takes these in addition
  CrawlEnd last_end = CrawlEnd::kNotYet;
};

std::string page(const std::string& text, const std::string& links = {}) {
  return "<html><title>t</title><p>" + text + "</p>" + links + "</html>";
}

TEST(CrawlRefresh, ARoundVisitsEachPageOnceWithConditionalRequests) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one", "<a href=/b>b</a><a href=/c>c</a>"), "ETag: \"v1\"\r\n");
  crawl.web.add("http://a.test/", {304, "ETag: \"v1\"\r\n", ""});
  crawl.web.add_page("http://a.test/b", page("old"), "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
  crawl.web.add_page("http://a.test/b", page("new", "<a href=/d>d</a>"));
  crawl.web.add_page("http://a.test/c", page("same"));
  crawl.web.add_page("http://a.test/d", page("found later"));
  EXPECT_EQ(crawl.run().counts.pages, 3u);
  const CrawlStatus status = crawl.round();
  EXPECT_EQ(crawl.last_end, CrawlEnd::kNothingLeft);
  EXPECT_EQ(status.counts.refresh.visits, 3u);
  EXPECT_EQ(status.counts.refresh.changed, 1u);
  EXPECT_EQ(status.counts.refresh.not_modified, 1u);
  EXPECT_GT(status.counts.refresh.bytes_saved, 0u);
  EXPECT_EQ(status.counts.pages, 4u) << "the new page";
  const auto requested = crawl.web.requested();
  EXPECT_EQ(requested.count("http://a.test/"), 1u);
  EXPECT_EQ(requested.count("http://a.test/d"), 1u);
  EXPECT_NE(crawl.web.request_of("http://a.test/").fields.find("If-None-Match: \"v1\"\r\n"),
            std::string::npos);
  EXPECT_NE(crawl.web.request_of("http://a.test/b")
                .fields.find("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n"),
            std::string::npos);
  EXPECT_TRUE(crawl.web.request_of("http://a.test/c").fields.empty());
  EXPECT_GE(status.counts.refresh.freshness, 0);
  EXPECT_LE(status.counts.refresh.freshness, 1);
}

TEST(CrawlRefresh, ARoundEndsAfterItsFetches) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one", "<a href=/b>b</a><a href=/c>c</a>"));
  crawl.web.add_page("http://a.test/b", page("b"));
  crawl.web.add_page("http://a.test/c", page("c"));
  crawl.options.budget.pages = 3;  // of the first run; it does not apply to the round
  crawl.run();
  const CrawlStatus status = crawl.round(2);
  EXPECT_EQ(crawl.last_end, CrawlEnd::kPages);
  EXPECT_EQ(status.counts.refresh.visits, 2u);
  EXPECT_EQ(crawl.round().counts.refresh.visits, 5u) << "each page once, those of the last round too";
}

TEST(CrawlRefresh, PagesFetchedRecentlyAreSkipped) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one"));
  crawl.run();
  crawl.options.refresh.shortest = Seconds(3 * 86'400);
  EXPECT_EQ(crawl.round().counts.refresh.visits, 0u);
  EXPECT_EQ(crawl.last_end, CrawlEnd::kNothingLeft);
  crawl.options.refresh.shortest = Seconds(0);
  EXPECT_EQ(crawl.round().counts.refresh.visits, 1u);
}

TEST(CrawlRefresh, ARoundThatSkipsAllPagesSaysWhy) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one"));
  crawl.run();
  crawl.lasts_a_day = false;
  for (const bool is_due : {true, false}) {
    crawl.options.refresh.shortest = Seconds(is_due ? 0 : 3 * 86'400);
    crawl.options.refresh.round = true;
    const auto opened =
        Crawler::open(crawl.options, std::make_unique<ScriptedFetcher>(crawl.web), nullptr, &crawl.clock);
    ASSERT_TRUE(opened.ok()) << opened.error().text;
    EXPECT_THAT((*opened)->notes(),
                testing::Contains(testing::HasSubstr("(--shortest-interval)")).Times(is_due ? 0 : 1));
  }
}

TEST(CrawlRefresh, HeldPagesOfAHostAtItsBudgetAreFetchedAgain) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one", "<a href=/b>b</a><a href=/c>c</a>"));
  crawl.web.add_page("http://a.test/b", page("b"));
  crawl.web.add_page("http://a.test/c", page("c"));
  crawl.options.budget.pages_per_host = 2;
  EXPECT_EQ(crawl.run().counts.pages, 2u);
  crawl.options.budget.time = Seconds(3600);  // in case that a round does not end
  for (const std::uint64_t visits : {2u, 4u, 6u}) {
    const CrawlStatus status = crawl.round();
    EXPECT_EQ(crawl.last_end, CrawlEnd::kNothingLeft);
    EXPECT_EQ(status.counts.refresh.visits, visits);
    EXPECT_EQ(status.counts.pages, 2u);
  }
}

TEST(CrawlRefresh, AByteBudgetLimitsTheRoundAlone) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page(std::string(1000, 'x'), "<a href=/b>b</a><a href=/c>c</a>"));
  crawl.web.add_page("http://a.test/b", page(std::string(1000, 'y')));
  crawl.web.add_page("http://a.test/c", page(std::string(1000, 'z')));
  crawl.run();
  crawl.options.budget.bytes = 1500;
  EXPECT_EQ(crawl.round().counts.refresh.visits, 2u);
  EXPECT_EQ(crawl.last_end, CrawlEnd::kBytes);
}

TEST(CrawlRefresh, TheLastStatusHasFreshnessAtTheEnd) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one"));
  crawl.options.refresh.policy = "uniform";
  crawl.lasts_a_day = false;
  EXPECT_GT(crawl.run().counts.refresh.freshness, 0.99) << "no page was held when the run began";
}

// The date of a machine whose clock was not set yet, and a wrong one, then the right one.
TEST(CrawlRefresh, RoundsEndAfterTheClockHasJumpedByDecades) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one", "<a href=/b>b</a>"));
  crawl.web.add_page("http://a.test/b", page("b"));
  crawl.run();
  crawl.options.budget.time = Seconds(3600);  // in case that a round does not end
  std::uint64_t visits = 0;
  for (const int years : {1, 50, 0, 80}) {
    crawl.more_days = 365 * years;
    const CrawlStatus status = crawl.round();
    EXPECT_EQ(crawl.last_end, CrawlEnd::kNothingLeft) << years;
    EXPECT_EQ(status.counts.refresh.visits, visits += 2) << years;
  }
}

TEST(CrawlRefresh, APageThatIsMissingTwiceIsGone) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one", "<a href=/b>b</a><a href=/c>c</a>"));
  crawl.web.add_page("http://a.test/b", page("b"));
  crawl.web.add("http://a.test/b", {404, "", ""});
  crawl.web.add_page("http://a.test/c", page("c"));
  crawl.web.add("http://a.test/c", {410, "", ""});
  crawl.web.add_page("http://a.test/c", page("c is back"));
  crawl.web.add("http://a.test/c", {404, "", ""});
  crawl.run();
  EXPECT_EQ(crawl.round().counts.refresh.gone, 0u);
  EXPECT_EQ(crawl.round().counts.refresh.gone, 1u) << "b";
  EXPECT_EQ(crawl.round().counts.refresh.gone, 1u) << "c was missing once, was there, and is missing again";
  EXPECT_EQ(crawl.web.requested().count("http://a.test/b"), 0u);
  EXPECT_EQ(crawl.round().counts.refresh.gone, 2u);
}

TEST(CrawlRefresh, AFailedVisitChangesNoRateAndLosesNothing) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one"));
  for (int i = 0; i < 3; ++i) crawl.web.add("http://a.test/", {500, "", ""});
  crawl.web.add_page("http://a.test/", page("one"));
  crawl.run();
  const CrawlStatus failed = crawl.round();
  EXPECT_EQ(failed.counts.refresh.failed, 1u);
  EXPECT_EQ(failed.counts.retries, 2u);
  const CrawlStatus again = crawl.round();
  EXPECT_EQ(again.counts.refresh.visits, 2u);
  EXPECT_EQ(again.counts.refresh.changed, 0u);
}

TEST(CrawlRefresh, AnUnsolicitedNotModifiedIsAFailure) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one"));
  crawl.web.add("http://a.test/", {304, "", ""});
  crawl.web.add_page("http://a.test/", page("two"));
  crawl.run();
  const CrawlStatus lied = crawl.round();
  EXPECT_EQ(lied.counts.refresh.failed, 1u);
  EXPECT_EQ(lied.counts.refresh.not_modified, 0u);
  EXPECT_EQ(crawl.round().counts.refresh.changed, 1u) << "the page is not lost";
}

TEST(CrawlRefresh, ALastModifiedInTheFutureIsNotUsed) {
  RefreshedCrawl crawl;
  crawl.web.add_page(
      "http://a.test/", page("one"),
      "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nLast-Modified: Sun, 06 Nov 2044 08:49:37 GMT\r\n");
  crawl.run();
  crawl.round();
  EXPECT_TRUE(crawl.web.request_of("http://a.test/").fields.empty());
}

TEST(CrawlRefresh, AnETagThatNeverChangesOnlyCostsFreshness) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one"), "ETag: \"always\"\r\n");
  for (int i = 0; i < 4; ++i) crawl.web.add("http://a.test/", {304, "ETag: \"always\"\r\n", ""});
  crawl.web.add_page("http://a.test/", page("two"), "ETag: \"always\"\r\n");
  crawl.run();
  for (std::uint64_t i = 1; i <= 4; ++i) {
    const CrawlStatus status = crawl.round();
    EXPECT_EQ(status.counts.refresh.visits, i);
    EXPECT_EQ(status.counts.refresh.not_modified, i);
    EXPECT_EQ(crawl.web.requested().count("http://a.test/"), 1u) << "no loop";
  }
  EXPECT_EQ(crawl.round().counts.refresh.changed, 1u) << "the page is still held";
}

TEST(CrawlRefresh, CountersAndTokensAreNotChanges) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("visitors: 17, token deadbeef01, 3 days ago"), "ETag: \"1\"\r\n");
  crawl.web.add_page("http://a.test/", page("visitors: 18, token 0badcafe77, 4 days ago"), "ETag: \"2\"\r\n");
  crawl.run();
  EXPECT_EQ(crawl.round().counts.refresh.changed, 0u);
  EXPECT_NE(crawl.round().counts.refresh.visits, 0u);
  EXPECT_NE(crawl.web.request_of("http://a.test/").fields.find("\"2\""), std::string::npos);
}

TEST(CrawlRefresh, APageIsComparedWithItsCaptureOfACrawlThatDidNotRefresh) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one", "<a href=/b>b</a><a href=/c>c</a>"));
  crawl.web.add_page("http://a.test/", page("one", "<!-- 1 --><a href=/b>b</a><a href=/c>c</a>"));
  crawl.web.add_page("http://a.test/b", page("old"));
  crawl.web.add_page("http://a.test/b", page("new"));
  crawl.web.add_page("http://a.test/c", page("same"));
  crawl.run();
  EXPECT_TRUE(is_bytes_digest(crawl.visits("http://a.test/").back().digest));
  EXPECT_EQ(crawl.round().counts.refresh.changed, 1u);
  EXPECT_FALSE(is_bytes_digest(crawl.visits("http://a.test/").back().digest));
  EXPECT_EQ(crawl.round().counts.refresh.changed, 1u);
}

TEST(CrawlRefresh, AChangedRedirectIsAChangeAndItsTargetIsFound) {
  RefreshedCrawl crawl;
  crawl.web.add("http://a.test/", {301, "Location: /b\r\n", ""});
  crawl.web.add("http://a.test/", {301, "Location: /c\r\n", ""});
  crawl.web.add_page("http://a.test/b", page("b"));
  crawl.web.add_page("http://a.test/c", page("c"));
  crawl.run();
  const CrawlStatus status = crawl.round();
  EXPECT_EQ(status.counts.refresh.changed, 1u);
  EXPECT_EQ(crawl.web.requested().count("http://a.test/c"), 1u);
}

TEST(CrawlRefresh, PagesThatRobotsTxtForbidsSinceAreNotFetched) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one", "<a href=/b>b</a>"));
  crawl.web.add_page("http://a.test/b", page("b"));
  crawl.web.add("http://a.test/robots.txt", {404, "", ""});
  crawl.web.add("http://a.test/robots.txt",
                {200, "Content-Type: text/plain\r\n", "User-agent: *\nDisallow: /b\n"});
  crawl.run();
  crawl.round();  // robots.txt is a day old
  EXPECT_EQ(crawl.web.requested().count("http://a.test/"), 1u);
  EXPECT_EQ(crawl.web.requested().count("http://a.test/b"), 0u);
}

TEST(CrawlRefresh, ANewDateInASitemapMakesItsPageDueOnce) {
  RefreshedCrawl crawl;
  crawl.options.start.sitemaps = {"http://a.test/map.xml"};
  const auto map = [](const std::string& date) {
    return "<urlset "
           "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>http://a.test/b</loc><lastmod>" +
           date + "</lastmod></url></urlset>";
  };
  crawl.web.add_page("http://a.test/", page("one"));
  crawl.web.add_page("http://a.test/b", page("b"));
  crawl.web.add("http://a.test/map.xml", {200, "Content-Type: application/xml\r\n", map("2001-01-01")});
  crawl.web.add("http://a.test/map.xml", {200, "Content-Type: application/xml\r\n", map("2001-01-02")});
  crawl.web.add("http://a.test/map.xml", {200, "Content-Type: application/xml\r\n", map("2001-01-03")});
  crawl.run();
  crawl.options.start.sitemaps.clear();
  for (int i = 0; i < 3; ++i) crawl.round();
  const auto reader = std::move(CrawlReader::open(crawl.options.out)).value();
  std::vector<bool> due;
  ASSERT_TRUE(reader
                  ->walk(
                      [&](const Event& event) -> Status {
                        if (event.type != event_number<PagesListed>()) return {};
                        BB_TRY(const CrawlEvent decoded, decode_event(event, Time{}));
                        for (const ListedPage& listed : std::get<PagesListed>(decoded).pages)
                          due.push_back(listed.due);
                        return {};
                      },
                      [](const CommitRecord&) -> Status { return {}; })
                  .ok());
  EXPECT_EQ(due, (std::vector<bool>{false, true})) << "the first value is old news";
}

TEST(CrawlRefresh, LinksThatAVisitFindsAreInTheGraph) {
  RefreshedCrawl crawl;
  crawl.web.add_page("http://a.test/", page("one", "<a href=/b>b</a>"));
  crawl.web.add_page("http://a.test/",
                     page("two", "<a href=/b>b</a><a href=/c>c</a><a href=/d rel=nofollow>d</a>"));
  crawl.web.add_page("http://a.test/b", page("b"));
  crawl.web.add_page("http://a.test/c", page("c"));
  crawl.run();
  crawl.round();
  const auto reader = std::move(CrawlReader::open(crawl.options.out)).value();
  std::vector<std::string> later;
  ASSERT_TRUE(reader
                  ->for_each_later_links([&](const PageLinks& row) -> Status {
                    for (const StoredLink& link : row.links)
                      later.push_back(*reader->url(row.page) + " " + *reader->url(link.page));
                    return {};
                  })
                  .ok());
  EXPECT_EQ(later,
            (std::vector<std::string>{"http://a.test/ http://a.test/c", "http://a.test/ http://a.test/d"}));
  const Web web = std::move(open_crawl_graph(crawl.options.out, {})).value();
  LinkBuffer buffer;
  EXPECT_EQ(web.graph->out(0, buffer).size(), 2u) << "b and c, not the nofollow link";
  // The importance of a page by its links is recounted when the measure changes.
  crawl.options.refresh.importance = RefreshImportance::kBacklinks;
  crawl.round();
  const auto restored = std::move(RestoredCrawl::open_to_read(crawl.options.out)).value();
  ASSERT_TRUE(restored->restore().ok());
  const CrawlState& state = restored->state();
  for (PageId one = 0; one < state.pages(); ++one) {
    if (state.url(one) != "http://a.test/c") continue;
    EXPECT_EQ(state.refresh().queue()->importance(one), 2);
  }
}

TEST(CrawlRefresh, AVisitFetchesNewRequisites) {
  RefreshedCrawl crawl;
  crawl.options.selection.requisites = true;
  const auto image = [](const std::string& name) { return "<img src=/" + name + ".png>"; };
  crawl.web.add_page("http://a.test/", page("one", image("old")));
  crawl.web.add_page("http://a.test/", page("two", image("old") + image("new")));
  for (const char* url : {"http://a.test/old.png", "http://a.test/new.png"})
    crawl.web.add(url, {200, "Content-Type: image/png\r\n", "png"});
  crawl.run();
  crawl.round();
  EXPECT_EQ(crawl.web.requested().count("http://a.test/new.png"), 1u);
  EXPECT_EQ(crawl.web.requested().count("http://a.test/old.png"), 0u) << "it is in the archive";
}

// The feed of a site is found on its pages, and read again as a list of what is new.
TEST(CrawlRefresh, AFeedIsReadAgainAsAListOfNewPages) {
  RefreshedCrawl crawl;
  crawl.options.refresh.policy = "index-age";
  const auto feed = [](const std::string& time, const std::string& items) {
    return ScriptedAnswer{200, "Content-Type: application/rss+xml\r\n",
                          "<rss version=\"2.0\"><channel><lastBuildDate>" + time + "</lastBuildDate>" +
                              items + "</channel></rss>"};
  };
  const auto item = [](const std::string& name) {
    return "<item><link>http://a.test/" + name +
           "</link><pubDate>Sun, 06 Nov 1994 08:49:37 GMT</pubDate></item>";
  };
  crawl.web.add_page("http://a.test/",
                     page("one",
                          "<link rel=alternate type='application/rss+xml; charset=utf-8' href=/feed>"
                          "<link rel=alternate type=application/rss+xml href=/comments>"));
  crawl.web.add("http://a.test/feed", feed("Sun, 06 Nov 1994 09:00:00 GMT", item("b")));
  crawl.web.add("http://a.test/feed", feed("Mon, 07 Nov 1994 09:00:00 GMT", item("b")));
  crawl.web.add("http://a.test/feed", feed("Tue, 08 Nov 1994 09:00:00 GMT", item("c") + item("b")));
  for (const char* name : {"b", "c"}) crawl.web.add_page(std::string("http://a.test/") + name, page(name));
  crawl.run();
  EXPECT_EQ(crawl.web.requested().count("http://a.test/b"), 1u);
  EXPECT_EQ(crawl.web.requested().count("http://a.test/comments"), 0u)
      << "the first feed of a page is the site's";
  EXPECT_EQ(crawl.round().counts.refresh.changed, 0u) << "that it was built again is no change";
  EXPECT_EQ(crawl.round().counts.refresh.changed, 1u);
  EXPECT_EQ(crawl.web.requested().count("http://a.test/c"), 1u);
}

// A given rate is one budget for new and held pages; the default rate is for held pages only.
TEST(CrawlRefresh, AGivenRateIsTheBudgetOfAllFetches) {
  for (const bool per_host : {false, true}) {
    RefreshedCrawl crawl;
    std::string links;
    for (int i = 0; i < 60; ++i) {
      links += fmt::format("<a href=/{}>p</a>", i);
      crawl.web.add_page(fmt::format("http://a.test/{}", i), page("p"));
    }
    crawl.web.add_page("http://a.test/", page("home", links));
    crawl.options.refresh.policy = "uniform";
    crawl.options.refresh.forever = true;
    crawl.options.refresh.time_scale = 86'400;
    crawl.lasts_a_day = false;
    if (per_host) {
      crawl.options.refresh.host_rate = 4;
    } else {
      crawl.options.refresh.rate = 4;
    }
    crawl.options.budget.time = Seconds(10);  // ten days
    crawl.run();
    const std::size_t requests =
        crawl.web.requested().size() - crawl.web.requested().count("http://a.test/robots.txt");
    EXPECT_GE(requests, 35u) << per_host;
    EXPECT_LE(requests, 43u) << per_host;
  }
}

// Every choice is the best one by the definition, given the visits in the journal: what the lab does.
void expect_best_choices(const std::string& folder, const RefreshRule& rule, std::uint64_t least) {
  const auto crawl = std::move(RestoredCrawl::open_to_read(folder)).value();
  ASSERT_TRUE(crawl->make_state().ok());
  std::uint64_t choices = 0;
  const Status replayed = crawl->replay_from_beginning(
      [&](const CrawlEvent& event, const std::function<Status()>& apply) -> Status {
        const auto* const taken = std::get_if<RefreshTaken>(&event);
        if (taken != nullptr && taken->page != kNoPage) {
          const CrawlState& state = crawl->state();
          const RefreshQueue& queue = *state.refresh().queue();
          const RefreshTime now = state.refresh().time(taken->now);
          const auto value_of = [&](PageId page, const RefreshFacts& facts) {
            if (facts.is_new && rule.new_page != nullptr) return rule.new_page(facts.importance, facts.rate);
            return queue.value(page, now);
          };
          double best = 0, chosen = 0;
          queue.for_each([&](PageId page, const RefreshFacts& facts) {
            const double value = value_of(page, facts);
            if (page == taken->page) chosen = value;
            const RefreshTime free = facts.since + queue.options().shortest;
            const bool rests = !facts.is_new && (free > now || free > queue.options().round);
            if (!rests && !queue.is_in_flight(page) && !state.refresh().is_closed(state.host(page)))
              best = std::max(best, value);
          });
          EXPECT_GE(chosen, 0.998 * best) << rule.name;
          ++choices;
        }
        return apply();
      });
  ASSERT_TRUE(replayed.ok()) << replayed.error().text;
  EXPECT_GE(choices, least) << rule.name;
}

TEST(CrawlRefresh, TheLabWouldChooseTheSamePages) {
  for (const RefreshRule& rule : refresh_rules()) {
    if (rule.name == "none") continue;
    RefreshedCrawl crawl;
    crawl.options.refresh.policy = rule.name;
    crawl.options.refresh.longest = Seconds(0);
    crawl.options.refresh.least_new = 0;
    std::string links;
    for (int i = 0; i < 25; ++i) {
      links += fmt::format("<a href=/{}>p</a>", i);
      const std::string url = fmt::format("http://a.test/{}", i);
      for (int version = 0; version < 6; ++version) {
        const char letter = static_cast<char>('a' + (i % 4 == 0 ? 0 : version / (i % 4)));
        crawl.web.add_page(url, page(std::string(3, letter), fmt::format("<a href=/{}>n</a>", (i * i) % 25)));
      }
    }
    crawl.web.add_page("http://a.test/", page("home", links));
    crawl.run();
    for (int i = 0; i < 4; ++i) crawl.round(i == 2 ? 10 : 0);
    expect_best_choices(crawl.options.out, rule, 80);
  }
}

}  // namespace
}  // namespace bowerbird
