#include "crawl/config/request_fields.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "parse/field_scanner.h"
#include "url/canonical.h"

namespace bowerbird {

namespace {

constexpr std::array<std::string_view, 3> kCredentials = {"authorization", "cookie", "proxy-authorization"};

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = word << 8 | (k < left ? static_cast<std::uint8_t>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) out += k <= left ? kDigits[word >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

// "example.org" -> "https://example.org"; "http://example.org:81" stays. Empty: not a host.
std::string origin_of(std::string_view text) {
  const bool with_scheme = text.starts_with("http://") || text.starts_with("https://");
  const std::string_view host = with_scheme ? text.substr(text.find("//") + 2) : text;
  if (host.empty() || host.find_first_of("/\\?#@* \t") != host.npos) return {};
  Url url;
  const std::string whole = (with_scheme ? std::string() : "https://").append(text);
  return canonical_url(whole, nullptr, url) == UrlFault::kNone ? url.origin() : "";
}

struct ForHost {
  std::string origin;  // empty: the entry does not begin with a host
  std::string_view value;
};
ForHost split_entry(std::string_view entry) {
  const std::size_t equal = entry.find('=');
  if (equal == entry.npos) return {};
  return {origin_of(entry.substr(0, equal)), entry.substr(equal + 1)};
}

bool has_line_end(std::string_view text) {
  return text.find_first_of("\r\n") != text.npos || text.find('\0') != text.npos;
}

// The name of a field "Name: value"; empty: not a field.
std::string_view name_of_field(std::string_view field) {
  FieldScanner scanner(field);
  const std::string_view name = scanner.token();
  return scanner.peek() == ':' && !has_line_end(field) ? name : std::string_view();
}

// Fields that cannot be set here, and what to do instead.
struct RefusedField {
  std::string_view name;
  std::string_view instead;
};
constexpr std::array<RefusedField, 5> kRefused = {{
    {"user-agent", "use --user-agent"},
    {"host", "it follows from the URL; to connect elsewhere use --connect-to"},
    {"connection", "it follows from the protocol; to limit connections use --connections-per-host"},
    {"content-length", "requests have no body; to limit responses use --max-size"},
    {"transfer-encoding", "requests have no body; to use HTTP/2 give --http2"},
}};

std::string_view refusal_of(std::string_view name) {
  for (const RefusedField& field : kRefused) {
    if (equals_ignoring_case(name, field.name)) return field.instead;
  }
  return {};
}

bool is_public_field(std::string_view name) {
  return equals_ignoring_case(name, "accept") || equals_ignoring_case(name, "accept-language");
}

std::string_view take_line(std::string_view& lines) {
  const std::size_t end = std::min(lines.find("\r\n"), lines.size());
  const std::string_view line = lines.substr(0, end);
  lines.remove_prefix(std::min(end + 2, lines.size()));
  return line;
}

bool has_secret_line(std::string_view lines) {
  while (!lines.empty()) {
    if (!is_public_field(name_of_field(take_line(lines)))) return true;
  }
  return false;
}

// The values are "NAME=VALUE; ...".
bool is_cookies(std::string_view text) {
  return !has_line_end(text) && text.substr(0, text.find(';')).find('=') != text.npos;
}

bool is_credential(std::string_view name) {
  return std::any_of(kCredentials.begin(), kCredentials.end(),
                     [&](std::string_view known) { return equals_ignoring_case(name, known); });
}

// Adds the line "Name: value" and removes an earlier one with the same name.
void set_field(std::string& lines, std::string_view line) {
  const std::string_view name = name_of_field(line);
  std::string kept;
  for (std::string_view rest = lines; !rest.empty();) {
    const std::string_view other = take_line(rest);
    if (!equals_ignoring_case(name_of_field(other), name)) kept.append(other).append("\r\n");
  }
  lines = std::move(kept);
  lines.append(line).append("\r\n");
}

// Whether "HOST=Name: value" was meant, but HOST is not a host: such a field would be sent to every host.
bool has_bad_host(std::string_view entry) {
  const std::size_t colon = entry.find(':');
  if (entry.substr(colon).starts_with("://")) return true;
  const std::size_t equal = entry.find('=');
  return equal != entry.npos && is_credential(name_of_field(entry.substr(equal + 1)));
}

}  // namespace

Status check_site_fields(const SiteSettings& site) {
  for (const std::string& field : site.headers) {
    const std::string_view name = name_of_field(field);
    if (name.empty()) return error("header: expected \"Name: value\"");
    if (const std::string_view instead = refusal_of(name); !instead.empty())
      return error("header cannot set {}: {}", name, instead);
  }
  for (const std::string& cookie : site.cookie) {
    if (cookie.empty() || has_line_end(cookie)) return error("cookie: expected \"name=value\"");
  }
  if (!site.auth.empty() && (site.auth.find(':') == std::string::npos || has_line_end(site.auth)))
    return error("auth: expected USER:PASSWORD");
  return {};
}

Result<RequestFields> RequestFields::make(const RequestFieldOptions& options) {
  RequestFields made;
  for (const std::string& entry : options.headers) {
    const ForHost host = split_entry(entry);
    const bool for_host = !host.origin.empty() && !name_of_field(host.value).empty();
    const std::string_view field = for_host ? host.value : std::string_view(entry);
    const std::string_view name = name_of_field(field);
    if (name.empty()) return error("--header: expected \"Name: value\" or \"HOST=Name: value\"");
    if (!for_host && has_bad_host(field)) {
      return error(
          "--header: expected \"HOST=Name: value\", where HOST is a host name, with http:// and a port if "
          "needed");
    }
    if (const std::string_view instead = refusal_of(name); !instead.empty())
      return error("--header cannot set {}: {}", name, instead);
    if (!for_host && is_credential(name)) {
      return error(
          "--header '{0}: ...' would be sent to every host: name the one it is for, \"HOST={0}: ...\"", name);
    }
    (for_host ? made.by_origin_[host.origin] : made.for_all_).append(field).append("\r\n");
  }
  for (const std::string& entry : options.cookies) {
    const ForHost host = split_entry(entry);
    if (host.origin.empty() || !is_cookies(host.value))
      return error("--cookie: expected HOST=NAME=VALUE, such as \"example.org=a=1; b=2\"");
    made.by_origin_[host.origin] += fmt::format("Cookie: {}\r\n", host.value);
  }
  for (const std::string& entry : options.auth) {
    const ForHost host = split_entry(entry);
    if (host.origin.empty() || host.value.find(':') == host.value.npos)
      return error("--auth: expected HOST=USER:PASSWORD");
    made.by_origin_[host.origin] += fmt::format("Authorization: Basic {}\r\n", base64(host.value));
  }
  for (const SiteSettings& site : options.sites) BB_TRY_VOID(check_site_fields(site));
  BB_TRY(made.sites_, SiteRules::make(options.sites));
  return made;
}

void RequestFields::add_site_fields(std::size_t table, const Url& url, std::string& lines) const {
  const SiteSettings& site = sites_[table];
  const bool trusted = sites_.may_hold_credentials(table, url);
  for (const std::string& field : site.headers) {
    if (trusted || !is_credential(name_of_field(field))) set_field(lines, field);
  }
  if (!trusted) return;
  if (!site.cookie.empty()) set_field(lines, fmt::format("Cookie: {}", fmt::join(site.cookie, "; ")));
  if (!site.auth.empty()) set_field(lines, fmt::format("Authorization: Basic {}", base64(site.auth)));
}

std::string RequestFields::for_url(std::string_view url) const {
  if (by_origin_.empty() && sites_.empty()) return for_all_;
  Url parsed;
  if (parse_url(url, nullptr, parsed) != UrlFault::kNone) return for_all_;
  const auto found = by_origin_.find(parsed.origin());
  std::string lines = found == by_origin_.end() ? for_all_ : for_all_ + found->second;
  for (const std::uint16_t table : sites_.tables_of(parsed)) add_site_fields(table, parsed, lines);
  return lines;
}

std::string RequestFields::for_archive(std::string_view url) const {
  const std::string lines = for_url(url);
  std::string shown;
  for (std::string_view rest = lines; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::string_view name = name_of_field(line);
    if (is_public_field(name)) {
      shown.append(line).append("\r\n");
    } else {
      shown.append(name).append(": withheld\r\n");
    }
  }
  return shown;
}

bool RequestFields::any_secret() const {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    if (sites_[i].has_secret()) return true;
  }
  return has_secret_line(for_all_) || std::any_of(by_origin_.begin(), by_origin_.end(), [](const auto& one) {
           return has_secret_line(one.second);
         });
}

}  // namespace bowerbird
