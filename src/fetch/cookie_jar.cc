#include "fetch/cookie_jar.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "parse/http_head.h"
#include "url/canonical.h"
#include "url/site.h"

namespace bowerbird {

namespace {

constexpr std::string_view kHttpOnly = "#HttpOnly_";

// RFC 6265, 5.1.3, for names. There are no names below an IP address.
bool is_in_domain(std::string_view name, std::string_view domain) {
  if (name == domain) return true;
  return name.size() > domain.size() && name.ends_with(domain) &&
         name[name.size() - domain.size() - 1] == '.' && !is_address(name);
}

// RFC 6265, 5.1.4.
bool is_in_path(std::string_view path, std::string_view cookie_path) {
  if (!path.starts_with(cookie_path)) return false;
  return path.size() == cookie_path.size() || cookie_path.ends_with('/') || path[cookie_path.size()] == '/';
}

std::string default_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == path.npos ? "/" : std::string(path.substr(0, slash));
}

bool has_expired(const Cookie& cookie, UnixTime now) {
  return cookie.expires != 0 && cookie.expires <= now;
}

bool is_same(const Cookie& a, const Cookie& b) {
  return a.name == b.name && a.path == b.path && a.host_only == b.host_only;
}

// RFC 6265bis, 4.1.3: name prefixes.
bool satisfies_prefix(const Cookie& cookie, bool secure, bool with_path) {
  if (starts_ignoring_case(cookie.name, "__secure-")) return secure;
  if (starts_ignoring_case(cookie.name, "__host-"))
    return secure && cookie.host_only && with_path && cookie.path == "/";
  return true;
}

std::vector<std::string_view> split_tabs(std::string_view line) {
  std::vector<std::string_view> fields;
  while (fields.size() < 6) {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos) break;
    fields.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  fields.push_back(line);
  return fields;
}

// The host in canonical form; empty: not a host.
std::string canonical_name(std::string_view text) {
  const std::string_view refused = text.starts_with('[') ? "/\\?#@ \t" : "/\\?#@: \t";
  if (text.empty() || text.find_first_of(refused) != text.npos) return {};
  Url url;
  const std::string whole = fmt::format("http://{}/", text);
  return canonical_url(whole, nullptr, url) == UrlFault::kNone ? std::string(url.hostname()) : std::string();
}

Result<Cookie> cookie_of_line(std::string_view line) {
  Cookie cookie;
  if (line.starts_with(kHttpOnly)) {
    cookie.http_only = true;
    line.remove_prefix(kHttpOnly.size());
  }
  const std::vector<std::string_view> fields = split_tabs(line);
  if (fields.size() != 7) return error("expected seven fields separated by tabs");
  for (const std::size_t flag : {1, 3}) {
    if (fields[flag] != "TRUE" && fields[flag] != "FALSE")
      return error("expected TRUE or FALSE in field {}", flag + 1);
  }
  cookie.host_only = fields[1] == "FALSE";
  cookie.secure = fields[3] == "TRUE";
  const std::string_view name = fields[0].starts_with('.') ? fields[0].substr(1) : fields[0];
  cookie.domain = canonical_name(name);
  if (cookie.domain.empty()) return error("field 1 is not a host");
  if (!cookie.host_only && (is_public_suffix(cookie.domain) || is_address(cookie.domain)))
    return error("field 1 is a public suffix or an address: a cookie for all hosts below it is not possible");
  cookie.path = fields[2];
  if (!cookie.path.starts_with('/') || cookie.path.size() > kLongestCookiePath ||
      !is_cookie_text(cookie.path))
    return error("field 3 is not a path");
  const char* const end = fields[4].data() + fields[4].size();
  std::int64_t expires = 0;
  if (const auto read = std::from_chars(fields[4].data(), end, expires);
      read.ec != std::errc() || read.ptr != end || expires < 0)
    return error("field 5 is not a time in seconds");
  cookie.expires = expires;
  cookie.name = fields[5];
  cookie.value = fields[6];
  if (cookie.name.empty() || cookie.name.size() + cookie.value.size() > kLongestCookie ||
      cookie.name.find('=') != std::string::npos || !is_cookie_text(cookie.name) ||
      !is_cookie_text(cookie.value) || trimmed(cookie.name) != cookie.name ||
      trimmed(cookie.value) != cookie.value)
    return error("invalid cookie name or value");
  return cookie;
}

}  // namespace

