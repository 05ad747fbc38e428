// Elements and blocks of a page that look alike, because the same template made them: items of a list,
// comments of a thread, rows of a table.
//
// Two elements are alike if they are siblings with the same signature (class_marks.h); two blocks if the
// elements around them have the same signatures. The tree must outlive the object. Threads: const, any.
#pragma once

#include <cstdint>
#include <vector>

#include "parse/text/block_sums.h"
#include "parse/text/html_tree.h"

namespace bowerbird {

struct BlockGroup {
  std::uint32_t count = 0;
  std::uint32_t words = 0;
  std::uint32_t link_words = 0;
  std::uint32_t paragraph_words = 0;
};

class BlockGroups {
 public:
  void read(const HtmlTree& tree, const BlockSums& sums, const std::vector<BlockText>& texts);

  // Siblings that look like a node.
  const BlockGroup& siblings(std::uint32_t node) const { return groups_[siblings_[node]]; }
  // Blocks with the same signatures of their leaf and of five elements around it; of the leaf and the block
  // element alone; blocks with the same words.
  const BlockGroup& path(std::size_t block) const { return groups_[paths_[block]]; }
  const BlockGroup& look(std::size_t block) const { return groups_[looks_[block]]; }
  const BlockGroup& copies(std::size_t block) const { return groups_[copies_[block]]; }
  // How many earlier blocks have the same words.
  std::uint32_t copies_before(std::size_t block) const { return copies_before_[block]; }
  bool same_path(std::size_t a, std::size_t b) const { return paths_[a] == paths_[b]; }

 private:
  void add(std::uint32_t number, const Sums& sum);
  std::uint32_t next() const { return static_cast<std::uint32_t>(groups_.size()); }

  std::vector<BlockGroup> groups_;
  std::vector<std::uint32_t> siblings_;       // of each node
  std::vector<std::uint32_t> paths_;          // of each block
  std::vector<std::uint32_t> looks_;          // of each block
  std::vector<std::uint32_t> copies_;         // of each block
  std::vector<std::uint32_t> copies_before_;  // of each block
};

}  // namespace bowerbird
