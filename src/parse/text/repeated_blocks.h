// Which blocks of a page also stand on other pages of its site.
//
// Menus, footers and banners repeat from page to page; so do some words of the content ("Yes", "string"). A
// block counts as repeated only together with a neighbour: a *pair* is two blocks that follow each other, and
// a block is repeated if it is in a pair that is. Headings, table heads, terms of definition lists and code
// are never repeated: "Parameters" is part of the content of every page that has it. Pure; threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parse/text/html_tree.h"

namespace bowerbird {

// Hashes of the pairs of a page, one more than it has blocks: pair i is the blocks i - 1 and i. The first and
// the last pair are those with the ends of the page.
std::vector<std::uint64_t> block_pairs(const HtmlTree& tree);

// A flag for each block, given the pairs that repeat on the site, ascending.
std::vector<bool> find_repeated_blocks(const HtmlTree& tree, std::span<const std::uint64_t> repeated);

}  // namespace bowerbird
