#include "parse/xhtml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse/html_testing.h"
#include "parse/page_reader.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string xhtml(std::string_view body) {
  return "<html xmlns='http://www.w3.org/1999/xhtml'>" + std::string(body) + "</html>";
}

// A page that is well-formed.
HtmlPage read_well(std::string_view page, HtmlOptions options = {}) {
  HtmlPage result;
  EXPECT_TRUE(XhtmlReader(std::move(options)).read(ExactBytes(page).view(), result)) << page;
  return result;
}

bool is_well_formed(std::string_view page) {
  HtmlPage result;
  return XhtmlReader().read(ExactBytes(page).view(), result);
}

TEST(XhtmlReader, EmptyElementsSwallowNothing) {
  const HtmlPage page =
      read_well(xhtml("<head><title/><script src='x.js'/><style/></head><body><textarea/><iframe src='i'/><a "
                      "href='1'>one</a></body>"));
  EXPECT_THAT(hrefs(page), ElementsAre("i", "1"));
  EXPECT_EQ(page.text, "one");
  EXPECT_EQ(page.title, "");
}

TEST(XhtmlReader, ReadsTitleLinksAndText) {
  const HtmlPage page = read_well(
      "<?xml version='1.0'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml' xml:lang='de'><head>"
      "<title> A &amp; B </title><base href='/b/'/><meta name='robots' content='noindex'/>"
      "<link rel='next' href='n'/></head><body><nav><a href='?a=1&amp;copy=2' rel='nofollow'>one "
      "<img alt='&lt;two>' src='i'/></a></nav><p>text</p><script>hidden()</script></body></html>");
  EXPECT_EQ(page.title, "A & B");
  EXPECT_EQ(page.string(page.language), "de");
  EXPECT_EQ(page.string(page.base), "/b/");
  EXPECT_EQ(page.string(page.robots.at(0).content), "noindex");
  EXPECT_THAT(hrefs(page), ElementsAre("n", "?a=1&copy=2"));
  EXPECT_EQ(page.links.at(1).rel, kRelNofollow);
  EXPECT_EQ(page.anchor(page.links.at(1)), "one <two>");
  EXPECT_EQ(page.text, "one <two>\ntext");
  EXPECT_EQ(page.weak.size(), 1u);
}

TEST(XhtmlReader, FindsRequisitesIfEnabled) {
  HtmlOptions options;
  options.requisites = true;
  EXPECT_THAT(hrefs(read_well(xhtml("<script src='x.js'/><img src='i' srcset='a 1x, b 2x'/>"), options)),
              ElementsAre("x.js", "i", "a", "b"));
}

TEST(XhtmlReader, FindsTheStyleSheetsBeforeTheRootElement) {
  HtmlOptions options;
  options.requisites = true;
  const std::string page =
      "<?xml version='1.0'?><?xml-stylesheet type=\"text/css\" href = 'a.css?x=1&amp;y=2'?>\n"
      "<!-- <?xml-stylesheet href='comment.css'?> --><?other href='b.css'?><?xml-stylesheet href='#in'?>"
      "<?xml-stylesheet href?><?xml-stylesheet-not href='c.css'?><?xml-stylesheet href='d.css'?>" +
      xhtml("<?xml-stylesheet href='e.css'?><a href='f'/>");
  const HtmlPage found = read_well(page, options);
  EXPECT_THAT(hrefs(found), ElementsAre("a.css?x=1&y=2", "d.css", "f"));
  EXPECT_EQ(found.links.front().kind, LinkKind::kStyle);
  EXPECT_THAT(hrefs(read_well(page)), ElementsAre("f"));
}

