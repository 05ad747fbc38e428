// Finds blocks that lead through a series of pages: "Next", "Previous", "Up", "Contents".
//
// Manuals have them at the top and the bottom of each page, often in tables, where they look like content. A
// page says which links they are: by rel="next", "prev", "up" and so on (HTML Standard, 4.6.7), on the link
// itself or on a <link> to the same address. Small elements that consist of links, at least half of them such
// links, are navigation. Time is linear in the tree. Pure; threads: any.
#pragma once

#include <span>
#include <vector>

#include "parse/text/block_text.h"
#include "parse/text/html_tree.h"

namespace bowerbird {

// texts: of each block.
std::vector<bool> find_navigation_links(const HtmlTree& tree, std::span<const BlockText> texts);

}  // namespace bowerbird
