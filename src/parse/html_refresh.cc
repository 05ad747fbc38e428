#include "base/ascii.h"
#include "parse/html_builder.h"

namespace bowerbird {

namespace {

void skip_space(std::string_view& text) {
  while (!text.empty() && is_ascii_space(text.front())) text.remove_prefix(1);
}

// Removes "url =" from the front and returns true, or leaves `text` unchanged.
bool take_url_word(std::string_view& text) {
  if (!starts_ignoring_case(text, "url")) return false;
  std::string_view rest = text.substr(3);
  skip_space(rest);
  if (rest.empty() || rest.front() != '=') return false;
  rest.remove_prefix(1);
  skip_space(rest);
  text = rest;
  return true;
}

}  // namespace

bool parse_refresh(std::string_view value, std::uint32_t& delay, std::string_view& url) {
  url = {};
  skip_space(value);
  if (value.empty() || (!is_ascii_digit(value.front()) && value.front() != '.')) return false;
  constexpr std::uint64_t kMost = 0xFFFFFFFF;
  std::uint64_t seconds = 0;
  for (; !value.empty() && is_ascii_digit(value.front()); value.remove_prefix(1)) {
    seconds = std::min(kMost, seconds * 10 + static_cast<std::uint64_t>(value.front() - '0'));
  }
  delay = static_cast<std::uint32_t>(seconds);
  while (!value.empty() && (is_ascii_digit(value.front()) || value.front() == '.')) value.remove_prefix(1);
  if (value.empty()) return true;
  if (value.front() != ';' && value.front() != ',' && !is_ascii_space(value.front())) return false;
  skip_space(value);
  if (!value.empty() && (value.front() == ';' || value.front() == ',')) value.remove_prefix(1);
  skip_space(value);
  url = value;
  // Quotes count after "url=" and if the value does not begin with 'u'; "ur..." is a URL.
  const bool begins_with_u = !value.empty() && ascii_lower(value.front()) == 'u';
  if (begins_with_u && !take_url_word(url)) return true;
  if (!url.empty() && (url.front() == '"' || url.front() == '\'')) {
    const char quote = url.front();
    url.remove_prefix(1);
    url = url.substr(0, url.find(quote));
  }
  return true;
}

}  // namespace bowerbird
