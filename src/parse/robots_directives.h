// What a page itself tells crawlers: the X-Robots-Tag field and <meta name="robots">, which share their
// words.
//
// There is no standard; this follows what the large search engines document: words separated by commas, in
// any case; words that are not known say nothing; where words contradict each other the stricter one holds.
// Pure; threads: any.
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

// The content of a meta element, for us whatever its name ("robots", or our product token). `now` is needed
// for years of two digits alone.
void add_robots_meta(std::string_view content, UnixTime now, RobotsDirectives& directives);

// A line of X-Robots-Tag. "otherbot: noindex" speaks to that product token, until another name or the end of
// the line; without a name it speaks to everybody.
void add_x_robots_tag(std::string_view value, std::string_view token, UnixTime now,
                      RobotsDirectives& directives);

}  // namespace bowerbird
