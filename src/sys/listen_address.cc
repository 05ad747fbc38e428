#include "sys/listen_address.h"

#include <arpa/inet.h>

#include <charconv>

namespace bowerbird {

namespace {

bool loopback(const std::string& host) {
  in_addr v4{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6{};
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6) != 0;
}

bool is_address(const std::string& host) {
  in_addr v4{};
  in6_addr v6{};
  return ::inet_pton(AF_INET, host.c_str(), &v4) == 1 || ::inet_pton(AF_INET6, host.c_str(), &v6) == 1;
}

}  // namespace

Result<ListenAddress> parse_listen(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const auto wrong = [&] {
    return error("'{}' is not an address such as 127.0.0.1:8700 or [::1]:8700", text);
  };
  if (colon == std::string::npos) return wrong();
  ListenAddress made;
  made.host = text.substr(0, colon);
  const char* const end = text.data() + text.size();
  const auto [used, fault] = std::from_chars(text.data() + colon + 1, end, made.port);
  if (fault != std::errc() || used != end) return wrong();
  if (made.host.starts_with('[') && made.host.ends_with(']'))
    made.host = made.host.substr(1, made.host.size() - 2);
  if (made.host == "localhost") made.host = "127.0.0.1";
  if (!is_address(made.host)) return wrong();
  made.is_loopback = loopback(made.host);
  return made;
}

}  // namespace bowerbird
