// Each test names the clause of the HTML standard that it checks, or says that it is our choice.
#include "parse/html_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "parse/html_testing.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string text_of(std::string_view html) {
  return scan_every_way(html).text;
}

// 13.2.5.6 tag open: only a letter begins a tag.
TEST(HtmlScanner, AnAngleBracketBeforeAnythingElseIsText) {
  EXPECT_EQ(text_of("1 < 2 <3 <- <"), "1 < 2 <3 <- <");
  EXPECT_THAT(hrefs("a<<a href=x>"), ElementsAre("x"));
  EXPECT_THAT(hrefs("< a href=x>"), IsEmpty());
}

// 13.2.5.8 tag name: any case; up to white space, '/' or '>'.
TEST(HtmlScanner, TagNamesAreReadInAnyCaseUpToASeparator) {
  EXPECT_THAT(hrefs("<A HREF=1><a\nhref=2><a/href=3><a\thref=4><a\fhref=5><a\rhref=6>"),
              ElementsAre("1", "2", "3", "4", "5", "6"));
  EXPECT_THAT(hrefs("<ab href=1><a: href=2><a- href=3><a\"href=4>"), IsEmpty());
}

// 13.2.5.8: NUL in a name becomes U+FFFD, so that it is another name.
TEST(HtmlScanner, ANulMakesAnotherTag) {
  EXPECT_THAT(hrefs(std::string_view("<a\0 href=1>", 11)), IsEmpty());
}

// 13.2.5.32 to 13.2.5.38: quoting.
TEST(HtmlScanner, ValuesAreReadInEveryQuoting) {
  EXPECT_THAT(hrefs("<a href=\"1 '>\"><a href='2 \">'><a href=3\"'><a href = \n 4 ><a href=/5/>"),
              ElementsAre("1 '>", "2 \">", "3\"'", "4", "/5/"));
}

// 13.2.5.35: '>' where a value should begin ends the tag; the attribute is empty.
TEST(HtmlScanner, AMissingValueIsEmpty) {
  EXPECT_THAT(hrefs("<a href=><a href><a href = ><a href/>"), ElementsAre("", "", "", ""));
}

// 13.2.5.32: '=' at the front belongs to the name.
TEST(HtmlScanner, AnEqualsSignBeginsAName) {
  EXPECT_THAT(hrefs("<a =href=1 ==2 href=3>"), ElementsAre("3"));
}

// 13.2.5.33: quotes and '<' in a name are part of it; of duplicates the first counts.
TEST(HtmlScanner, OfTwoAttributesOfOneNameTheFirstCounts) {
  EXPECT_THAT(hrefs("<a href=1 HREF=2 href='3'>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<a href=\"\" href=2>"), ElementsAre(""));
  EXPECT_THAT(hrefs("<a \"href=1 <href=2 href=3>"), ElementsAre("3"));
}

// 13.2.5.39: no space is needed after a quoted value.
TEST(HtmlScanner, AttributesMayFollowAQuoteAtOnce) {
  EXPECT_THAT(hrefs("<a class=\"x\"href='1'rel='nofollow'>"), ElementsAre("1"));
  EXPECT_EQ(scan_every_way("<a class=\"x\"href='1'rel='nofollow'>").links[0].rel, kRelNofollow);
}

