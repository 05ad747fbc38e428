#include "parse/text/whole_parts.h"

#include <gtest/gtest.h>

#include <string>

#include "parse/text/main_text.h"

namespace bowerbird {
namespace {

// The blocks that are chosen after those whose text contains '+' were, with a bar after each.
std::string completed(const std::string& html) {
  TextExtractor extractor;
  const HtmlTree& tree = extractor.read_tree(html);
  std::vector<bool> chosen;
  std::vector<std::uint32_t> words;
  for (const TreeBlock& block : tree.blocks) {
    const std::string text(tree.text_of(block));
    chosen.push_back(text.find('+') != text.npos);
    words.push_back(static_cast<std::uint32_t>(text.size()));
  }
  complete_parts(tree, words, std::vector<bool>(chosen.size()), chosen);
  std::string out;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) out += std::string(tree.text_of(tree.blocks[i])) + "|";
  }
  return out;
}

TEST(WholeParts, RowsAndDefinitionsAreCompleted) {
  EXPECT_EQ(completed("<table><tr><td>a<td>+bcd<tr><td>e<td>f</table>"), "a|+bcd|");
  EXPECT_EQ(completed("<dl><dt>term<dd>+meaning<dt>other<dd>not chosen</dl>"), "term|+meaning|");
}

TEST(WholeParts, CodeHasAllItsLines) {
  EXPECT_EQ(completed("<pre>first\n<div>+second line</div><div>+third</div>last</pre>"),
            "first|+second line|+third|last|");
  EXPECT_EQ(completed("<pre>a long first line of code\n<div>+b</div></pre>"), "+b|");
}

TEST(WholeParts, HeadingsAfterTheLastTextAreDropped) {
  EXPECT_EQ(completed("<h2>+One</h2><p>+text<h2>+Two</h2><h3>+Three</h3><p>not chosen"), "+One|+text|");
  EXPECT_EQ(completed("<h2>+One</h2><h2>+Two</h2>"), "+One|+Two|");
}

}  // namespace
}  // namespace bowerbird
