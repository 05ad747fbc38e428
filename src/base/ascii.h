// ASCII letters as bytes, independent of the locale; all other bytes are unchanged.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace bowerbird {

constexpr bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_ascii_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_ascii_alpha(char c) {
  return is_ascii_upper(c) || (c >= 'a' && c <= 'z');
}
constexpr bool is_ascii_alnum(char c) {
  return is_ascii_alpha(c) || is_ascii_digit(c);
}
constexpr char ascii_lower(char c) {
  return is_ascii_upper(c) ? static_cast<char>(c | 0x20) : c;
}

// White space of the web standards (Infra Standard 4.6).
inline constexpr std::string_view kAsciiSpaces = " \t\n\f\r";
constexpr bool is_ascii_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

// The value of a hexadecimal digit, or -1.
constexpr int hex_value(char c) {
  if (is_ascii_digit(c)) return c - '0';
  const char l = ascii_lower(c);
  return l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

constexpr bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}
constexpr bool starts_ignoring_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && equals_ignoring_case(text.substr(0, prefix.size()), prefix);
}

inline std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), ascii_lower);
  return result;
}

// Without the bytes of `blanks` at both ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t") {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace bowerbird
