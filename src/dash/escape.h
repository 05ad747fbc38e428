// Escapes untrusted text for a page: names of graphs, URLs and titles.
//
// For any input the output is valid UTF-8 that cannot break out of its context. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// For element content and quoted attributes of HTML and SVG: & < > " ' are written as references; control
// characters, which XML does not allow, become U+FFFD (tab and line feed stay).
std::string html_escaped(std::string_view text);

// JSON for a <script> block: `<`, `>` and `&` are written as \u003c ..., so that neither </script nor <!--
// nor ]]> can occur, and U+2028 and U+2029, which end a line of JavaScript, as \u2028 and \u2029. The value
// stays the same: in JSON all of these can only occur in strings.
std::string script_json(std::string_view json);

}  // namespace bowerbird
