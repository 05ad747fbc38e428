#include "store/surt.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"

namespace bowerbird {

namespace {

// "www.", "www2." ...
std::string_view without_www(std::string_view host) {
  if (!host.starts_with("www")) return host;
  std::size_t at = 3;
  while (at < host.size() && is_ascii_digit(host[at])) ++at;
  return at + 1 < host.size() && host[at] == '.' ? host.substr(at + 1) : host;
}

bool is_address(std::string_view host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

void append_reversed(std::string& key, std::string_view host) {
  if (is_address(host)) {
    key.append(host);
    return;
  }
  for (;;) {
    const std::size_t dot = host.rfind('.');
    key.append(host.substr(dot == std::string_view::npos ? 0 : dot + 1));
    if (dot == std::string_view::npos) return;
    key.push_back(',');
    host = host.substr(0, dot);
  }
}

void append_query(std::string& key, std::string_view query) {
  std::vector<std::string_view> parameters;
  for (;;) {
    const std::size_t end = query.find('&');
    parameters.push_back(query.substr(0, end));
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  std::sort(parameters.begin(), parameters.end());
  char separator = '?';
  for (const std::string_view parameter : parameters) {
    key.push_back(separator);
    key.append(parameter);
    separator = '&';
  }
}

}  // namespace

std::string surt_key(std::string_view url) {
  const std::string low = lowered(url);
  std::string_view rest = low;
  const bool https = rest.starts_with("https://");
  if (!https && !rest.starts_with("http://")) return low;
  rest.remove_prefix(https ? 8 : 7);
  rest = rest.substr(0, rest.find('#'));
  const std::size_t slash = rest.find_first_of("/?");
  std::string_view host = rest.substr(0, slash);
  rest.remove_prefix(host.size());
  host.remove_prefix(host.rfind('@') + 1);  // npos + 1 is 0
  const std::size_t colon = host.rfind(':');
  std::string_view port;
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    port = host.substr(colon + 1);
    host = host.substr(0, colon);
  }
  std::string key;
  append_reversed(key, without_www(host));
  if (!port.empty() && port != (https ? "443" : "80")) key.append(":").append(port);
  key.push_back(')');
  const std::size_t mark = rest.find('?');
  std::string_view path = rest.substr(0, mark);
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  key.append(path.empty() ? "/" : path);
  if (mark != std::string_view::npos && mark + 1 < rest.size()) append_query(key, rest.substr(mark + 1));
  return key;
}

}  // namespace bowerbird
