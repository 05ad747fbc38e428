// ASCII as the web standards use it: letters compare in any case, white space is five characters.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace bowerbird {

// Infra Standard 4.6: tab, line feed, form feed, carriage return, space.
constexpr bool is_ascii_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

constexpr bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

// `lower` is in lower case.
constexpr bool equal_in_any_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return ascii_lower(a) == b; });
}

constexpr bool begins_in_any_case(std::string_view text, std::string_view lower) {
  return equal_in_any_case(text.substr(0, lower.size()), lower);
}

constexpr std::string_view trim_ascii_space(std::string_view text) {
  while (!text.empty() && is_ascii_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_ascii_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace bowerbird
