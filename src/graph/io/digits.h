// Decimal numbers in text, read and written fast: the inner loop of the text formats.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace bowerbird {

// Removes the number at the front of `text`. False if there is no digit or the number has more than 19 digits
// (no valid number is that large); then `text` is unchanged.
inline bool take_number(std::string_view& text, std::uint64_t& number) {
  constexpr std::size_t kMostDigits = 19;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* at = begin;
  std::uint64_t value = 0;
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned>(static_cast<unsigned char>(*at)) - '0';
    if (digit > 9) break;
    value = value * 10 + digit;
  }
  const auto length = static_cast<std::size_t>(at - begin);
  if (length == 0 || length > kMostDigits) return false;
  text.remove_prefix(length);
  number = value;
  return true;
}

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

inline void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

inline void append_number(std::string& to, std::uint64_t number) {
  char digits[20];
  const auto result = std::to_chars(digits, digits + sizeof digits, number);
  to.append(digits, static_cast<std::size_t>(result.ptr - digits));
}

// The start of `text` for an error message: short, and without control characters.
inline std::string excerpt(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  std::string shown(text.substr(0, kLongest));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  }
  if (text.size() > kLongest) shown += "...";
  return shown;
}

}  // namespace bowerbird
