#include "store/surt.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ascii.h"

namespace bowerbird {

namespace {

// The parts of an http or https URL that its key contains.
struct KeyParts {
  std::string_view host;   // an IPv6 address with its brackets
  std::string_view port;   // empty: the default one
  std::string_view path;   // empty, or from its first slash on
  std::string_view query;  // without the question mark
};

// Removes "www.", "www2." and so on.
std::string_view without_www(std::string_view host) {
  if (!host.starts_with("www")) return host;
  std::size_t at = 3;
  while (at < host.size() && is_ascii_digit(host[at])) ++at;
  return at + 1 < host.size() && host[at] == '.' ? host.substr(at + 1) : host;
}

// url: lower case up to the end of its host.
std::optional<KeyParts> key_parts(std::string_view url) {
  const bool https = url.starts_with("https://");
  if (!https && !url.starts_with("http://")) return std::nullopt;
  url.remove_prefix(https ? 8 : 7);
  url = url.substr(0, url.find('#'));
  KeyParts parts;
  parts.host = url.substr(0, url.find_first_of("/?"));
  url.remove_prefix(parts.host.size());
  parts.host.remove_prefix(parts.host.rfind('@') + 1);  // npos + 1 is 0
  const std::size_t colon = parts.host.rfind(':');
  if (colon != std::string_view::npos && parts.host.find(']', colon) == std::string_view::npos) {
    parts.port = parts.host.substr(colon + 1);
    parts.host = parts.host.substr(0, colon);
    if (parts.port == (https ? "443" : "80")) parts.port = {};
  }
  parts.host = without_www(parts.host);
  parts.path = url.substr(0, url.find('?'));
  url.remove_prefix(parts.path.size());
  if (!url.empty()) parts.query = url.substr(1);
  return parts;
}

// "www.example.org" -> "org,example,www"
void append_reversed(std::string& key, std::string_view host) {
  for (;;) {
    const std::size_t dot = host.rfind('.');
    key.append(host.substr(dot == std::string_view::npos ? 0 : dot + 1));
    if (dot == std::string_view::npos) return;
    key.push_back(',');
    host = host.substr(0, dot);
  }
}

void append_host(std::string& key, std::string_view host, std::string_view port) {
  append_reversed(key, host);
  if (!port.empty()) key.append(":").append(port);
  key.push_back(')');
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

void append_query(std::string& key, const std::vector<std::string_view>& parameters) {
  char separator = '?';
  for (const std::string_view parameter : parameters) {
    key.push_back(separator);
    key.append(parameter);
    separator = '&';
  }
}

// ---- surt_key(), as in the Python package

std::optional<char> escaped_byte(std::string_view text, std::size_t at) {
  if (at + 2 >= text.size() || text[at] != '%') return std::nullopt;
  const int high = hex_value(text[at + 1]), low = hex_value(text[at + 2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

// Undoes percent-encoding repeatedly. Each byte written may complete an escape with those before it, so
// one pass that looks back is enough.
std::string unescaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    out.push_back(c);
    while (out.size() >= 3) {
      const auto byte = escaped_byte(out, out.size() - 3);
      if (!byte) break;
      out.resize(out.size() - 3);
      out.push_back(*byte);
    }
  }
  return out;
}

void append_escaped(std::string& key, std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte > 0x20 && byte < 0x7f && c != '%' && c != '#') {
      key.push_back(ascii_lower(c));
      continue;
    }
    key.push_back('%');
    key.push_back(kDigits[byte >> 4]);
    key.push_back(kDigits[byte & 15]);
  }
}

// Removes "." and "..", empty segments and the trailing slash.
std::string tidy_path(std::string_view path) {
  std::vector<std::string_view> kept;
  if (!path.empty()) path.remove_prefix(1);
  for (const std::string_view segment : split(path, '/')) {
    if (segment == "..") {
      if (kept.empty()) {
        kept.push_back(segment);
      } else {
        kept.pop_back();
      }
    } else if (segment != ".") {
      kept.push_back(segment);
    }
  }
  std::string out;
  for (const std::string_view segment : kept) {
    if (!segment.empty()) out.append("/").append(segment);
  }
  return out.empty() ? "/" : out;
}

bool all_alphanumeric(std::string_view text, bool digits = true) {
  return std::ranges::all_of(text,
                             [digits](char c) { return is_ascii_alpha(c) || (digits && is_ascii_digit(c)); });
}

// An ASP.NET session: "(24 letters and digits)", or several with a letter before each: "(S(...)F(...))".
bool is_session_segment(std::string_view segment) {
  constexpr std::size_t kId = 24;
  if (segment.size() < kId + 2 || segment.front() != '(' || segment.back() != ')') return false;
  segment = segment.substr(1, segment.size() - 2);
  if (segment.size() == kId) return all_alphanumeric(segment);
  constexpr std::size_t kGroup = kId + 3;
  if (segment.size() % kGroup != 0) return false;
  for (; !segment.empty(); segment.remove_prefix(kGroup)) {
    if (!is_ascii_alpha(segment[0]) || segment[1] != '(' || segment[kGroup - 1] != ')') return false;
    if (!all_alphanumeric(segment.substr(2, kId))) return false;
  }
  return true;
}

// Whether an ASP.NET page follows.
bool names_aspx(std::string_view rest) {
  rest = rest.substr(0, rest.find('?'));
  return rest.find(".aspx", 1) != std::string_view::npos;
}

// Removes the last session segment that is followed by an ASP.NET page. path: lower case.
void strip_path_session(std::string& path) {
  for (std::size_t end = path.rfind('/'); end != std::string::npos && end > 0;) {
    const std::size_t begin = path.rfind('/', end - 1);
    if (begin == std::string::npos) return;
    const std::string_view text = path;
    if (is_session_segment(text.substr(begin + 1, end - begin - 1)) && names_aspx(text.substr(end + 1))) {
      path.erase(begin, end - begin);
      return;
    }
    end = begin;
  }
}

// A parameter with a session id.
struct SessionName {
  std::string_view name;
  std::size_t letters;  // after the fixed part of the name
  std::size_t value;    // length of the value
  bool digits;          // whether the value may contain digits
};
constexpr SessionName kSessions[] = {{"jsessionid", 0, 32, true},
                                     {"phpsessid", 0, 32, true},
                                     {"sid", 0, 32, true},
                                     {"aspsessionid", 8, 24, false}};

// The length of the session parameter at the start of `text`, or 0.
std::size_t session_length(std::string_view text, const SessionName& session) {
  const std::size_t name = session.name.size() + session.letters;
  const std::size_t length = name + 1 + session.value;
  if (text.size() < length || !text.starts_with(session.name) || text[name] != '=') return 0;
  if (!all_alphanumeric(text.substr(session.name.size(), session.letters), false)) return 0;
  return all_alphanumeric(text.substr(name + 1, session.value), session.digits) ? length : 0;
}

// "cfid=1&cftoken=2"
std::size_t cold_fusion_length(std::string_view text) {
  if (!text.starts_with("cfid=")) return 0;
  const std::size_t end = text.find('&');
  if (end == std::string_view::npos || end == 5) return 0;
  constexpr std::string_view kToken = "cftoken=";
  if (!text.substr(end + 1).starts_with(kToken)) return 0;
  const std::size_t value = end + 1 + kToken.size();
  const std::size_t stop = std::min(text.find('&', value), text.size());
  return stop > value ? stop : 0;
}

// Removes the last match that ends a parameter, with the separator after it. length_at(text): length of
// the match at the start of `text`, or 0.
template <typename LengthAt>
void strip_session(std::string& query, LengthAt length_at) {
  for (std::size_t at = query.size(); at-- > 0;) {
    const std::size_t length = length_at(std::string_view(query).substr(at));
    if (length == 0) continue;
    if (at + length < query.size() && query[at + length] != '&') continue;
    query.erase(at, length + 1);
    return;
  }
}

// query: lower case.
void strip_query_sessions(std::string& query) {
  for (const SessionName& session : kSessions)
    strip_session(query, [&session](std::string_view text) { return session_length(text, session); });
  strip_session(query, cold_fusion_length);
}

// By name, then value. A name without a value comes before the same name with one.
bool parameter_before(std::string_view a, std::string_view b) {
  const std::size_t a_name = a.find('='), b_name = b.find('=');
  const int names = a.substr(0, a_name).compare(b.substr(0, b_name));
  return names != 0 ? names < 0 : a < b;
}

// Host names are compared without trailing dots and without the brackets of IPv6.
std::string_view bare_host(std::string_view host) {
  while (host.starts_with('.')) host.remove_prefix(1);
  while (host.ends_with('.')) host.remove_suffix(1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host;
}

}  // namespace

std::string surt_key(std::string_view url) {
  const std::string low = lowered(url);
  const auto parts = key_parts(low);
  if (!parts) return low;
  std::string key;
  append_host(key, bare_host(parts->host), parts->port);
  std::string path = lowered(tidy_path(unescaped(parts->path)));
  strip_path_session(path);
  append_escaped(key, path);
  std::string query;
  append_escaped(query, unescaped(parts->query));
  strip_query_sessions(query);
  if (query.empty()) return key;
  std::vector<std::string_view> parameters = split(query, '&');
  std::stable_sort(parameters.begin(), parameters.end(), parameter_before);
  append_query(key, parameters);
  return key;
}

std::string browser_key(std::string_view url) {
  const std::string low = lowered(url);
  const auto parts = key_parts(low);
  if (!parts) return std::string(url);
  std::string key;
  append_host(key, parts->host, parts->port);
  key.append(parts->path.empty() ? "/" : parts->path);
  if (parts->query.empty()) return key;
  std::vector<std::string_view> parameters = split(parts->query, '&');
  std::sort(parameters.begin(), parameters.end());
  append_query(key, parameters);
  return key;
}

}  // namespace bowerbird
