// The HTTP response fields that matter to a crawler: type and charset of the body, when to retry, how long it
// stays fresh, its validators, its links.
//
// Pure functions from the value of a field to its meaning; time is an argument. Values are untrusted: what
// cannot be parsed is ignored, never an error, and nothing grows beyond the size of the value. Threads: any.
// Clauses: RFC 9110 (HTTP semantics), RFC 9111 (caching), RFC 8288 (Link), WHATWG MIME Sniffing
// (Content-Type).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parse/dates.h"

namespace bowerbird {

// WHATWG MIME Sniffing, section 4.4: "Text/HTML; charset=\"utf-8\"" is "text/html" and "utf-8".
struct ContentType {
  std::string type;     // lower case; empty if the value is not a media type
  std::string charset;  // lower case; the first one given, or empty
};
ContentType parse_content_type(std::string_view value);

// RFC 9110, section 10.2.3: seconds from `now`, 0 for a time in the past; at most ten years.
std::optional<std::int64_t> parse_retry_after(std::string_view value, UnixTime now);

// RFC 9111, section 5.2.2. Join several lines of the field by ", ", or add them one after the other.
struct CacheControl {
  bool no_store = false;
  bool no_cache = false;
  bool is_private = false;
  bool must_revalidate = false;
  bool immutable = false;               // RFC 8246
  std::optional<std::int64_t> max_age;  // seconds; 0 if the number is invalid (section 4.2.1)
  std::optional<std::int64_t> s_maxage;
};
void add_cache_control(std::string_view value, CacheControl& control);

// RFC 9111, section 4.2.1: how long after `now` the response stays fresh, if its fields say so. `expires` and
// `date` are the values of those fields, empty if missing.
std::optional<std::int64_t> freshness_lifetime(const CacheControl& control, std::string_view expires,
                                               std::string_view date, UnixTime now);

// RFC 9110, section 8.8.3. If-None-Match sends the tag back with its quotes.
struct EntityTag {
  std::string tag;  // "\"xyzzy\""
  bool weak = false;
  // "W/\"xyzzy\""
  std::string text() const { return weak ? "W/" + tag : tag; }
};
std::optional<EntityTag> parse_etag(std::string_view value);

// RFC 8288, section 3.
struct LinkField {
  std::string target;    // a URI reference, to be resolved against the response's URL
  std::string rel;       // lower case, words separated by one blank
  std::string hreflang;  // the first
  std::string type;
  std::optional<std::string> anchor;  // a URI reference: the page that the link belongs to, if given

  bool has_rel(std::string_view word) const;
};
std::vector<LinkField> parse_link(std::string_view value);

}  // namespace bowerbird
