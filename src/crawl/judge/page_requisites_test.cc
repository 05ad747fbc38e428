#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crawl/judge/page_parser.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "kind URL" for each requisite of a body at http://a.test/d/. The links of the page go to *links.
std::vector<std::string> needs(std::string body, const std::string& type = "text/html",
                               std::optional<RequisiteKind> as = {},
                               std::vector<std::string>* links = nullptr) {
  ScopeOptions options;
  options.exclude = {"never"};
  const std::vector<std::string> seeds = {"http://a.test/d/"};
  const Scope scope = Scope::make(options, seeds).value();
  ParserSettings settings;
  settings.scope = &scope;
  settings.requisites = true;
  settings.token = "bowerbird";
  FetchedPage page;
  page.page = 0;
  page.url = "http://a.test/d/";
  page.requisite = as;
  page.fetch.end = FetchEnd::kAnswered;
  page.fetch.status = 200;
  page.fetch.head = "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n\r\n";
  // A page that says that it has no icon.
  page.fetch.body = (type == "text/html" && !as ? "<link rel=icon href='data:,'>" : "") + body;
  const ParsedPage parsed = PageParser(settings).parse(std::move(page));
  std::vector<std::string> found;
  constexpr const char* kNames[] = {"leaf ", "sheet ", "frame ", "manifest ", "page "};
  for (const FoundPart& part : parsed.requisites)
    found.push_back(kNames[static_cast<int>(part.kind)] + std::string(part.link.text(parsed.texts)));
  if (links != nullptr) {
    for (const FoundLink& link : parsed.links) links->emplace_back(link.text(parsed.texts));
  }
  return found;
}

TEST(PageRequisites, AreNotLinksOfThePage) {
  std::vector<std::string> links;
  EXPECT_THAT(needs("<a href=x><img src=x><img src=y><link rel=stylesheet href=z><img src=' '><img src='#'>",
                    "text/html", {}, &links),
              ElementsAre("leaf http://a.test/d/x", "leaf http://a.test/d/y", "sheet http://a.test/d/z"));
  EXPECT_THAT(links, ElementsAre("http://a.test/d/x"));
}

TEST(PageRequisites, FramesInScopeArePages) {
  std::vector<std::string> links;
  EXPECT_THAT(needs("<iframe src=in></iframe><iframe src=//b.test/out></iframe><object data=o></object>"
                    "<iframe src=//b.test/never></iframe>",
                    "text/html", {}, &links),
              ElementsAre("page http://a.test/d/in", "frame http://b.test/out", "frame http://a.test/d/o"));
  EXPECT_THAT(links, ElementsAre("http://a.test/d/in", "http://b.test/out", "http://b.test/never"));
}

// A command may replace the scope while pages are parsed.
TEST(PageRequisites, AreJudgedByTheCurrentScope) {
  const std::vector<std::string> seeds = {"http://a.test/d/"};
  ScopeOptions options;
  const Scope first = Scope::make(options, seeds).value();
  options.exclude = {"never"};
  options.hosts = {"b.test"};
  ScopeBox current;
  current.set(Scope::make(options, seeds).value());
  ParserSettings settings;
  settings.scope = &first;
  settings.live_scope = &current;
  settings.requisites = true;
  FetchedPage page;
  page.page = 0;
  page.url = seeds.front();
  page.fetch.end = FetchEnd::kAnswered;
  page.fetch.status = 200;
  page.fetch.head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  page.fetch.body = "<link rel=icon href='data:,'><img src=never><iframe src=//b.test/></iframe>";
  const ParsedPage parsed = PageParser(settings).parse(std::move(page));
  EXPECT_EQ(parsed.requisites_excluded, 1u);
  ASSERT_EQ(parsed.requisites.size(), 1u);
  EXPECT_EQ(parsed.requisites[0].kind, RequisiteKind::kPage) << "b.test is in scope now";
}

TEST(PageRequisites, StyleSheetsAndFramesNameFurtherOnes) {
  EXPECT_THAT(needs("@import 'a.css'; p{background:url(//b.test/c)}", "text/css", RequisiteKind::kSheet),
              ElementsAre("sheet http://a.test/d/a.css", "leaf http://b.test/c"));
  EXPECT_THAT(needs("<img src=a><a href=b>", "text/html", RequisiteKind::kFrame),
              ElementsAre("leaf http://a.test/d/a"));
  EXPECT_THAT(needs("<img src=a>", "text/html", RequisiteKind::kLeaf), IsEmpty()) << "an image that is none";
  EXPECT_THAT(needs("p{background:url(a)}", "text/plain", RequisiteKind::kSheet), IsEmpty());
}

TEST(PageRequisites, ManifestsAndSvgDocumentsNameFurtherOnes) {
  EXPECT_THAT(needs("<link rel=manifest href=m.json>"), ElementsAre("manifest http://a.test/d/m.json"));
  for (const char* type : {"application/manifest+json", "text/plain"})
    EXPECT_THAT(
        needs(R"({"icons": [{"src": "i.png"}, {"src": "//never/"}]})", type, RequisiteKind::kManifest),
        ElementsAre("leaf http://a.test/d/i.png"));
  EXPECT_THAT(needs("<svg xmlns='http://www.w3.org/2000/svg'><style>@import 's.css';</style><image "
                    "href='p.png'/></svg>",
                    "image/svg+xml", RequisiteKind::kFrame),
              ElementsAre("sheet http://a.test/d/s.css", "leaf http://a.test/d/p.png"));
}

TEST(PageRequisites, AStyleInsideSvgIsRead) {
  EXPECT_THAT(
      needs("<svg><style>a{fill:url(1.svg)} &lt; b{mask:url(2.svg)}</style><text>url(3)</text></svg>"
            "<svg><style><![CDATA[@import '4.css';]]></style></svg><svg><style>url(5.png)<div>url(6)"),
      ElementsAre("leaf http://a.test/d/1.svg", "leaf http://a.test/d/2.svg", "sheet http://a.test/d/4.css",
                  "leaf http://a.test/d/5.png"));
}

TEST(PageRequisites, APageWithoutAnIconGetsTheIconOfItsHost) {
  EXPECT_THAT(needs("<p>", "application/xhtml+xml"), ElementsAre("leaf http://a.test/favicon.ico"));
  EXPECT_THAT(needs("<p>", "text/html", RequisiteKind::kFrame), IsEmpty());
  EXPECT_THAT(needs("<link rel='shortcut icon' href=i.png>"), ElementsAre("leaf http://a.test/d/i.png"));
}

}  // namespace
}  // namespace bowerbird
