// Settings of [[site]] tables, --links-from, --keep and cookies, in crawls of a fake Web.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "crawl/inspect/url_list.h"
#include "scripted_web.h"

namespace bowerbird {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

std::string site_links(const std::vector<std::string>& urls) {
  std::string html;
  for (const std::string& url : urls) html += "<a href='" + url + "'>x</a>";
  return html;
}

class SiteCrawl : public ScriptedCrawl {
 public:
  SiteCrawl() {
    options.storage.warc = Compression::kNone;
    options.storage.robots = false;
    options.start.seeds = {"https://a.test/"};
  }
  // Pages in the order of their requests, without robots.txt.
  std::vector<std::string> order() const {
    std::vector<std::string> urls;
    for (const FetchRequest& request : web.requests) {
      if (!request.url.ends_with("/robots.txt")) urls.push_back(request.url);
    }
    return urls;
  }
  SiteSettings& add_site(std::vector<std::string> hosts, std::vector<std::string> urls = {}) {
    SiteSettings& site = options.sites.emplace_back();
    site.hosts = std::move(hosts);
    site.urls = std::move(urls);
    return site;
  }
  // All bytes of the archive and the log.
  std::string archive() const {
    std::string all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(options.out)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() &&
          (name.find(".warc") != name.npos || name.ends_with(".jsonl") || name.ends_with(".cdxj")))
        all += read_text(entry.path().string());
    }
    return all;
  }
};

TEST(CrawlSites, ADepthAndAScopePerSite) {
  SiteCrawl crawl;
  crawl.web.add_page("https://a.test/",
                     site_links({"https://a.test/1", "https://b.test/", "https://a.test/no"}));
  crawl.web.add_page("https://a.test/1", site_links({"https://a.test/2"}));
  crawl.web.add_page("https://a.test/2", "");
  crawl.web.add_page("https://b.test/", site_links({"https://b.test/1"}));
  crawl.web.add_page("https://b.test/1", site_links({"https://b.test/2"}));
  crawl.web.add_page("https://b.test/2", "");
  crawl.options.budget.depth = 1;
  SiteSettings& b = crawl.add_site({"b.test"});
  b.depth = 2;
  crawl.add_site({"a.test"}).exclude = {"/no$"};
  crawl.run();
  EXPECT_THAT(crawl.order(), UnorderedElementsAre("https://a.test/", "https://a.test/1", "https://b.test/",
                                                  "https://b.test/1"));
  // At a resume with other tables, excluded links are admitted.
  crawl.web.requests.clear();
  crawl.options.sites[0].depth = 3;
  crawl.options.sites.pop_back();
  crawl.run();
  EXPECT_THAT(crawl.order(), UnorderedElementsAre("https://b.test/2", "https://a.test/no"));
}

TEST(CrawlSites, BudgetsOfATableSurviveARestart) {
  SiteCrawl crawl;
  std::vector<std::string> all;
  for (int i = 0; i < 20; ++i) all.push_back("https://a.test/shop/" + std::to_string(i));
  for (int i = 0; i < 5; ++i) all.push_back("https://a.test/doc/" + std::to_string(i));
  crawl.web.add_page("https://a.test/", site_links(all));
  for (const std::string& url : all) crawl.web.add_page(url, "x");
  SiteSettings& shop = crawl.add_site({}, {"/shop/"});
  shop.pages = 3;
  crawl.options.budget.pages = 3;
  crawl.run();
  crawl.options.budget.pages = 0;
  crawl.run();
  EXPECT_EQ(crawl.last.counts.pages, 1u + 3 + 5);
  EXPECT_EQ(crawl.last.counts.sites.at("/shop/").pages, 3u);
  crawl.options.sites[0].pages = 7;
  crawl.run();
  EXPECT_EQ(crawl.last.counts.pages, 1u + 7 + 5) << "a larger budget goes on";
  crawl.options.sites[0].pages.reset();
  crawl.options.sites[0].bytes = 9;
  crawl.run();
  EXPECT_EQ(crawl.last.counts.sites.at("/shop/").bytes, 9u);
}

TEST(CrawlSites, PagesPerHostOfASite) {
  SiteCrawl crawl;
  std::vector<std::string> all;
  for (const char* host : {"a", "b"}) {
    for (int i = 0; i < 5; ++i) all.push_back(fmt::format("https://{}.test/{}", host, i));
  }
  crawl.web.add_page("https://a.test/", site_links(all));
  for (const std::string& url : all) crawl.web.add_page(url, "x");
  crawl.add_site({"b.test"}).pages_per_host = 2;
  crawl.run();
  EXPECT_EQ(crawl.last.counts.pages, 6u + 2);
}

