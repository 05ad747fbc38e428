#include "parse/text/repeated_blocks.h"

#include <algorithm>

#include "base/hash.h"

namespace bowerbird {

namespace {

bool is_label(const HtmlTree& tree, const TreeBlock& block) {
  if (block.preformatted) return true;
  switch (tree.nodes[block.node].tag) {
    case TagId::kH1:
    case TagId::kH2:
    case TagId::kH3:
    case TagId::kH4:
    case TagId::kH5:
    case TagId::kH6:
    case TagId::kTh:
    case TagId::kDt:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<std::uint64_t> block_pairs(const HtmlTree& tree) {
  std::vector<std::uint64_t> pairs;
  pairs.reserve(tree.blocks.size() + 1);
  std::uint64_t before = 1;
  for (const TreeBlock& block : tree.blocks) {
    const std::uint64_t hash = hash64(tree.text_of(block));
    pairs.push_back(mix64(before) ^ hash);
    before = hash;
  }
  pairs.push_back(mix64(before) ^ 1);
  return pairs;
}

std::vector<bool> find_repeated_blocks(const HtmlTree& tree, std::span<const std::uint64_t> repeated) {
  const std::vector<std::uint64_t> pairs = block_pairs(tree);
  const auto is_repeated = [&](std::uint64_t pair) {
    return std::binary_search(repeated.begin(), repeated.end(), pair);
  };
  std::vector<bool> found(tree.blocks.size(), false);
  bool before = is_repeated(pairs[0]);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool after = is_repeated(pairs[i + 1]);
    found[i] = (before || after) && !is_label(tree, tree.blocks[i]);
    before = after;
  }
  return found;
}

}  // namespace bowerbird
