// Faults that a site has on purpose: broken and moved pages, limits, copies, sessions and traps.
#include <gtest/gtest.h>

#include <set>

#include "base/hash.h"
#include "parse/change_digest.h"
#include "parse/page_reader.h"
#include "web/site/site.h"
#include "web/site/web_testing.h"

namespace bowerbird {
namespace {

std::vector<FaultRule> faults(std::string_view text) {
  return std::move(parse_faults(text)).value();
}

struct StatusFault {
  const char* rule;
  int status;
};

TEST(SiteTrouble, FaultsWithAResponseHaveTheirStatus) {
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

TEST(SiteTrouble, ATemporaryFaultEnds) {
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

TEST(SiteTrouble, AMovedPageIsAtTheEndOfItsChain) {
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

TEST(SiteTrouble, ALoopNeverEnds) {
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

TEST(SiteTrouble, PagesOfOneLinkMayBeRedirects) {
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

TEST(SiteTrouble, AFaultyHostIsFaultyInAllItsAnswers) {
  const Web web = make_ring(100);
  SiteOptions options;
  options.host_faults = faults("error=50%");
  const auto site = make_site(web, options);
  Asker asker(*site);
  int faulty = 0;
  for (PageId page = 0; page < 100; page += 10) {
    const bool bad = site->host_fault(hash64(fmt::format("host-{}.test", page / 10))).fault == Fault::kError;
    EXPECT_EQ(asker.ask_page(page).status, bad ? 500 : 200);
    EXPECT_EQ(asker.ask(fmt::format("host-{}.test", page / 10), "/robots.txt").status, bad ? 500 : 200);
    faulty += bad ? 1 : 0;
  }
  EXPECT_GT(faulty, 0);
  EXPECT_LT(faulty, 10);
}

TEST(SiteTrouble, ARobotsFaultAffectsOnlyRobots) {
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

TEST(SiteTrouble, AHostWithALimitRefusesExcessRequests) {
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

TEST(SiteTrouble, CopiesAreIdenticalAndNearCopiesAlmost) {
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

TEST(SiteTrouble, BodiesComeInACodingThatTheClientTakes) {
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

TEST(SiteTrouble, HostsDifferInSpeedWithinAFactorOfFour) {
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

// Requests page 1 with the validators of the last response.
int ask_again(Asker& asker) {
  const std::string* const tag = asker.answer.field("etag");
  const std::string* const date = asker.answer.field("last-modified");
  const std::string last_tag = tag == nullptr ? "" : *tag, last_date = date == nullptr ? "" : *date;
  SiteRequest request;
  request.authority = "host-0.test";
  request.target = "/page-1";
  request.if_none_match = last_tag;
  request.if_modified_since = last_date;
  return asker.ask(request).status;
}

TEST(SiteTrouble, ValidatorsMayBeMissingWeakOrWrong) {
  constexpr std::int64_t kYear = 365 * 86'400'000'000;
  const Web web = make_ring(10);
  const auto statuses = [&](std::string_view fault) {
    SiteOptions options = with_fault(fault);
    options.changes_per_day = 1;
    const auto site = make_site(web, options);
    EXPECT_GT(site->changes().rate_per_day(1), 0) << "choose another page";
    Asker asker(*site);
    asker.ask_page(1);
    const int at_once = ask_again(asker);
    asker.moment.web_us += kYear;
    return std::pair(at_once, ask_again(asker));
  };
  EXPECT_EQ(statuses("drip=0"), std::pair(304, 200));
  EXPECT_EQ(statuses("weak-etag"), std::pair(304, 200));
  EXPECT_EQ(statuses("no-validators"), std::pair(200, 200));
  EXPECT_EQ(statuses("stuck-etag"), std::pair(304, 304)) << "it lies";
  EXPECT_EQ(statuses("future-date"), std::pair(304, 200));
  EXPECT_EQ(statuses("restless"), std::pair(200, 200));
}

TEST(SiteTrouble, NotModifiedMayBeUnsolicited) {
  const Web web = make_ring(10);
  const auto site = make_site(web, with_fault("unasked-304:1"));
  Asker asker(*site);
  EXPECT_EQ(asker.ask_page(1).status, 304);
  EXPECT_TRUE(asker.answer.body.empty());
  EXPECT_EQ(asker.ask_page(1).status, 200);
}

TEST(SiteTrouble, ARestlessPageOnlyChangesNumbersAndTokens) {
  const Web web = make_ring(10);
  const auto site = make_site(web, with_fault("restless"));
  Asker asker(*site);
  const auto digest = [&] {
    HtmlPage page;
    PageReader().read(asker.ask_page(1).body, {}, page);
    return change_digest(page);
  };
  const std::uint64_t first = digest();
  const std::string body = asker.answer.body;
  EXPECT_EQ(digest(), first);
  EXPECT_NE(asker.answer.body, body);
}

TEST(SiteTrouble, PagesVanishAndReturn) {
  const Web web = make_ring(10);
  const auto site = make_site(web, with_fault("vanishing"));
  Asker asker(*site);
  int away = 0, returns = 0, last = 200;
  for (int day = 0; day < 1000; ++day) {
    const int status = asker.ask_page(1).status;
    EXPECT_TRUE(status == 200 || status == 404 || status == 410);
    away += status == 200 ? 0 : 1;
    returns += status == 200 && last != 200 ? 1 : 0;
    last = status;
    asker.moment.web_us += 86'400'000'000;
  }
  EXPECT_NEAR(away, 300, 150);
  EXPECT_GT(returns, 5);
}

TEST(SiteTrouble, SessionsNeverRunOutOfIdsAndShowTheSamePage) {
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

TEST(SiteTrouble, TrapsAreEndless) {
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

TEST(SiteTrouble, TheHostilePresetHasAllKindsOfFaults) {
  const SiteOptions options = hostile({});
  std::set<Fault> kinds;
  for (const FaultRule& rule : options.page_faults) kinds.insert(rule.fault);
  EXPECT_EQ(kinds.size(), all_faults().size());
  for (const double share : options.traps) EXPECT_GT(share, 0);
}

}  // namespace
}  // namespace bowerbird
