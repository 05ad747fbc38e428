// Pages with their requisites: what is fetched, in which order, within which limits, and which pages are
// complete.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "archive/capture_library.h"
#include "archive/captures.h"
#include "crawl/inspect/completeness.h"
#include "crawl/inspect/folder_status.h"
#include "crawl/inspect/url_list.h"
#include "crawl_testing.h"
#include "pretended_web_testing.h"
#include "scripted_web.h"
#include "small_site_testing.h"
#include "sys/file.h"

namespace bowerbird {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

const std::string kSite = "http://a.test/docs/";
const std::string kNoIcon = "<link rel=icon href='data:,'>";
constexpr std::uint64_t kNever = ~std::uint64_t{0};

class RequisiteCrawl : public ScriptedCrawl {
 public:
  RequisiteCrawl() {
    options.scope.mode = ScopeMode::kPrefix;
    options.start.seeds = {kSite};
    options.selection.requisites = true;
  }
  // An HTML page that declares that it has no icon.
  void add_page(const std::string& url, const std::string& body) { web.add_page(url, kNoIcon + body); }
  void add_css(const std::string& url, std::string css) {
    web.add(url, {200, "Content-Type: text/css\r\n", std::move(css)});
  }
  void add_image(const std::string& url, std::size_t bytes = 4) {
    web.add(url, {200, "Content-Type: image/png\r\n", std::string(bytes, 'p')});
  }
  // The requests in order, without robots.txt.
  std::vector<std::string> asked() const {
    std::vector<std::string> urls;
    for (const FetchRequest& request : web.requests) {
      if (!request.url.ends_with("/robots.txt")) urls.push_back(request.url);
    }
    return urls;
  }
  // "URL: missing; missing" for each incomplete page.
  std::vector<std::string> incomplete() const {
    const auto crawl = std::move(RestoredCrawl::open_to_read(options.out)).value();
    std::vector<std::string> lines;
    const Status listed = list_urls(*crawl, UrlState::kIncomplete, 100, [&](const ListedUrl& one) {
      std::string line = one.url;
      for (const std::string& missing : one.missing) line += " | " + missing;
      lines.push_back(line);
    });
    EXPECT_TRUE(listed.ok()) << listed.error().text;
    // The last commit says the same.
    const auto counted = std::move(completeness_of(*crawl)).value().value_or(PagesLacking());
    EXPECT_EQ(counted.incomplete + counted.waiting, lines.size());
    EXPECT_EQ(read_completeness(options.out).value().waiting, counted.waiting);
    return lines;
  }
  const RequisiteCounts& counts() const { return last.counts.requisites; }
};

TEST(CrawlRequisites, AreFetchedWithTheirPageWhereverTheyAre) {
  RequisiteCrawl crawl;
  crawl.add_page(kSite,
                 "<link rel=stylesheet href=/css/main.css><link rel=icon href=//cdn.test/icon.png>"
                 "<img src=1.png srcset='2.png 1x, //cdn.test/3.png 2x' data-src=4.png>"
                 "<script src=//cdn.test/x.js></script><div style=\"background:url('5.png')\">"
                 "<style>@import 'inline.css'; p{background:url(6.png)}</style>"
                 "<video poster=7.png src=v.mp4></video><a href=page2>2</a><a href=/elsewhere>no</a>");
  crawl.add_page(kSite + "page2", "<link rel=stylesheet href=/css/main.css><img src=1.png>");
  crawl.add_css(
      "http://a.test/css/main.css",
      "@import url(more.css); @font-face{src:url(//fonts.test/f.woff2)} body{background:url(bg.png)}");
  crawl.add_css("http://a.test/css/more.css", "p{background:url(../img/deep.png)}");
  crawl.add_css(kSite + "inline.css", "@import 'inline.css';");
  for (const char* url : {"http://a.test/docs/1.png", "http://a.test/docs/2.png", "http://cdn.test/3.png",
                          "http://a.test/docs/4.png", "http://a.test/docs/5.png", "http://a.test/docs/6.png",
                          "http://a.test/docs/7.png", "http://cdn.test/icon.png", "http://a.test/css/bg.png",
                          "http://a.test/img/deep.png", "http://fonts.test/f.woff2", "http://cdn.test/x.js",
                          "http://a.test/docs/v.mp4"})
    crawl.add_image(url);
  crawl.run();
  const auto stored = crawl.stored();
  EXPECT_EQ(stored.size(), 2u + 3 + 13) << "each once, for both pages";
  EXPECT_THAT(stored, Contains("http://a.test/img/deep.png"));
  EXPECT_THAT(stored, Contains("http://fonts.test/f.woff2"));
  EXPECT_THAT(stored, Not(Contains("http://a.test/elsewhere")));
  EXPECT_EQ(crawl.last.counts.pages, 2u);
  EXPECT_EQ(crawl.counts().fetched(), 16u);
  EXPECT_EQ(crawl.last.requisites_pending, 0u);
  EXPECT_EQ(crawl.outcome(Outcome::kFetched), 2u) << "requisites are no pages";
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
  // They precede the next page of the same host.
  const auto asked = crawl.asked();
  EXPECT_GT(std::find(asked.begin(), asked.end(), kSite + "page2") - asked.begin(), 8);
}

TEST(CrawlRequisites, IconsComeFromAManifestOrTheDefaultPath) {
  RequisiteCrawl crawl;
  crawl.web.add_page(
      kSite,
      "<link rel=manifest href=/app.json><a href=b><svg><style>p{background:url(s.png)}</style>"
      "</svg><iframe src=//f.test/></iframe>");
  crawl.web.add_page(kSite + "b", "");
  crawl.web.add_page("http://f.test/", "a frame has no icon");
  crawl.web.add("http://a.test/app.json",
                {200, "Content-Type: application/manifest+json\r\n", R"({"icons": [{"src": "i/48.png"}]})"});
  crawl.add_image("http://a.test/i/48.png");
  crawl.add_image("http://a.test/favicon.ico");
  crawl.add_image(kSite + "s.png");
  crawl.run();
  EXPECT_THAT(crawl.stored(),
              UnorderedElementsAre(kSite, kSite + "b", kSite + "s.png", "http://a.test/app.json",
                                   "http://a.test/i/48.png", "http://a.test/favicon.ico", "http://f.test/"));
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
}

TEST(CrawlRequisites, IncludeTheStyleSheetsThatXmlNamesBeforeItsRoot) {
  RequisiteCrawl crawl;
  crawl.web.add(kSite, {200, "Content-Type: application/xhtml+xml\r\n",
                        "<?xml version='1.0'?><?xml-stylesheet href='a.css' type='text/css'?>"
                        "<html xmlns='http://www.w3.org/1999/xhtml'><link rel='icon' href='data:,'/>"
                        "<object data='i.svg'/></html>"});
  crawl.web.add(kSite + "i.svg",
                {200, "Content-Type: image/svg+xml\r\n",
                 "<?xml-stylesheet href='b.css'?><svg xmlns='http://www.w3.org/2000/svg'/>"});
  crawl.add_css(kSite + "a.css", "p{background:url(a.png)}");
  crawl.add_css(kSite + "b.css", "");
  crawl.add_image(kSite + "a.png");
  crawl.run();
  EXPECT_THAT(crawl.stored(), UnorderedElementsAre(kSite, kSite + "i.svg", kSite + "a.css", kSite + "b.css",
                                                   kSite + "a.png"));
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
}

// Doxygen writes its diagrams like this.
TEST(CrawlRequisites, IncludeFramesInScopeThatAreNoPages) {
  RequisiteCrawl crawl;
  crawl.add_page(kSite, "<iframe src=graph.svg></iframe><iframe src=page.html></iframe>");
  crawl.web.add(kSite + "graph.svg",
                {200, "Content-Type: image/svg+xml\r\n",
                 "<svg xmlns='http://www.w3.org/2000/svg'><image href='in.png'/></svg>"});
  crawl.add_image(kSite + "in.png");
  crawl.add_page(kSite + "page.html", "");
  crawl.run();
  EXPECT_THAT(crawl.stored(),
              UnorderedElementsAre(kSite, kSite + "graph.svg", kSite + "in.png", kSite + "page.html"));
  EXPECT_THAT(crawl.asked(),
              UnorderedElementsAre(kSite, kSite + "graph.svg", kSite + "in.png", kSite + "page.html"))
      << "each once";
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
}

TEST(CrawlRequisites, AreNoPagesWhateverTheirType) {
  RequisiteCrawl crawl;
  crawl.options.selection.types = {"html", "text"};
  crawl.add_page(kSite, "<script src=x.js></script><link rel=icon href=data:,><a href=notes>");
  crawl.web.add(kSite + "x.js", {200, "Content-Type: text/plain\r\n", "go()"});
  crawl.web.add(kSite + "notes", {200, "Content-Type: text/plain\r\n", "notes"});
  crawl.run();
  const auto library = std::move(CaptureLibrary::open({crawl.options.out})).value();
  std::vector<std::string> pages;
  for (const ArchivedPage& page : library->pages()) pages.push_back(page.url);
  EXPECT_THAT(pages, ElementsAre(kSite, kSite + "notes"));
  // Nor are they pages of the graph.
  EXPECT_EQ(read_requisites_only(crawl.options.out).value().size(), 1u);
}

TEST(CrawlRequisites, AreNotFetchedIfSwitchedOff) {
  RequisiteCrawl crawl;
  crawl.options.selection.requisites = false;
  crawl.add_page(kSite, "<img src=1.png><link rel=stylesheet href=2.css>");
  crawl.run();
  EXPECT_THAT(crawl.asked(), ElementsAre(kSite));
}

TEST(CrawlRequisites, CountForNoPageBudgetAndAreExemptFromTheScope) {
  RequisiteCrawl crawl;
  crawl.options.budget.pages = 1;
  crawl.options.budget.depth = 0;
  crawl.options.budget.pages_per_host = 1;
  crawl.options.scope.include = {"/docs/$"};
  crawl.add_page(kSite, "<img src=1.png><img src=//cdn.test/2.png><a href=next>");
  crawl.add_page(kSite + "next", "");
  crawl.add_image(kSite + "1.png");
  crawl.add_image("http://cdn.test/2.png");
  crawl.run();
  EXPECT_THAT(crawl.stored(), UnorderedElementsAre(kSite, kSite + "1.png", "http://cdn.test/2.png"));
  EXPECT_EQ(crawl.last.counts.pages, 1u);
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
}

TEST(CrawlRequisites, ObeyTheRulesOfTheirHost) {
  RequisiteCrawl crawl;
  crawl.web.add("http://cdn.test/robots.txt", {200, "", "User-agent: *\nDisallow: /private/\n"});
  crawl.add_page(kSite, "<img src=//cdn.test/private/1.png><img src=//cdn.test/2.png><img src=gone.png>");
  crawl.add_image("http://cdn.test/private/1.png");
  crawl.add_image("http://cdn.test/2.png");
  crawl.run();
  EXPECT_THAT(crawl.asked(), Not(Contains("http://cdn.test/private/1.png")));
  EXPECT_THAT(crawl.stored(), UnorderedElementsAre(kSite, "http://cdn.test/2.png", kSite + "gone.png"))
      << "a 404 is stored";
  EXPECT_THAT(crawl.incomplete(),
              ElementsAre(kSite + " | http://cdn.test/private/1.png: robots.txt forbids it"))
      << "a 404 counts";
  EXPECT_EQ(crawl.counts().outcomes[static_cast<std::size_t>(Outcome::kRobots)], 1u);
}

// Whatever their type: without them the page could not be displayed.
TEST(CrawlRequisites, FramesInScopeAreStoredWithAnyType) {
  RequisiteCrawl crawl;
  crawl.add_page(kSite,
                 "<iframe src=data></iframe><iframe src=late></iframe><iframe src=sniffed></iframe>"
                 "<a href=late2></a><a href=other>");
  const ScriptedAnswer json = {200, "Content-Type: application/json\r\n", "{}", FetchEnd::kAnswered, true};
  crawl.web.add(kSite + "data", json);
  crawl.web.add(kSite + "sniffed", {200, "", "\x89PNG\r\n\x1a\n"});
  crawl.web.add(kSite + "other", json);
  crawl.add_page(kSite + "late", "a page");
  crawl.add_page(kSite + "late2", "<iframe src=other></iframe>");
  crawl.run();
  EXPECT_THAT(crawl.stored(), UnorderedElementsAre(kSite, kSite + "data", kSite + "sniffed", kSite + "late",
                                                   kSite + "late2", kSite + "other"));
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
  EXPECT_EQ(crawl.last.counts.pages, 3u);
  EXPECT_EQ(crawl.outcome(Outcome::kUnwanted), 3u);
  const auto captures = std::move(open_captures({crawl.options.out})).value();
  std::vector<std::string> requisites;
  ASSERT_TRUE(captures
                  ->for_each(
                      [&](const Capture& capture) -> Status {
                        if (capture.requisite) requisites.emplace_back(capture.url);
                        return {};
                      },
                      {})
                  .ok());
  EXPECT_THAT(requisites, UnorderedElementsAre(kSite + "data", kSite + "sniffed", kSite + "other"));
}

TEST(CrawlRequisites, RedirectsOfFramesInScopeAreFollowed) {
  RequisiteCrawl crawl;
  crawl.add_page(kSite, "<iframe src=out></iframe><iframe src=in></iframe><a href=link></a>");
  const auto redirect = [&](const std::string& from, const std::string& to) {
    crawl.web.add(kSite + from, {302, "Location: " + to + "\r\n", ""});
  };
  redirect("out", "http://b.test/there");
  redirect("in", "here");
  redirect("link", "http://b.test/never");
  crawl.web.add_page("http://b.test/there", "<img src=1.png>");
  crawl.add_image("http://b.test/1.png");
  crawl.add_page(kSite + "here", "");
  crawl.run();
  const auto stored = crawl.stored();
  EXPECT_THAT(stored, Contains("http://b.test/1.png"));
  EXPECT_THAT(stored, Contains(kSite + "here"));
  EXPECT_THAT(stored, Not(Contains("http://b.test/never")));
  EXPECT_EQ(crawl.last.counts.pages, 2u);
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
}

TEST(CrawlRequisites, PagesLackFramesInScopeThatWereNotFetched) {
  RequisiteCrawl crawl;
  crawl.options.budget.pages = 2;
  crawl.add_page(kSite, "<iframe src=late></iframe>");
  crawl.add_page(kSite + "late", "<iframe src=later></iframe>");
  crawl.add_page(kSite + "later", "");
  crawl.run();
  EXPECT_THAT(crawl.incomplete(), ElementsAre(kSite + "late | " + kSite + "later: not fetched yet"));
}

// Like other requisites, it is exempt from the depth.
TEST(CrawlRequisites, FramesBeyondTheDepthAreRequisites) {
  RequisiteCrawl crawl;
  crawl.options.budget.depth = 0;
  crawl.add_page(kSite, "<iframe src=frame></iframe><a href=page></a>");
  crawl.add_page(kSite + "frame", "<img src=1.png><iframe src=inner></iframe>");
  crawl.add_page(kSite + "inner", "");
  crawl.add_page(kSite + "page", "");
  crawl.add_image(kSite + "1.png");
  crawl.run();
  EXPECT_THAT(crawl.stored(), UnorderedElementsAre(kSite, kSite + "frame", kSite + "inner", kSite + "1.png"));
  EXPECT_EQ(crawl.last.counts.pages, 1u);
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
}

TEST(CrawlRequisites, AFrameInScopeIsAPageAndOneOutOfScopeIsReadForRequisites) {
  RequisiteCrawl crawl;
  crawl.add_page(kSite, "<iframe src=inner.html></iframe><iframe src=//ads.test/frame.html></iframe>");
  crawl.add_page(kSite + "inner.html", "");
  crawl.add_page("http://ads.test/frame.html", "<img src=ad.png><a href=other.html><iframe src=nested.html>");
  crawl.add_page("http://ads.test/nested.html", "<img src=nested.png>");
  crawl.add_image("http://ads.test/ad.png");
  crawl.add_image("http://ads.test/nested.png");
  crawl.run();
  EXPECT_THAT(crawl.stored(), UnorderedElementsAre(kSite, kSite + "inner.html", "http://ads.test/frame.html",
                                                   "http://ads.test/nested.html", "http://ads.test/ad.png",
                                                   "http://ads.test/nested.png"));
  EXPECT_EQ(crawl.last.counts.pages, 2u);
  EXPECT_EQ(crawl.counts().fetched(), 4u);
  std::vector<std::string> pages;
  const auto captures = std::move(open_captures({crawl.options.out})).value();
  ASSERT_TRUE(captures
                  ->for_each(
                      [&](const Capture& capture) -> Status {
                        if (capture.is_page()) pages.emplace_back(capture.url);
                        return {};
                      },
                      {})
                  .ok());
  EXPECT_THAT(pages, UnorderedElementsAre(kSite, kSite + "inner.html")) << "in lists of pages and exports";
}

TEST(CrawlRequisites, EndlessFramesAndImportsAreLimited) {
  RequisiteCrawl crawl;
  crawl.add_page(kSite, "<iframe src=//f.test/1.html></iframe><link rel=stylesheet href=//f.test/1.css>");
  for (int i = 1; i < 30; ++i) {
    crawl.add_page(fmt::format("http://f.test/{}.html", i), fmt::format("<iframe src={}.html>", i + 1));
    crawl.add_css(fmt::format("http://f.test/{}.css", i), fmt::format("@import '{}.css';", i + 1));
  }
  crawl.run();
  EXPECT_EQ(crawl.counts().fetched(), Requisites::kMostFrames + Requisites::kMostDepth + 0u);
  EXPECT_THAT(crawl.incomplete(), ElementsAre(HasSubstr("2 more beyond")));
}

TEST(CrawlRequisites, AreLimitedByNumberAndBytesOfEachPage) {
  RequisiteCrawl crawl;
  crawl.options.selection.requisites_per_page = 3;
  crawl.add_page(kSite, "<img src=1><img src=2><img src=3><img src=4><img src=5><a href=b>");
  crawl.add_page(kSite + "b", "<img src=big1><img src=big2><img src=big3>");
  for (const char* name : {"1", "2", "3", "4", "5"}) crawl.add_image(kSite + name);
  for (const char* name : {"big1", "big2", "big3"}) crawl.add_image(kSite + name, 600);
  crawl.options.selection.requisite_bytes = 1000;
  crawl.run();
  EXPECT_EQ(crawl.counts().fetched(), 5u);
  EXPECT_EQ(crawl.counts().over_limit, 1u);
  EXPECT_THAT(crawl.incomplete(), ElementsAre(HasSubstr("docs/ | 2 more beyond --requisites-per-page"),
                                              HasSubstr("b | " + kSite + "big3: beyond --requisite-bytes")));
}

TEST(CrawlRequisites, CountForTheByteBudget) {
  RequisiteCrawl crawl;
  crawl.options.budget.bytes = 1000;
  crawl.add_page(kSite, "<img src=1><img src=2><img src=3><img src=4>");
  for (const char* name : {"1", "2", "3", "4"}) crawl.add_image(kSite + name, 600);
  crawl.run();
  EXPECT_EQ(crawl.counts().fetched(), 2u);
  EXPECT_EQ(crawl.last.requisites_pending, 2u);
  EXPECT_THAT(crawl.incomplete(), ElementsAre(HasSubstr("not fetched yet")));
}

TEST(CrawlRequisites, RedirectsAreFollowed) {
  RequisiteCrawl crawl;
  crawl.add_page(kSite, "<img src=1.png>");
  crawl.web.add(kSite + "1.png", {302, "Location: //cdn.test/2.png\r\n", ""});
  crawl.web.add("http://cdn.test/2.png", {301, "Location: /3.png\r\n", ""});
  crawl.run();
  EXPECT_THAT(crawl.stored(), Contains("http://cdn.test/3.png")) << "a 404";
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
}

TEST(CrawlRequisites, AreRetriedAndHaveAReasonIfTheyFail) {
  RequisiteCrawl crawl;
  crawl.options.politeness.patience = 1e-6;
  crawl.add_page(kSite, "<img src=1.png><img src=//dead.test/2.png><img src=3.png>");
  crawl.web.add(kSite + "1.png", {500, "", ""});
  crawl.add_image(kSite + "1.png");
  crawl.web.add("http://dead.test/robots.txt", {0, "", ""});
  crawl.web.add(kSite + "3.png", {500, "", ""});
  crawl.run();
  EXPECT_THAT(crawl.stored(), Contains(kSite + "1.png"));
  const auto incomplete = crawl.incomplete();
  ASSERT_EQ(incomplete.size(), 1u);
  EXPECT_THAT(incomplete[0], HasSubstr("3.png: server error, HTTP 5xx"));
  EXPECT_THAT(incomplete[0], HasSubstr("dead.test/2.png"));
}

TEST(CrawlRequisites, ExcludedOrUnarchivedOnesAreReported) {
  RequisiteCrawl crawl;
  crawl.options.scope.exclude = {"ads"};
  crawl.add_page(kSite, "<img src=//ads.test/1.png><img src=2.png>");
  crawl.options.storage.errors = false;
  crawl.web.add(kSite + "2.png", {404, "Content-Type: image/png\r\n", "x"});
  crawl.run();
  EXPECT_THAT(crawl.asked(), Not(Contains("http://ads.test/1.png")));
  EXPECT_THAT(crawl.incomplete(),
              ElementsAre(kSite + " | " + kSite +
                          "2.png: not stored (--no-store-errors) | 1 more excluded by --exclude"));
}

TEST(CrawlRequisites, UrlsThatAreAlsoPagesAreFetchedOnce) {
  RequisiteCrawl crawl;
  crawl.options.selection.types = {"html", "image"};
  crawl.add_page(kSite, "<a href=1.png><img src=1.png></a><a href=page>");
  crawl.add_page(kSite + "page", "<img src=2.png><a href=3.png>");
  for (const char* name : {"1.png", "2.png", "3.png"}) crawl.add_image(kSite + name);
  crawl.run();
  EXPECT_EQ(crawl.stored().size(), 5u);
  EXPECT_EQ(crawl.stored().count(kSite + "1.png"), 1u);
  EXPECT_EQ(crawl.last.counts.pages, 4u);
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
}

TEST(CrawlRequisites, UrlsFetchedAsPagesAreNotFetchedAgain) {
  RequisiteCrawl crawl;
  crawl.options.selection.types = {"any"};
  crawl.add_page(kSite, "<a href=1.png><a href=2.css><a href=page>");
  crawl.add_page(kSite + "page", "<img src=1.png><link rel=stylesheet href=2.css>");
  crawl.add_image(kSite + "1.png");
  crawl.add_css(kSite + "2.css", "p{background:url(3.png)}");
  crawl.add_image(kSite + "3.png");
  crawl.run();
  const auto asked = crawl.asked();
  EXPECT_EQ(std::count(asked.begin(), asked.end(), kSite + "1.png"), 1);
  EXPECT_THAT(asked, Contains(kSite + "3.png")) << "the sheet was read again for what it names";
  EXPECT_THAT(crawl.incomplete(), IsEmpty());
}

TEST(CrawlRequisites, AreMarkedInTheLog) {
  RequisiteCrawl crawl;
  crawl.add_page(kSite, "<img src=1.png>");
  crawl.add_image(kSite + "1.png");
  crawl.run();
  const auto log = std::move(MappedFile::open(crawl.options.out + "/crawl.jsonl")).value();
  std::size_t requisites = 0, lines = 0;
  std::string_view rest = log->text();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++lines;
    if (line.find("\"requisite\":true") != line.npos) {
      ++requisites;
      EXPECT_THAT(std::string(line), HasSubstr("\"requisite_of\":\"" + kSite + "\""));
    }
  }
  EXPECT_EQ(requisites, 1u);
  EXPECT_EQ(lines, 2u);
}

