#include "parse/set_cookie.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.h"

namespace bowerbird {

namespace {

// Later than any date that matters, and small enough for every sum.
constexpr UnixTime kForever = UnixTime{1} << 40;

// RFC 6265, 5.1.1: the characters between the words of a date.
constexpr bool is_delimiter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x09 || (byte >= 0x20 && byte <= 0x2f) || (byte >= 0x3b && byte <= 0x40) ||
         (byte >= 0x5b && byte <= 0x60) || (byte >= 0x7b && byte <= 0x7e);
}

// The digits at the beginning, from `least` to `most` of them, followed by no further digit.
std::optional<int> leading_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t digits = 0;
  int value = 0;
  while (digits < text.size() && is_ascii_digit(text[digits])) {
    if (digits == most) return {};
    value = value * 10 + (text[digits++] - '0');
  }
  if (digits < least) return {};
  text.remove_prefix(digits);
  return value;
}

struct CookieDate {
  std::optional<int> hour, minute, second, day, month, year;
};

bool take_time(std::string_view word, CookieDate& date) {
  const auto hour = leading_number(word, 1, 2);
  if (!hour || !word.starts_with(':')) return false;
  word.remove_prefix(1);
  const auto minute = leading_number(word, 1, 2);
  if (!minute || !word.starts_with(':')) return false;
  word.remove_prefix(1);
  const auto second = leading_number(word, 1, 2);
  if (!second) return false;
  date.hour = hour;
  date.minute = minute;
  date.second = second;
  return true;
}

std::optional<int> month_of(std::string_view word) {
  constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                        "jul", "aug", "sep", "oct", "nov", "dec"};
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (starts_ignoring_case(word, kMonths[i])) return static_cast<int>(i) + 1;
  }
  return {};
}

void take_word(std::string_view word, CookieDate& date) {
  if (!date.hour && take_time(word, date)) return;
  if (!date.day) {
    std::string_view rest = word;
    if (const auto day = leading_number(rest, 1, 2)) {
      date.day = day;
      return;
    }
  }
  if (!date.month) {
    if (const auto month = month_of(word)) {
      date.month = month;
      return;
    }
  }
  if (!date.year) {
    std::string_view rest = word;
    date.year = leading_number(rest, 2, 4);
  }
}

void take_max_age(std::string_view value, UnixTime now, SetCookie& cookie) {
  if (value.empty() || (value[0] != '-' && !is_ascii_digit(value[0]))) return;
  const std::string_view digits = value[0] == '-' ? value.substr(1) : value;
  if (digits.find_first_not_of("0123456789") != digits.npos) return;
  if (value[0] == '-') {
    cookie.expires = 0;
    return;
  }
  UnixTime seconds = 0;
  for (const char c : digits) seconds = std::min(kForever, seconds * 10 + (c - '0'));
  cookie.expires = seconds == 0 ? 0 : std::min(kForever, now + seconds);
}

}  // namespace

bool is_cookie_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7f && c != ';';
  });
}

std::optional<UnixTime> parse_cookie_date(std::string_view text) {
  CookieDate date;
  for (std::size_t at = 0; at < text.size();) {
    if (is_delimiter(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !is_delimiter(text[end])) ++end;
    take_word(text.substr(at, end - at), date);
    at = end;
  }
  if (!date.hour || !date.day || !date.month || !date.year) return {};
  int year = *date.year;
  if (year >= 70 && year <= 99) year += 1900;
  if (year >= 0 && year <= 69) year += 2000;
  if (*date.day < 1 || *date.day > 31 || year < 1601 || *date.hour > 23 || *date.minute > 59 ||
      *date.second > 59)
    return {};
  constexpr std::array<int, 12> kDays = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  const int days = *date.month == 2 && !leap ? 28 : kDays[static_cast<std::size_t>(*date.month - 1)];
  if (*date.day > days) return {};
  const std::int64_t day =
      days_from_civil(year, static_cast<unsigned>(*date.month), static_cast<unsigned>(*date.day));
  return day * 86'400 + *date.hour * 3600 + *date.minute * 60 + *date.second;
}

std::optional<SetCookie> parse_set_cookie(std::string_view field, UnixTime now) {
  const auto take_part = [&field] {
    const std::size_t end = std::min(field.find(';'), field.size());
    const std::string_view part = field.substr(0, end);
    field.remove_prefix(std::min(end + 1, field.size()));
    return part;
  };
  const std::string_view pair = take_part();
  const std::size_t equal = pair.find('=');
  if (equal == pair.npos) return {};
  SetCookie cookie;
  cookie.name = trimmed(pair.substr(0, equal));
  cookie.value = trimmed(pair.substr(equal + 1));
  if (cookie.name.empty() || cookie.name.size() + cookie.value.size() > kLongestCookie) return {};
  if (!is_cookie_text(cookie.name) || !is_cookie_text(cookie.value)) return {};
  bool has_max_age = false;
  while (!field.empty()) {
    const std::string_view part = take_part();
    const std::size_t sign = std::min(part.find('='), part.size());
    const std::string_view name = trimmed(part.substr(0, sign));
    const std::string_view value = sign < part.size() ? trimmed(part.substr(sign + 1)) : std::string_view();
    if (value.size() > kLongestCookiePath) continue;
    if (equals_ignoring_case(name, "expires")) {
      if (const auto date = parse_cookie_date(value); date && !has_max_age) cookie.expires = date;
    } else if (equals_ignoring_case(name, "max-age")) {
      SetCookie other;
      take_max_age(value, now, other);
      if (other.expires) cookie.expires = other.expires;
      has_max_age = has_max_age || other.expires.has_value();
    } else if (equals_ignoring_case(name, "domain")) {
      cookie.domain = lowered(value.starts_with('.') ? value.substr(1) : value);
    } else if (equals_ignoring_case(name, "path")) {
      cookie.path = value.starts_with('/') && is_cookie_text(value) ? std::string(value) : std::string();
    } else if (equals_ignoring_case(name, "secure")) {
      cookie.secure = true;
    } else if (equals_ignoring_case(name, "httponly")) {
      cookie.http_only = true;
    }
  }
  if (!is_cookie_text(cookie.domain)) return {};
  return cookie;
}

}  // namespace bowerbird
