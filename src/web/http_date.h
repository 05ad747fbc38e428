// Dates as HTTP writes them (IMF-fixdate, RFC 9110, 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT". Times are
// microseconds since 1970; dates have whole seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bowerbird {

void append_http_date(std::int64_t us, std::string& out);
std::optional<std::int64_t> parse_http_date(std::string_view text);
// "1994-11-06", as in sitemaps.
void append_iso_date(std::int64_t us, std::string& out);

}  // namespace bowerbird
