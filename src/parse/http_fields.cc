#include "parse/http_fields.h"

#include <algorithm>

#include "parse/field_scanner.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kTenYears = 3650LL * 86400;
// RFC 9111, section 1.2.2: larger values count as this.
constexpr std::int64_t kLargestDelta = std::int64_t{1} << 31;

// Digits only; large numbers are limited to kLargestDelta.
std::optional<std::int64_t> delta_seconds(std::string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_ascii_digit)) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) value = std::min(kLargestDelta, value * 10 + (c - '0'));
  return value;
}

bool all_tokens(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

// Words in lower case with one blank between them.
std::string normal_words(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank) {
      out += ascii_lower(c);
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

class LinkParser {
 public:
  explicit LinkParser(std::string_view value) : scanner_(value) {}

  std::vector<LinkField> parse() {
    std::vector<LinkField> links;
    while (!scanner_.done()) {
      scanner_.blanks();
      if (scanner_.take(',')) continue;
      if (!scanner_.take('<')) {
        // Not a link: continue with the next one.
        scanner_.until(",");
        continue;
      }
      LinkField link;
      link.target = std::string(trimmed(scanner_.until(">")));
      if (!scanner_.take('>')) break;
      parameters(link);
      links.push_back(std::move(link));
    }
    return links;
  }

 private:
  void parameters(LinkField& link) {
    seen_rel_ = seen_hreflang_ = false;
    scanner_.blanks();
    while (scanner_.take(';')) {
      scanner_.blanks();
      const std::string name = lowered(scanner_.token());
      scanner_.blanks();
      std::string value;
      if (scanner_.take('=')) {
        value = scanner_.argument(";,");
      } else {
        scanner_.until(";,");
      }
      parameter(link, name, std::move(value));
      scanner_.blanks();
    }
    scanner_.until(",");
  }

  // Section 3.3: a second rel is ignored.
  void parameter(LinkField& link, std::string_view name, std::string value) {
    if (name == "rel" && !seen_rel_) {
      link.rel = normal_words(value);
      seen_rel_ = true;
    } else if (name == "hreflang" && !seen_hreflang_) {
      link.hreflang = std::move(value);
      seen_hreflang_ = true;
    } else if (name == "type" && link.type.empty()) {
      link.type = lowered(value);
    } else if (name == "anchor") {
      link.anchor = std::move(value);
    }
  }

  FieldScanner scanner_;
  bool seen_rel_ = false;
  bool seen_hreflang_ = false;
};

}  // namespace

ContentType parse_content_type(std::string_view value) {
  ContentType result;
  FieldScanner scanner(trimmed(value, " \t\r\n"));
  const std::string_view essence = trimmed(scanner.until(";"));
  const std::size_t slash = essence.find('/');
  if (slash == std::string_view::npos || !all_tokens(essence.substr(0, slash)) ||
      !all_tokens(essence.substr(slash + 1))) {
    return result;
  }
  result.type = lowered(essence);
  while (scanner.take(';')) {
    scanner.blanks();
    const std::string name = lowered(scanner.until(";="));
    if (!scanner.take('=')) continue;
    const std::string argument =
        scanner.peek() == '"' ? scanner.argument(";") : std::string(trimmed(scanner.until(";")));
    if (name == "charset" && result.charset.empty()) result.charset = lowered(argument);
  }
  return result;
}

std::optional<std::int64_t> parse_retry_after(std::string_view value, UnixTime now) {
  value = trimmed(value);
  if (const auto seconds = delta_seconds(value)) return std::min(*seconds, kTenYears);
  const auto date = parse_http_date(value, now);
  if (!date) return std::nullopt;
  return std::clamp<std::int64_t>(*date - now, 0, kTenYears);
}

void add_cache_control(std::string_view value, CacheControl& control) {
  FieldScanner scanner(value);
  while (!scanner.done()) {
    scanner.blanks();
    const std::string name = lowered(scanner.token());
    scanner.blanks();
    std::string argument;
    if (scanner.take('=')) argument = scanner.argument(",");
    scanner.until(",");
    scanner.take(',');
    if (name == "no-store") control.no_store = true;
    // With a list of fields it applies only to these.
    if (name == "no-cache" && argument.empty()) control.no_cache = true;
    if (name == "private" && argument.empty()) control.is_private = true;
    if (name == "must-revalidate") control.must_revalidate = true;
    if (name == "immutable") control.immutable = true;
    if (name == "max-age" && !control.max_age) control.max_age = delta_seconds(argument).value_or(0);
    if (name == "s-maxage" && !control.s_maxage) control.s_maxage = delta_seconds(argument).value_or(0);
  }
}

std::optional<std::int64_t> freshness_lifetime(const CacheControl& control, std::string_view expires,
                                               std::string_view date, UnixTime now) {
  if (control.no_store || control.no_cache) return 0;
  if (control.max_age) return control.max_age;
  if (trimmed(expires).empty()) return std::nullopt;
  const auto end = parse_http_date(expires, now);
  if (!end) return 0;  // "0" and other invalid dates have passed (section 5.3)
  return std::max<std::int64_t>(0, *end - parse_http_date(date, now).value_or(now));
}

std::optional<EntityTag> parse_etag(std::string_view value) {
  EntityTag result;
  value = trimmed(value);
  if (value.starts_with("W/")) {
    result.weak = true;
    value.remove_prefix(2);
  }
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return std::nullopt;
  const std::string_view inside = value.substr(1, value.size() - 2);
  const bool valid = std::all_of(inside.begin(), inside.end(), [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != '"' && c != 0x7f;
  });
  if (!valid) return std::nullopt;
  result.tag = std::string(value);
  return result;
}

bool LinkField::has_rel(std::string_view word) const {
  for (std::size_t at = 0; at < rel.size();) {
    const std::size_t end = std::min(rel.find(' ', at), rel.size());
    if (std::string_view(rel).substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

std::vector<LinkField> parse_link(std::string_view value) {
  return LinkParser(value).parse();
}

}  // namespace bowerbird
