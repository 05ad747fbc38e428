// Each test names the clause of CSS Syntax Module Level 3 that it checks, or that of the module which gives a
// construct its meaning.
#include "parse/css.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rng.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> css_urls(std::string_view css, CssPart part = CssPart::kSheet) {
  std::vector<std::string> urls;
  read_css(css, part, [&](const CssReference& found) {
    const char* const use = found.use == CssUse::kImport ? "import "
                            : found.use == CssUse::kFont ? "font "
                                                         : "";
    urls.push_back(use + std::string(found.url));
    EXPECT_LE(found.at + found.size, css.size());
  });
  return urls;
}

// 4.3.4: url( with a quote behind it, white space or not, is a function; otherwise it is a URL token.
TEST(Css, FindsUrlsInEveryQuoting) {
  EXPECT_THAT(css_urls("a{b:url(1)}c{d:url( 2 )}e{f:url('3')}g{h:url( \"4\" )}i{j:URL(\n5\t)}"),
              ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(css_urls("a{b:url(1),url(2) , url('3')}"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(css_urls("a{b:url('a)b')}"), ElementsAre("a)b"));
}

TEST(Css, SaysWhereTheUrlStands) {
  const std::string_view css = "a{b:url( x\\79.png )}@import 'q';";
  std::vector<std::string> written;
  read_css(css, CssPart::kSheet,
           [&](const CssReference& found) { written.emplace_back(css.substr(found.at, found.size)); });
  EXPECT_THAT(written, ElementsAre("x\\79.png", "q"));
}

// 4.3.7: up to six hex digits and one white space; other characters stand for themselves.
TEST(Css, ResolvesEscapes) {
  EXPECT_THAT(css_urls("a{b:url(x\\2e png)}"), ElementsAre("x.png"));
  EXPECT_THAT(css_urls("a{b:url(x\\00002epng)}"), ElementsAre("x.png"));
  EXPECT_THAT(css_urls("a{b:url(a\\)b\\(c\\ d)}"), ElementsAre("a)b(c d"));
  EXPECT_THAT(css_urls("a{b:url('a\\'b\\\"')}"), ElementsAre("a'b\""));
  EXPECT_THAT(css_urls("a{b:u\\52l(x)}c{d:\\75\r\nrl(y)}"), ElementsAre("x", "y"));
  EXPECT_THAT(css_urls("a{b:url(\\0 \\d800 \\110000 )}"), ElementsAre("\uFFFD\uFFFD\uFFFD"));
  EXPECT_THAT(css_urls("a{b:url(\\\u00e9x)}"), ElementsAre("\u00e9x"));
  EXPECT_THAT(css_urls("@imp\\6frt 'x';"), ElementsAre("import x"));
}

// 4.3.5: an escaped line end is nothing; one that is not escaped makes a bad string.
TEST(Css, StringsEndAtTheLineEnd) {
  EXPECT_THAT(css_urls("a{b:url('x\\\ny\\\r\nz')}"), ElementsAre("xyz"));
  EXPECT_THAT(css_urls("a{b:url('x\ny');c:url(d)}"), IsEmpty()) << "the second quote opens a string";
  EXPECT_THAT(css_urls("a{b:'x\n;c:url(d)}"), ElementsAre("d"));
}

// 4.3.6: quotes, brackets and white space inside make a bad URL, whose remnants go up to the bracket
// (4.3.14).
TEST(Css, PassesOverBadUrls) {
  EXPECT_THAT(css_urls("a{b:url(x y);c:url(d)}"), ElementsAre("d"));
  EXPECT_THAT(css_urls("a{b:url(x\"y);c:url(d)}"), ElementsAre("d"));
  EXPECT_THAT(css_urls("a{b:url(x(y);c:url(d)}"), ElementsAre("d"));
  EXPECT_THAT(css_urls("a{b:url(x\x01y);c:url(d)}"), ElementsAre("d"));
  EXPECT_THAT(css_urls("a{b:url(x\\\ny);c:url(d)}"), ElementsAre("d"));
  EXPECT_THAT(css_urls("a{b:url(x y\\)z);c:url(d)}"), ElementsAre("d"));
}

// 4.3.2, 4.3.5, 4.3.6: the end of the text ends everything.
TEST(Css, TheEndOfTheTextClosesOpenConstructs) {
  EXPECT_THAT(css_urls("a{b:url(x"), ElementsAre("x"));
  EXPECT_THAT(css_urls("a{b:url('x"), ElementsAre("x"));
  EXPECT_THAT(css_urls("a{b:url(x "), ElementsAre("x"));
  EXPECT_THAT(css_urls("@import 'x"), ElementsAre("import x"));
  for (const char* css : {"/*", "/", "@", "\\", "url(", "url('", "url(\\", "'\\", "#", "-", "1", "<!-", "u"})
    css_urls(css);
}

TEST(Css, IgnoresUrlsInCommentsStringsAndNames) {
  EXPECT_THAT(css_urls("/* url(a) */ b{c:'url(d)'} /* '*/ e{f:url(g)} /*' */"), ElementsAre("g"));
  EXPECT_THAT(css_urls("a{b:myurl(x);c:1url(y);d:#url(z);e:-url(w);f:url}"), IsEmpty());
  EXPECT_THAT(css_urls("a{b:url(/*x*/)}"), ElementsAre("/*x*/")) << "no comments in a URL token";
  EXPECT_THAT(css_urls("a/**/{b:/**/url(x)}"), ElementsAre("x"));
}

// 5.4.2; CSS Cascading and Inheritance, section 2: a URL or a string, then conditions.
TEST(Css, FindsImports) {
  EXPECT_THAT(css_urls("@charset 'utf-8'; @import 'a'; @import url(b) screen; @IMPORT url('c') layer(x) "
                       "supports(background: url(no)); p{q:url(d)}"),
              ElementsAre("import a", "import b", "import c", "d"));
  EXPECT_THAT(css_urls("@import/**/\"a\";@import\nurl(b);"), ElementsAre("import a", "import b"));
  EXPECT_THAT(css_urls("<!-- @import 'a'; --> @import 'b';"), ElementsAre("import a", "import b"));
  EXPECT_THAT(css_urls("@media print { @import 'a'; p{b:url(c)} }"), ElementsAre("c"));
}

TEST(Css, FindsFonts) {
  EXPECT_THAT(css_urls("@font-face{font-family:X;src:local('X'),url(a.woff2) format('woff2'),url('b.woff')} "
                       "p{background:url(c)} @media print{@FONT-FACE{src:url(d)}}"),
              ElementsAre("font a.woff2", "font b.woff", "c", "font d"));
}

// CSS Images Module Level 4, section 2.6: strings in image-set() are URLs, those of type() are not.
TEST(Css, FindsImageSets) {
  EXPECT_THAT(css_urls("a{b:image-set('1' 1x, url(2) 2x type('image/png'), \"3\" 3x)}"),
              ElementsAre("1", "2", "3"));
  EXPECT_THAT(css_urls("a{b:-webkit-image-set(url(1) 1x)}c{d:linear-gradient('no')}"), ElementsAre("1"));
}

// Preludes of other at-rules name nothing to fetch.
TEST(Css, PassesOverNamespacesAndConditions) {
  EXPECT_THAT(css_urls("@namespace url(http://a); @namespace x 'b'; @document url(c){d{e:url(f)}}"),
              ElementsAre("f"));
  EXPECT_THAT(css_urls("@supports (a:url(b)) and (c:url(d)) {e{f:url(g)}} h{i:url(j)}"),
              ElementsAre("g", "j"));
  EXPECT_THAT(css_urls("@media{a{b:url(c)}@x y}d{e:url(f)}"), ElementsAre("c", "f"));
}

// 5.4.8: brackets are matched; one that does not fit is a token like any other.
TEST(Css, MatchesBrackets) {
  EXPECT_THAT(css_urls("@font-face{src:x(}) url(a)} b{c:url(d)}"), ElementsAre("font a", "d"));
  EXPECT_THAT(css_urls("}}) a{b:url(c)}"), ElementsAre("c"));
}

TEST(Css, LeavesOutUrlsThatAreNotFetched) {
  EXPECT_THAT(css_urls("a{b:url();c:url('');d:url(#e);f:url(data:image/png;base64,xx);g:url(DATA:,)}"),
              IsEmpty());
}

TEST(Css, ReadsStyleAttributes) {
  EXPECT_THAT(css_urls("color:red;background:url(a) , url('b');--x:url(c)", CssPart::kDeclarations),
              ElementsAre("a", "b", "c"));
  EXPECT_THAT(css_urls("@import 'x'; a:url(b)", CssPart::kDeclarations), ElementsAre("b"));
}

TEST(Css, IsReadInItsEncoding) {
  std::string storage;
  EXPECT_EQ(css_text("a\xe9", "iso-8859-1", storage), "a\u00e9");
  EXPECT_EQ(css_text("@charset \"windows-1251\";\xc6", "", storage), "@charset \"windows-1251\";\u0416");
  EXPECT_EQ(css_text("@charset \"utf-16le\";x", "", storage), "@charset \"utf-16le\";x");
  EXPECT_EQ(css_text("\xef\xbb\xbfx", "iso-8859-1", storage), "x");
  EXPECT_EQ(css_text("\u00e9", "", storage), "\u00e9");
}

// Random texts over what matters: nothing is read beyond the end, and a URL is made of what stands in it.
TEST(Css, HoldsAgainstRandomText) {
  constexpr std::string_view kPieces[] = {
      "url(", "URL( ", ")",          "'",        "\"",         "\\",  "\n",   "{",    "}",    "(",
      "[",    "]",     ";",          "@import ", "@font-face", "/*",  "*/",   "x",    "1",    "-",
      "#",    " ",     "image-set(", "\\75 ",    "<!--",       "-->", "\xc3", "\xa9", "src(", ","};
  Rng rng(3);
  for (int round = 0; round < 20'000; ++round) {
    std::string css;
    for (std::uint64_t i = rng.below(24); i > 0; --i) css += kPieces[rng.below(std::size(kPieces))];
    css_urls(css);
    css_urls(css, CssPart::kDeclarations);
  }
}

}  // namespace
}  // namespace bowerbird
