#include "parse/text/navigation_links.h"

#include <gtest/gtest.h>

#include <string>

#include "parse/text/main_text.h"

namespace bowerbird {
namespace {

// The blocks that are navigation, with a bar after each.
std::string navigation_of(const std::string& html) {
  TextExtractor extractor;
  const HtmlTree& tree = extractor.read_tree(html);
  std::vector<BlockText> texts;
  std::size_t link = 0;
  for (const TreeBlock& block : tree.blocks)
    texts.push_back(read_block_text(tree.text_of(block), block.text.at, tree.links, link, {}));
  const std::vector<bool> found = find_navigation_links(tree, texts);
  std::string out;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) out += std::string(tree.text_of(tree.blocks[i])) + "|";
  }
  return out;
}

TEST(NavigationLinks, AreNamedByTheirRel) {
  EXPECT_EQ(navigation_of("<p>Next: <a href=b rel=next>Objects</a>, Up: <a href=u rel=up>Data</a></p>"
                          "<p>See <a href=c>here</a>.</p>"),
            "Next: Objects, Up: Data|");
}

TEST(NavigationLinks, AreNotTheWholeOfAPageOfLinks) {
  EXPECT_EQ(navigation_of(
                "<div><div><p>Next: <a href=b rel=next>Objects</a>, Up: <a href=u rel=up>Data</a></p></div>"
                "<h3>3.1 Numbers</h3><ul><li><a href=x>Integers</a><li><a href=y>Fractions</a></ul></div>"),
            "Next: Objects, Up: Data|");
  // All links of this part lead through the series.
  EXPECT_EQ(
      navigation_of(
          "<div><h3>Navigation</h3><ul><li><a href=b rel=next>next</a><li><a href=a rel=prev>previous</a>"
          "</ul></div><p>All that is said.</p>"),
      "Navigation|next|previous|");
}

TEST(NavigationLinks, AreNamedByTheHeadOfThePage) {
  EXPECT_EQ(navigation_of("<link rel=prev href=a.html><link rel='next' href=b.html>"
                          "<table><tr><td><a href=a.html>Prev</a></td><td>Chapter 3</td>"
                          "<td><a href=b.html#top>Next</a></td></tr></table><p>All that is said.</p>"),
            "Prev|Chapter 3|Next|");
}

TEST(NavigationLinks, LeaveSentencesAndListsOfContentsAlone) {
  EXPECT_EQ(navigation_of("<link rel=next href=b><p>This is said in more detail on "
                          "<a href=b>another page</a>, and not here.</p>"),
            "");
  std::string list = "<link rel=next href=b><ul><li><a href=b>First</a>";
  for (int i = 0; i < 5; ++i) list += "<li><a href=" + std::to_string(i) + ">Another one</a>";
  EXPECT_EQ(navigation_of(list + "</ul>"), "");
}

TEST(NavigationLinks, LeadThroughAManualOnOnePage) {
  EXPECT_EQ(navigation_of("<ul><li><a href='#a'>First</a><li><a href='#b'>Second</a></ul>"
                          "<p>Next: <a href='#b' rel=next>Second</a>, Up: <a href='#t' rel=up>Top</a></p>"
                          "<p>All that is said.</p>"),
            "Next: Second, Up: Top|");
}

TEST(NavigationLinks, AreNotPartOfTheMainText) {
  std::string text;
  for (int i = 0; i < 6; ++i)
    text += "<p>The properties of the objects are set by commands, which this part describes one by one.</p>";
  TextExtractor extractor;
  const std::string html =
      "<title>Objects</title><table><tr><td>[<a href=b rel=next>Later things</a>]</td>"
      "<td>[<a href=a rel=previous>Earlier things</a>]</td></tr></table>" +
      text;
  extractor.read(html, {});
  EXPECT_EQ(extractor.main_text().find("things"), std::string::npos);
  EXPECT_NE(extractor.main_text().find("The properties"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