// ---- The order of pages

// A site of pages on several hosts, each with images of its own and shared ones; some images are linked to.
std::string ordered_page(const std::string& url) {
  const auto number = std::hash<std::string>()(url);
  std::string html = kNoIcon + "<img src=/shared.png>";
  for (unsigned i = 0; i < 4; ++i) {
    const auto to = (number >> (8 * i)) % 60;
    html += fmt::format("<a href=http://h{}.test/p{}>x</a><img src=/i{}.png>", to % 5, to, to);
    if (to % 7 == 0) html += fmt::format("<a href=/i{}.png>image</a>", to);
  }
  return html;
}

std::vector<std::string> page_order(const std::string& policy, bool requisites) {
  TemporaryFolder folder;
  ManualClock clock;
  PretendedWeb::Record record;
  auto web = std::make_unique<PretendedWeb>(
      clock,
      [](const std::string& url) {
        return PretendedWeb::Page{ordered_page(url), false};
      },
      record);
  CrawlOptions options = quick_crawl_options(folder / "crawl");
  options.start.seeds = {"http://h0.test/p0"};
  options.order.policy = policy;
  options.politeness.connections = 1;
  options.selection.requisites = requisites;
  options.selection.traps = false;
  auto crawler = std::move(Crawler::open(options, std::move(web), nullptr, &clock)).value();
  EXPECT_TRUE(crawler->run().ok());
  if (requisites) {
    EXPECT_GT(crawler->status().counts.requisites.fetched(), 10u);
  }
  EXPECT_TRUE(crawler->close().ok());
  std::vector<std::string> pages;
  for (const std::string& url : record.pages) {
    if (!url.ends_with(".png")) pages.push_back(url);
  }
  return pages;
}

