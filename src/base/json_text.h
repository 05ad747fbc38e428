// Text as a JSON string, for lines of JSON that are written by the million, and a check before hostile JSON
// is read; anything larger uses a JSON library.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// Includes the quotes. Invalid UTF-8 becomes U+FFFD. RFC 8259, section 7.
void append_json_string(std::string& out, std::string_view text);

// Whether a text that may be JSON is nested at most this deep: brackets outside of strings.
bool is_shallow_json(std::string_view text, int depth);

}  // namespace bowerbird
