#include "web/site.h"

#include <gtest/gtest.h>

#include <set>

#include "base/hash.h"
#include "web/web_testing.h"

namespace bowerbird {
namespace {

std::vector<FaultRule> faults(std::string_view text) {
  return std::move(parse_faults(text)).value();
}

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

TEST(Site, TheSameRequestHasTheSameAnswerWhateverWasAskedBefore) {
  const Web web = make_ring(30);
  SiteOptions options;
  options.changes_per_day = 5;
  options.page_faults = faults("truncated=20%,drip=20%,garbage=10%");
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

TEST(Site, APathOfTwoSlashesIsNotMistakenForAHost) {
  const Web web = make_web({{1}, {}}, {}, {"http://a.org/", "http://a.org//b"});
  const auto site = make_site(web);
  EXPECT_EQ(hrefs(Asker(*site).ask("http://a.org/").body), std::vector<std::string>{"http://a.org//b"});
}

TEST(Site, WhatIsNotThereIs404AndAnUnknownHostIs421) {
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

TEST(Site, WhereTlsIsSpokenPlainRequestsAreSentThere) {
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
  request.if_modified_since = date;  // the tag goes first
  EXPECT_EQ(asker.ask(request).status, 200);
  request.if_none_match = {};
  EXPECT_EQ(asker.ask(request).status, 304);
  request.if_modified_since = "Sun, 06 Nov 1994 08:49:37 GMT";
  EXPECT_EQ(asker.ask(request).status, 200);
  request.if_modified_since = "yesterday";
  EXPECT_EQ(asker.ask(request).status, 200);
}

TEST(Site, APageChangesWhenItsTimeHasCome) {
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
  EXPECT_EQ(changed, changing);  // at 0.2 a day, a hundred days without a change do not happen
  EXPECT_GT(changing, 15);
  EXPECT_LT(changing, 45);
}

TEST(Site, RobotsTxtSaysWhatIsForbidden) {
  const Web web = make_ring(10);
  SiteOptions options;
  Asker(*make_site(web, options)).ask("http://host-0.test/robots.txt");
  const auto kind = make_site(web, options);
  EXPECT_EQ(Asker(*kind).ask("http://host-0.test/robots.txt").body, "User-agent: *\nDisallow:\n");
  options.disallow = 1;
  options.crawl_delay_s = 2.5;
  options.sitemaps = true;
  const auto strict = make_site(web, options);
  EXPECT_EQ(Asker(*strict).ask("http://host-0.test/robots.txt").body,
            "User-agent: *\nDisallow: /*3$\nAllow: /*33$\nCrawl-delay: 2.5\n\n"
            "Sitemap: http://host-0.test/sitemap.xml\n");
  EXPECT_TRUE(strict->disallows(hash64("host-0.test")));
}

TEST(Site, ASitemapListsThePagesOfItsHost) {
  const Web web = make_ring(30);
  SiteOptions options;
  options.sitemaps = true;
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
  options.sitemaps = true;
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

struct StatusFault {
  const char* rule;
  int status;
};

TEST(Site, FaultsThatAnswerHaveTheirStatus) {
  const Web web = make_ring(10);
  for (const StatusFault& fault : {StatusFault{"not-found", 404},
                                   {"gone", 410},
                                   {"forbidden", 403},
                                   {"error", 500},
                                   {"unavailable:0", 503},
                                   {"too-many:0", 429}}) {
    SiteOptions options;
    options.page_faults = faults(fault.rule);
    options.retry_after_s = 7;
    const auto site = make_site(web, options);
    Asker asker(*site);
    EXPECT_EQ(asker.ask_page(2).status, fault.status) << fault.rule;
    EXPECT_EQ(asker.answer.page, 2u);
    EXPECT_EQ(fault.status == 503 || fault.status == 429, asker.answer.field("retry-after") != nullptr);
    EXPECT_EQ(asker.ask("http://host-0.test/robots.txt").status, 200);
  }
}

TEST(Site, APassingFaultPasses) {
  const Web web = make_ring(10);
  SiteOptions options;
  options.page_faults = faults("unavailable:2=100%");
  const auto site = make_site(web, options);
  Asker asker(*site);
  EXPECT_EQ(asker.ask_page(2).status, 503);
  EXPECT_EQ(asker.ask_page(2).status, 503);
  EXPECT_EQ(asker.ask_page(2).status, 200);
  EXPECT_EQ(asker.answer.fault, Fault::kNone);
  EXPECT_EQ(asker.ask_page(3).status, 503);
}

TEST(Site, AMovedPageIsAtTheEndOfItsChain) {
  const Web web = make_ring(60);
  SiteOptions options;
  options.page_faults = faults("moved");
  const auto site = make_site(web, options);
  Asker asker(*site);
  std::set<int> lengths;
  for (PageId page = 0; page < 60; ++page) {
    asker.ask_page(page);
    int hops = 0;
    while (asker.answer.status >= 300 && hops < 10) {
      ++hops;
      const std::string location = *asker.answer.field("location");
      asker.ask(location);
    }
    EXPECT_EQ(asker.answer.status, 200);
    EXPECT_EQ(asker.answer.page, page);
    lengths.insert(hops);
  }
  EXPECT_EQ(lengths, (std::set<int>{2, 3, 4}));
}

TEST(Site, ALoopNeverEnds) {
  const Web web = make_ring(10);
  SiteOptions options;
  options.page_faults = faults("loop");
  const auto site = make_site(web, options);
  Asker asker(*site);
  asker.ask_page(1);
  std::set<std::string> seen;
  for (int hop = 0; hop < 20; ++hop) {
    ASSERT_EQ(asker.answer.status / 100, 3);
    const std::string location = *asker.answer.field("location");
    seen.insert(location);
    asker.ask(location);
  }
  EXPECT_EQ(seen.size(), 2u);
}

TEST(Site, PagesOfOneLinkMayBeRedirects) {
  std::vector<std::vector<PageId>> rows(101);
  for (PageId page = 0; page < 100; ++page) rows[page] = {100};
  const Web web = make_web(std::move(rows));
  SiteOptions options;
  options.redirects = 1;
  const auto site = make_site(web, options);
  Asker asker(*site);
  std::set<int> statuses;
  for (PageId page = 0; page < 100; ++page) {
    asker.ask_page(page);
    statuses.insert(asker.answer.status);
    if (asker.answer.status == 200) {
      EXPECT_NE(asker.answer.body.find("http-equiv=\"refresh\" content=\"0; url=/page-100\""),
                std::string::npos);
      EXPECT_TRUE(hrefs(asker.answer.body).empty());
    } else {
      EXPECT_EQ(*asker.answer.field("location"), "http://host-0.test/page-100");
    }
  }
  EXPECT_EQ(statuses, (std::set<int>{200, 301, 302, 307, 308}));
  EXPECT_EQ(asker.ask_page(100).status, 200);
}

TEST(Site, AFaultyHostIsFaultyInAllItsAnswers) {
  const Web web = make_ring(100);
  SiteOptions options;
  options.host_faults = faults("error=50%");
  const auto site = make_site(web, options);
  Asker asker(*site);
  int faulty = 0;
  for (PageId page = 0; page < 100; page += 10) {
    const bool bad =
        site->host_fault(hash64(fmt::format("host-{}.test", page / 10))).fault == Fault::kError;
    EXPECT_EQ(asker.ask_page(page).status, bad ? 500 : 200);
    EXPECT_EQ(asker.ask(fmt::format("host-{}.test", page / 10), "/robots.txt").status, bad ? 500 : 200);
    faulty += bad ? 1 : 0;
  }
  EXPECT_GT(faulty, 0);
  EXPECT_LT(faulty, 10);
}

TEST(Site, ARobotsFaultBefallsRobotsAlone) {
  const Web web = make_ring(10);
  SiteOptions options;
  options.robots_faults = faults("moved");
  const auto site = make_site(web, options);
  Asker asker(*site);
  asker.ask("http://host-0.test/robots.txt");
  for (int hop = 0; hop < 5 && asker.answer.status != 200; ++hop) {
    const std::string location = *asker.answer.field("location");
    asker.ask(location);
  }
  EXPECT_EQ(asker.answer.body, "User-agent: *\nDisallow:\n");
  EXPECT_EQ(asker.ask_page(1).status, 200);
}

TEST(Site, AHostWithALimitTurnsAwayWhatIsTooMuch) {
  const Web web = make_ring(20);
  SiteOptions options;
  options.requests_per_second = 10;
  const auto site = make_site(web, options);
  Asker asker(*site);
  EXPECT_EQ(asker.ask_page(1).status, 200);
  EXPECT_EQ(asker.ask_page(2).status, 200);  // two at once
  EXPECT_EQ(asker.ask_page(3).status, 429);
  EXPECT_EQ(asker.ask_page(13).status, 200);  // another host
  asker.moment.monotonic_us += 100'000;
  EXPECT_EQ(asker.ask_page(3).status, 200);
  EXPECT_EQ(asker.ask_page(4).status, 429);
}

TEST(Site, CopiesAreTheSameBytesAndNearCopiesAlmost) {
  const Web web = make_ring(10);
  SiteOptions options;
  options.copies = 1;
  options.near_copies = 1;
  const auto site = make_site(web, options);
  Asker asker(*site);
  const std::string page = asker.ask_page(5).body;
  const std::vector<std::string> links = hrefs(page);
  ASSERT_EQ(links.size(), 7u);
  EXPECT_EQ(links[3], "/-/copy/1/page-5");
  EXPECT_EQ(asker.ask("host-0.test", links[3]).body, page);
  EXPECT_EQ(asker.ask("host-0.test", links[4]).body, page);
  const std::string near = asker.ask("host-0.test", links[5]).body;
  EXPECT_NE(near, page);
  EXPECT_NE(near, asker.ask("host-0.test", links[6]).body);
  EXPECT_LT(near.size(), page.size() + 100);
  EXPECT_EQ(hrefs(near), links);
}

TEST(Site, BodiesComeInACodingThatTheClientTakes) {
  const Web web = make_ring(40);
  SiteOptions options;
  options.codings.add(Coding::kGzip);
  options.codings.add(Coding::kBrotli);
  const auto site = make_site(web, options);
  Asker asker(*site);
  std::set<std::string> seen;
  for (PageId page = 0; page < 10; ++page) {
    const std::string target = fmt::format("/page-{}", page);
    SiteRequest request;
    request.authority = "host-0.test";
    request.target = target;
    EXPECT_EQ(asker.ask(request).field("content-encoding"), nullptr);
    EXPECT_EQ(*asker.answer.field("vary"), "accept-encoding");
    request.codings = accepted_codings("br, gzip, zstd");
    seen.insert(*asker.ask(request).field("content-encoding"));
    request.codings = accepted_codings("zstd, br");
    EXPECT_EQ(*asker.ask(request).field("content-encoding"), "br");
  }
  EXPECT_EQ(seen, (std::set<std::string>{"br", "gzip"}));
}

TEST(Site, HostsDifferInSpeedWithinAFactorOfFour) {
  const Web web = make_ring(10);
  SiteOptions options;
  options.latency_ms = 100;
  options.bytes_per_second = 10'000;
  const auto site = make_site(web, options);
  std::set<std::int64_t> latencies;
  int below = 0;
  for (std::uint64_t host = 0; host < 200; ++host) {
    EXPECT_GE(site->latency_us(host), 25'000);
    EXPECT_LE(site->latency_us(host), 400'000);
    EXPECT_GE(site->bytes_per_second(host), 2500u);
    EXPECT_LE(site->bytes_per_second(host), 40'001u);
    below += site->latency_us(host) < 100'000 ? 1 : 0;
    latencies.insert(site->latency_us(host));
  }
  EXPECT_GT(latencies.size(), 190u);
  EXPECT_NEAR(below, 100, 30);
}

TEST(Site, SessionsNeverRunOutOfIdsAndShowTheSamePage) {
  const Web web = make_ring(10);
  SiteOptions options;
  options.traps = {0, 1, 0, 0};
  const auto site = make_site(web, options);
  Asker asker(*site);
  std::set<std::string> urls;
  std::string next = hrefs(asker.ask_page(1).body)[0];
  for (int i = 0; i < 50; ++i) {
    EXPECT_TRUE(urls.insert(next).second) << next;
    asker.ask("host-0.test", next);
    ASSERT_EQ(asker.answer.status, 200) << next;
    EXPECT_NE(asker.answer.page, kNoPage);
    next = hrefs(asker.answer.body)[0];
  }
  EXPECT_EQ(asker.ask("host-0.test", "/page-99?sid=12").status, 404);
  EXPECT_EQ(asker.ask("host-0.test", "/page-1?sid=&sid=&sid=").status, 404);
}

TEST(Site, TrapsGoOnAndOn) {
  const Web web = make_ring(10);
  SiteOptions options;
  options.traps = {1, 0, 1, 1};
  const auto site = make_site(web, options);
  Asker asker(*site);
  const std::vector<std::string> links = hrefs(asker.ask_page(1).body);
  ASSERT_EQ(links.size(), 6u);
  EXPECT_EQ(links[3], "/-/calendar/2024-01");
  std::string month = links[3];
  for (int i = 0; i < 30; ++i) {
    asker.ask("host-0.test", month);
    ASSERT_EQ(asker.answer.status, 200) << month;
    EXPECT_EQ(hrefs(asker.answer.body).size(), 31u);
    month = hrefs(asker.answer.body)[1];
  }
  EXPECT_EQ(month, "/-/calendar/2026-07");
  EXPECT_EQ(asker.ask("host-0.test", "/-/calendar/2026-07-28").status, 200);
  EXPECT_EQ(asker.ask("host-0.test", "/-/calendar/2026-13").status, 404);
  EXPECT_EQ(asker.ask("host-0.test", "/-/calendar/2026-07-29").status, 404);
  EXPECT_EQ(links[4], "/-/deep/");
  EXPECT_EQ(hrefs(asker.ask("host-0.test", "/-/deep/left/right/").body)[0], "left/");
  EXPECT_EQ(links[5], "/-/facets");
  const std::vector<std::string> facets = hrefs(asker.ask("host-0.test", "/-/facets?size=2").body);
  EXPECT_EQ(facets.size(), 10u);
  EXPECT_EQ(facets[0], "/-/facets?size=2&colour=1");
}

TEST(Portal, ShowsHostsAndPagesAndTheWayOn) {
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

TEST(Portal, EveryLinkStaysInIt) {
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

TEST(Portal, AHostWithoutAPathIsItsHome) {
  const Web web = make_ring(30);
  const auto site = make_site(web);
  Asker asker(*site);
  EXPECT_EQ(*asker.ask("127.0.0.1", "/~/host-1.test").field("location"), "/~/host-1.test/");
  EXPECT_EQ(*asker.ask("127.0.0.1", "/~/host-1.test/").field("location"), "/~/host-1.test/page-10");
  EXPECT_EQ(asker.ask("127.0.0.1", "/~/nowhere.test/").status, 421);
  EXPECT_EQ(asker.ask("127.0.0.1", "/nonsense").status, 404);
}

TEST(Site, TheHostilePresetHasAllKindsOfTrouble) {
  const SiteOptions options = hostile({});
  std::set<Fault> kinds;
  for (const FaultRule& rule : options.page_faults) kinds.insert(rule.fault);
  EXPECT_EQ(kinds.size(), all_faults().size());
  for (const double share : options.traps) EXPECT_GT(share, 0);
}

}  // namespace
}  // namespace bowerbird