TEST(CrawlRequisites, DoNotChangeTheOrderOfPages) {
  for (const char* policy : {"bfs", "fpr@100", "lipr", "opic", "random", "location"}) {
    const std::vector<std::string> without = page_order(policy, false);
    EXPECT_GT(without.size(), 20u);
    EXPECT_EQ(page_order(policy, true), without) << policy;
  }
}

// ---- Delays

TEST(CrawlRequisites, WaitForTheDelayUnlessOwnNetworksHaveAShorterOne) {
  const auto seconds = [](std::optional<Seconds> requisite_delay) {
    TemporaryFolder folder;
    ManualClock clock;
    PretendedWeb::Record record;
    auto web = std::make_unique<PretendedWeb>(
        clock,
        [](const std::string& url) {
          if (url.ends_with(".png")) return PretendedWeb::Page{};
          std::string html = kNoIcon;
          for (int i = 0; i < 40; ++i) html += fmt::format("<img src={}.png>", i);
          return PretendedWeb::Page{html, false};
        },
        record);
    CrawlOptions options = quick_crawl_options(folder / "crawl");
    options.start.seeds = {"http://a.test/"};
    options.politeness.delay = Seconds(1);
    options.politeness.requisite_delay = requisite_delay;
    options.selection.requisites = true;
    auto crawler = std::move(Crawler::open(options, std::move(web), nullptr, &clock)).value();
    EXPECT_TRUE(crawler->run().ok());
    EXPECT_TRUE(crawler->close().ok());
    EXPECT_EQ(record.pages.size(), 41u);
    return static_cast<double>(record.requests.back().us - record.requests.front().us) / 1e6;
  };
  EXPECT_GE(seconds({}), 40.0);
  EXPECT_LT(seconds({}), 45.0);
  EXPECT_LT(seconds(Seconds(0.1)), 10.0);
  CrawlOptions strangers = quick_crawl_options("x");
  strangers.network.allow_net = {};
  strangers.politeness.delay = Seconds(1);
  strangers.politeness.requisite_delay = Seconds(0.1);
  const Status checked = check_crawl_options(strangers);
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().text, HasSubstr("--requisite-delay works only for your own networks"));
}

