// Sums over ranges of blocks: a subtree is a range of blocks, so that those of any element come from two
// prefix sums.
#pragma once

#include <cstdint>
#include <vector>

#include "parse/text/block_text.h"
#include "parse/text/html_tree.h"

namespace bowerbird {

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

class BlockSums {
 public:
  void reserve(std::size_t blocks) { before_.reserve(blocks + 1); }
  void add(const BlockText& text, TagId tag) {
    const bool paragraph =
        text.words >= 8 && 3 * text.link_words < text.words && (tag == TagId::kP || text.stops > 0);
    Sums sum = before_.back();
    sum.blocks += 1;
    sum.words += text.words;
    sum.link_words += text.link_words;
    sum.paragraph_words += paragraph ? text.words : 0;
    sum.function_words += text.lexicon[static_cast<std::size_t>(Lexicon::kFunction)];
    sum.stops += text.stops;
    sum.short_blocks += text.words < 6 ? 1 : 0;
    sum.currency += text.currency;
    sum.dates += text.lexicon[static_cast<std::size_t>(Lexicon::kDate)];
    sum.in_page_words += text.in_page_words;
    before_.push_back(sum);
  }

  // Over the blocks [first, last).
  Sums of(std::size_t first, std::size_t last) const {
    const Sums& a = before_[first];
    const Sums& b = before_[last];
    return {b.blocks - a.blocks,
            b.words - a.words,
            b.link_words - a.link_words,
            b.paragraph_words - a.paragraph_words,
            b.function_words - a.function_words,
            b.stops - a.stops,
            b.short_blocks - a.short_blocks,
            b.currency - a.currency,
            b.dates - a.dates,
            b.in_page_words - a.in_page_words};
  }
  Sums of(const TreeNode& node) const { return of(node.first_block, node.last_block); }
  std::uint32_t words(const TreeNode& node) const {
    return before_[node.last_block].words - before_[node.first_block].words;
  }
  const Sums& before(std::size_t block) const { return before_[block]; }
  const Sums& all() const { return before_.back(); }

 private:
  std::vector<Sums> before_ = std::vector<Sums>(1);  // over the blocks before each, and over all
};

inline float ratio(std::uint32_t part, std::uint32_t whole) {
  return whole > 0 ? static_cast<float>(part) / static_cast<float>(whole) : 0;
}

}  // namespace bowerbird