// Namespaces in XML 1.0.
TEST(XhtmlReader, ElementsAreKnownByTheirNamespace) {
  EXPECT_THAT(hrefs(read_well("<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:a href='1'/><a href='2'/>"
                              "<x:a xmlns:x='urn:other' href='3'/><h:A href='4'/><h:a HREF='5'/></h:html>")),
              ElementsAre("1", "2"));
  EXPECT_THAT(hrefs(read_well(xhtml("<svg xmlns='http://www.w3.org/2000/svg' "
                                    "xmlns:l='http://www.w3.org/1999/xlink'><a l:href='1'/><title>t</title>"
                                    "<link href='2'/></svg>"))),
              ElementsAre("1"));
  EXPECT_FALSE(is_well_formed(xhtml("<x:a/>")));
}

TEST(XhtmlReader, TheTitleOfAnImageIsNotThePages) {
  const HtmlPage page = read_well(
      xhtml("<svg xmlns='http://www.w3.org/2000/svg'><title>image</title></svg><title>page</title>"));
  EXPECT_EQ(page.title, "page");
  EXPECT_EQ(page.text, "image");
}

// With a DOCTYPE or without; in text and attributes.
TEST(XhtmlReader, KnowsTheNamedReferencesOfHtml) {
  for (const std::string doctype :
       {"", "<!DOCTYPE html>",
        "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://www.w3.org/TR/xhtml1/x.dtd'>"}) {
    const HtmlPage page =
        read_well(doctype + xhtml("<a href='/&eacute;?&LT;'>a&nbsp;&Auml;&LT;&NotEqualTilde;</a>"));
    EXPECT_THAT(hrefs(page), ElementsAre("/\u00E9?<"));
    EXPECT_EQ(page.text, "a \u00C4<\u2242\u0338");
  }
  EXPECT_EQ(read_well(xhtml("<![CDATA[&eacute;<a href='1'>]]>")).text, "&eacute;<a href='1'>");
  EXPECT_FALSE(is_well_formed(xhtml("&nosuch;")));
  EXPECT_FALSE(is_well_formed(xhtml("&eacute x")));
}

TEST(XhtmlReader, ExpandsThePagesOwnEntities) {
  const std::string page = "<!DOCTYPE html [<!ENTITY eacute 'own'><!ENTITY path '/x'>]>" +
                           xhtml("<a href='&path;/y'>&eacute;</a>");
  EXPECT_THAT(hrefs(read_well(page)), ElementsAre("/x/y"));
  EXPECT_EQ(read_well(page).text, "own");
}

TEST(XhtmlReader, ReadsNothingOutsideThePage) {
  EXPECT_EQ(
      read_well("<!DOCTYPE html [<!ENTITY x SYSTEM '/etc/passwd'><!ENTITY % p SYSTEM '/etc/passwd'>%p;]>" +
                xhtml("a&x;b"))
          .text,
      "ab");
}

TEST(XhtmlReader, BoundsWhatEntitiesExpandTo) {
  std::string page = "<!DOCTYPE html [<!ENTITY e0 '0123456789'>";
  for (int i = 1; i < 10; ++i) {
    page += fmt::format("<!ENTITY e{} '", i);
    for (int k = 0; k < 10; ++k) page += fmt::format("&e{};", i - 1);
    page += "'>";
  }
  EXPECT_TRUE(is_well_formed(page + "]>" + xhtml("&e3;")));
  EXPECT_FALSE(is_well_formed(page + "]>" + xhtml("&e9;")));
  EXPECT_FALSE(is_well_formed(page + "]>" + xhtml("<a href='&e9;'/>")));
}

