#include "base/option_row.h"

namespace bowerbird {

std::vector<std::string> split_commas(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) words.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return words;
}

namespace {

// Of a proxy or a broker. Anything else in front of "://" is part of a header field.
bool is_server_scheme(std::string_view text) {
  constexpr std::string_view kSchemes[] = {"http",   "https",   "socks4", "socks4a",
                                           "socks5", "socks5h", "nats",   "tls"};
  return std::ranges::find(kSchemes, text) != std::end(kSchemes);
}

}  // namespace

std::string without_secret(std::string_view value) {
  if (const std::size_t scheme = value.find("://");
      scheme != value.npos && value.find('=') == value.npos && is_server_scheme(value.substr(0, scheme))) {
    const std::size_t sign = value.rfind('@');
    if (sign == value.npos) return std::string(value);
    return fmt::format("{}...{}", value.substr(0, scheme + 3), value.substr(sign));
  }
  const std::size_t equal = std::min(value.find('='), value.size());
  std::string_view host = value.substr(0, equal);
  if (const std::size_t scheme = host.find("://"); scheme != host.npos) host.remove_prefix(scheme + 3);
  const bool for_host = equal < value.size() && host.find_first_of(" \t:@") == host.npos;
  return for_host ? fmt::format("{}=...", value.substr(0, equal)) : "...";
}

}  // namespace bowerbird
