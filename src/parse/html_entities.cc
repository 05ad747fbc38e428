#include "parse/html_entities.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "base/utf8.h"

namespace bowerbird {

namespace {

struct NamedReference {
  std::string_view name;
  char32_t first;
  char32_t second;
  bool semicolon_optional;
};

constexpr NamedReference kNamed[] = {
#include "parse/html_entities_table.inc"
};

constexpr std::size_t kLongestOptional = 6;  // "Aacute" and others
constexpr std::size_t kLongest = 31;         // "CounterClockwiseContourIntegral"

// The meaning of the numbers 0x80 to 0x9F: windows-1252 (13.2.5.80).
constexpr char32_t kWindows1252[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                       0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                       0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                       0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

const NamedReference* find_name(std::string_view name) {
  const auto* found =
      std::lower_bound(std::begin(kNamed), std::end(kNamed), name,
                       [](const NamedReference& entry, std::string_view key) { return entry.name < key; });
  return found != std::end(kNamed) && found->name == name ? found : nullptr;
}

CharacterReference read_named(std::string_view text, bool in_attribute) {
  std::size_t run = 0;
  while (run <= kLongest && 1 + run < text.size() && is_ascii_alnum(text[1 + run])) ++run;
  const std::string_view name = text.substr(1, run);
  if (1 + run < text.size() && text[1 + run] == ';') {
    if (const NamedReference* found = find_name(name)) {
      return {static_cast<std::uint32_t>(run + 2), found->first, found->second};
    }
  }
  for (std::size_t length = std::min(run, kLongestOptional); length >= 2; --length) {
    const NamedReference* found = find_name(name.substr(0, length));
    if (found == nullptr || !found->semicolon_optional) continue;
    const std::size_t after = 1 + length;
    if (in_attribute && after < text.size() && (text[after] == '=' || is_ascii_alnum(text[after]))) return {};
    return {static_cast<std::uint32_t>(after), found->first, found->second};
  }
  return {};
}

char32_t numeric_meaning(char32_t number) {
  if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) return kReplacement;
  if (number >= 0x80 && number <= 0x9F) return kWindows1252[number - 0x80];
  return number;
}

CharacterReference read_numeric(std::string_view text) {
  std::size_t at = 2;
  const bool hex = at < text.size() && (text[at] == 'x' || text[at] == 'X');
  if (hex) ++at;
  const int base = hex ? 16 : 10;
  const std::size_t first_digit = at;
  char32_t number = 0;
  for (; at < text.size(); ++at) {
    const int digit = hex_value(text[at]);
    if (digit < 0 || digit >= base) break;
    if (number <= 0x10FFFF) number = number * static_cast<char32_t>(base) + static_cast<char32_t>(digit);
  }
  if (at == first_digit) return {};
  if (at < text.size() && text[at] == ';') ++at;
  return {static_cast<std::uint32_t>(at), numeric_meaning(number), 0};
}

}  // namespace

CharacterReference read_character_reference(std::string_view text, bool in_attribute) {
  if (text.size() >= 2 && text[1] == '#') return read_numeric(text);
  return read_named(text, in_attribute);
}

std::size_t named_reference_count(bool without_semicolon) {
  return static_cast<std::size_t>(std::count_if(
      std::begin(kNamed), std::end(kNamed),
      [&](const NamedReference& entry) { return !without_semicolon || entry.semicolon_optional; }));
}

}  // namespace bowerbird
