#include "parse/css_urls.h"

#include <gtest/gtest.h>

#include <vector>

namespace bowerbird {
namespace {

// "import:a.css value:b.png"
std::string css_urls_in(std::string_view css) {
  constexpr const char* kNames[] = {"import", "font", "value", "namespace"};
  std::string all;
  for_each_css_url(css, [&](const CssUrl& url) {
    if (!all.empty()) all += ' ';
    all += kNames[static_cast<int>(url.kind)];
    all += ':';
    all += url.url;
  });
  return all;
}

TEST(CssUrls, FindsUrlsOfValuesImportsAndFonts) {
  EXPECT_EQ(css_urls_in("a{background:url(b.png) no-repeat,url( 'c d.png' )}"), "value:b.png value:c d.png");
  EXPECT_EQ(css_urls_in("@import 'a.css' screen; @IMPORT url(b.css); @import url(\"c.css\") layer(x);"),
            "import:a.css import:b.css import:c.css");
  EXPECT_EQ(css_urls_in("@font-face{src:local('x'),url(f.woff2) format('woff2')}b{c:url(d)}"),
            "font:f.woff2 value:d");
  EXPECT_EQ(css_urls_in("@namespace svg url(http://www.w3.org/2000/svg); @namespace 'x';a{b:url(c)}"),
            "namespace:http://www.w3.org/2000/svg namespace:x value:c");
}

TEST(CssUrls, FindsTheStringsOfImageSetsButNotTheirTypes) {
  EXPECT_EQ(
      css_urls_in("a{b:image-set('a.png' 1x, \"b.avif\" type('image/avif') 2x, url(c.png) 3x)} d{e:'f'}"),
      "value:a.png value:b.avif value:c.png");
  EXPECT_EQ(css_urls_in("a{b:-webkit-image-set(url(a) 1x)}"), "value:a");
}

TEST(CssUrls, ReadsEscapesAndComments) {
  EXPECT_EQ(css_urls_in("a{b:\\75 rl(x\\)y)}"), "value:x)y");
  EXPECT_EQ(css_urls_in("a{b:u\\52L('x\\\ny\\26 z')}"), "value:xy&z");
  EXPECT_EQ(css_urls_in("/* url(a) @import 'b'; */ a{b:url(c)/**/}"), "value:c");
  EXPECT_EQ(css_urls_in("@import /* x */ 'a.css';"), "import:a.css");
}

TEST(CssUrls, LeavesOutWhatIsNoUrl) {
  EXPECT_EQ(css_urls_in("a{content:'url(x)'}"), "");
  EXPECT_EQ(css_urls_in("a{b:url(x y);c:url(a'b);d:url()}"), "");
  EXPECT_EQ(css_urls_in("a{b:xurl(y);c:#url(z);d:1url(z)}"), "");
  EXPECT_EQ(css_urls_in("@charset 'utf-8'; @import; 'x'"), "");
  EXPECT_EQ(css_urls_in("a{b:url('x\ny);c:url(d)}"), "value:d");
}

TEST(CssUrls, ReadsWhatTheEndCutsOff) {
  EXPECT_EQ(css_urls_in("a{b:url(x"), "value:x");
  EXPECT_EQ(css_urls_in("a{b:url('x"), "value:x");
  EXPECT_EQ(css_urls_in("@import 'x"), "import:x");
  EXPECT_EQ(css_urls_in("a{b:url("), "");
  EXPECT_EQ(css_urls_in("a\\"), "");
}

TEST(CssUrls, ReplacesTheWholeTokenAndNothingElse) {
  const auto upper = [](const CssUrl& url, std::string& text) {
    if (url.url == "stays") return false;
    text = std::string(url.url) + "\"</style>";
    return true;
  };
  EXPECT_EQ(replace_css_urls("a{b:URL( x )}@import 'y' print;c{d:url(stays)}", upper),
            "a{b:url(\"x\\22 \\3c /style\\3e \")}@import \"y\\22 \\3c /style\\3e \" print;c{d:url(stays)}");
  EXPECT_EQ(replace_css_urls("a{b:url('x' crossorigin(anonymous))}", upper),
            "a{b:url(\"x\\22 \\3c /style\\3e \" crossorigin(anonymous))}");
}

TEST(CssUrls, FindsItsOwnStringsAgain) {
  const std::string text = "a\"b\\c'<&>\n\x7f\xc3\xa9 d";
  std::string found;
  for_each_css_url("@import " + css_string(text) + ";", [&](const CssUrl& url) { found = url.url; });
  EXPECT_EQ(found, text);
  for_each_css_url("x{y:" + css_url(text) + "}", [&](const CssUrl& url) { found = url.url; });
  EXPECT_EQ(found, text);
}

}  // namespace
}  // namespace bowerbird
