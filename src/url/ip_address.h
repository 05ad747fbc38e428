// IP addresses as hosts, by the WHATWG URL Standard, sections 3.5 (parsing) and 3.6 (serialising): IPv4 in
// every number form of inet_aton ("0x7f.1", "017700000001"), IPv6 compressed as in RFC 5952. Pure; threads:
// any.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bowerbird {

using Ipv6Pieces = std::array<std::uint16_t, 8>;

// The standard's "ends in a number": such a host is an IPv4 address or invalid.
bool ends_in_number(std::string_view host);
std::optional<std::uint32_t> parse_ipv4(std::string_view host);
void append_ipv4(std::string& out, std::uint32_t address);

// `text` without its brackets.
std::optional<Ipv6Pieces> parse_ipv6(std::string_view text);
// With brackets.
void append_ipv6(std::string& out, const Ipv6Pieces& pieces);

}  // namespace bowerbird
