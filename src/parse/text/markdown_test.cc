#include "parse/text/markdown.h"

#include <gtest/gtest.h>

#include "parse/html_tokenizer.h"
#include "parse/text/plain_text.h"
#include "parse/text/tree_builder.h"

namespace bowerbird {
namespace {

HtmlTree page_tree(std::string_view html) {
  HtmlTokenizer<TreeBuilder> tokenizer;
  HtmlTree tree;
  tokenizer.sink().begin(tree);
  tokenizer.scan(html, std::size_t{1} << 28);
  tokenizer.sink().finish();
  return tree;
}

std::string markdown_of(std::string_view html, std::string_view base = "https://a.example/d/p") {
  const HtmlTree tree = page_tree(html);
  Url url;
  if (!base.empty()) {
    EXPECT_EQ(parse_url(base, nullptr, url), UrlFault::kNone);
  }
  return markdown(tree, std::vector<bool>(tree.blocks.size(), true), url);
}

std::string plain_of(std::string_view html) {
  const HtmlTree tree = page_tree(html);
  return plain_text(tree, std::vector<bool>(tree.blocks.size(), true));
}

TEST(PlainText, SeparatesParagraphsItemsRowsAndCells) {
  EXPECT_EQ(plain_of("<h1>T</h1><p>a<p>b<ul><li>c<li>d</ul><table><tr><td>e<td>f<tr><td>g</table>"),
            "T\n\na\n\nb\n\nc\nd\n\ne\tf\ng\n");
  EXPECT_EQ(plain_of("<pre>a\n  b</pre>"), "a\n  b\n");
  EXPECT_EQ(plain_of(""), "");
}

TEST(Markdown, HeadingsParagraphsAndBreaks) {
  EXPECT_EQ(markdown_of("<h2>A <i>b</i></h2><p>c<br>d<p>e"), "## A *b*\n\nc  \nd\n\ne\n");
}

TEST(Markdown, ListsAreNumberedAndNested) {
  EXPECT_EQ(markdown_of("<ul><li>a<li><p>b<p>c<ul><li>d</ul><li>e</ul><p>f"),
            "- a\n- b\n\n  c\n  - d\n- e\n\nf\n");
  EXPECT_EQ(markdown_of("<ol start=9><li>a<li>b</ol>"), "9. a\n10. b\n");
  EXPECT_EQ(markdown_of("<dl><dt>t<dd>d</dl>"), "t\n\n: d\n");
}

TEST(Markdown, QuotesPrefixEveryLine) {
  EXPECT_EQ(markdown_of("<blockquote><p>a<p>b<ul><li>c</ul></blockquote>"), "> a\n>\n> b\n>\n> - c\n");
}

TEST(Markdown, CodeKeepsItsLinesAndNamesItsLanguage) {
  EXPECT_EQ(markdown_of("<pre><code class='language-c++'>if (a < b)\n  c = `d`;</code></pre>"),
            "```c++\nif (a < b)\n  c = `d`;\n```\n");
  EXPECT_EQ(
      markdown_of("<div class='highlight-python notranslate'><div class=highlight><pre>x</pre></div></div>"),
      "```python\nx\n```\n");
  EXPECT_EQ(markdown_of("<pre>```</pre>"), "````\n```\n````\n");
  EXPECT_EQ(markdown_of("<p>Use <code>a`*b</code> here"), "Use ``a`*b`` here\n");
  EXPECT_EQ(markdown_of("<p><code>Model.</code><code>save</code>(<code>a</code> <code>b</code>)"),
            "`Model.save`(`a` `b`)\n");
  EXPECT_EQ(markdown_of("<ul><li>a<pre>b\nc</pre></ul>"), "- a\n\n  ```\n  b\n  c\n  ```\n");
}

TEST(Markdown, TablesOfDataAndOfLayout) {
  EXPECT_EQ(markdown_of("<table><tr><th>a<th>b|<tr><td><p>c<p>d<td>e</table>"),
            "| a | b\\| |\n| --- | --- |\n| c<br>d | e |\n");
  EXPECT_EQ(markdown_of("<table><tr><td>a<td>b</table>"), "| | |\n| --- | --- |\n| a | b |\n");
  // At most one cell of each row has text.
  EXPECT_EQ(markdown_of("<table><tr><td><h2>a</h2><p>b</p><td><img alt=''></table>"), "## a\n\nb\n");
  EXPECT_EQ(markdown_of("<table><tr><td>a<tr><td><table><tr><td>b</table></table>"), "a\n\nb\n");
}

TEST(Markdown, LinksAndImagesAreAbsolute) {
  EXPECT_EQ(markdown_of("<p>see <a href='x y(1)?a=1&amp;b'>the <b>page</b> </a>now"),
            "see [the **page**](https://a.example/d/x%20y%281%29?a=1&b) now\n");
  EXPECT_EQ(markdown_of("<p>a<p><img src=i.png alt='An [image]'> b"),
            "a\n\n![An \\[image\\]](https://a.example/d/i.png)\n\nb\n");
  EXPECT_EQ(markdown_of("<p>a <a href='javascript:x'>b</a>"), "a b\n");
  EXPECT_EQ(markdown_of("<p>a <a href='x.html'>b</a>", ""), "a [b](x.html)\n");
  EXPECT_EQ(markdown_of("<a href=x><div>a</div></a>"), "[a](https://a.example/d/x)\n");
}

TEST(Markdown, DecorationAndPermalinksAreLeftOut) {
  EXPECT_EQ(markdown_of("<p>a <img src=/x alt=''> b<img src=/y alt=y></p>"),
            "a b![y](https://a.example/y)\n");
  EXPECT_EQ(
      markdown_of("<h2>One<a href='#one'>¶</a></h2><h2><a href='#two'><b>#</b></a> Two</h2><p><b>x</b>"),
      "## One\n\n## Two\n\n**x**\n");
  EXPECT_EQ(markdown_of("<h2>One<a href='#one'>\uf0c1</a></h2><h2><a href='#two'>◆&nbsp;</a>Two</h2>"
                        "<h2><a href='p#toc'>Three</a></h2><p><a href='#one'>x</a>"),
            "## One\n\n## Two\n\n## Three\n\n[x](https://a.example/d/p#one)\n");
  EXPECT_EQ(markdown_of("<p>a<p><a href='#top'><img src=up.gif alt=top></a><p>b"), "a\n\nb\n");
  EXPECT_EQ(markdown_of("<p>a<a href='#x'><div>#</div></a>b"), "a\n\n\\#\n\nb\n");
}

TEST(Markdown, CaptionsAndFormulas) {
  EXPECT_EQ(markdown_of("<p>a<figure><img src=i><figcaption>c</figcaption></figure><p>b"),
            "a\n\n![](https://a.example/d/i)\n\n*c*\n\nb\n");
  EXPECT_EQ(markdown_of(
                "<p>Let <math><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation></math> be"),
            "Let $x_1$ be\n");
}

TEST(Markdown, TextThatLooksLikeMarkupIsEscaped) {
  EXPECT_EQ(markdown_of("<p># a<p>- b<p>1. c<p>*d* _e_ snake_case [f] &lt;g> &amp;amp; `h` \\"),
            "\\# a\n\n\\- b\n\n1\\. c\n\n\\*d\\* \\_e\\_ snake_case \\[f\\] \\<g> \\&amp; \\`h\\` \\\\\n");
}

TEST(Markdown, MarksWithoutTextAreLeftOut) {
  EXPECT_EQ(markdown_of("<p>a<b> </b><i></i>b <b> c </b>d"), "a b **c** d\n");
}

std::string many(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

// Output is linear in the page, whatever is in it.
TEST(Markdown, HostilePagesGiveBoundedOutput) {
  const std::string pages[] = {many("<ol><li>a", 20'000),
                               "<ol>" + many("<li>a", 50'000),
                               many("<blockquote>a", 20'000),
                               "<table><tr>" + many("<td>a", 100) + many("<tr><td>b", 50'000),
                               "<table><tr><td colspan=1000000 rowspan=1000000>a<td>b</table>",
                               many("<table><tr><td>a", 20'000),
                               "<table>" + many("<tr><td>a<td>b", 150'000),
                               many("<b><i><a href=x>a", 20'000)};
  for (const std::string& page : pages) EXPECT_LE(markdown_of(page).size(), 60 * page.size() + 1000);
}

}  // namespace
}  // namespace bowerbird
