// A page of HTML as a tree of elements over one text: what text extraction looks at.
//
// Nodes are in the order of their start tags, so that the descendants of node n are the nodes (n, last). Node
// 0 is the body; <html>, <head> and <body> have no nodes of their own. `text` is what a reader sees, with
// white space collapsed outside of <pre>; each node covers a range of it, and each block is a range without a
// block boundary inside (HTML block elements, table cells, two <br> in a row). Ranges of nodes nest; blocks
// ascend.
//
// The tree is the standard's (13.2.6) with these simplifications: wrongly nested formatting is closed instead
// of repeated, text in a table outside of its cells stays in place, nothing of SVG but its <svg> is a node,
// and of MathML nothing but its <math>. A tree has at most kMaxNodes nodes and kMaxDepth levels: elements
// beyond are treated as if only their text was there. Views point into the page, which must outlive the tree.
// Threads: as a std::vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/html_page.h"
#include "parse/html_tag.h"
#include "parse/text/class_marks.h"

namespace bowerbird {

inline constexpr std::size_t kMaxNodes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxDepth = 256;
inline constexpr std::size_t kMaxBlocks = std::size_t{1} << 18;

// How an element is hidden; a set of bits.
enum HiddenBy : std::uint8_t {
  kHiddenByAttribute = 1,  // hidden
  kHiddenByStyle = 2,      // style="display:none" or "visibility:hidden"
  kHiddenFromReaders = 4,  // aria-hidden="true"
};

struct TreeNode {
  TagId tag = TagId::kUnknown;
  std::uint8_t hidden = 0;  // HiddenBy
  std::uint16_t depth = 0;
  std::uint32_t parent = 0;
  std::uint32_t last = 0;        // one past the last descendant
  std::uint32_t text_begin = 0;  // white space before the first word may be inside
  std::uint32_t text_end = 0;
  std::uint32_t first_block = 0;  // the blocks in it are [first_block, last_block)
  std::uint32_t last_block = 0;
  ClassMarks marks;  // what class, id, role and itemprop say
};

struct TreeBlock {
  TextSpan text;                 // not empty; white space at the ends is left out, but for indentation
  std::uint32_t node = 0;        // the block element it is in
  std::uint32_t leaf = 0;        // the innermost element at its first word
  std::uint32_t first_node = 0;  // elements that begin in it, after the leaf: [first_node, last_node)
  std::uint32_t last_node = 0;
  bool preformatted = false;
};

struct LinkSpan {
  TextSpan text;
  bool in_page = false;  // leads to a place on the same page
};

struct NodeAttribute {
  std::uint32_t node = 0;
  Attribute name = Attribute::kCount;
  std::string_view raw;  // undecoded
};

struct NodeFormula {
  std::uint32_t node = 0;
  std::string tex;
};

struct HtmlTree {
  std::vector<TreeNode> nodes;
  std::vector<TreeBlock> blocks;
  std::vector<NodeAttribute> attributes;  // by node: those that facts and Markdown need
  std::vector<LinkSpan> links;            // parts of text that are links; ascending, apart
  std::vector<std::string_view> scripts;  // JSON-LD, undecoded
  std::vector<NodeFormula> formulas;      // by node: the TeX source of <math> elements
  std::string text;
  std::string title;  // of the first <title>
  bool truncated = false;

  std::string_view text_of(const TreeBlock& block) const {
    return std::string_view(text).substr(block.text.at, block.text.size);
  }
  // The undecoded value, or empty.
  std::string_view attribute(std::uint32_t node, Attribute name) const;
  void clear();
};

}  // namespace bowerbird
