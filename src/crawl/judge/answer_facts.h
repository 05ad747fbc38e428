// The header fields of a response that matter for the next visit: validators for a conditional request,
// when the page last changed, and how long it stays fresh.
//
// Pure; threads: any. Clauses: RFC 9110, sections 8.8 and 13; RFC 9111, section 4.2.1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parse/dates.h"

namespace bowerbird {

struct AnswerFacts {
  std::string etag;            // as If-None-Match sends it; empty: none
  UnixTime modified = 0;       // Last-Modified; 0: none, or impossible, since it is later than the response
  UnixTime date = 0;           // Date; 0: none
  std::int64_t fresh_for = 0;  // seconds after the response; 0: the server does not say
};

AnswerFacts answer_facts(std::string_view head);

// The fields of a conditional request, each "Name: value\r\n".
std::string conditional_fields(std::string_view etag, UnixTime modified);

}  // namespace bowerbird
