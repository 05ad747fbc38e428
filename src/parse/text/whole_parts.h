// Completes a choice of blocks, so that no part of the content is torn: a row of a table keeps all its cells,
// a definition its term, a piece of code its lines, and the code that a paragraph speaks of stays. Headings
// after the last text are dropped.
//
// The model judges each block alone, and short blocks and code look little like text. Time is linear in the
// tree. Pure; threads: any.
#pragma once

#include <cstdint>
#include <vector>

#include "parse/text/html_tree.h"

namespace bowerbird {

// words: of each block. Blocks with `never` set stay as they are.
void complete_parts(const HtmlTree& tree, const std::vector<std::uint32_t>& words,
                    const std::vector<bool>& never, std::vector<bool>& chosen);

}  // namespace bowerbird