TEST(CrawlSites, APriorityMovesASiteForward) {
  for (const char* policy : {"bfs", "fpr@100", "lipr"}) {
    SCOPED_TRACE(policy);
    SiteCrawl crawl;
    crawl.options.order.policy = policy;
    std::vector<std::string> all;
    for (int i = 0; i < 6; ++i) all.push_back(fmt::format("https://h{}.test/", i));
    crawl.web.add_page("https://a.test/", site_links(all));
    for (const std::string& url : all) crawl.web.add_page(url, "x");
    crawl.options.politeness.connections = 1;
    crawl.add_site({"h5.test"}).priority = 1000;
    crawl.add_site({"h0.test"}).priority = 0.001;
    crawl.run();
    const std::vector<std::string> order = crawl.order();
    ASSERT_EQ(order.size(), 7u);
    EXPECT_EQ(order[1], "https://h5.test/");
    EXPECT_EQ(order[6], "https://h0.test/");
  }
}

TEST(CrawlSites, LinksFromAndKeepSelectPages) {
  SiteCrawl crawl;
  crawl.web.add_page("https://a.test/", site_links({"https://a.test/list/1", "https://a.test/item/1"}));
  crawl.web.add_page("https://a.test/list/1", site_links({"https://a.test/item/2"}));
  crawl.web.add_page("https://a.test/item/1", site_links({"https://a.test/item/3"}));
  crawl.web.add_page("https://a.test/item/2", site_links({"https://a.test/item/4"}));
  crawl.options.selection.links_from = {"/list/"};
  crawl.options.selection.keep = {"/item/"};
  crawl.run();
  EXPECT_THAT(crawl.order(), UnorderedElementsAre("https://a.test/", "https://a.test/list/1",
                                                  "https://a.test/item/1", "https://a.test/item/2"));
  EXPECT_THAT(crawl.stored(), UnorderedElementsAre("https://a.test/item/1", "https://a.test/item/2"));
  EXPECT_EQ(crawl.last.counts.pages, 4u) << "page budgets count what was fetched";
}

TEST(CrawlSites, KeepByType) {
  SiteCrawl crawl;
  crawl.options.selection.types = {"html", "pdf"};
  crawl.options.selection.keep = {"type:pdf"};
  crawl.web.add_page("https://a.test/", site_links({"https://a.test/x.pdf", "https://a.test/gone"}));
  crawl.web.add("https://a.test/x.pdf", {200, "Content-Type: application/pdf\r\n", "%PDF-1.4"});
  crawl.run();
  EXPECT_THAT(crawl.stored(), UnorderedElementsAre("https://a.test/x.pdf"));
}

TEST(CrawlSites, RequisitesOfOneSite) {
  SiteCrawl crawl;
  crawl.web.add_page("https://a.test/", "<img src='https://a.test/a.png'>" + site_links({"https://b.test/"}));
  crawl.web.add_page("https://b.test/", "<img src='https://b.test/b.png'>");
  for (const char* image : {"https://a.test/a.png", "https://b.test/b.png"})
    crawl.web.add(image, {200, "Content-Type: image/png\r\n", "p"});
  crawl.add_site({"b.test"}).requisites = true;
  crawl.run();
  EXPECT_THAT(crawl.order(), Contains("https://b.test/b.png"));
  EXPECT_THAT(crawl.order(), Not(Contains("https://a.test/a.png")));
}

// ---- Cookies

