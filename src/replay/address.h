// The addresses of a replay: /web/TIMESTAMP/URL is a capture (RFC 7089 calls it a memento), /web/URL leads to
// the one nearest to a time (TimeGate), /timemap/link/URL lists them all (TimeMap).
//
// A URL stands in an address as it is, without its fragment. Input comes from browsers and is hostile. Pure;
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

// The text with %XX undone and '+' as a blank: a value of a form.
std::string form_value(std::string_view text);
// The value of a parameter of the query of `target`; empty: none.
std::string query_parameter(std::string_view target, std::string_view name);
// As a value in a query.
std::string query_escaped(std::string_view text);

}  // namespace bowerbird
