// What elements mean to a crawler.
#include "parse/html_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse/html_testing.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> kinds(const HtmlPage& page) {
  std::vector<std::string> out;
  for (const HtmlLink& link : page.links) {
    out.push_back(
        fmt::format("{} {}{}", link_kind_name(link.kind), page.href(link), link.is_requisite() ? " +" : ""));
  }
  return out;
}

TEST(HtmlLinks, EveryKindIsYieldedInOrder) {
  const HtmlPage page = scan_every_way(
      "<link rel=canonical href=1><meta http-equiv=Refresh content='5; url=2'><a href=3><area href=4><frame "
      "src=5>"
      "<iframe src=6></iframe><a name=x><img src=7><link rel='shortcut icon' href=8>");
  EXPECT_THAT(kinds(page),
              ElementsAre("link 1", "refresh 2", "a 3", "area 4", "frame 5", "iframe 6", "link 8 +"));
  EXPECT_EQ(page.links[1].delay, 5u);
}

TEST(HtmlLinks, RequisitesAreOptional) {
  HtmlOptions options;
  options.requisites = true;
  const HtmlPage page = scan_every_way(
      "<body background=0><img src=1 srcset='2 1x, 3,x 2x,4'><picture><source srcset=5 src=6></picture>"
      "<script src=7></script><video poster=8 src=9></video><audio src=10></audio><embed src=11><object "
      "data=12></object>"
      "<input type=IMAGE src=13><input src=14><track src=15><link rel=stylesheet href=16>"
      "<svg><image xlink:href=17 /></svg><a href=18>",
      options);
  EXPECT_THAT(kinds(page),
              ElementsAre("image 0 +", "image 1 +", "image 2 +", "image 3,x +", "image 4 +", "media 6 +",
                          "image 5 +", "script 7 +", "image 8 +", "media 9 +", "media 10 +", "media 11 +",
                          "media 12 +", "image 13 +", "media 15 +", "link 16 +", "image 17 +", "a 18"));
}

TEST(HtmlLinks, RelIsASetOfWordsInAnyCase) {
  const HtmlPage page = scan_every_way(
      "<a rel='NoFollow\nugc  x-y sponsored' href=1><link rel='alternate' hreflang=de-AT href=2><a rel "
      "href=3>");
  EXPECT_EQ(page.links[0].rel, kRelNofollow | kRelUgc | kRelSponsored);
  EXPECT_EQ(page.links[1].rel, kRelAlternate);
  EXPECT_EQ(page.string(page.links[1].hreflang), "de-AT");
  EXPECT_EQ(page.links[2].rel, 0u);
  EXPECT_EQ(rel_text(kRelNofollow | kRelIcon), "nofollow icon");
}

TEST(HtmlLinks, AnchorsAreTheWordsInsideAndTheAltOfImages) {
  const HtmlPage page = scan_every_way(
      "x <a href=1> one <b>two</b></a>three<a href=2><img alt='a &lt; b' src=i></a> <a href=3>open <a "
      "href=4>next");
  EXPECT_EQ(page.anchor(page.links[0]), "one two");
  EXPECT_EQ(page.anchor(page.links[1]), "a < b");
  EXPECT_EQ(page.anchor(page.links[2]), "open");  // 13.2.6.4.7: an <a> ends the one before
  EXPECT_EQ(page.anchor(page.links[3]), "next");
}

TEST(HtmlLinks, AnAnchorWithoutHrefEndsThePreviousOneAndIsNotALink) {
  const HtmlPage page = scan_every_way("<a href=1>x<a name=n>y</a>");
  EXPECT_EQ(page.links.size(), 1u);
  EXPECT_EQ(page.anchor(page.links[0]), "x");
}

// SVG 2, 16.2: href, else xlink:href.
TEST(HtmlLinks, LinksInSvg) {
  EXPECT_THAT(hrefs("<svg><a xlink:href=1>t</a><a href=2 xlink:href=3>u</a></svg><a xlink:href=4>"),
              ElementsAre("1", "2"));
}