TEST(CrawlCookies, AreKeptSentBackAndNeverArchived) {
  SiteCrawl crawl;
  crawl.options.scope.mode = ScopeMode::kHost;
  crawl.options.start.seeds = {"https://a.test/login"};
  crawl.web.add_page("https://a.test/login", site_links({"https://a.test/1"}),
                     "Set-Cookie: sid=TOPSECRET; Path=/\r\n");
  crawl.web.add_page("https://a.test/1", site_links({"https://a.test/2"}));
  crawl.options.budget.pages = 2;
  crawl.run();
  EXPECT_THAT(crawl.web.request_of("https://a.test/1").fields, HasSubstr("Cookie: sid=TOPSECRET\r\n"));
  EXPECT_THAT(crawl.web.request_of("https://a.test/robots.txt").fields, Not(HasSubstr("Cookie")));
  const std::string file = crawl.options.out + "/cookies.txt";
  EXPECT_THAT(read_text(file), HasSubstr("a.test\tFALSE\t/\tTRUE\t0\tsid\tTOPSECRET\n"));
  struct stat about {};
  ASSERT_EQ(::stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
  const std::string archive = crawl.archive();
  EXPECT_THAT(archive, HasSubstr("Cookie: withheld"));
  EXPECT_THAT(archive, Not(HasSubstr("\nCookie: sid")));
  // The next run has the cookies.
  crawl.web.requests.clear();
  crawl.web.add_page("https://a.test/2", "");
  crawl.options.budget.pages = 0;
  crawl.run();
  EXPECT_THAT(crawl.web.request_of("https://a.test/2").fields, HasSubstr("sid=TOPSECRET"));
}

TEST(CrawlCookies, DoNotFollowRedirectsToOtherHostsOrToHttp) {
  SiteCrawl crawl;
  crawl.options.network.cookie_jar = CookieMode::kOn;
  crawl.web.add_page("https://a.test/", site_links({"https://a.test/away", "https://a.test/down"}),
                     "Set-Cookie: s=1\r\n");
  crawl.web.add("https://a.test/away", {302, "Location: https://b.test/x\r\n", ""});
  crawl.web.add("https://a.test/down", {302, "Location: http://a.test/x\r\n", ""});
  crawl.web.add_page("https://b.test/x", "");
  crawl.web.add_page("http://a.test/x", "");
  crawl.run();
  EXPECT_THAT(crawl.web.request_of("https://a.test/away").fields, HasSubstr("Cookie: s=1"));
  EXPECT_THAT(crawl.web.request_of("https://b.test/x").fields, Not(HasSubstr("Cookie")));
  EXPECT_THAT(crawl.web.request_of("http://a.test/x").fields, Not(HasSubstr("Cookie")));
}

TEST(CrawlCookies, AreOnByDefaultOnlyForOneHost) {
  for (const bool one : {true, false}) {
    SiteCrawl crawl;
    crawl.options.scope.mode = ScopeMode::kHost;
    if (!one) crawl.options.start.seeds.emplace_back("https://b.test/");
    crawl.web.add_page("https://a.test/", site_links({"https://a.test/1"}), "Set-Cookie: s=1\r\n");
    crawl.web.add_page("https://a.test/1", "");
    crawl.run();
    EXPECT_EQ(crawl.web.request_of("https://a.test/1").fields.find("Cookie") != std::string::npos, one);
  }
  SiteCrawl any;
  any.web.add_page("https://a.test/", site_links({"https://a.test/1"}), "Set-Cookie: s=1\r\n");
  any.web.add_page("https://a.test/1", "");
  any.run();
  EXPECT_THAT(any.web.request_of("https://a.test/1").fields, Not(HasSubstr("Cookie"))) << "--scope any";
}

TEST(CrawlCookies, MayBeEnabledPerSiteAndReadFromAFile) {
  SiteCrawl crawl;
  crawl.web.add_page("https://a.test/", site_links({"https://a.test/1", "https://b.test/"}),
                     "Set-Cookie: s=1\r\n");
  crawl.web.add_page("https://a.test/1", "", "Set-Cookie: s=2\r\n");
  crawl.web.add_page("https://b.test/", site_links({"https://b.test/1"}), "Set-Cookie: t=1\r\n");
  crawl.web.add_page("https://b.test/1", "");
  crawl.add_site({"b.test"}).cookies = true;
  crawl.options.network.cookies = {"b.test=own=1"};
  crawl.run();
  EXPECT_THAT(crawl.web.request_of("https://a.test/1").fields, Not(HasSubstr("Cookie")));
  EXPECT_THAT(crawl.web.request_of("https://b.test/1").fields, HasSubstr("Cookie: own=1; t=1\r\n"));

  SiteCrawl given;
  given.options.network.cookie_file = given.folder / "given.txt";
  write_text(given.options.network.cookie_file, ".a.test\tTRUE\t/\tTRUE\t0\tg\t7\n");
  given.web.add_page("https://a.test/", "");
  given.run();
  EXPECT_THAT(given.web.request_of("https://a.test/").fields, HasSubstr("Cookie: g=7\r\n"));
  write_text(given.options.network.cookie_file, "nonsense\n");
  given.options.out = given.folder / "other";
  const auto refused = Crawler::open(given.options, std::make_unique<ScriptedFetcher>(given.web));
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().text, HasSubstr("given.txt:1: expected seven fields"));
}

}  // namespace
}  // namespace bowerbird
