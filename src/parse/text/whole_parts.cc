#include "parse/text/whole_parts.h"

#include <algorithm>
#include <cstddef>

#include "parse/text/element_meaning.h"

namespace bowerbird {

namespace {

// Larger ones are the layout of a page rather than a row or a term.
constexpr std::uint32_t kMostRowWords = 80;
constexpr std::uint32_t kMostTermWords = 30;

class PartCompleter {
 public:
  PartCompleter(const HtmlTree& tree, const std::vector<std::uint32_t>& words, const std::vector<bool>& never,
                std::vector<bool>& chosen)
      : tree_(tree), words_(words), never_(never), chosen_(chosen) {}

  void run() {
    std::uint32_t code_end = 0;  // of the last <pre>: those inside of it were looked at with it
    for (std::uint32_t n = 1; n < tree_.nodes.size(); ++n) {
      const TreeNode& node = tree_.nodes[n];
      if (node.tag == TagId::kTr) complete_row(node);
      if (node.tag == TagId::kDt) complete_term(n);
      if (node.tag == TagId::kPre && n >= code_end) {
        complete_code(node);
        code_end = node.last;
      }
    }
    keep_code();
    drop_last_headings();
  }

 private:
  struct Count {
    std::uint32_t words = 0;
    std::uint32_t chosen = 0;
  };

  Count count(const TreeNode& node) const {
    Count count;
    for (std::uint32_t i = node.first_block; i < node.last_block && count.words <= kMostRowWords; ++i) {
      count.words += words_[i];
      count.chosen += chosen_[i] ? words_[i] : 0;
    }
    return count;
  }

  void choose(const TreeNode& node) {
    for (std::uint32_t i = node.first_block; i < node.last_block; ++i) choose(i);
  }
  void choose(std::size_t block) { chosen_[block] = chosen_[block] || !never_[block]; }

  void complete_row(const TreeNode& row) {
    const Count held = count(row);
    if (held.words <= kMostRowWords && held.chosen > 0 && 3 * held.chosen >= 2 * held.words) choose(row);
  }

  // A <pre> is one piece of code, whatever elements are in it.
  void complete_code(const TreeNode& code) {
    Count all;
    for (std::uint32_t i = code.first_block; i < code.last_block; ++i) {
      all.words += words_[i];
      all.chosen += chosen_[i] ? words_[i] : 0;
    }
    if (all.chosen > 0 && 2 * all.chosen >= all.words) choose(code);
  }

  // The term of a definition that was chosen: <dt>, perhaps others, then <dd>.
  void complete_term(std::uint32_t term) {
    const TreeNode& node = tree_.nodes[term];
    const std::uint32_t end = tree_.nodes[node.parent].last;
    std::uint32_t next = node.last;
    for (int i = 0; i < 4 && next < end && tree_.nodes[next].tag == TagId::kDt; ++i)
      next = tree_.nodes[next].last;
    if (next >= end || tree_.nodes[next].tag != TagId::kDd || count(node).words > kMostTermWords) return;
    const TreeNode& definition = tree_.nodes[next];
    // Its first block decides: long ones are not read through.
    if (definition.first_block < definition.last_block && chosen_[definition.first_block]) choose(node);
  }

  // Code right after a chosen block, or under headings that follow one, which are then kept too.
  void keep_code() {
    bool after = false;        // the last block that is neither code nor a heading was chosen
    std::size_t headings = 0;  // right before this block
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const TreeBlock& block = tree_.blocks[i];
      if (block.preformatted) {
        if (after && !chosen_[i]) {
          for (std::size_t k = i - headings; k <= i; ++k) choose(k);
        }
        headings = 0;
      } else if (heading_level(tree_.nodes[block.node].tag) > 0) {
        ++headings;
      } else {
        after = chosen_[i];
        headings = 0;
      }
    }
  }

  // Headings after the last text announce what was not chosen.
  void drop_last_headings() {
    const auto is_heading = [&](std::size_t i) {
      return heading_level(tree_.nodes[tree_.blocks[i].node].tag) > 0;
    };
    std::size_t end = chosen_.size();
    while (end > 0 && (!chosen_[end - 1] || is_heading(end - 1))) --end;
    if (end == 0) return;  // there is nothing else
    std::fill(chosen_.begin() + static_cast<std::ptrdiff_t>(end), chosen_.end(), false);
  }

  const HtmlTree& tree_;
  const std::vector<std::uint32_t>& words_;
  const std::vector<bool>& never_;
  std::vector<bool>& chosen_;
};

}  // namespace

void complete_parts(const HtmlTree& tree, const std::vector<std::uint32_t>& words,
                    const std::vector<bool>& never, std::vector<bool>& chosen) {
  PartCompleter(tree, words, never, chosen).run();
}

}  // namespace bowerbird
