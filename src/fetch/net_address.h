// An IP address as a value: the result of a lookup, the peer of a socket, the key of a gate.
//
// IPv4-mapped IPv6 addresses (::ffff:a.b.c.d) are converted to IPv4 on construction, so that an address
// has one form. Pure; threads: any.
#pragma once

#include <sys/socket.h>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bowerbird {

struct NetAddress {
  bool v6 = false;
  std::array<std::uint8_t, 16> bytes{};  // IPv4: the first four

  static NetAddress ipv4(std::uint32_t address);
  static NetAddress ipv6(const std::array<std::uint8_t, 16>& bytes);
  // The address of an IPv4 or IPv6 socket; nullopt for others.
  static std::optional<NetAddress> of(const sockaddr* address);
  // "192.0.2.1", "2001:db8::1", with or without brackets.
  static std::optional<NetAddress> parse(std::string_view text);

  // Sets the address of a socket; returns its size.
  socklen_t put(std::uint16_t port, sockaddr_storage& to) const;
  std::string text() const;  // without brackets
  std::string host() const;  // IPv6 in brackets, as in a URL
  unsigned bits() const { return v6 ? 128 : 32; }

  friend auto operator<=>(const NetAddress&, const NetAddress&) = default;
};

}  // namespace bowerbird
