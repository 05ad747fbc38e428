// Text as Markdown: characters that Markdown would read as markup get a backslash. Pure; threads: any.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// Escapes what is markup wherever it stands in a line.
void append_escaped(std::string& out, std::string_view text);

// Puts a backslash in front of what would begin a heading, a list, a quote or a rule at the start of a line.
void escape_line_start(std::string& line);

// Both: a text as a line of its own.
std::string escaped_markdown(std::string_view text);

// A URL as the target of a link: without characters that would end it.
std::string link_target(std::string_view url);

}  // namespace bowerbird
