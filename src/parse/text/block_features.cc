#include "parse/text/block_features.h"

#include <algorithm>

#include "base/ascii.h"
#include "parse/html_text.h"
#include "parse/text/page_features.h"
#include "parse/text/plain_text.h"

namespace bowerbird {

BlockFeatures::BlockFeatures(const HtmlTree& tree, std::string_view url)
    : tree_(tree), node_places_(tree.nodes.size()) {
  read_texts();
  read_meanings();
  groups_.read(tree_, sums_, texts_);
  read_headings();
  find_containers();
  page_ = page_features({tree_, texts_, sums_, meanings_, containers_}, url);
}

void BlockFeatures::read_texts() {
  HeadWords head;
  head.title.assign(tree_.title);
  std::string description;
  for (const NodeAttribute& a : tree_.attributes) {
    const bool named = (a.name == Attribute::kName && equals_ignoring_case(a.raw, "description")) ||
                       (a.name == Attribute::kProperty && equals_ignoring_case(a.raw, "og:description"));
    if (named && description.empty())
      append_attribute_value(description, tree_.attribute(a.node, Attribute::kContent));
  }
  head.summary.assign(description);
  texts_.reserve(tree_.blocks.size());
  sums_.reserve(tree_.blocks.size());
  std::size_t link = 0;
  for (const TreeBlock& block : tree_.blocks) {
    texts_.push_back(read_block_text(tree_.text_of(block), block.text.at, tree_.links, link, head));
    sums_.add(texts_.back(), tree_.nodes[block.node].tag);
  }
}

void BlockFeatures::read_meanings() {
  meanings_.reserve(tree_.nodes.size());
  images_before_.reserve(tree_.nodes.size() + 1);
  std::uint32_t images = 0;
  for (const TreeNode& node : tree_.nodes) {
    Meanings meaning = meaning_of_tag(node.tag);
    if ((node.hidden & (kHiddenByAttribute | kHiddenByStyle)) != 0) meaning |= bit(Meaning::kHidden);
    if ((node.hidden & kHiddenFromReaders) != 0) meaning |= bit(Meaning::kAriaHidden);
    meanings_.push_back(meaning);
    images_before_.push_back(images);
    images += node.tag == TagId::kImg ? 1 : 0;
  }
  images_before_.push_back(images);
  for (const NodeAttribute& a : tree_.attributes) {
    if (a.name == Attribute::kRole) meanings_[a.node] |= meaning_of_role(a.raw);
  }
}

void BlockFeatures::read_headings() {
  std::uint32_t last = kNoBlock;
  heading_.reserve(tree_.blocks.size());
  for (std::uint32_t i = 0; i < tree_.blocks.size(); ++i) {
    heading_.push_back(last);
    const TagId tag = tree_.nodes[tree_.blocks[i].node].tag;
    if (heading_level(tag) > 0) last = i;
    if (tag == TagId::kH1 && first_h1_ == kNoBlock) first_h1_ = i;
  }
  next_heading_.resize(tree_.blocks.size());
  auto next = static_cast<std::uint32_t>(tree_.blocks.size());
  for (std::uint32_t i = next; i-- > 0;) {
    next_heading_[i] = next;
    if (heading_level(tree_.nodes[tree_.blocks[i].node].tag) > 0) next = i;
  }
}

std::uint32_t BlockFeatures::container(double share) const {
  const double wanted = share * sums_.all().paragraph_words;
  std::uint32_t node = 0;
  for (;;) {
    std::uint32_t inner = 0;
    for (std::uint32_t child = node + 1; child < tree_.nodes[node].last && inner == 0;
         child = tree_.nodes[child].last) {
      if (sums_.of(tree_.nodes[child]).paragraph_words >= wanted) inner = child;
    }
    if (inner == 0 || wanted == 0) return node;
    node = inner;
  }
}

void BlockFeatures::find_containers() {
  containers_ = {container(0.5), container(0.7), container(0.9)};
  for (std::uint32_t child = containers_[1] + 1; child < tree_.nodes[containers_[1]].last;
       child = tree_.nodes[child].last) {
    const std::uint32_t words = sums_.words(tree_.nodes[child]);
    if (words > largest_branch_words_) {
      largest_branch_ = child;
      largest_branch_words_ = words;
    }
  }
}

bool BlockFeatures::is_title(std::size_t block) const {
  const BlockText& text = texts_[block];
  return 2 * text.title >= text.words && enclosing(tree_, tree_.blocks[block].node, TagId::kH1) != 0;
}

bool BlockFeatures::is_caption(std::size_t block) const {
  return enclosing(tree_, tree_.blocks[block].node, TagId::kFigcaption) != 0;
}

}  // namespace bowerbird
