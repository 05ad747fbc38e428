// The Set-Cookie field of a response: RFC 6265, section 5.2, and dates as in section 5.1.1.
//
// Everything in it is untrusted. Names, values and paths that are too long, or hold control characters, are
// refused, as RFC 6265bis does. Pure; threads: any.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "parse/dates.h"

namespace bowerbird {

inline constexpr std::size_t kLongestCookie = 4096;      // name and value together
inline constexpr std::size_t kLongestCookiePath = 1024;  // also of a domain

struct SetCookie {
  std::string name;
  std::string value;
  std::optional<UnixTime> expires;  // none: until the end of the session
  std::string domain;               // lower case, without a dot at its beginning; empty: none was given
  std::string path;                 // empty: the default path
  bool secure = false;
  bool http_only = false;
};

// None: it sets no cookie. now: for Max-Age.
std::optional<SetCookie> parse_set_cookie(std::string_view field, UnixTime now);

// RFC 6265, section 5.1.1.
std::optional<UnixTime> parse_cookie_date(std::string_view text);

// Whether a name or value can be kept and sent: no control characters, and no ';' or line ends.
bool is_cookie_text(std::string_view text);

}  // namespace bowerbird
