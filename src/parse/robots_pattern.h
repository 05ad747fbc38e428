// The spelling in which the paths of robots.txt and of URLs are compared (RFC 9309, section 2.2.2): escapes
// of unreserved characters resolved, the digits of others upper case, and characters that RFC 3986 does not
// allow unescaped are escaped. '*' and '$' of a URL are escaped, since they are special in a pattern (section
// 2.2.3).
//
// After the first '?' the escapes of ':', '/', '?' and '@' are resolved too: they are allowed in a query (RFC
// 3986, section 3.4), and by table 4 of RFC 9309 "?x=https://y" and "?x=https%3A%2F%2Fy" match. Pure;
// threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bowerbird {

struct RobotsPattern {
  std::string text;       // '*' is special, and runs of it are merged; a '$' at the end is removed
  bool anchored = false;  // ended in '$': must match to the end
};

RobotsPattern comparable_pattern(std::string_view written);

// Which bytes a text contains, a bit for each kind that matters to patterns; letters of either case share
// one. A target with kToBeRespelt differs from its comparable form.
using ByteKinds = std::uint64_t;
constexpr ByteKinds kToBeRespelt = ByteKinds{1} << 63;
extern const std::array<ByteKinds, 256> kByteKinds;
inline ByteKinds byte_kinds(std::string_view text) {
  ByteKinds held = 0;
  for (const char c : text) held |= kByteKinds[static_cast<unsigned char>(c)];
  return held;
}

// The comparable form of the path and query of a URL; stored in `scratch` if it differs from `target`.
// `held`: the byte kinds of the result.
std::string_view comparable_target(std::string_view target, std::string& scratch, ByteKinds& held);

}  // namespace bowerbird
