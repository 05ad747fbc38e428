// Which addresses may be connected to: the public Internet, and networks that the user has named.
//
// Problem: a page or a DNS answer may send a crawler to machines that are not part of the Web: the local
// host, its network, or the metadata service of its cloud. So every address is checked when a socket is
// opened, whatever name or redirect led to it. For IPv4, multicast and the special-purpose blocks of
// IANA's registry (RFC 6890) that are not globally reachable are refused. For IPv6 only 2000::/3 is
// public, except for the special-purpose blocks in it. Addresses that contain an IPv4 address (6to4,
// NAT64's 64:ff9b::/96) are judged by that. Immutable; threads: any.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fetch/net_address.h"

namespace bowerbird {

// A block of addresses, "10.0.0.0/8". A single address is a block of one.
struct Cidr {
  NetAddress base;
  unsigned prefix = 0;

  static Result<Cidr> parse(std::string_view text);
  bool holds(const NetAddress& address) const;
};

// The error text for a refused address, with advice.
std::string refusal_text(std::string_view address);

class NetFilter {
 public:
  NetFilter() = default;
  explicit NetFilter(std::vector<Cidr> allowed) : allowed_(std::move(allowed)) {}
  static Result<NetFilter> parse(std::span<const std::string> cidrs);

  bool admits(const NetAddress& address) const { return named(address) || is_public(address); }
  // Whether the address is in a network that the user has named as their own.
  bool named(const NetAddress& address) const;
  static bool is_public(const NetAddress& address);
  // Whether the host of a URL (IPv6 in brackets) is a refused address or a name of the local machine.
  // Other names are admitted: their addresses are checked later.
  bool refuses_host(std::string_view hostname) const;

 private:
  std::vector<Cidr> allowed_;
};

}  // namespace bowerbird
