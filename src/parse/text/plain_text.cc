#include "parse/text/plain_text.h"

namespace bowerbird {

namespace {

// What stands between two blocks that follow each other.
std::string_view separator(const HtmlTree& tree, const TreeBlock& before, const TreeBlock& block) {
  switch (tree.nodes[common_ancestor(tree, before.node, block.node)].tag) {
    case TagId::kTr:
      return "\t";
    case TagId::kTable:
    case TagId::kTbody:
    case TagId::kThead:
    case TagId::kTfoot:
    case TagId::kUl:
    case TagId::kOl:
    case TagId::kLi:
    case TagId::kDl:
    case TagId::kPre:
    case TagId::kSelect:
      return "\n";
    default:
      return "\n\n";
  }
}

}  // namespace

std::uint32_t common_ancestor(const HtmlTree& tree, std::uint32_t a, std::uint32_t b) {
  while (b > a || tree.nodes[b].last <= a) b = tree.nodes[b].parent;
  return b;
}

std::uint32_t enclosing(const HtmlTree& tree, std::uint32_t node, TagId tag) {
  while (node != 0 && tree.nodes[node].tag != tag) node = tree.nodes[node].parent;
  return node;
}

std::string plain_text(const HtmlTree& tree, const std::vector<bool>& chosen) {
  std::string out;
  const TreeBlock* before = nullptr;
  for (std::size_t i = 0; i < tree.blocks.size(); ++i) {
    if (!chosen[i]) continue;
    const TreeBlock& block = tree.blocks[i];
    if (before != nullptr) out += separator(tree, *before, block);
    out += tree.text_of(block);
    before = &block;
  }
  if (!out.empty()) out += '\n';
  return out;
}

}  // namespace bowerbird
