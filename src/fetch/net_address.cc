#include "fetch/net_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace bowerbird {

namespace {

constexpr std::array<std::uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

}  // namespace

NetAddress NetAddress::ipv4(std::uint32_t address) {
  NetAddress made;
  for (unsigned i = 0; i < 4; ++i) made.bytes[i] = static_cast<std::uint8_t>(address >> (24 - 8 * i));
  return made;
}

NetAddress NetAddress::ipv6(const std::array<std::uint8_t, 16>& bytes) {
  NetAddress made;
  if (std::equal(kMapped.begin(), kMapped.end(), bytes.begin())) {
    std::copy(bytes.begin() + 12, bytes.end(), made.bytes.begin());
    return made;
  }
  made.v6 = true;
  made.bytes = bytes;
  return made;
}

std::optional<NetAddress> NetAddress::of(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, address, sizeof in);
    return ipv4(ntohl(in.sin_addr.s_addr));
  }
  if (address->sa_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, address, sizeof in);
    std::array<std::uint8_t, 16> bytes{};
    std::memcpy(bytes.data(), &in.sin6_addr, bytes.size());
    return ipv6(bytes);
  }
  return std::nullopt;
}

std::optional<NetAddress> NetAddress::parse(std::string_view text) {
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  const std::string terminated(text);
  in_addr four{};
  if (::inet_pton(AF_INET, terminated.c_str(), &four) == 1) return ipv4(ntohl(four.s_addr));
  std::array<std::uint8_t, 16> bytes{};
  if (::inet_pton(AF_INET6, terminated.c_str(), bytes.data()) == 1) return ipv6(bytes);
  return std::nullopt;
}

socklen_t NetAddress::put(std::uint16_t port, sockaddr_storage& to) const {
  to = {};
  if (v6) {
    sockaddr_in6 made{};
    made.sin6_family = AF_INET6;
    made.sin6_port = htons(port);
    std::memcpy(&made.sin6_addr, bytes.data(), 16);
    std::memcpy(&to, &made, sizeof made);
    return sizeof made;
  }
  sockaddr_in made{};
  made.sin_family = AF_INET;
  made.sin_port = htons(port);
  std::memcpy(&made.sin_addr, bytes.data(), 4);
  std::memcpy(&to, &made, sizeof made);
  return sizeof made;
}

std::string NetAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> buffer{};
  ::inet_ntop(v6 ? AF_INET6 : AF_INET, bytes.data(), buffer.data(), buffer.size());
  return buffer.data();
}

std::string NetAddress::host() const {
  return v6 ? "[" + text() + "]" : text();
}

}  // namespace bowerbird
