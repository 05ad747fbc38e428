// The spelling in which the paths of robots.txt and of URLs are compared (RFC 9309, section 2.2.2): escapes
// of unreserved characters resolved, the digits of others upper case, and all that RFC 3986 does not allow
// bare escaped. '*' and '$' of a URL are escaped, since bare they are special in a pattern (section 2.2.3).
//
// After the first '?' the escapes of ':', '/', '?' and '@' are resolved too: they may stand bare in a query
// (RFC 3986, section 3.4), and table 4 of RFC 9309 wants "?x=https://y" and "?x=https%3A%2F%2Fy" to match.
// Pure; threads: any.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

struct RobotsPattern {
  std::string text;       // '*' is special; runs of it are one, '$' at the end is cut off
  bool anchored = false;  // ended in '$': must match to the end
};

RobotsPattern comparable_pattern(std::string_view written);

// The path and query of a URL; `scratch` holds the result where it differs from `target`.
std::string_view comparable_target(std::string_view target, std::string& scratch);

}  // namespace bowerbird