// 13.2.5.8 ff., eof-in-tag: an incomplete tag is ignored.
TEST(HtmlScanner, AnUnfinishedTagIsDropped) {
  EXPECT_THAT(hrefs("<a href=1>x</a><a href=2"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<a href='1>x</a><a href=2>"), IsEmpty());
  EXPECT_EQ(text_of("x<b"), "x");
  EXPECT_EQ(text_of("x</"), "x</");
}

// 13.2.5.7: "</>" is nothing; "</" before anything but a letter is a comment up to '>'.
TEST(HtmlScanner, OddEndTags) {
  EXPECT_EQ(text_of("a</>b</ <a href=1>c</#>d"), "abcd");
  EXPECT_THAT(hrefs("</ <a href=1><a href=2>"), ElementsAre("2"));
  EXPECT_EQ(text_of("a</p class='>'>b"), "a\nb");
}

// 13.2.5.43 to 13.2.5.52: how a comment ends.
TEST(HtmlScanner, CommentsEndInEveryOddWay) {
  EXPECT_THAT(hrefs("<!-- <a href=1> --><a href=2>"), ElementsAre("2"));
  EXPECT_THAT(hrefs("<!--><a href=1>"), ElementsAre("1"));                 // 13.2.5.43 abrupt closing
  EXPECT_THAT(hrefs("<!---><a href=1>"), ElementsAre("1"));                // 13.2.5.44 abrupt closing
  EXPECT_THAT(hrefs("<!----><a href=1>"), ElementsAre("1"));               // 13.2.5.51
  EXPECT_THAT(hrefs("<!--x--!><a href=1>"), ElementsAre("1"));             // 13.2.5.52 incorrectly closed
  EXPECT_THAT(hrefs("<!----!><a href=1>"), ElementsAre("1"));              // 13.2.5.52
  EXPECT_THAT(hrefs("<!--!><a href=1>--><a href=2>"), ElementsAre("2"));   // no end in 13.2.5.43
  EXPECT_THAT(hrefs("<!---!><a href=1>--><a href=2>"), ElementsAre("2"));  // nor in 13.2.5.44
  EXPECT_THAT(hrefs("<!--x-----><a href=1>"), ElementsAre("1"));           // 13.2.5.51, more dashes
  EXPECT_THAT(hrefs("<!--x--x--!x--!-><a href=1>--><a href=2>"), ElementsAre("2"));
  EXPECT_THAT(hrefs("<!-- <!-- --><a href=1>"), ElementsAre("1"));  // 13.2.5.49, comments do not nest
  EXPECT_THAT(hrefs("<!-- <!--><a href=1>"), ElementsAre("1"));     // 13.2.5.49
  EXPECT_THAT(hrefs("<!-- x -- > <a href=1> -- >"), IsEmpty());     // eof-in-comment
}

// 13.2.5.41 bogus comment; 13.2.5.42 markup declaration open.
TEST(HtmlScanner, BogusCommentsEndAtTheFirstAngleBracket) {
  EXPECT_THAT(hrefs("<!x '> <a href=1><?php echo '><a href=2>"), ElementsAre("1", "2"));
  EXPECT_THAT(hrefs("<!- --><a href=1>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<![CDATA[ <a href=1> ]]>"), IsEmpty());  // cdata-in-html-content: ends at the first '>'
  EXPECT_THAT(hrefs("<![CDATA[ > <a href=1> ]]>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<!"), IsEmpty());
}

// 13.2.5.53 to 13.2.5.68: a DOCTYPE ends at the first '>', even in a quoted identifier.
TEST(HtmlScanner, ADoctypeEndsAtTheFirstAngleBracket) {
  EXPECT_THAT(hrefs("<!DOCTYPE html><a href=1><!doctype html PUBLIC \"-//x><a href=2>\">"),
              ElementsAre("1", "2"));
}

// 13.2.5.69 to 13.2.5.71: CDATA in SVG and MathML.
TEST(HtmlScanner, CdataSectionsAreTextInForeignContentOnly) {
  EXPECT_THAT(hrefs("<svg><![CDATA[<a href=1>]]]]>x]]><a href=2></a></svg><![CDATA[<a href=3>"),
              ElementsAre("2"));
  EXPECT_EQ(text_of("<svg><![CDATA[a &amp; <b>]]></svg>"), "a &amp; <b>");
  EXPECT_THAT(hrefs("<math><![CDATA[<a href=1>]]></math>"), IsEmpty());
  EXPECT_THAT(hrefs("<svg><![CDATA[x><a href=1>"), IsEmpty());  // eof-in-cdata
}

// 13.2.5.2, 13.2.5.9 to 13.2.5.11: RCDATA ends at its own end tag only.
TEST(HtmlScanner, TitleAndTextareaHoldNoTags) {
  const HtmlPage page = scan_every_way(
      "<title>a <a href=1> &lt; </b> </titlex> <!-- </TITLE\n><a href=2><textarea><a href=3></textarea>");
  EXPECT_EQ(page.title, "a <a href=1> < </b> </titlex> <!--");
  EXPECT_THAT(hrefs(page), ElementsAre("2"));
  EXPECT_EQ(page.text, "<a href=3>");
}

// 13.2.5.3, 13.2.5.12 to 13.2.5.14: RAWTEXT.
TEST(HtmlScanner, StyleXmpIframeNoembedAndNoframesHoldNoTags) {
  for (const std::string name : {"style", "xmp", "iframe", "noembed", "noframes"}) {
    EXPECT_THAT(hrefs("<" + name + "><a href=1></a><!-- </" + name + " x='>'><a href=2>"), ElementsAre("2"))
        << name;
  }
  EXPECT_EQ(text_of("<xmp>&amp;<b></xmp><style>p {}</style>"), "&amp;<b>");
}

// 13.2.5.11: a name that only begins alike is no end tag, nor is one at the end of the page.
TEST(HtmlScanner, RawTextEndsAtItsWholeNameOnly) {
  EXPECT_THAT(hrefs("<style></styles></style"), IsEmpty());
  EXPECT_THAT(hrefs("<style></stylex><a href=1></style/><a href=2>"), ElementsAre("2"));
  EXPECT_EQ(scan_every_way("<title>x</title").title, "x</title");
}

// 13.2.5.5, 13.2.6.4.7: nothing ends plaintext.
TEST(HtmlScanner, PlaintextGoesToTheEnd) {
  const HtmlPage page = scan_every_way("<a href=1>x</a><plaintext><a href=2>&amp;</plaintext>");
  EXPECT_THAT(hrefs(page), ElementsAre("1"));
  EXPECT_EQ(page.text, "x\n<a href=2>&amp;</plaintext>");
}

// 13.2.5.4, 13.2.5.15 to 13.2.5.17.
TEST(HtmlScanner, ScriptsHoldNoTags) {
  EXPECT_THAT(hrefs("<script>'<a href=1>'; if (a</b/.x) '</scriptx>'</SCRIPT ><a href=2>"), ElementsAre("2"));
  EXPECT_EQ(text_of("a<script>var x;</script>b"), "ab");
}

// 13.2.5.18 to 13.2.5.25: an escaped script still ends at its end tag.
TEST(HtmlScanner, AnEscapedScriptEndsAtItsEndTag) {
  EXPECT_THAT(hrefs("<script><!-- <a href=1></script><a href=2>--><a href=3>"), ElementsAre("2", "3"));
  EXPECT_THAT(hrefs("<script><!--></script><a href=1>"), ElementsAre("1"));
}

// 13.2.5.26 to 13.2.5.31: a script begun inside the comment takes the next end tag.
TEST(HtmlScanner, ADoubleEscapedScriptTakesOneMoreEndTag) {
  EXPECT_THAT(hrefs("<script><!-- <script> </script> <a href=1> </script><a href=2>"), ElementsAre("2"));
  EXPECT_THAT(hrefs("<script><!-- <script> --> </script><a href=1>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<script><!-- <scripty> </script><a href=1>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<script><!--<script></script></script><a href=1>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<script><!--><script></script><a href=1>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<script><!-- <script> </script><a href=1>"), IsEmpty());
}

// 13.2.6.5: in SVG and MathML those elements hold markup; the rules of HTML apply again at integration
// points.
TEST(HtmlScanner, ForeignContentHasNoRawText) {
  EXPECT_THAT(hrefs("<svg><style><a href=1></a></style></svg><style><a href=2></style>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<svg><title><style><a href=1></style></title></svg>"), IsEmpty());
  EXPECT_THAT(hrefs("<svg><foreignObject><style><a href=1></style></foreignObject><style><a href=2></a>"),
              ElementsAre("2"));
  EXPECT_THAT(hrefs("<math><mi><style><a href=1></style></mi><style><a href=2></a>"), ElementsAre("2"));
  EXPECT_THAT(hrefs("<svg/><style><a href=1></style>"), IsEmpty());
  EXPECT_THAT(hrefs("<svg><div></div><style><a href=1></style>"), IsEmpty());  // <div> breaks out
  EXPECT_THAT(hrefs("<div><svg></div><style><a href=1></style>"),
              IsEmpty());  // </div> ends what is open in it
  EXPECT_THAT(hrefs("<svg><font size=1><style><a href=1></style>"), IsEmpty());
  EXPECT_THAT(hrefs("<svg><font><style><a href=1></style>"), ElementsAre("1"));
}

// 13.2.6.5 and, in integration points, 13.2.6.4.7.
TEST(HtmlScanner, ForeignContentThatIsWronglyNestedEndsWhereTheStandardEndsIt) {
  // An end tag of HTML that was never begun ends nothing.
  EXPECT_THAT(hrefs("<svg></div><iframe src=1>"), IsEmpty());
  EXPECT_THAT(hrefs("<svg></b></head></body><iframe src=1>"), IsEmpty());
  EXPECT_THAT(hrefs("<svg></p><iframe src=1>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<math></br><iframe src=1>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<div><b><svg></b><iframe src=1>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<svg/><math></svg><iframe src=1>"), IsEmpty());
  // The elements of SVG are known by their names, whatever they are.
  EXPECT_THAT(hrefs("<svg><g><title></g><iframe src=1>"), IsEmpty());
  EXPECT_THAT(hrefs("<svg><g><title></x><iframe src=1>"), ElementsAre("1"));
  // HTML in an integration point hides what is open around it.
  EXPECT_THAT(hrefs("<svg><desc><div></svg><svg><iframe src=1>"), IsEmpty());
  EXPECT_THAT(hrefs("<div><svg><foreignObject></div><iframe src=1>"), ElementsAre("1"));
  EXPECT_THAT(hrefs("<div><svg><foreignObject></div></foreignObject><iframe src=1>"), IsEmpty());
  EXPECT_THAT(hrefs("<svg><title><title>x</title></title><iframe src=1>"), IsEmpty());
  // CDATA right inside an integration point.
  EXPECT_THAT(hrefs("<svg><title><![CDATA[<a href=1>]]><a href=2>"), ElementsAre("2"));
  EXPECT_THAT(hrefs("<svg><title><b><![CDATA[<a href=1>]]><a href=2>"), ElementsAre("2"));
  // MathML.
  EXPECT_THAT(hrefs("<math><annotation-xml><svg><iframe src=1></svg><iframe src=2>"), IsEmpty());
  EXPECT_THAT(hrefs("<math><mi><mglyph><iframe src=1></mglyph><iframe src=2>"), ElementsAre("2"));
}

TEST(HtmlScanner, DeepForeignContentIsBounded) {
  std::string html = "<svg>";
  for (int i = 0; i < 100'000; ++i) html += "<g>";
  HtmlScanner scanner;
  HtmlPage page;
  scanner.scan(html + "<a href=1></a></svg><iframe src=2>", page);
  EXPECT_THAT(hrefs(page), ElementsAre("1", "2"));
}

// 13.2.3.5 and 13.2.5.36: line ends and NUL in values; invalid UTF-8.
TEST(HtmlScanner, ValuesAreValidUtf8WithLineFeeds) {
  EXPECT_THAT(hrefs(std::string_view("<a href='a\r\nb\rc\0d\xFFz'>", 21)),
              ElementsAre("a\nb\nc\uFFFDd\uFFFDz"));
}

// 13.2.5.72 to 13.2.5.80 in values.
TEST(HtmlScanner, ReferencesInValuesAreResolved) {
  EXPECT_THAT(hrefs("<a href='?a=1&amp;b=2&copy=3&copy;&#x2F;&eacute'>"),
              ElementsAre("?a=1&b=2&copy=3\u00A9/\u00E9"));
  EXPECT_THAT(hrefs("<a href=?a&amp>"), ElementsAre("?a&"));
}

// Our choice: scripts do not run, so <noscript> is markup; links in templates count.
TEST(HtmlScanner, NoscriptAndTemplateHoldLinks) {
  EXPECT_THAT(hrefs("<noscript><a href=1></noscript><template><a href=2></template>"), ElementsAre("1", "2"));
}

// 13.2.6.4.7: NUL is dropped from text. Our choice: white space collapses, also in <pre>.
TEST(HtmlScanner, TextIsTheVisibleText) {
  EXPECT_EQ(text_of("<p>Hello,\n  <b>wor</b>ld &amp;\tall&nbsp;<p>again<br>and<td>x<td>y"),
            "Hello, world & all\nagain\nand x y");
  EXPECT_EQ(text_of(std::string_view("a\0b \x80", 5)), "ab \uFFFD");
  EXPECT_EQ(text_of("  <div> </div> x  "), "x");
}

TEST(HtmlScanner, ALongTagInManyPiecesIsReadOnce) {
  const std::string long_value(300000, 'x');
  const std::string html = "<a href='" + long_value + "'>y</a>";
  HtmlScanner scanner;
  EXPECT_NE(scan_in_pieces(scanner, html, 0, 7).find(long_value), std::string::npos);
}

TEST(HtmlScanner, LimitsCutThePage) {
  HtmlOptions options;
  options.max_links = 2;
  const HtmlPage few = scan_every_way("<a href=1>a</a><a href=2>b</a><a href=3>c</a>", options);
  EXPECT_THAT(hrefs(few), ElementsAre("1", "2"));
  EXPECT_TRUE(few.truncated);
  options = {};
  options.max_bytes = 20;
  const HtmlPage cut = scan_every_way("<a href=1>a</a><a href=2>b</a>", options);
  EXPECT_THAT(hrefs(cut), ElementsAre("1"));
  EXPECT_TRUE(cut.truncated);
}

TEST(HtmlScanner, WithoutTextItFindsTheSameLinks) {
  HtmlOptions options;
  options.text = false;
  const HtmlPage page =
      scan_every_way("<title>t &amp; u</title><nav><a href=1 rel=ugc>x</a></nav><base href=b>", options);
  EXPECT_THAT(hrefs(page), ElementsAre("1"));
  EXPECT_EQ(page.title, "t & u");
  EXPECT_EQ(page.string(page.base), "b");
  EXPECT_EQ(page.text, "");
}

// All sequences of four of these pieces: cutting them anywhere changes nothing (scan_every_way checks it).
TEST(HtmlScanner, EverySmallSoupIsTheSameWholeAndInPieces) {
  const std::vector<std::string> pieces = {
      "<a href=x>", "</a>", "<!--", "-->",     "<script>", "</script>", "<svg>", "<![CDATA[", "]]>", "<b",
      "&am",        "p;",   "'",    "<title>", "</title ", ">",         "\xC3",  "\xA9<",     "-",   "/"};
  Rng rng(7);
  for (int i = 0; i < 3000; ++i) {
    std::string soup;
    for (int k = 0; k < 6; ++k) soup += pieces[rng.below(pieces.size())];
    scan_every_way(soup);
  }
}

// No input makes a scan take longer than in proportion to its size: in the square these would take hours.
TEST(HtmlScanner, RepeatedBeginningsOfMarksAreReadOnce) {
  const auto repeated = [](std::string_view text) {
    std::string all;
    while (all.size() < 1'000'000) all += text;
    return all;
  };
  const auto found = [](const std::string& html) {
    HtmlScanner scanner;
    HtmlPage whole;
    scanner.scan(html, whole);
    HtmlPage page;
    scanner.begin(page);
    for (std::size_t at = 0; at < html.size(); at += 1000)
      scanner.feed(std::string_view(html).substr(at, 1000));
    scanner.finish();
    EXPECT_EQ(page.links.size(), whole.links.size());
    return whole.links.empty() ? std::string() : std::string(whole.href(whole.links.back()));
  };
  for (const std::string_view piece :
       {"<", "</", "<!", "<!--", "<a ", "<a", "<a href='", "&", "&#", "&amp", "]]", "<svg>", "<math><mi>"}) {
    EXPECT_EQ(found(repeated(piece) + "'\"--> ><a href=1>"), "1") << piece;
  }
  EXPECT_EQ(found("<script><!--" + repeated("<script") + "--></script><a href=1>"), "1");
  EXPECT_EQ(found("<script>" + repeated("</script") + "</script><a href=1>"), "1");
  EXPECT_EQ(found("<style>" + repeated("</style") + "</style><a href=1>"), "1");
  EXPECT_EQ(found("<svg><![CDATA[" + repeated("]") + "]]><a href=1>"), "1");
}

}  // namespace
}  // namespace bowerbird
