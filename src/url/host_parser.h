// The host parser of the WHATWG URL Standard (section 3.5) for special schemes: a domain name, an IPv4 or an
// IPv6 address, converted to the form in which hosts are compared. Pure; threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "url/url_notes.h"

namespace bowerbird {

// Appends the host of `raw` (bytes as in the link, no port, no user), and sets bits of UrlNote. After a fault
// `out` may contain a part of it.
UrlFault append_host(std::string_view raw, std::string& out, std::uint32_t& notes);

}  // namespace bowerbird