// ---- Storing

bool CookieJar::take(const Url& url, std::string_view head, UnixTime now) {
  bool changed = false;
  std::size_t count = 0;
  const std::string host(url.hostname());
  each_field(head, "set-cookie", [&](std::string_view value) {
    if (++count > kMostPerResponse) return;
    auto given = parse_set_cookie(value, now);
    if (!given) return;
    Cookie cookie;
    cookie.domain = host;
    if (!given->domain.empty() && given->domain != host) {
      if (!is_in_domain(host, given->domain) || is_public_suffix(given->domain)) return;
      cookie.domain = given->domain;
      cookie.host_only = false;
    } else if (!given->domain.empty()) {
      cookie.host_only = is_public_suffix(host) || is_address(host);
    }
    if (given->secure && !url.https()) return;
    cookie.name = std::move(given->name);
    cookie.value = std::move(given->value);
    cookie.path = given->path.empty() ? default_path(url.path()) : given->path;
    cookie.http_only = given->http_only;
    cookie.secure = url.https();
    if (cookie.path.size() > kLongestCookiePath) return;
    if (!satisfies_prefix(cookie, given->secure, !given->path.empty())) return;
    if (given->expires && *given->expires <= now) {
      changed = remove(cookie) || changed;
      return;
    }
    cookie.expires = given->expires.value_or(0);
    changed = set(std::move(cookie), now) || changed;
  });
  return changed;
}

// Over http, a secure cookie is neither replaced nor shadowed.
bool CookieJar::set(Cookie cookie, UnixTime now, bool trusted) {
  std::vector<Cookie>& there = by_domain_[cookie.domain];
  if (!cookie.secure && !trusted) {
    for (const Cookie& other : there) {
      if (other.secure && other.name == cookie.name && is_in_path(cookie.path, other.path)) return false;
    }
  }
  cookie.created = cookie.used = ++calls_;
  for (Cookie& other : there) {
    if (!is_same(other, cookie)) continue;
    if (other == cookie) return false;
    cookie.created = other.created;
    other = std::move(cookie);
    return true;
  }
  const std::string domain = cookie.domain;
  there.push_back(std::move(cookie));
  ++size_;
  make_room(domain, now);
  return true;
}

bool CookieJar::remove(const Cookie& cookie) {
  const auto domain = by_domain_.find(cookie.domain);
  if (domain == by_domain_.end()) return false;
  const std::size_t gone = std::erase_if(domain->second, [&](const Cookie& other) {
    return is_same(other, cookie) && (cookie.secure || !other.secure);
  });
  size_ -= gone;
  if (domain->second.empty()) by_domain_.erase(domain);
  return gone > 0;
}

void CookieJar::drop_oldest(std::map<std::string, std::vector<Cookie>>::iterator domain) {
  std::vector<Cookie>& there = domain->second;
  there.erase(std::ranges::min_element(there, {}, &Cookie::used));
  --size_;
  if (there.empty()) by_domain_.erase(domain);
}

