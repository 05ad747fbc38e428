// Writes text so that HTML and XML read it as text: in element content and in quoted attribute values.
//
// & < > " ' become references; all other bytes stay as they are, whatever their encoding. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

void append_html_escaped(std::string& out, std::string_view text);

}  // namespace bowerbird
