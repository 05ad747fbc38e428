// A test Web that changes over time: newcomers, feeds, dates, and the truth file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "parse/dates.h"
#include "parse/sitemap.h"
#include "sys/temporary_folder_testing.h"
#include "web/site/site.h"
#include "web/site/truth.h"
#include "web/site/web_testing.h"

namespace bowerbird {
namespace {

TEST(Site, NewcomersAppearWithTheLinksToThem) {
  const Web web = make_ring(60);
  SiteOptions options;
  options.newcomers = 0.5;
  options.newcomer_days = 10;
  options.start_us = 1'750'000'000'000'000;
  options.files.sitemaps = true;
  const auto site = make_site(web, options);
  Asker asker(*site);
  const auto there = [&](PageId page) { return site->born_us(page) <= asker.moment.web_us; };
  int newcomers = 0;
  for (PageId page = 0; page < 60; ++page) newcomers += there(page) ? 0 : 1;
  EXPECT_NEAR(newcomers, 30, 12);
  constexpr std::int64_t kDay = 86'400'000'000;
  for (int day = 0; day <= 10; day += 5) {
    for (PageId page = 0; page < 60; ++page) {
      EXPECT_EQ(asker.ask_page(page).status, there(page) ? 200 : 404);
      if (!there(page)) continue;
      std::size_t links = 0;
      for (PageId step = 1; step <= 3; ++step) links += there((page + step) % 60) ? 1 : 0;
      EXPECT_EQ(hrefs(asker.answer.body).size(), links);
    }
    const std::string map = asker.ask("http://host-1.test/sitemap.xml").body;
    for (PageId page = 10; page < 20; ++page) {
      EXPECT_EQ(map.find(fmt::format("/page-{}<", page)) != map.npos, there(page));
    }
    asker.moment.web_us += 5 * kDay;
  }
  for (PageId page = 0; page < 60; ++page) EXPECT_EQ(asker.ask_page(page).status, 200);
}

TEST(Site, ALinkThatAppearsChangesTheTagAndTheDate) {
  const Web web = make_ring(60);
  SiteOptions options;
  options.newcomers = 1;
  options.start_us = 1'750'000'000'000'000;
  const auto site = make_site(web, options);
  Asker asker(*site);
  const std::int64_t born = site->born_us(1);
  for (const PageId other : {2u, 3u}) ASSERT_NE(site->born_us(other), born);
  asker.moment.web_us = born - 1;
  const std::string tag = *asker.ask_page(0).field("etag");
  asker.moment.web_us = born;
  EXPECT_NE(*asker.ask_page(0).field("etag"), tag);
  EXPECT_EQ(*asker.answer.field("last-modified"), format_http_date(born / 1'000'000));
}

TEST(Site, AFeedHasTheLatestChangesFirst) {
  const Web web = make_ring(100);
  SiteOptions options;
  options.files.feeds = true;
  options.changes_per_day = 1;
  const auto site = make_site(web, options);
  Asker asker(*site);
  EXPECT_EQ(hrefs(asker.ask_page(0).body)[0], "/feed.xml");
  bool rss = false, atom = false;
  for (HostId host = 0; host < 10; ++host) {
    std::vector<std::string> urls;
    std::optional<UnixTime> last;
    SitemapParser parser([&](const SitemapEntry& entry) {
      ASSERT_TRUE(entry.last_modified);
      if (last) {
        EXPECT_LE(*entry.last_modified, *last) << "the latest first";
      }
      last = entry.last_modified;
      urls.push_back(entry.url);
    });
    parser.push(asker.ask(fmt::format("http://host-{}.test/feed.xml", host)).body);
    const SitemapKind kind = parser.finish().kind;
    rss |= kind == SitemapKind::kRss;
    atom |= kind == SitemapKind::kAtom;
    EXPECT_EQ(urls.size(), 10u);
  }
  EXPECT_TRUE(rss && atom);
}

TEST(Site, FalseDatesSayThatEveryPageHasJustChanged) {
  const Web web = make_ring(20);
  SiteOptions options;
  options.files.sitemaps = true;
  options.files.false_dates = 1;
  const auto site = make_site(web, options);
  Asker asker(*site);
  const std::string today = format_iso_date(asker.moment.web_us / 1'000'000);
  const std::string map = asker.ask("http://host-1.test/sitemap.xml").body;
  std::size_t found = 0;
  for (std::size_t at = map.find(today); at != map.npos; at = map.find(today, at + 1)) ++found;
  EXPECT_EQ(found, 10u);
}

TEST(Truth, HasTheRateAndTheChangesOfEveryPage) {
  const Web web = make_ring(30);
  SiteOptions options;
  options.changes_per_day = 2;
  options.newcomers = 0.3;
  options.start_us = 1'750'000'000'000'000;
  const auto site = make_site(web, options);
  const TemporaryFolder folder;
  ASSERT_TRUE(write_truth(*site, 50, {86'400, 123}, folder / "truth").ok());
  std::ifstream file(folder / "truth");
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_EQ(nlohmann::json::parse(line),
            (nlohmann::json{{"web", true}, {"scale", 86'400}, {"monotonic_us", 123}}));
  PageId page = 0;
  for (; std::getline(file, line); ++page) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json.at("page"), page);
    EXPECT_EQ(json.at("url"), fmt::format("http://host-{}.test/page-{}", page / 10, page));
    EXPECT_NEAR(json.at("rate"), site->changes().rate_per_day(page), 1e-8);
    constexpr double kDay = 86'400e6;
    for (const double day : json.at("changes")) {
      EXPECT_GE(day, json.at("born"));
      EXPECT_LE(day, 50);
      const auto time = options.start_us + static_cast<std::int64_t>(day * kDay);
      EXPECT_NE(site->changes().at(page, time - 1'000'000).key,
                site->changes().at(page, time + 1'000'000).key);
    }
  }
  EXPECT_EQ(page, 30u);
}

}  // namespace
}  // namespace bowerbird