// ---- Kills

// A page with forty images, and five pages with two images each. Ends when nothing is left, or after this
// many requests, without close(), like a kill.
std::multiset<std::string> crawl_images(const std::string& out, ManualClock& clock,
                                        std::uint64_t stop_after) {
  PretendedWeb::Record record;
  auto web = std::make_unique<PretendedWeb>(
      clock,
      [](const std::string& url) {
        PretendedWeb::Page page;
        const bool seed = url.ends_with("/docs/");
        page.body = kNoIcon;
        for (int i = 0; i < (seed ? 40 : 2); ++i) page.body += fmt::format("<img src={}{}.png>", url, i);
        for (int i = 0; seed && i < 5; ++i) page.body += fmt::format("<a href=p{}>", i);
        return url.ends_with(".png") ? PretendedWeb::Page{"png", false} : page;
      },
      record);
  web->latency_us = 100'000;
  CrawlOptions options = quick_crawl_options(out);
  options.start.seeds = {kSite};
  options.scope.mode = ScopeMode::kPrefix;
  options.selection.requisites = true;
  options.storage.commit = Seconds(0);
  auto crawler = std::move(Crawler::open(options, std::move(web), nullptr, &clock)).value();
  const auto end = crawler->run([&](const CrawlStatus& status) {
    const bool stop = status.counts.requisites.done() + status.counts.completed >= stop_after;
    return stop ? CrawlRequest::kStop : CrawlRequest::kContinue;
  });
  EXPECT_TRUE(end.ok());
  EXPECT_EQ(*end, stop_after == kNever ? CrawlEnd::kNothingLeft : CrawlEnd::kStopped);
  if (stop_after != kNever) return {};
  EXPECT_EQ(crawler->status().counts.requisites.fetched(), 50u);
  EXPECT_TRUE(crawler->close().ok());
  return stored_urls(out);
}

