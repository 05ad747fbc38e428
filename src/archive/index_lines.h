// The sorted lines of a CDXJ index: key, space, timestamp, space, a JSON object. Pure functions; views are
// into the text that is given.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace bowerbird {

// The line that begins at `at`, without its end.
std::string_view index_line(std::string_view lines, std::size_t at);
// Where the first line begins that is not less than `text`; the end if there is none.
std::size_t lower_index_line(std::string_view lines, std::string_view text);
// A member that is a text or a number; empty if there is none.
std::string index_text(const nlohmann::json& object, const char* name);

}  // namespace bowerbird
