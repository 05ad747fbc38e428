#include "parse/text/tree_builder.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "parse/html_tokenizer.h"

namespace bowerbird {
namespace {

HtmlTree tree_of(std::string_view html) {
  HtmlTokenizer<TreeBuilder> tokenizer;
  HtmlTree tree;
  tokenizer.sink().begin(tree);
  tokenizer.scan(html, std::size_t{1} << 28);
  tokenizer.sink().finish();
  return tree;
}

std::string name_of(TagId tag) {
  switch (tag) {
    case TagId::kA:
      return "a";
    case TagId::kB:
      return "b";
    case TagId::kBody:
      return "body";
    case TagId::kDd:
      return "dd";
    case TagId::kDiv:
      return "div";
    case TagId::kDt:
      return "dt";
    case TagId::kH2:
      return "h2";
    case TagId::kLi:
      return "li";
    case TagId::kMath:
      return "math";
    case TagId::kOption:
      return "option";
    case TagId::kP:
      return "p";
    case TagId::kPre:
      return "pre";
    case TagId::kSpan:
      return "span";
    case TagId::kTable:
      return "table";
    case TagId::kTbody:
      return "tbody";
    case TagId::kTd:
      return "td";
    case TagId::kTr:
      return "tr";
    case TagId::kUl:
      return "ul";
    default:
      return "other";
  }
}

// "p:one div:two": each block with the element it is in.
std::string blocks_of(std::string_view html) {
  const HtmlTree tree = tree_of(html);
  std::string out;
  for (const TreeBlock& block : tree.blocks) {
    if (!out.empty()) out += ' ';
    out += name_of(tree.nodes[block.node].tag) + ":" + std::string(tree.text_of(block));
  }
  return out;
}

// "body/div/p": the elements around the last block.
std::string path_of_last(std::string_view html) {
  const HtmlTree tree = tree_of(html);
  std::string out;
  for (std::uint32_t n = tree.blocks.back().leaf;; n = tree.nodes[n].parent) {
    out = name_of(tree.nodes[n].tag) + (out.empty() ? "" : "/") + out;
    if (n == 0) return out;
  }
}

TEST(TreeBuilder, BlocksEndAtBlockElementsAndTwoBreaks) {
  EXPECT_EQ(blocks_of("<div>a<p>b</p>c <b>d</b> e<br>f<br><br>g</div>"), "div:a p:b div:c d e\nf div:g");
  EXPECT_EQ(blocks_of("<p>a<br> <br>b"), "p:a p:b");
}

// 13.2.6.4.7: start tags that close a <p>, <li>, <dd>, <dt>, <option>, a heading or an <a>.
TEST(TreeBuilder, StartTagsCloseWhatTheStandardSays) {
  EXPECT_EQ(path_of_last("<p>a<div>b"), "body/div");
  EXPECT_EQ(path_of_last("<p>a<span>b<p>c"), "body/p");
  EXPECT_EQ(path_of_last("<ul><li>a<li>b"), "body/ul/li");
  EXPECT_EQ(path_of_last("<ul><li>a<ul><li>b"), "body/ul/li/ul/li");
  EXPECT_EQ(path_of_last("<ul><li><div><p>a<li>b"), "body/ul/li");
  EXPECT_EQ(path_of_last("<dt>a<dd>b"), "body/dd");
  EXPECT_EQ(path_of_last("<h2>a<h2>b"), "body/h2");
  EXPECT_EQ(path_of_last("<a href=1>a<a href=2>b"), "body/a");
  EXPECT_EQ(path_of_last("<select><option>a<option>b"), "body/other/option");
}

// 13.2.6.4.9 and on.
TEST(TreeBuilder, TablePartsCloseCellsAndRows) {
  EXPECT_EQ(path_of_last("<table><tr><td><div>a<td>b"), "body/table/tr/td");
  EXPECT_EQ(path_of_last("<table><tbody><tr><td><p>a<tr><td>b"), "body/table/tbody/tr/td");
  EXPECT_EQ(path_of_last("<table><tr><td>a<tbody><tr><td>b"), "body/table/tbody/tr/td");
  EXPECT_EQ(path_of_last("<table><td>a"), "body/table/tr/td");
  EXPECT_EQ(path_of_last("<table><tr><td><table><tr><td>a</table>b"), "body/table/tr/td");
  EXPECT_EQ(path_of_last("<div><tr><td>a"), "body/div");  // outside of a table they mean nothing
}

TEST(TreeBuilder, EndTagsReachOnlyAsFarAsTheirScope) {
  EXPECT_EQ(path_of_last("<div><table><tr><td></div>a"), "body/div/table/tr/td");
  EXPECT_EQ(path_of_last("<div><span></div>a"), "body");
  EXPECT_EQ(path_of_last("<span><div></span>a"), "body/span/div");
  EXPECT_EQ(path_of_last("<ul><li><ul></li>a"), "body/ul/li/ul");
  EXPECT_EQ(path_of_last("<div></p>a"), "body/div");
  EXPECT_EQ(path_of_last("</body></html>a"), "body");
  EXPECT_EQ(path_of_last("<x-a><x-b></x-a>a"), "body");
}

TEST(TreeBuilder, WronglyNestedFormattingEndsForItsText) {
  const HtmlTree tree = tree_of("<a href=x>one<div>two</a>three</div>");
  ASSERT_EQ(tree.links.size(), 1u);
  EXPECT_EQ(tree.text.substr(tree.links[0].text.at, tree.links[0].text.size), "one\ntwo");
}

TEST(TreeBuilder, PreformattedTextKeepsItsLines) {
  EXPECT_EQ(blocks_of("<pre>\n  a\n\n    b &lt;\r\nc  </pre>d"), "pre:  a\n\n    b <\nc body:d");
}

TEST(TreeBuilder, HiddenTextIsABlockOfItsOwn) {
  EXPECT_EQ(blocks_of("<p>Price <span class=sr-only>now</span> 5 <span style='display: none'>x</span>"),
            "p:Price p:now p:5 p:x");
}

TEST(TreeBuilder, SvgHasNoTextAndMathKeepsItsSource) {
  EXPECT_EQ(blocks_of("a<svg><title>icon</title><text>t</text></svg>b"), "body:a b");
  const HtmlTree tree =
      tree_of("<math><mi>x</mi><annotation encoding='application/x-tex'>\\alpha</annotation></math>");
  EXPECT_EQ(tree.text, "x");
  ASSERT_EQ(tree.formulas.size(), 1u);
  EXPECT_EQ(tree.formulas[0].tex, "\\alpha");
}

TEST(TreeBuilder, ScriptsAreKeptIfTheyAreJsonLd) {
  const HtmlTree tree = tree_of(
      "<title>T &amp; U</title><script>var a</script><script "
      "type='application/ld+json'>{\"a\":\"<b>\"}</script>");
  ASSERT_EQ(tree.scripts.size(), 1u);
  EXPECT_EQ(tree.scripts[0], "{\"a\":\"<b>\"}");
  EXPECT_EQ(tree.title, "T & U");
  EXPECT_TRUE(tree.text.empty());
}

// Every invariant that html_tree.h states.
void check(const HtmlTree& tree) {
  ASSERT_TRUE(is_valid_utf8(tree.text));
  for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
    const TreeNode& node = tree.nodes[n];
    const TreeNode& parent = tree.nodes[node.parent];
    ASSERT_LE(node.last, parent.last);
    ASSERT_LE(node.text_begin, node.text_end);
    ASSERT_LE(node.first_block, node.last_block);
    ASSERT_LE(node.last_block, tree.blocks.size());
    ASSERT_LT(node.depth, kMaxDepth);
  }
  std::uint32_t end = 0;
  for (const TreeBlock& block : tree.blocks) {
    ASSERT_GE(block.text.at, end);
    ASSERT_GT(block.text.size, 0u);
    end = block.text.at + block.text.size;
    ASSERT_LE(block.first_node, block.last_node);
  }
  ASSERT_LE(end, tree.text.size());
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

TEST(TreeBuilder, HostilePagesMakeBoundedTrees) {
  constexpr std::size_t kMany = 1'000'000;
  const HtmlTree deep = tree_of(repeated("<div>", kMany) + "x");
  check(deep);
  EXPECT_LE(deep.nodes.size(), kMaxNodes);
  EXPECT_EQ(deep.blocks.size(), 1u);
  EXPECT_TRUE(deep.truncated);
  const HtmlTree flat = tree_of(repeated("<b>x<br><br>", kMany));
  check(flat);
  EXPECT_LE(flat.nodes.size(), kMaxNodes);
  EXPECT_LE(flat.blocks.size(), kMaxBlocks);
  // Cells after the last block do not all have it.
  const HtmlTree table = tree_of("<table>" + repeated("<tr><td>x<td>y", 200'000));
  check(table);
  EXPECT_EQ(table.blocks.size(), kMaxBlocks);
  std::size_t in_cells = 0;
  for (const TreeNode& node : table.nodes)
    in_cells += node.tag == TagId::kTd ? node.last_block - node.first_block : 0;
  EXPECT_EQ(in_cells, kMaxBlocks);
  check(tree_of(repeated("<p>x", kMaxBlocks - 1) + "<a href=#><p>\u00b6<p></a><b>y"));
  check(tree_of("<i><div>" + repeated("<x-y>", 200) + repeated("</i>", kMany)));
  check(tree_of(repeated("<a href=x><p>y", 10'000) + repeated("</a>", 10'000)));
  check(tree_of("<p " + repeated("class='a b' ", 100'000) + ">x"));
}

TEST(TreeBuilder, ElementsBeyondTheDepthEndWhereTheirTagsSay) {
  const std::string html = repeated("<div>", 300) + "a" + repeated("</div>", 300) + "b";
  EXPECT_EQ(path_of_last(html), "body");
}

}  // namespace
}  // namespace bowerbird
