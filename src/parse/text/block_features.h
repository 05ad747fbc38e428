// Numbers that tell the main text of a page from the rest: one row per block, for the model in main_model.h.
//
// Subtrees are ranges of blocks, so that sums over any element come from prefix sums (block_sums.h), and a
// row takes time in proportion to the depth of its block. What a row says about an element is the same for
// all blocks in it, and kept. The order of the numbers is part of the model: whoever changes it trains the
// model again (docs/text.md). The tree must outlive the object. Threads: one user.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parse/text/block_groups.h"
#include "parse/text/block_sums.h"
#include "parse/text/block_text.h"
#include "parse/text/element_meaning.h"
#include "parse/text/html_tree.h"

namespace bowerbird {

class BlockFeatures {
 public:
  BlockFeatures(const HtmlTree& tree, std::string_view url);

  const BlockText& text(std::size_t block) const { return texts_[block]; }
  std::span<const BlockText> texts() const { return texts_; }
  // Whether a block is a heading that repeats the page's title; whether it is the caption of an image.
  bool is_title(std::size_t block) const;
  bool is_caption(std::size_t block) const;

  // How many numbers a row has, and what they are called. The last of them, page(), are the same for all
  // blocks.
  static std::size_t width();
  static std::vector<std::string> names();
  std::span<const float> page() const { return page_; }
  // The row of a block, of width() numbers.
  void fill(std::size_t block, std::span<float> row);
  // The row without page(), as a column of a table with `lanes` of them: each number is `lanes` further than
  // the one before. `first` is the place of the first one.
  void fill_lane(std::size_t block, float* first, std::size_t lanes);

 private:
  struct Ancestry;
  // What rows say about an element, whatever the block.
  static constexpr std::size_t kNodeNumbers = 14;
  using NodeNumbers = std::array<float, kNodeNumbers>;

  void read_texts();
  void read_meanings();
  void read_headings();
  void find_containers();
  std::uint32_t container(double share) const;
  std::uint32_t images_in(std::uint32_t node) const {
    return images_before_[tree_.nodes[node].last] - images_before_[node];
  }
  void read_ancestry(const TreeBlock& block, Ancestry& up) const;
  const NodeNumbers& numbers_of(std::uint32_t node);

  template <typename Out>
  void write(Out& out, std::size_t block);
  template <typename Out>
  void write_text(Out& out, std::size_t block) const;
  template <typename Out>
  void write_context(Out& out, std::size_t block, const Ancestry& up);
  template <typename Out>
  void write_node(Out& out, const char* name, std::uint32_t node, std::size_t index, std::size_t depth);
  template <typename Out>
  void write_groups(Out& out, std::size_t block, const Ancestry& up) const;
  template <typename Out>
  void write_neighbours(Out& out, std::size_t block) const;
  template <typename Out>
  void write_position(Out& out, std::size_t block) const;
  template <typename Out>
  void write_section(Out& out, std::size_t block) const;

  const HtmlTree& tree_;
  std::vector<BlockText> texts_;
  BlockSums sums_;
  BlockGroups groups_;
  std::vector<Meanings> meanings_;            // of each node: what its tag and role say
  std::vector<std::uint32_t> images_before_;  // of each node: <img> before it
  std::vector<std::uint32_t> heading_;        // of each block: the last heading before it, or kNoBlock
  std::vector<std::uint32_t> next_heading_;   // of each block: the next heading after it, or their number
  std::uint32_t largest_branch_ = 0;          // of the children of containers_[1]
  std::uint32_t largest_branch_words_ = 0;
  static constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};
  std::uint32_t first_h1_ = kNoBlock;
  std::array<std::uint32_t, 3> containers_{};  // deepest nodes with 50, 70 and 90 % of the paragraph words
  std::vector<float> page_;                    // numbers of the page
  std::vector<std::uint32_t> node_places_;     // of each node: one more than its place in node_numbers_, or 0
  std::vector<NodeNumbers> node_numbers_;
};

}  // namespace bowerbird