// HTML standard 4.2.3: the first <base> with an href counts, wherever it stands.
TEST(HtmlLinks, TheFirstBaseWithAnHrefCounts) {
  const HtmlPage page = scan_every_way("<a href=1><base target=_top><base href='/x/'><base href='/y/'>");
  EXPECT_TRUE(page.has_base);
  EXPECT_EQ(page.string(page.base), "/x/");
  EXPECT_FALSE(scan_every_way("<base target=_top>").has_base);
  // That of a template is not in the document.
  EXPECT_FALSE(
      scan_every_way("<template><template></template><base href=/x/><a href=1></template>").has_base);
  const HtmlPage later = scan_every_way("<template><base href=/x/></template></template><base href=/y/>");
  EXPECT_EQ(later.string(later.base), "/y/");
}

TEST(HtmlLinks, TheFirstTitleCounts) {
  EXPECT_EQ(scan_every_way("<title>\n a\t b&amp;c </title><title>d</title>").title, "a b&c");
  EXPECT_EQ(scan_every_way("<svg><title>shape</title></svg><title>page</title>").title, "page");
}

TEST(HtmlLinks, RobotsDirectivesOfAllRobotsAndOfOurs) {
  HtmlOptions options;
  options.agent = "Bowerbird";
  const HtmlPage page = scan_every_way(
      "<meta name=ROBOTS content='NoIndex, nofollow'><meta name=bowerbird content=noarchive>"
      "<meta name=googlebot content=none><meta name=description content=x><meta name=robots>",
      options);
  ASSERT_EQ(page.robots.size(), 3u);
  EXPECT_EQ(page.string(page.robots[0].name), "robots");
  EXPECT_EQ(page.string(page.robots[0].content), "NoIndex, nofollow");
  EXPECT_EQ(page.string(page.robots[1].name), "bowerbird");
  EXPECT_EQ(page.string(page.robots[2].name), "googlebot");
}

TEST(HtmlLinks, CharsetAndLanguageAreKept) {
  const HtmlPage page = scan_every_way(
      "<html lang=de><meta http-equiv=content-type content='text/html; charset= \"KOI8-R\"'><meta "
      "charset=utf-8>");
  EXPECT_EQ(page.string(page.charset), "KOI8-R");
  EXPECT_EQ(page.string(page.language), "de");
}

TEST(HtmlLinks, MenusFootersAndLinksAreMarkedAsWeakText) {
  const HtmlPage page =
      scan_every_way("<nav>menu <a href=1>x</a></nav><p>words <a href=2>link</a> more<footer>end");
  std::vector<std::string> weak;
  for (const TextSpan& span : page.weak) weak.push_back(page.text.substr(span.at, span.size));
  EXPECT_THAT(weak, ElementsAre("menu x", " link", "\nend"));
}

// HTML standard 4.2.5.3, "shared declarative refresh steps".
TEST(HtmlRefresh, IsReadAsTheStandardSays) {
  const auto read = [](std::string_view value) -> std::string {
    std::uint32_t delay = 0;
    std::string_view url;
    if (!parse_refresh(value, delay, url)) return "none";
    return fmt::format("{} {}", delay, url);
  };
  EXPECT_EQ(read("5"), "5 ");
  EXPECT_EQ(read(" 5 ; url = x y "), "5 x y ");
  EXPECT_EQ(read("0;URL='a\"b'c"), "0 a\"b");
  EXPECT_EQ(read("0,url=\"a"), "0 a");
  EXPECT_EQ(read("0; 'a'b"), "0 a");
  EXPECT_EQ(read("1.5.2 page.html"), "1 page.html");
  EXPECT_EQ(read(".5;x"), "0 x");
  EXPECT_EQ(read("0;urlx"), "0 urlx");
  EXPECT_EQ(read("0;url"), "0 url");
  EXPECT_EQ(read("x"), "none");
  EXPECT_EQ(read("5x"), "none");
  EXPECT_EQ(read(""), "none");
  EXPECT_EQ(read("99999999999999;x"), "4294967295 x");
}

TEST(HtmlRefresh, WithoutAUrlItIsNotALink) {
  EXPECT_THAT(hrefs("<meta http-equiv=refresh content=5><meta http-equiv=refresh content='5;url='>"),
              IsEmpty());
}

std::vector<std::string> requisites(std::string_view html) {
  HtmlOptions options;
  options.requisites = true;
  return kinds(scan_every_way(html, options));
}

