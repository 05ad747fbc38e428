#include "parse/http_head.h"

#include <vector>

#include "base/ascii.h"
#include "parse/field_scanner.h"
#include "url/canonical.h"
#include "url/percent.h"

namespace bowerbird {

namespace {

// The Fetch standard's "get, decode, and split": at commas outside quoted strings.
std::vector<std::string_view> split_values(std::string_view joined) {
  std::vector<std::string_view> values;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= joined.size(); ++i) {
    if (i == joined.size() || (joined[i] == ',' && !quoted)) {
      values.push_back(trimmed(joined.substr(begin, i - begin)));
      begin = i + 1;
    } else if (joined[i] == '"') {
      quoted = !quoted;
    } else if (joined[i] == '\\' && quoted) {
      i += i + 1 < joined.size();
    }
  }
  return values;
}

}  // namespace

std::string_view head_field(std::string_view head, std::string_view name) {
  std::size_t at = head.find('\n');
  while (at != head.npos && at + 1 < head.size()) {
    const std::string_view line = head.substr(at + 1, head.find('\n', at + 1) - at - 1);
    if (line.size() > name.size() && line[name.size()] == ':' && starts_ignoring_case(line, name)) {
      std::string_view value = line.substr(name.size() + 1);
      while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
      while (!value.empty() && (value.back() == ' ' || value.back() == '\t' || value.back() == '\r')) {
        value.remove_suffix(1);
      }
      return value;
    }
    at = head.find('\n', at + 1);
  }
  return {};
}

std::string joined_fields(std::string_view head, std::string_view name) {
  std::string joined;
  each_field(head, name, [&](std::string_view value) {
    if (!joined.empty()) joined += ", ";
    joined += value;
  });
  return joined;
}

ContentType content_type_of(std::string_view head) {
  ContentType found;
  std::string first_charset;  // of the values with the type found last
  const std::string joined = joined_fields(head, "content-type");
  for (const std::string_view value : split_values(joined)) {
    ContentType type = parse_content_type(value);
    if (type.type.empty() || type.type == "*/*") continue;
    if (type.type != found.type) {
      first_charset = type.charset;
    } else if (type.charset.empty()) {
      type.charset = first_charset;
    }
    found = std::move(type);
  }
  return found;
}

bool says_nosniff(std::string_view head) {
  const std::string joined = joined_fields(head, "x-content-type-options");
  return equals_ignoring_case(split_values(joined).front(), "nosniff");
}

std::string reference_in_field(std::string_view value) {
  std::string reference;
  reference.reserve(value.size());
  for (const char c : value) {
    if (static_cast<unsigned char>(c) < 0x80) {
      reference += c;
    } else {
      append_escape(reference, static_cast<unsigned char>(c));
    }
  }
  return reference;
}

bool redirect_target(std::string_view head, const Url& base, Url& target) {
  const std::string_view location = head_field(head, "location");
  return !location.empty() && canonical_url(reference_in_field(location), &base, target) == UrlFault::kNone;
}

}  // namespace bowerbird
