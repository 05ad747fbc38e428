#include "parse/text/written_date.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/ascii.h"

namespace bowerbird {

namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "january jan januar janvier enero gennaio janeiro",
    "february feb februar février febrero febbraio fevereiro",
    "march mar märz mars marzo março",
    "april apr avril abril aprile",
    "may mai mayo maggio maio",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet julio luglio julho",
    "august aug août agosto",
    "september sept sep septembre septiembre settembre setembro",
    "october oct oktober octobre octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember décembre diciembre dicembre dezembro",
};

// 1 to 12, or 0.
unsigned month_of(std::string_view word) {
  const std::string lower = lowered(word);
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    std::string_view rest = kMonths[i];
    while (!rest.empty()) {
      const std::size_t size = std::min(rest.find(' '), rest.size());
      if (rest.substr(0, size) == lower) return static_cast<unsigned>(i + 1);
      rest.remove_prefix(std::min(size + 1, rest.size()));
    }
  }
  return 0;
}

struct Token {
  unsigned number = 0;
  unsigned digits = 0;  // 0: a month
  char after = '\0';    // the byte that follows
};

std::string date_of(unsigned year, unsigned month, unsigned day) {
  if (year < 1990 || year > 2099 || month < 1 || month > 12 || day < 1 || day > 31) return {};
  return fmt::format("{:04}-{:02}-{:02}", year, month, day);
}

// Numbers and months, with what stands directly behind; other words break a date.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (is_ascii_digit(text[at])) {
      Token token;
      for (; at < text.size() && is_ascii_digit(text[at]) && token.digits < 9; ++at, ++token.digits)
        token.number = token.number * 10 + static_cast<unsigned>(text[at] - '0');
      for (const std::string_view ordinal : {"st", "nd", "rd", "th"}) {
        if (starts_ignoring_case(text.substr(at), ordinal)) at += 2;
      }
      token.after = at < text.size() ? text[at] : '\0';
      tokens.push_back(token);
    } else if (is_ascii_alpha(text[at]) || (static_cast<unsigned char>(text[at]) & 0x80) != 0) {
      while (at < text.size() &&
             (is_ascii_alpha(text[at]) || (static_cast<unsigned char>(text[at]) & 0x80) != 0))
        ++at;
      const std::string_view word = text.substr(begin, at - begin);
      const unsigned month = word.size() <= 12 ? month_of(word) : 0;
      if (month == 0 && (word == "de" || word == "of" || word == "T")) continue;
      tokens.push_back({month, 0, at < text.size() ? text[at] : '\0'});
    } else {
      ++at;
    }
  }
  return tokens;
}

// Whether there are four digits in a row: a date has a year, and most texts have none.
bool has_year(std::string_view text) {
  unsigned digits = 0;
  for (const char c : text) {
    digits = is_ascii_digit(c) ? digits + 1 : 0;
    if (digits == 4) return true;
  }
  return false;
}

std::string date_at(const Token& a, const Token& b, const Token& c) {
  const bool numbers = a.digits > 0 && b.digits > 0 && c.digits > 0;
  if (numbers && a.after == b.after && (a.after == '-' || a.after == '/' || a.after == '.')) {
    if (a.digits == 4 && b.digits <= 2 && c.digits <= 2) return date_of(a.number, b.number, c.number);
    if (a.digits <= 2 && b.digits <= 2 && c.digits == 4) {
      const bool day_first = a.after == '.' || a.number > 12;
      return day_first ? date_of(c.number, b.number, a.number) : date_of(c.number, a.number, b.number);
    }
  }
  const bool day_year = c.digits == 4 && c.number > 0;
  if (a.digits == 0 && a.number > 0 && b.digits > 0 && b.digits <= 2 && day_year)
    return date_of(c.number, a.number, b.number);
  if (b.digits == 0 && b.number > 0 && a.digits > 0 && a.digits <= 2 && day_year)
    return date_of(c.number, b.number, a.number);
  return {};
}

}  // namespace

std::string find_written_date(std::string_view text) {
  if (!has_year(text)) return {};
  const std::vector<Token> tokens = tokens_of(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    std::string date = date_at(tokens[i], tokens[i + 1], tokens[i + 2]);
    if (!date.empty()) return date;
  }
  return {};
}

}  // namespace bowerbird
