#include "web/site/site.h"

#include <gtest/gtest.h>

#include <set>

#include "base/hash.h"
#include "web/site/web_testing.h"

namespace bowerbird {
namespace {

TEST(Site, APageHoldsItsLinksInAscendingOrderAndNoOthers) {
  const Web web = make_ring(25);
  const auto site = make_site(web);
  Asker asker(*site);
  const SiteAnswer& answer = asker.ask("http://host-0.test/page-8");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.page, 8u);
  EXPECT_EQ(hrefs(answer.body), (std::vector<std::string>{"/page-9", "http://host-1.test/page-10",
                                                          "http://host-1.test/page-11"}));
  EXPECT_EQ(*answer.field("content-type"), "text/html; charset=utf-8");
}

TEST(Site, EveryPageOfAWebCanBeReachedByItsLinks) {
  const Web web = make_ring(40);
  const auto site = make_site(web);
  Asker asker(*site);
  for (PageId page = 0; page < 40; ++page) {
    EXPECT_EQ(asker.ask_page(page).page, page);
    EXPECT_EQ(asker.answer.status, 200);
    const std::vector<std::string> links = hrefs(asker.answer.body);
    ASSERT_EQ(links.size(), 3u);
  }
}

TEST(Site, AResponseDoesNotDependOnEarlierRequests) {
  const Web web = make_ring(30);
  SiteOptions options;
  options.changes_per_day = 5;
  options.page_faults = std::move(parse_faults("truncated=20%,drip=20%,garbage=10%")).value();
  options.traps = {0.5, 0.5, 0.5, 0.5};
  const auto site = make_site(web, options);
  const auto twin = make_site(web, options);
  Asker forwards(*site), backwards(*twin);
  std::vector<std::string> bodies(30);
  for (PageId page = 0; page < 30; ++page) bodies[page] = forwards.ask_page(page).body;
  for (PageId page = 30; page-- > 0;) EXPECT_EQ(backwards.ask_page(page).body, bodies[page]) << page;
}

TEST(Site, AnotherSeedIsAnotherText) {
  const Web web = make_ring(10);
  SiteOptions options;
  const auto one = make_site(web, options);
  options.seed = 2;
  const auto other = make_site(web, options);
  EXPECT_NE(Asker(*one).ask_page(1).body, Asker(*other).ask_page(1).body);
}

TEST(Site, AnchorTextIsTheTitleOfTheTarget) {
  const Web web = make_ring(20);
  const auto site = make_site(web);
  Asker asker(*site);
  const std::string html = asker.ask_page(9).body;
  const std::string target = asker.ask_page(10).body;
  const std::size_t begin = target.find("<title>") + 7;
  const std::string title = target.substr(begin, target.find("</title>") - begin);
  EXPECT_NE(html.find("page-10\">" + title + "</a>"), std::string::npos);
}

TEST(Site, LinksThatNeedEscapingAreEscaped) {
  const Web web = make_web({{1}, {}}, {}, {"http://a.org/", "http://a.org/x?a=1&amp=2"});
  const auto site = make_site(web);
  Asker asker(*site);
  EXPECT_NE(asker.ask("http://a.org/").body.find("href=\"/x?a=1&amp;amp=2\""), std::string::npos);
  EXPECT_EQ(asker.ask("http://a.org/x?a=1&amp=2").page, 1u);
}

TEST(Site, APathThatBeginsWithTwoSlashesIsNotAHost) {
  const Web web = make_web({{1}, {}}, {}, {"http://a.org/", "http://a.org//b"});
  const auto site = make_site(web);
  EXPECT_EQ(hrefs(Asker(*site).ask("http://a.org/").body), std::vector<std::string>{"http://a.org//b"});
}

TEST(Site, MissingPagesAre404AndUnknownHosts421) {
  const Web web = make_ring(10);
  const auto site = make_site(web);
  Asker asker(*site);
  EXPECT_EQ(asker.ask("http://host-0.test/page-77").status, 404);
  EXPECT_EQ(asker.ask("http://host-0.test/sitemap.xml").status, 404);
  EXPECT_EQ(asker.ask("http://host-0.test/-/calendar/2024-01").status, 404);
  EXPECT_EQ(asker.ask("http://host-7.test/page-1").status, 421);
  EXPECT_EQ(asker.ask("http://example.org/").status, 421);
}

TEST(Site, TheHomeOfAHostLeadsToItsFirstPage) {
  const Web web = make_ring(30);
  const auto site = make_site(web);
  Asker asker(*site);
  const SiteAnswer& answer = asker.ask("http://host-2.test/");
  EXPECT_EQ(answer.status, 302);
  EXPECT_EQ(*answer.field("location"), "http://host-2.test/page-20");
}

TEST(Site, OtherMethodsAreRefused) {
  const Web web = make_ring(10);
  const auto site = make_site(web);
  Asker asker(*site);
  SiteRequest request;
  request.authority = "host-0.test";
  request.target = "/page-1";
  request.method = "POST";
  EXPECT_EQ(asker.ask(request).status, 405);
  EXPECT_EQ(*asker.answer.field("allow"), "GET, HEAD, OPTIONS");
  request.method = "OPTIONS";
  EXPECT_EQ(asker.ask(request).status, 204);
  request.method = "HEAD";
  EXPECT_EQ(asker.ask(request).status, 200);
}

TEST(Site, TheHostIsKnownInAnyCaseAndWithAPort) {
  const Web web = make_ring(30);
  const auto site = make_site(web);
  Asker asker(*site);
  EXPECT_EQ(asker.ask("HOST-0.Test", "/page-9").page, 9u);
  EXPECT_EQ(hrefs(asker.ask("host-0.test:8080", "/page-9").body)[0], "http://host-1.test:8080/page-10");
  EXPECT_EQ(hrefs(asker.ask("host-0.test.localhost:8080", "/page-9").body)[0],
            "http://host-1.test.localhost:8080/page-10");
}

TEST(Site, WithTlsPlainRequestsAreRedirectedToHttps) {
  const Web web = make_web({{}, {}}, {}, {"https://a.org/x", "http://a.org/y"});
  SiteOptions options;
  options.https = true;
  const auto site = make_site(web, options);
  Asker asker(*site);
  EXPECT_EQ(asker.ask("a.org", "/x").status, 301);
  EXPECT_EQ(*asker.answer.field("location"), "https://a.org/x");
  EXPECT_EQ(asker.ask("a.org", "/y").status, 200);
  SiteRequest request;
  request.https = true;
  request.authority = "a.org";
  request.target = "/x";
  EXPECT_EQ(asker.ask(request).status, 200);
}

// RFC 9110, 13.1.2 and 13.1.3.
TEST(Site, UnchangedPagesAreNotSentAgain) {
  const Web web = make_ring(10);
  const auto site = make_site(web);
  Asker asker(*site);
  asker.ask_page(3);
  const std::string tag = *asker.answer.field("etag");
  const std::string date = *asker.answer.field("last-modified");
  SiteRequest request;
  request.authority = "host-0.test";
  request.target = "/page-3";
  for (const std::string& value : {tag, "\"x\", W/" + tag, std::string("*")}) {
    request.if_none_match = value;
    EXPECT_EQ(asker.ask(request).status, 304) << value;
    EXPECT_TRUE(asker.answer.body.empty());
    EXPECT_EQ(*asker.answer.field("etag"), tag);
  }
  request.if_none_match = "\"x\"";
  request.if_modified_since = date;  // the tag takes precedence
  EXPECT_EQ(asker.ask(request).status, 200);
  request.if_none_match = {};
  EXPECT_EQ(asker.ask(request).status, 304);
  request.if_modified_since = "Sun, 06 Nov 1994 08:49:37 GMT";
  EXPECT_EQ(asker.ask(request).status, 200);
  request.if_modified_since = "yesterday";
  EXPECT_EQ(asker.ask(request).status, 200);
}

TEST(Site, APageChangesAtItsTime) {
  const Web web = make_ring(50);
  SiteOptions options;
  options.changes_per_day = 1;
  const auto site = make_site(web, options);
  Asker asker(*site);
  constexpr std::int64_t kDay = 86'400'000'000;
  int changed = 0, changing = 0;
  for (PageId page = 0; page < 50; ++page) {
    const std::string before = asker.ask_page(page).body;
    const std::string tag = *asker.answer.field("etag");
    const std::vector<std::string> links = hrefs(before);
    asker.moment.web_us += 100 * kDay;
    const std::string after = asker.ask_page(page).body;
    asker.moment.web_us -= 100 * kDay;
    EXPECT_EQ(hrefs(after), links);
    EXPECT_EQ(before == after, *asker.answer.field("etag") == tag);
    changed += before != after ? 1 : 0;
    changing += site->changes().rate_per_day(page) > 0 ? 1 : 0;
  }
  EXPECT_EQ(changed,
            changing);  // at 0.2 changes a day, a hundred days without one are practically impossible
  EXPECT_GT(changing, 15);
  EXPECT_LT(changing, 45);
}

TEST(Site, RobotsTxtForbidsPathsThatEndIn3) {
  const Web web = make_ring(10);
  SiteOptions options;
  Asker(*make_site(web, options)).ask("http://host-0.test/robots.txt");
  const auto kind = make_site(web, options);
  EXPECT_EQ(Asker(*kind).ask("http://host-0.test/robots.txt").body, "User-agent: *\nDisallow:\n");
  options.files.disallow = 1;
  options.files.crawl_delay_s = 2.5;
  options.files.sitemaps = true;
  const auto strict = make_site(web, options);
  EXPECT_EQ(Asker(*strict).ask("http://host-0.test/robots.txt").body,
            "User-agent: *\nDisallow: /*3$\nAllow: /*33$\nCrawl-delay: 2.5\n\n"
            "Sitemap: http://host-0.test/sitemap.xml\n");
  EXPECT_TRUE(strict->disallows(hash64("host-0.test")));
}

TEST(Site, ASitemapListsThePagesOfItsHost) {
  const Web web = make_ring(30);
  SiteOptions options;
  options.files.sitemaps = true;
  const auto site = make_site(web, options);
  Asker asker(*site);
  const std::string xml = asker.ask("http://host-1.test/sitemap.xml").body;
  for (PageId page = 0; page < 30; ++page) {
    const bool listed = xml.find(fmt::format("/page-{}</loc><lastmod>20", page)) != std::string::npos;
    EXPECT_EQ(listed, page >= 10 && page < 20) << page;
  }
  const std::string text = asker.ask("http://host-1.test/sitemap-0.txt").body;
  EXPECT_EQ(text.substr(0, text.find('\n')), "http://host-1.test/page-10");
  EXPECT_EQ(asker.ask("http://host-1.test/sitemap-0.xml.gz").body.substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(asker.ask("http://host-1.test/sitemap-1.xml").status, 404);
  EXPECT_EQ(asker.ask("http://host-1.test/sitemap-0.pdf").status, 404);
}

TEST(Site, ALargeHostHasAnIndexOfSitemaps) {
  const Web web = make_web(std::vector<std::vector<PageId>>(25'000));
  SiteOptions options;
  options.files.sitemaps = true;
  const auto site = make_site(web, options);
  Asker asker(*site);
  const std::string index = asker.ask("http://host-0.test/sitemap.xml").body;
  EXPECT_NE(index.find("<sitemapindex"), std::string::npos);
  for (const char* part : {"/sitemap-0.xml<", "/sitemap-1.xml.gz<", "/sitemap-2.txt<"}) {
    EXPECT_NE(index.find(part), std::string::npos) << part;
  }
  const std::string last = asker.ask("http://host-0.test/sitemap-2.txt").body;
  EXPECT_EQ(std::count(last.begin(), last.end(), '\n'), 5000);
}

TEST(Portal, ListsHostsAndPages) {
  const Web web = make_ring(2000);
  const auto site = make_site(web);
  Asker asker(*site);
  const std::vector<std::string> links = hrefs(asker.ask("127.0.0.1:8080", "/").body);
  ASSERT_EQ(links.size(), 12u + 100 + 1);
  EXPECT_EQ(links[12], "/~/host-0.test/");
  EXPECT_EQ(links.back(), "/?from=100");
  const std::vector<std::string> more = hrefs(asker.ask("localhost", "/?from=100").body);
  EXPECT_EQ(more[12], "/~/host-100.test/");
  EXPECT_EQ(more.back(), "/?from=0");
  EXPECT_EQ(asker.ask("[::1]:80", "/?from=99999999999").status, 200);
}

TEST(Portal, LinksStayInThePortal) {
  const Web web = make_ring(30);
  SiteOptions options;
  options.traps = {1, 1, 0, 1};
  options.copies = 1;
  const auto site = make_site(web, options);
  Asker asker(*site);
  std::vector<std::string> queue = {"/"};
  std::set<std::string> seen = {"/"};
  std::set<PageId> pages;
  for (std::size_t i = 0; i < queue.size() && i < 2000; ++i) {
    asker.ask("127.0.0.1", queue[i]);
    std::string location = asker.answer.status / 100 == 3 ? *asker.answer.field("location") : "";
    EXPECT_TRUE(asker.answer.status == 200 || asker.answer.status == 302) << queue[i];
    if (asker.answer.page != kNoPage) pages.insert(asker.answer.page);
    std::vector<std::string> next = hrefs(asker.answer.body);
    if (!location.empty()) next.push_back(location);
    for (const std::string& link : next) {
      EXPECT_TRUE(link == "/" || link.starts_with("/~/")) << link;
      if (seen.insert(link).second) queue.push_back(link);
    }
  }
  EXPECT_EQ(pages.size(), 30u);
}

TEST(Portal, AHostWithoutAPathMeansItsHomePage) {
  const Web web = make_ring(30);
  const auto site = make_site(web);
  Asker asker(*site);
  EXPECT_EQ(*asker.ask("127.0.0.1", "/~/host-1.test").field("location"), "/~/host-1.test/");
  EXPECT_EQ(*asker.ask("127.0.0.1", "/~/host-1.test/").field("location"), "/~/host-1.test/page-10");
  EXPECT_EQ(asker.ask("127.0.0.1", "/~/nowhere.test/").status, 421);
  EXPECT_EQ(asker.ask("127.0.0.1", "/nonsense").status, 404);
}

}  // namespace
}  // namespace bowerbird
