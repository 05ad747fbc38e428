// Chosen blocks of a page as plain text: no markup, link targets or images.
//
// Blocks are separated by an empty line, list items and table rows by a line end, table cells by a tab;
// preformatted text keeps its lines. Valid UTF-8 without control characters but line ends and tabs, because
// the tree's text is. Pure; threads: any.
#pragma once

#include <string>
#include <vector>

#include "parse/text/html_tree.h"

namespace bowerbird {

// `chosen` has a flag for each block.
std::string plain_text(const HtmlTree& tree, const std::vector<bool>& chosen);

// The innermost element that holds both nodes.
std::uint32_t common_ancestor(const HtmlTree& tree, std::uint32_t a, std::uint32_t b);

// The innermost element of this tag around `node` or `node` itself, or 0.
std::uint32_t enclosing(const HtmlTree& tree, std::uint32_t node, TagId tag);

}  // namespace bowerbird