TEST(CrawlRequisites, SurviveAKillWhilePending) {
  ManualClock clock;
  TemporaryFolder calm;
  const auto expected = crawl_images(calm / "crawl", clock, kNever);
  EXPECT_EQ(expected.size(), 56u);
  for (const std::uint64_t stop_after : {3u, 9u, 20u, 33u, 46u}) {
    TemporaryFolder folder;
    crawl_images(folder / "crawl", clock, stop_after);
    EXPECT_EQ(crawl_images(folder / "crawl", clock, kNever), expected) << stop_after;
  }
}

// ---- The program, killed

SmallSite::Files illustrated_site() {
  SmallSite::Files files;
  std::string index = "<link rel=stylesheet href=s.css>";
  for (int i = 0; i < 60; ++i) {
    files[fmt::format("/i{}.png", i)] = {"image/png", fmt::format("image {}", i)};
    files[fmt::format("/d/p{}.html", i)] = {
        "text/html", fmt::format("<img src=/i{}.png><img src=/i{}.png><link rel=stylesheet href=/s.css>", i,
                                 (i * 7) % 60)};
    index += fmt::format("<a href=p{}.html>", i);
  }
  files["/d/"] = {"text/html", index};
  files["/s.css"] = {"text/css", "@import 't.css'; p{background:url(i0.png)}"};
  files["/t.css"] = {"text/css", "@font-face{src:url(font.woff2)}"};
  files["/font.woff2"] = {"font/woff2", "font"};
  return files;
}

