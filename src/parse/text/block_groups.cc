#include "parse/text/block_groups.h"

#include "base/rng.h"

namespace bowerbird {

namespace {

// Numbers of equal keys, whose bits are mixed: open addressing.
class KeyNumbers {
 public:
  explicit KeyNumbers(std::size_t keys) {
    std::size_t size = 16;
    while (size < 2 * keys) size *= 2;
    slots_.resize(size);
  }
  // The number of a key; a new key gets `next`.
  std::uint32_t number(std::uint64_t key, std::uint32_t next) {
    key |= 1;
    std::size_t at = key >> 1 & (slots_.size() - 1);
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].key == 0) slots_[at] = {key, next};
    return slots_[at].number;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = 0;
  };
  std::vector<Slot> slots_;
};

std::uint64_t pair_key(std::uint64_t a, std::uint64_t b) {
  return mix64(a * 0x9E3779B97F4A7C15u + b);
}

}  // namespace

void BlockGroups::add(std::uint32_t number, const Sums& sum) {
  if (number == groups_.size()) groups_.emplace_back();
  BlockGroup& group = groups_[number];
  ++group.count;
  group.words += sum.words;
  group.link_words += sum.link_words;
  group.paragraph_words += sum.paragraph_words;
}

void BlockGroups::read(const HtmlTree& tree, const BlockSums& sums, const std::vector<BlockText>& texts) {
  KeyNumbers siblings(tree.nodes.size());
  siblings_.reserve(tree.nodes.size());
  for (const TreeNode& node : tree.nodes) {
    siblings_.push_back(siblings.number(pair_key(node.parent, node.marks.signature), next()));
    add(siblings_.back(), sums.of(node));
  }
  const std::size_t blocks = tree.blocks.size();
  KeyNumbers paths(2 * blocks), copies(blocks);
  for (auto* const list : {&paths_, &looks_, &copies_, &copies_before_}) list->reserve(blocks);
  for (std::size_t i = 0; i < blocks; ++i) {
    const TreeBlock& block = tree.blocks[i];
    const Sums own = sums.of(i, i + 1);
    std::uint64_t key =
        pair_key(tree.nodes[block.leaf].marks.signature, tree.nodes[block.node].marks.signature);
    looks_.push_back(paths.number(key, next()));
    add(looks_.back(), own);
    std::uint32_t node = block.node;
    for (int level = 0; level < 4; ++level) {
      node = tree.nodes[node].parent;
      key = pair_key(key, tree.nodes[node].marks.signature);
    }
    paths_.push_back(paths.number(key, next()));
    add(paths_.back(), own);
    copies_.push_back(copies.number(texts[i].hash, next()));
    copies_before_.push_back(copies_.back() < next() ? groups_[copies_.back()].count : 0);
    add(copies_.back(), own);
  }
}

}  // namespace bowerbird
