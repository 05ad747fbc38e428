// Which addresses may be connected to: the public Internet, and what the user has named.
//
// Problem: a page or a DNS answer may send a crawler to machines that are not the Web: its own, its
// network's, or the metadata service of its cloud. So every address is asked about here at the moment a
// socket is opened, whatever name or redirect led to it. Refused are the special-purpose blocks of IANA's
// registries (RFC 6890) that are not globally reachable, multicast, and IPv6 forms that carry such an IPv4
// address (6to4, NAT64). Immutable once made; threads: any.
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

class NetFilter {
 public:
  NetFilter() = default;
  explicit NetFilter(std::vector<Cidr> allowed) : allowed_(std::move(allowed)) {}
  static Result<NetFilter> parse(std::span<const std::string> cidrs);

  bool admits(const NetAddress& address) const { return named(address) || is_public(address); }
  // Inside a block that the user has named: a network of their own.
  bool named(const NetAddress& address) const;
  static bool is_public(const NetAddress& address);

 private:
  std::vector<Cidr> allowed_;
};

}  // namespace bowerbird
