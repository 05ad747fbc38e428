#include "parse/html_rewrite.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

struct Rewriting {
  Rewriting() { EXPECT_EQ(parse_url("http://a.test/dir/page.html", nullptr, page), UrlFault::kNone); }
  std::string html(std::string_view text) { return rewrite_html(text, context()); }
  std::string xml(std::string_view text) { return rewrite_xml(text, context()); }
  RewriteContext context() { return {&page, &map}; }

  Url page;
  UrlMapper map = [](const Url& url, UrlUse use) {
    return (use == UrlUse::kPage ? "/p/" : "/r/") + url.text().substr(0, url.text().find('#'));
  };
};

TEST(HtmlRewrite, ReplacesUrlsOfLinksAndRequisites) {
  Rewriting r;
  EXPECT_EQ(r.html("<a href=x>y</a>"), "<a href=\"/p/http://a.test/dir/x\">y</a>");
  EXPECT_EQ(r.html("<IMG SRC='//c.test/i.png?a=1&amp;b' alt=z>"),
            "<IMG SRC=\"/r/http://c.test/i.png?a=1&amp;b\" alt=z>");
  EXPECT_EQ(r.html("<iframe src=/f></iframe>"), "<iframe src=\"/p/http://a.test/f\"></iframe>");
  EXPECT_EQ(r.html("<link rel=stylesheet href=s.css><link rel=canonical href=c>"),
            "<link rel=stylesheet href=\"/r/http://a.test/dir/s.css\"><link rel=canonical "
            "href=\"/p/http://a.test/dir/c\">");
  EXPECT_EQ(r.html("<form action=go><button formaction=stop>"),
            "<form action=\"/p/http://a.test/dir/go\"><button formaction=\"/p/http://a.test/dir/stop\">");
  EXPECT_EQ(r.html("<object data=o><video poster=p></video><body background=b>"),
            "<object data=\"/r/http://a.test/dir/o\"><video poster=\"/r/http://a.test/dir/p\"></video><body "
            "background=\"/r/http://a.test/dir/b\">");
  EXPECT_EQ(r.html("<svg><use xlink:href='s.svg#i'/></svg>"),
            "<svg><use xlink:href=\"/r/http://a.test/dir/s.svg#i\"/></svg>");
}

TEST(HtmlRewrite, ReadsSetsOfImages) {
  Rewriting r;
  EXPECT_EQ(r.html("<img srcset='a.png 1x, b,c.png 2x,d.png'>"),
            "<img srcset=\"/r/http://a.test/dir/a.png 1x, /r/http://a.test/dir/b,c.png 2x, "
            "/r/http://a.test/dir/d.png\">");
  EXPECT_EQ(r.html("<source srcset=' a, b '>"),
            "<source srcset=\"/r/http://a.test/dir/a, /r/http://a.test/dir/b\">");
}

TEST(HtmlRewrite, LeavesOtherSchemesAndFragmentsOfThePage) {
  Rewriting r;
  for (const char* same :
       {"<a href=\"#top\">", "<a href=\"mailto:x@y\">", "<img src=\"data:image/png;base64,AA\">",
        "<a href=\"\">", "<a href>", "text &amp; <b class=x>more</b>", "<!-- <a href=x> -->",
        "<script>'<a href=x>'</script>", "<textarea><a href=x></textarea>", "<title><a href=x></title>"})
    EXPECT_EQ(r.html(same), same);
  EXPECT_EQ(r.html("<a href='http://[x'>"), "<a href=\"about:invalid\">");
  EXPECT_EQ(r.html("<a href=' ht\ntp://b.test/x '>"), "<a href=\"/p/http://b.test/x\">");
}

TEST(HtmlRewrite, ResolvesTheBaseAndRemovesIt) {
  Rewriting r;
  EXPECT_EQ(r.html("<base href='http://b.test/q/' target=_top><a href=x><a href=#y>"),
            "<base  target=_top><a href=\"/p/http://b.test/q/x\"><a href=\"/p/http://b.test/q/#y\">");
}

TEST(HtmlRewrite, RewritesStyles) {
  Rewriting r;
  EXPECT_EQ(r.html("<p style='background:url(i.png)'>"),
            "<p style=\"background:url(/r/http://a.test/dir/i.png)\">");
  EXPECT_EQ(r.html("<style>@import 'x.css';</style>"),
            "<style>@import '/r/http://a.test/dir/x.css';</style>");
  EXPECT_EQ(r.html("<svg><style>a{b:url(c)}</style></svg>"),
            "<svg><style>a{b:url(/r/http://a.test/dir/c)}</style></svg>");
  EXPECT_EQ(r.html("<style>a{b:url(c)}"), "<style>a{b:url(/r/http://a.test/dir/c)}") << "without an end tag";
}

