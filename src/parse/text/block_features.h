// Numbers that tell the main text of a page from the rest: one row per block, for the model in main_model.h.
//
// Subtrees are ranges of blocks, so that sums over any element come from prefix sums, and a row takes time in
// proportion to the depth of its block. The order of the numbers is part of the model: whoever changes it
// trains the model again (docs/text.md). The tree must outlive the object. Threads: const, any.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/text/block_text.h"
#include "parse/text/html_tree.h"

namespace bowerbird {

class BlockFeatures {
 public:
  BlockFeatures(const HtmlTree& tree, std::string_view url);

  const BlockText& text(std::size_t block) const { return texts_[block]; }
  // Whether a block is a heading that repeats the page's title; whether it is the caption of an image.
  bool is_title(std::size_t block) const;
  bool is_caption(std::size_t block) const;
  // The row of a block.
  void fill(std::size_t block, std::vector<float>& row) const;
  static std::vector<std::string> names();

 private:
  // Sums over a range of blocks.
  struct Sums {
    std::uint32_t blocks = 0;
    std::uint32_t words = 0;
    std::uint32_t link_words = 0;
    std::uint32_t paragraph_words = 0;  // words of blocks that read like paragraphs
    std::uint32_t function_words = 0;
    std::uint32_t stops = 0;
    std::uint32_t short_blocks = 0;
    std::uint32_t currency = 0;
    std::uint32_t dates = 0;
    std::uint32_t in_page_words = 0;
  };
  // Elements that look alike: siblings with the same signature, or blocks with the same path.
  struct Group {
    std::uint32_t count = 0;
    std::uint32_t words = 0;
    std::uint32_t link_words = 0;
    std::uint32_t paragraph_words = 0;
  };
  struct Ancestry;

  Sums sums(std::uint32_t first, std::uint32_t last) const;
  Sums sums(const TreeNode& node) const { return sums(node.first_block, node.last_block); }
  void read_texts();
  void read_meanings();
  void read_groups();
  void read_headings();
  void read_page(std::string_view url);
  void add_page_sizes();
  void add_page_meanings();
  void add_page_types();
  void add_page_path(std::string_view url);
  std::uint32_t container(double share) const;
  Ancestry ancestry(const TreeBlock& block) const;

  template <typename Out>
  void write(Out& out, std::size_t block) const;
  template <typename Out>
  void write_text(Out& out, std::size_t block) const;
  template <typename Out>
  void write_context(Out& out, std::size_t block, const Ancestry& up) const;
  template <typename Out>
  void write_groups(Out& out, std::size_t block, const Ancestry& up) const;
  template <typename Out>
  void write_neighbours(Out& out, std::size_t block) const;
  template <typename Out>
  void write_position(Out& out, std::size_t block) const;
  template <typename Out>
  void write_section(Out& out, std::size_t block) const;
  template <typename Out>
  void write_page(Out& out) const;

  const HtmlTree& tree_;
  std::vector<BlockText> texts_;
  std::vector<Sums> before_;                  // sums over the blocks before each, and over all
  std::vector<std::uint64_t> meanings_;       // of each node: what its tag and role say, bits of Meaning
  std::vector<std::uint32_t> sibling_group_;  // of each node, in groups_
  std::vector<std::uint32_t> path_group_;     // of each block, in groups_
  std::vector<std::uint32_t> look_group_;     // of each block, in groups_
  std::vector<Group> groups_;
  std::vector<std::uint32_t> copy_group_;     // of each block: those with the same words, in groups_
  std::vector<std::uint32_t> copies_before_;  // of each block: how many earlier ones have the same words
  std::vector<std::uint32_t> images_before_;  // of each node: <img> before it
  std::vector<std::uint32_t> heading_;        // of each block: the last heading before it, or kNoBlock
  std::vector<std::uint32_t>
      next_heading_;                  // of each block: the next heading after it, or the number of blocks
  std::uint32_t largest_branch_ = 0;  // of the children of containers_[1]
  std::uint32_t largest_branch_words_ = 0;
  static constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};
  std::uint32_t first_h1_ = kNoBlock;
  std::array<std::uint32_t, 3> containers_{};  // deepest nodes with 50, 70 and 90 % of the paragraph words
  std::vector<float> page_;                    // numbers of the page
};

}  // namespace bowerbird
