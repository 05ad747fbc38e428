#include "fetch/net_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace bowerbird {

namespace {

// RFC 6890 and its registries: blocks that are not globally reachable, or not used for web servers. For
// IPv6, within 2000::/3.
constexpr std::array kRefused = {
    "0.0.0.0/8",      "10.0.0.0/8",   "100.64.0.0/10",  "127.0.0.0/8",    "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24",   "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",  "198.51.100.0/24",
    "203.0.113.0/24", "224.0.0.0/4",  "240.0.0.0/4",    "2001::/23",      "2001:db8::/32",  "3fff::/20",
};

const std::vector<Cidr>& refused() {
  static const std::vector<Cidr> blocks = [] {
    std::vector<Cidr> made;
    for (const char* text : kRefused) made.push_back(std::move(Cidr::parse(text)).value());
    return made;
  }();
  return blocks;
}

NetAddress four_at(const NetAddress& address, std::size_t at) {
  NetAddress four;
  std::copy_n(address.bytes.begin() + static_cast<std::ptrdiff_t>(at), 4, four.bytes.begin());
  return four;
}

bool begins(const NetAddress& address, std::initializer_list<std::uint8_t> bytes) {
  return std::equal(bytes.begin(), bytes.end(), address.bytes.begin());
}

}  // namespace

Result<Cidr> Cidr::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto base = NetAddress::parse(text.substr(0, slash));
  if (!base) return error("'{}' is not an address or a block of addresses such as 127.0.0.0/8", text);
  Cidr cidr{*base, base->bits()};
  if (slash != text.npos) {
    const std::string_view digits = text.substr(slash + 1);
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), cidr.prefix);
    if (fault != std::errc() || end != digits.data() + digits.size() || cidr.prefix > base->bits()) {
      return error("'{}': the value after the slash must be a number from 0 to {}", text, base->bits());
    }
  }
  return cidr;
}

bool Cidr::holds(const NetAddress& address) const {
  if (address.v6 != base.v6) return false;
  const std::size_t whole = prefix / 8;
  if (!std::equal(base.bytes.begin(), base.bytes.begin() + static_cast<std::ptrdiff_t>(whole),
                  address.bytes.begin())) {
    return false;
  }
  if (prefix % 8 == 0) return true;
  const unsigned shift = 8 - prefix % 8;
  return base.bytes[whole] >> shift == address.bytes[whole] >> shift;
}

std::string refusal_text(std::string_view address) {
  return fmt::format("{} is not a public address; to crawl such a network, name it with --allow-net",
                     address);
}

Result<NetFilter> NetFilter::parse(std::span<const std::string> cidrs) {
  std::vector<Cidr> allowed;
  for (const std::string& text : cidrs) {
    BB_TRY(Cidr cidr, Cidr::parse(text));
    allowed.push_back(cidr);
  }
  return NetFilter(std::move(allowed));
}

bool NetFilter::named(const NetAddress& address) const {
  return std::any_of(allowed_.begin(), allowed_.end(), [&](const Cidr& cidr) { return cidr.holds(address); });
}

bool NetFilter::is_public(const NetAddress& address) {
  if (address.v6 && begins(address, {0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0})) {
    return is_public(four_at(address, 12));
  }
  if (address.v6 && address.bytes[0] >> 5 != 1) return false;  // not in 2000::/3
  if (address.v6 && begins(address, {0x20, 0x02})) return is_public(four_at(address, 2));
  const auto& blocks = refused();
  return std::none_of(blocks.begin(), blocks.end(), [&](const Cidr& block) { return block.holds(address); });
}

bool NetFilter::refuses_host(std::string_view hostname) const {
  // RFC 6761, 6.3.
  const bool here = hostname == "localhost" || hostname.ends_with(".localhost");
  const auto address = here ? std::optional(NetAddress::ipv4(0x7f000001)) : NetAddress::parse(hostname);
  return address && !admits(*address);
}

}  // namespace bowerbird