TEST(HtmlRewrite, EscapesUrlsInStyles) {
  Rewriting r;
  r.map = [](const Url& /*url*/, UrlUse /*use*/) { return std::string("a\"b'c)d</style>\\e"); };
  const std::string escaped = "a\\22 b\\27 c\\29 d\\3c /style\\3e \\5c e";
  for (const char* form : {"a{b:url(%)}", "a{b:url('%')}", "a{b:url(\"%\")}", "@import '%';"}) {
    std::string css = form, expected = form;
    css.replace(css.find('%'), 1, "x");
    expected.replace(expected.find('%'), 1, escaped);
    EXPECT_EQ(rewrite_css(css, r.context()), expected);
  }
}

TEST(HtmlRewrite, RemovesWhatKeepsAChangedPageFromWorking) {
  Rewriting r;
  EXPECT_EQ(r.html("<script integrity=sha256-x src=s crossorigin></script>"),
            "<script  src=\"/r/http://a.test/dir/s\" ></script>");
  EXPECT_EQ(r.html("<meta http-equiv=Content-Security-Policy content=\"default-src 'self'\">"),
            "<meta http-equiv=Content-Security-Policy content=\"\">");
  EXPECT_EQ(r.html("<meta name=referrer content=no-referrer>"), "<meta name=referrer content=\"\">");
  EXPECT_EQ(r.html("<meta charset=koi8-r>"), "<meta charset=\"utf-8\">");
  EXPECT_EQ(r.html("<meta http-equiv=refresh content='5;URL=next'>"),
            "<meta http-equiv=refresh content=\"5; url=/p/http://a.test/dir/next\">");
}

TEST(HtmlRewrite, RewritesPagesInAttributes) {
  Rewriting r;
  EXPECT_EQ(r.html("<iframe srcdoc='&lt;a href=x&gt;'></iframe>"),
            "<iframe srcdoc=\"&lt;a href=&quot;/p/http://a.test/dir/x&quot;&gt;\"></iframe>");
}

TEST(HtmlRewrite, ReadsXmlByItsOwnRules) {
  Rewriting r;
  EXPECT_EQ(r.xml("<?xml version='1.0'?><html><script/><a href='x'/><![CDATA[<a href='y'>]]><!-- <a "
                  "href='z'> --></html>"),
            "<?xml version='1.0'?><html><script/><a href=\"/p/http://a.test/dir/x\"/><![CDATA[<a "
            "href='y'>]]><!-- <a "
            "href='z'> --></html>");
  EXPECT_EQ(r.xml("<svg><style><![CDATA[a{b:url(c)}]]></style><image href='i'/></svg>"),
            "<svg><style><![CDATA[a{b:url(/r/http://a.test/dir/c)}]]></style><image "
            "href=\"/r/http://a.test/dir/i\"/></svg>");
}

TEST(HtmlRewrite, ReplacesStyleSheetsThatXmlNamesBeforeItsRoot) {
  Rewriting r;
  EXPECT_EQ(r.xml("<?xml version='1.0'?><?xml-stylesheet type='text/css' href='a.css?x&amp;y'?><svg/>"),
            "<?xml version='1.0'?><?xml-stylesheet type='text/css' "
            "href='/r/http://a.test/dir/a.css?x&amp;y'?><svg/>");
  for (const char* same :
       {"<?xml-stylesheet href='#s'?><svg/>", "<?xml-stylesheet href?><svg/>", "<?xml-stylesheet",
        "<?xml-stylesheets href='a'?><svg/>", "<svg><?xml-stylesheet href='a'?></svg>",
        "<?xml-stylesheet href='a?>", "<?xml-stylesheet?><svg/>", "<?xml-stylesheet ?"})
    EXPECT_EQ(r.xml(same), same);
  r.map = [](const Url&, UrlUse) { return std::string("'?><script/>"); };
  EXPECT_EQ(r.xml("<?xml-stylesheet href=\"a\"?><svg/>"),
            "<?xml-stylesheet href=\"&#39;?&gt;&lt;script/&gt;\"?><svg/>");
}

TEST(HtmlRewrite, IsLinearInDeepAndBrokenPages) {
  Rewriting r;
  std::string page;
  for (int i = 0; i < 20'000; ++i) page += "<a href=\"x\" style=\"b:url(\" <svg><style>";
  EXPECT_GT(r.html(page).size(), 0u);
  EXPECT_GT(r.xml(page).size(), 0u);
}

}  // namespace
}  // namespace bowerbird
