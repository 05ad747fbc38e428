// Which addresses may be connected to: the public Internet, and what the user has named.
//
// Problem: a page or a DNS answer may send a crawler to machines that are not the Web: its own, its
// network's, or the metadata service of its cloud. So every address is asked about here at the moment a
// socket is opened, whatever name or redirect led to it. Of IPv4 the special-purpose blocks of IANA's
// registry (RFC 6890) that are not globally reachable are refused, and multicast. Of IPv6 only 2000::/3 is
// public, the special-purpose blocks in it apart. Addresses that carry an IPv4 address (6to4, NAT64's
// 64:ff9b::/96) are judged by that. Immutable once made; threads: any.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fetch/net_address.h"

namespace bowerbird {

// A block of addresses, "10.0.0.0/8"; a bare address is a block of one.
struct Cidr {
  NetAddress base;
  unsigned prefix = 0;

  static Result<Cidr> parse(std::string_view text);
  bool holds(const NetAddress& address) const;
};

// Why there is no page, and what to do about it.
std::string refusal_text(std::string_view address);

class NetFilter {
 public:
  NetFilter() = default;
  explicit NetFilter(std::vector<Cidr> allowed) : allowed_(std::move(allowed)) {}
  static Result<NetFilter> parse(std::span<const std::string> cidrs);

  bool admits(const NetAddress& address) const { return named(address) || is_public(address); }
  // Inside a block that the user has named: a network of their own.
  bool named(const NetAddress& address) const;
  static bool is_public(const NetAddress& address);
  // Whether a URL's host (IPv6 in brackets) is an address that is refused, or a name for the machine itself;
  // other names are admitted: where they lead is not known here.
  bool refuses_host(std::string_view hostname) const;

 private:
  std::vector<Cidr> allowed_;
};

}  // namespace bowerbird