TEST(HtmlLinks, ALinkMayNameImagesForPreloading) {
  EXPECT_THAT(requisites("<link rel=preload as=image imagesrcset='a 1x, b 2x'>"),
              ElementsAre("image a +", "image b +"));
}

TEST(HtmlLinks, SvgUsesOtherFiles) {
  EXPECT_THAT(requisites("<svg><use href=1 /><use xlink:href='2#x'/><use href='#own'/><feImage href=3 />"),
              ElementsAre("image 1 +", "image 2#x +", "image 3 +"));
  EXPECT_THAT(requisites("<use href=1>"), IsEmpty());
}

TEST(HtmlLinks, LazyImagesAreRequisites) {
  EXPECT_THAT(requisites("<img src=a data-src=b srcset='c 2x' data-srcset='d 1x, e 2x'>"),
              ElementsAre("image a +", "image b +", "image c +", "image d +", "image e +"));
  EXPECT_THAT(requisites("<picture><source data-srcset=a></picture><video data-src=b></video>"
                         "<iframe data-src=c></iframe>"),
              ElementsAre("image a +", "media b +", "media c +"));
}

TEST(HtmlLinks, InlineCssNamesRequisites) {
  EXPECT_THAT(requisites("<p style=\"background:url('a&amp;b.png')\"><x-y style='mask:url(c)'>"),
              ElementsAre("image a&b.png +", "image c +"));
  EXPECT_THAT(requisites("<style>@import 'a.css'; @font-face{src:url(b.woff2)} p{background:url(c&amp;d)}"),
              ElementsAre("style a.css +", "font b.woff2 +", "image c&amp;d +"));
}

TEST(HtmlLinks, RequisitesDoNotUseUpTheRoomOfLinks) {
  HtmlOptions options;
  options.requisites = true;
  options.max_links = 2;
  options.max_requisites = 1;
  const HtmlPage page = scan_every_way("<img src=a><img src=b><a href=c><a href=d><a href=e>", options);
  ASSERT_EQ(page.links.size(), 3u);
  EXPECT_EQ(page.href(page.links.back()), "d");
  EXPECT_TRUE(page.truncated);
}

TEST(HtmlLinks, AnyElementOfMathMlMayBeOne) {
  EXPECT_THAT(hrefs("<math><a href=1>x</a><mrow href=2><mi xlink:href=3></mi></mrow></math><i href=4>"),
              ElementsAre("1", "2", "3"));
  EXPECT_THAT(hrefs("<svg><g href=1></g></svg>"), IsEmpty());
}

// HTML standard 4.8.5.
TEST(HtmlLinks, OfAFrameInAnAttributeStandWhereTheFrameStands) {
  const HtmlPage page = scan_every_way(
      "<base href=/x/><a href=1>one</a><iframe src=2 srcdoc=\"<base href=/y/><a href='3&amp;amp;4'>two</a>"
      "<meta name=robots content=nofollow>\"></iframe><a href=5>three</a>");
  EXPECT_THAT(hrefs(page), ElementsAre("1", "2", "3&4", "5"));
  EXPECT_FALSE(page.links[1].in_frame);
  EXPECT_TRUE(page.links[2].in_frame);
  EXPECT_EQ(page.string(page.base), "/x/");
  EXPECT_THAT(page.robots, IsEmpty());
  EXPECT_EQ(page.text, "one three");
  EXPECT_EQ(page.anchor(page.links[3]), "three");
}

TEST(HtmlLinks, OfFramesInFramesAreReadToABoundedDepth) {
  std::string html = "<a href=0>";
  for (int depth = 1; depth < 6; ++depth) {
    std::string escaped;
    for (const char c : html) escaped += c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
    html = fmt::format("<a href={}><iframe srcdoc=\"{}\"></iframe>", depth, escaped);
  }
  EXPECT_THAT(hrefs(html), ElementsAre("5", "4", "3", "2"));
}

TEST(HtmlLinks, OfFramesCountTowardsTheirLimit) {
  HtmlOptions options;
  options.max_links = 2;
  const HtmlPage page =
      scan_every_way("<a href=1><iframe srcdoc='<a href=2><a href=3>'></iframe><a href=4>", options);
  EXPECT_THAT(hrefs(page), ElementsAre("1", "2"));
  EXPECT_TRUE(page.truncated);
}

}  // namespace
}  // namespace bowerbird
