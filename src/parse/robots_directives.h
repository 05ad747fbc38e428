// Directives for crawlers in a page: the X-Robots-Tag field and <meta name="robots">, which share their
// keywords.
//
// There is no standard; this follows the documentation of the large search engines: comma-separated words,
// case-insensitive; unknown words are ignored; if words contradict each other the stricter one applies. Pure;
// threads: any.
#pragma once

#include <optional>
#include <string_view>

#include "parse/dates.h"

namespace bowerbird {

struct RobotsDirectives {
  bool noindex = false;
  bool nofollow = false;
  bool noarchive = false;
  bool nosnippet = false;
  std::optional<UnixTime> unavailable_after;  // the earliest

  friend bool operator==(const RobotsDirectives&, const RobotsDirectives&) = default;
};

// The content of a meta element that applies to us ("robots", or our product token). `now` is only needed for
// years of two digits.
void add_robots_meta(std::string_view content, UnixTime now, RobotsDirectives& directives);

// A line of X-Robots-Tag. "otherbot: noindex" applies to that product token, until another name or the end of
// the line; without a name it applies to all crawlers.
void add_x_robots_tag(std::string_view value, std::string_view token, UnixTime now,
                      RobotsDirectives& directives);

}  // namespace bowerbird