TEST(XhtmlReader, BoundsTheDepthOfElementsAndEntities) {
  const auto nested = [](int depth) {
    std::string page;
    for (int i = 0; i < depth; ++i) page += "<b>";
    for (int i = 0; i < depth; ++i) page += "</b>";
    return page;
  };
  EXPECT_TRUE(is_well_formed(nested(2000)));
  EXPECT_FALSE(is_well_formed(nested(2001)));
  std::string chain = "<!DOCTYPE html [<!ENTITY e0 'x'>";
  for (int i = 1; i < 100'000; ++i) chain += fmt::format("<!ENTITY e{} '&e{};'>", i, i - 1);
  EXPECT_FALSE(is_well_formed(chain + "]>" + xhtml("&e99999;")));
}

TEST(XhtmlReader, RefusesPagesThatAreNotWellFormed) {
  EXPECT_FALSE(is_well_formed(xhtml("<br>")));
  EXPECT_FALSE(is_well_formed(xhtml("<a href=1/>")));
  EXPECT_FALSE(is_well_formed(xhtml("<p></b>")));
  EXPECT_FALSE(is_well_formed(xhtml("\xFF")));
  EXPECT_FALSE(is_well_formed(""));
  EXPECT_FALSE(is_well_formed("<html>"));
}

TEST(PageReader, ReadsXhtmlByXmlRulesAndElseAsHtml) {
  PageReader reader;
  HtmlPage page;
  const std::string good = xhtml("<title/><a href='1'>x</a>");
  reader.read(good, {{}, {}, true}, page);
  EXPECT_TRUE(page.xhtml);
  EXPECT_THAT(hrefs(page), ElementsAre("1"));
  reader.read(good, {}, page);
  EXPECT_FALSE(page.xhtml);
  EXPECT_THAT(hrefs(page), IsEmpty());
  // From the first byte, so that no link is there twice.
  reader.read(xhtml("<a href='1'>x</a><br><a href='2'>y</a>"), {{}, {}, true}, page);
  EXPECT_FALSE(page.xhtml);
  EXPECT_THAT(hrefs(page), ElementsAre("1", "2"));
  EXPECT_EQ(page.text, "x\ny");
}

// RFC 7303, section 3: a byte order mark, the header, the XML declaration, UTF-8.
TEST(PageReader, FindsTheEncodingOfXhtml) {
  PageReader reader;
  HtmlPage page;
  const auto read = [&](const std::string& bytes, std::string_view header = {}) {
    const CharsetChoice choice = reader.read(bytes, {header, {}, true}, page);
    EXPECT_TRUE(page.xhtml) << bytes;
    EXPECT_EQ(page.encoding, choice.encoding);
    return choice.encoding;
  };
  EXPECT_EQ(read("<?xml version='1.0' encoding='windows-1251'?>" + xhtml("<a href='?\xC6'>\xC6</a>")),
            Encoding::kWindows1251);
  EXPECT_EQ(page.text, "\u0416");
  EXPECT_EQ(read("<?xml version='1.0' encoding='windows-1251'?>" + xhtml("\xD6"), "koi8-r"),
            Encoding::kKoi8R);
  EXPECT_EQ(page.text, "\u0436");
  EXPECT_EQ(read("\xEF\xBB\xBF" + xhtml("x"), "koi8-r"), Encoding::kUtf8);
  EXPECT_EQ(read(xhtml("<meta charset='koi8-r'/>\u00E9")), Encoding::kUtf8);
  EXPECT_EQ(page.text, "\u00E9");
}

TEST(XhtmlRoot, IsFoundBehindTheProlog) {
  EXPECT_TRUE(has_xhtml_root(xhtml("")));
  EXPECT_TRUE(
      has_xhtml_root("<?xml version='1.0'?>\n<!-- <p> --><!DOCTYPE html [<!ENTITY a '>'>]>" + xhtml("")));
  EXPECT_TRUE(has_xhtml_root("\xEF\xBB\xBF<h:html xmlns:h=\"http://www.w3.org/1999/xhtml\">"));
  EXPECT_FALSE(has_xhtml_root("<html><p xmlns='http://www.w3.org/1999/xhtml'>"));
  EXPECT_FALSE(has_xhtml_root("<!-- "));
  EXPECT_FALSE(has_xhtml_root("<"));
  EXPECT_FALSE(has_xhtml_root(""));
}

}  // namespace
}  // namespace bowerbird
