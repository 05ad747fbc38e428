// The sorted lines of a CDXJ index: key, space, timestamp, space, a JSON object. Pure functions; views
// refer to the text passed in.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace bowerbird {

// The line that begins at `at`, without its line end.
std::string_view index_line(std::string_view lines, std::size_t at);
// The position of the first line that is not less than `text`; the end if there is none.
std::size_t lower_index_line(std::string_view lines, std::string_view text);
// A member that is a string or a number; empty if there is none.
std::string index_text(const nlohmann::json& object, const char* name);

}  // namespace bowerbird
