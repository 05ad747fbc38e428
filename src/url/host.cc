#include "url/host.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"

namespace bowerbird {

namespace {

constexpr std::string_view kAuthorityEnds = "/?#\\";

// The length of "scheme://" or "//" at the front, or 0.
std::size_t scheme_and_slashes(std::string_view url) {
  if (url.starts_with("//")) return 2;
  if (url.empty() || !is_ascii_alpha(url.front())) return 0;
  std::size_t i = 1;
  while (i < url.size() && (is_ascii_alpha(url[i]) || is_ascii_digit(url[i]) || url[i] == '+' ||
                            url[i] == '-' || url[i] == '.')) {
    ++i;
  }
  return url.substr(i).starts_with("://") ? i + 3 : 0;
}

std::uint32_t default_port(std::string_view scheme) {
  static constexpr std::array<std::pair<std::string_view, std::uint32_t>, 4> kPorts = {
      {{"https://", 443}, {"ftp://", 21}, {"ws://", 80}, {"wss://", 443}}};
  const std::string name = lowered(scheme);
  for (const auto& [known, port] : kPorts) {
    if (name == known) return port;
  }
  return 80;
}

// After a scheme, everything except blanks and controls is accepted in a host name, since graphs of the real
// Web contain very odd hosts.
bool possible_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != 0x7f;
  });
}

// Without a scheme it must look like a host name.
bool plausible_name(std::string_view name) {
  return name.find_first_of("\"'`<>^{|}()[],;:=%&") == std::string_view::npos &&
         (name.find('.') != std::string_view::npos || lowered(name) == "localhost");
}

bool plausible_address(std::string_view inside) {
  return std::count(inside.begin(), inside.end(), ':') >= 2 &&
         inside.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

// Splits "host:port" at the colon; an address in brackets keeps its own.
std::pair<std::string_view, std::string_view> split_port(std::string_view authority) {
  const std::size_t after = authority.starts_with('[') ? authority.find(']') : 0;
  const std::size_t colon = authority.find(':', after == std::string_view::npos ? 0 : after);
  if (colon == std::string_view::npos) return {authority, {}};
  return {authority.substr(0, colon), authority.substr(colon + 1)};
}

}  // namespace

std::string host_of_url(std::string_view url) {
  const std::size_t scheme = scheme_and_slashes(url);
  std::string_view authority = url.substr(scheme);
  authority = authority.substr(0, authority.find_first_of(kAuthorityEnds));
  const std::size_t user = authority.rfind('@');
  if (user != std::string_view::npos) {
    if (scheme == 0) return {};  // a mail address
    authority.remove_prefix(user + 1);
  }
  auto [name, port] = split_port(authority);
  if (name.ends_with('.')) name.remove_suffix(1);  // the root of all names
  if (name.starts_with('[')) {
    if (!name.ends_with(']') || !plausible_address(name.substr(1, name.size() - 2))) return {};
  } else if (!possible_name(name) || (scheme == 0 && !plausible_name(name))) {
    return {};
  }
  std::uint32_t number = 0;
  for (const char c : port) {
    if (!is_ascii_digit(c) || number > 65535) return {};
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (number > 65535) return {};
  std::string host = lowered(name);
  if (!port.empty() && number != default_port(url.substr(0, scheme))) {
    host += ':';
    host += std::to_string(number);
  }
  return host;
}

std::string_view path_of_url(std::string_view url) {
  std::string_view rest = url.substr(scheme_and_slashes(url));
  const std::size_t begin = rest.find_first_of("/?#");
  if (begin == std::string_view::npos) return {};
  rest.remove_prefix(begin);
  return rest.substr(0, rest.find_first_of("?#"));
}

std::uint32_t names_in_path(std::string_view path) {
  std::uint32_t names = 0;
  char before = '/';
  for (const char c : path) {
    names += c != '/' && before == '/';
    before = c;
  }
  return names;
}

std::uint32_t path_depth(std::string_view url) {
  return names_in_path(path_of_url(url));
}

bool is_home_page(std::string_view url) {
  const std::string_view path = path_of_url(url);
  return (path.empty() || path == "/") && url.substr(0, url.find('#')).find('?') == std::string_view::npos;
}

}  // namespace bowerbird
