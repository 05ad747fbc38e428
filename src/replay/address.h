// The addresses of a replay (RFC 7089): /web/TIMESTAMP/URL is a capture (a memento), /web/URL redirects
// to the capture nearest to a time (TimeGate), /timemap/link/URL lists all captures (TimeMap).
//
// The URL is written unescaped, without its fragment. Input comes from browsers and may be hostile. Pure;
// threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "url/url.h"

namespace bowerbird {

struct ReplayAddress {
  enum Kind : unsigned char { kNone, kMemento, kGate, kMap, kCalendar } kind = kNone;
  std::string timestamp;  // kMemento: the digits as given
  std::int64_t time = 0;  // kMemento
  Url url;
};

// target: path and query of a request.
ReplayAddress parse_replay_address(std::string_view target);

// "/web/20260131120000/http://example.org/"
std::string memento_address(std::int64_t time, std::string_view url);

// Decodes a form value: %XX and '+'.
std::string form_value(std::string_view text);
// The value of a parameter in the query of `target`; empty: none.
std::string query_parameter(std::string_view target, std::string_view name);
// Escapes a text as a query value.
std::string query_escaped(std::string_view text);

}  // namespace bowerbird