TEST(CrawlRequisites, AreAllThereOnceAfterKills) {
  const SmallSite site(illustrated_site());
  TemporaryFolder folder;
  const std::vector<std::string> command = {"crawl",
                                            site.url("/d/"),
                                            "--out",
                                            folder / "crawl",
                                            "--archive",
                                            "--scope",
                                            "prefix",
                                            "--allow-net",
                                            "127.0.0.0/8",
                                            "--delay",
                                            "0.003",
                                            "--contact",
                                            "tests@bowerbird.example",
                                            "--commit",
                                            "10ms",
                                            "--no-durable",
                                            "--no-report"};
  Rng rng(11);
  int killed = 0;
  for (int i = 0; i < 6; ++i) {
    if (run_and_kill(command,
                     std::chrono::microseconds(30'000 + static_cast<std::int64_t>(rng.below(120'000)))))
      ++killed;
  }
  EXPECT_GT(killed, 0);
  const Finished finished = run_bowerbird(command);
  EXPECT_EQ(finished.code, 0) << finished.err;
  const auto stored = stored_urls(folder / "crawl");
  std::set<std::string> expected;
  for (const auto& [path, file] : illustrated_site()) expected.insert(site.url(path));
  EXPECT_EQ(std::set<std::string>(stored.begin(), stored.end()), [&] {
    expected.insert(site.url("/d/s.css"));      // a 404
    expected.insert(site.url("/favicon.ico"));  // another one
    return expected;
  }());
  EXPECT_EQ(stored.size(), expected.size()) << "none is stored twice";
  const auto status = json_of(run_bowerbird({"status", folder / "crawl", "--json"}));
  EXPECT_EQ(status["pages"], 61);
  EXPECT_EQ(status["pages_complete"], 61);
  EXPECT_EQ(status["requisites"], 63);
  EXPECT_EQ(status["requisite_outcomes"]["not-found"], 2);
  EXPECT_EQ(run_bowerbird({"urls", folder / "crawl", "--incomplete"}).out, "");
  const auto why = json_of(run_bowerbird({"why", folder / "crawl", site.url("/font.woff2"), "--json"}));
  EXPECT_EQ(why["requisite"], "done");
  EXPECT_THAT(why["requisite_of"].get<std::string>(), testing::StartsWith(site.url("/d/p")));
  const Finished shown = run_bowerbird({"status", folder / "crawl"});
  EXPECT_THAT(shown.out, HasSubstr("complete  100.0 % of 61 pages\n"));
  EXPECT_THAT(shown.out, HasSubstr("requisites 63 fetched"));
}

}  // namespace
}  // namespace bowerbird