void CookieJar::make_room(const std::string& domain, UnixTime now) {
  if (const auto found = by_domain_.find(domain); found->second.size() > kMostPerDomain) {
    size_ -= std::erase_if(found->second, [now](const Cookie& cookie) { return has_expired(cookie, now); });
    while (found->second.size() > kMostPerDomain) drop_oldest(found);
  }
  if (size_ <= kMostCookies) return;
  for (auto at = by_domain_.begin(); at != by_domain_.end();) {
    size_ -= std::erase_if(at->second, [now](const Cookie& cookie) { return has_expired(cookie, now); });
    at = at->second.empty() ? by_domain_.erase(at) : std::next(at);
  }
  while (size_ > kMostCookies) {
    auto oldest = by_domain_.begin();
    std::uint64_t least = ~std::uint64_t{0};
    for (auto at = by_domain_.begin(); at != by_domain_.end(); ++at) {
      const std::uint64_t used = std::ranges::min_element(at->second, {}, &Cookie::used)->used;
      if (used < least) oldest = at;
      least = std::min(least, used);
    }
    drop_oldest(oldest);
  }
}

// ---- Sending

std::string CookieJar::field_for(const Url& url, UnixTime now) {
  if (size_ == 0) return {};
  std::vector<Cookie*> chosen;
  const std::string host(url.hostname());
  const auto look_at = [&](const std::string& domain) {
    const auto found = by_domain_.find(domain);
    if (found == by_domain_.end()) return;
    for (Cookie& cookie : found->second) {
      if ((cookie.host_only && cookie.domain != host) || has_expired(cookie, now)) continue;
      if ((cookie.secure && !url.https()) || !is_in_path(url.path(), cookie.path)) continue;
      chosen.push_back(&cookie);
    }
  };
  look_at(host);
  if (!is_address(host)) {
    for (std::size_t dot = host.find('.'); dot != host.npos; dot = host.find('.', dot + 1))
      look_at(host.substr(dot + 1));
  }
  // RFC 6265, 5.4: longer paths first, then older cookies.
  std::ranges::sort(chosen, [](const Cookie* a, const Cookie* b) {
    return a->path.size() != b->path.size() ? a->path.size() > b->path.size() : a->created < b->created;
  });
  std::string field;
  for (Cookie* const cookie : chosen) {
    if (field.size() + cookie->name.size() + cookie->value.size() + 3 > kLongestField) break;
    if (!field.empty()) field += "; ";
    field.append(cookie->name).append("=").append(cookie->value);
    cookie->used = ++calls_;
  }
  return field;
}

// ---- cookies.txt

std::vector<Cookie> CookieJar::list() const {
  std::vector<Cookie> all;
  for (const auto& [domain, cookies] : by_domain_) all.insert(all.end(), cookies.begin(), cookies.end());
  std::ranges::sort(all, {}, &Cookie::created);
  return all;
}

std::string CookieJar::text() const {
  std::string text =
      "# Netscape HTTP Cookie File\n"
      "# Anyone with these cookies can act as you. Do not share this file.\n"
      "\n";
  for (const Cookie& cookie : list()) {
    text +=
        fmt::format("{}{}{}\t{}\t{}\t{}\t{}\t{}\t{}\n", cookie.http_only ? kHttpOnly : "",
                    cookie.host_only ? "" : ".", cookie.domain, cookie.host_only ? "FALSE" : "TRUE",
                    cookie.path, cookie.secure ? "TRUE" : "FALSE", cookie.expires, cookie.name, cookie.value);
  }
  return text;
}

Status CookieJar::read(std::string_view text, const std::string& name, UnixTime now) {
  std::vector<Cookie> found;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (line.starts_with('#') && !line.starts_with(kHttpOnly))) continue;
    Result<Cookie> cookie = cookie_of_line(line);
    // The line may contain a secret, so the error does not show it.
    if (!cookie.ok()) return error("{}:{}: {}", name, number, cookie.error().text);
    if (found.size() == kMostCookies) return error("{}: more than {} cookies", name, kMostCookies);
    found.push_back(std::move(*cookie));
  }
  for (Cookie& cookie : found) {
    if (!has_expired(cookie, now)) set(std::move(cookie), now, true);
  }
  return {};
}

}  // namespace bowerbird
