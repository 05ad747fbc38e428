// Numbers that describe a page as a whole, for the model that finds its main text (block_features.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parse/text/block_sums.h"
#include "parse/text/element_meaning.h"
#include "parse/text/html_tree.h"

namespace bowerbird {

// What is known of a page before its blocks are judged. `meanings`: of each node. `containers`: the deepest
// nodes with 50, 70 and 90 % of the words of paragraphs.
struct PageContext {
  const HtmlTree& tree;
  const std::vector<BlockText>& texts;
  const BlockSums& sums;
  const std::vector<Meanings>& meanings;
  std::array<std::uint32_t, 3> containers;
};

// Their number and order are the same for each page.
std::vector<float> page_features(const PageContext& page, std::string_view url);

}  // namespace bowerbird
