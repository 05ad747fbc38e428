// Text as a JSON string, for lines of JSON that are written by the million; anything larger uses a JSON
// library.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// Includes the quotes. Invalid UTF-8 becomes U+FFFD. RFC 8259, section 7.
void append_json_string(std::string& out, std::string_view text);

}  // namespace bowerbird
