// The site of a host: its registrable domain by the public suffix list (publicsuffix.org), the domain that
// one owner can register: "www.bbc.co.uk:8080" and "news.bbc.co.uk" both belong to "bbc.co.uk".
//
// The list is the newer of the system's and the one built into libpsl, loaded once. Threads: any.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// `host` as returned by host_of_url. An address is its own site, and so is a name without a registrable
// domain (a public suffix itself, or a name without dots); a port is dropped.
std::string site_of_host(std::string_view host);

// Whether anybody may register names below this one, such as "com", "co.uk" or "github.io". Lower case,
// without a port.
bool is_public_suffix(std::string_view name);
// Whether a canonical host name without a port is an IP address.
bool is_address(std::string_view name);

}  // namespace bowerbird
