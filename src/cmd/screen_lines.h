// Text for a terminal of any width: parts that are packed into lines, and texts that are cut to fit.
//
// Colours (SGR sequences) take no room; a character of East Asian scripts takes two columns. Texts from
// outside must be made safe first (printable() in terminal.h). Pure; threads: any.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

// Columns that the text takes.
std::size_t columns_of(std::string_view text);

// The text, or its beginning and its end with "..." between them if it is wider than `width`.
std::string cut_to(std::string_view text, std::size_t width);

// Lines of at most `width` columns that hold all parts, with two blanks between parts (one after a comma) and `indent` blanks
// before each line but the first. A part that is wider than a line is cut.
std::vector<std::string> pack_parts(const std::vector<std::string>& parts, std::size_t width,
                                    std::size_t indent);

// The rows that these lines take on a terminal of this width, which wraps them.
std::size_t rows_of(const std::vector<std::string>& lines, std::size_t width);

// "[####------]" with `width` columns in all; share: from 0 to 1.
std::string bar_of(double share, std::size_t width);

}  // namespace bowerbird
