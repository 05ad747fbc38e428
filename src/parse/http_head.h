// The head of an HTTP response: fields by name, and the meaning of those that may be repeated.
//
// A head is the status line and the fields as received, up to the empty line. Everything in it is untrusted:
// what cannot be parsed is ignored. Views point into the head. Pure; threads: any. Clauses: RFC 9110,
// sections 5.3 and 10.2.2; Fetch standard, sections 2.2.2 and 3.5.
#pragma once

#include <string>
#include <string_view>

#include "parse/http_fields.h"
#include "url/url.h"

namespace bowerbird {

// The value of the first field of this name, without blanks around it; empty if there is none.
std::string_view head_field(std::string_view head, std::string_view name);

// Calls visit(value) for each field of this name.
template <typename Visit>
void each_field(std::string_view head, std::string_view name, Visit visit) {
  for (;;) {
    const std::string_view value = head_field(head, name);
    if (value.data() == nullptr) return;
    visit(value);
    // head_field skips the first line, so the rest may begin in the middle of this one.
    head.remove_prefix(static_cast<std::size_t>(value.data() - head.data()));
  }
}

// The values of all fields of this name, separated by ", ".
std::string joined_fields(std::string_view head, std::string_view name);

// The Fetch standard's "extract a MIME type": the last valid type that is not "*/*". Its charset may come
// from an earlier value with the same type. `type` is empty if no value is a type.
ContentType content_type_of(std::string_view head);

// The Fetch standard's "determine nosniff".
bool says_nosniff(std::string_view head);

// A URI reference in a field: non-ASCII bytes are escaped as they are, since their encoding is unknown.
std::string reference_in_field(std::string_view value);

// The target of Location, in canonical form; false if there is no such field, or it is not an http(s) URL.
bool redirect_target(std::string_view head, const Url& base, Url& target);

}  // namespace bowerbird
