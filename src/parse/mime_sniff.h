// Determines the type of a body if its Content-Type is missing (WHATWG MIME Sniffing, section 7.1).
//
// `bytes` is the body without its content codings; only the first kSniffedBytes count. With nosniff only
// types that cannot contain scripts are recognised, as the standard requires: such a page is text, not HTML.
// Beyond the standard, XML documents are distinguished by their root element: XHTML, RSS, Atom. Pure;
// threads: any.
#pragma once

#include <cstddef>
#include <string_view>

namespace bowerbird {

inline constexpr std::size_t kSniffedBytes = 1445;

// Whether a Content-Type is missing, or one of the types that mean "unknown".
bool is_unknown_type(std::string_view type);

std::string_view sniff_type(std::string_view bytes, bool nosniff);

}  // namespace bowerbird
