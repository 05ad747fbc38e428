#include "web/http_date.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

namespace bowerbird {

namespace {

constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct Split {
  std::chrono::year_month_day date;
  unsigned weekday;
  std::int64_t second;  // of the day
};

Split split(std::int64_t us) {
  const auto time = std::chrono::sys_time<std::chrono::microseconds>(std::chrono::microseconds(us));
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const auto second = std::chrono::floor<std::chrono::seconds>(time - day);
  return {std::chrono::year_month_day(day), std::chrono::weekday(day).c_encoding(), second.count()};
}

// Two digits, or -1.
int two(std::string_view text, std::size_t at) {
  const char a = text[at], b = text[at + 1];
  return a >= '0' && a <= '9' && b >= '0' && b <= '9' ? (a - '0') * 10 + (b - '0') : -1;
}

}  // namespace

void append_http_date(std::int64_t us, std::string& out) {
  const Split t = split(us);
  fmt::format_to(std::back_inserter(out), "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[t.weekday],
                 static_cast<unsigned>(t.date.day()), kMonths[static_cast<unsigned>(t.date.month()) - 1],
                 static_cast<int>(t.date.year()), t.second / 3600, t.second / 60 % 60, t.second % 60);
}

void append_iso_date(std::int64_t us, std::string& out) {
  const Split t = split(us);
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}", static_cast<int>(t.date.year()),
                 static_cast<unsigned>(t.date.month()), static_cast<unsigned>(t.date.day()));
}

std::optional<std::int64_t> parse_http_date(std::string_view text) {
  // "Sun, 06 Nov 1994 08:49:37 GMT"
  if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT") return std::nullopt;
  if (text[7] != ' ' || text[11] != ' ' || text[16] != ' ' || text[19] != ':' || text[22] != ':') {
    return std::nullopt;
  }
  unsigned month = 1;
  while (month <= 12 && kMonths[month - 1] != text.substr(8, 3)) ++month;
  const int day = two(text, 5), century = two(text, 12), year = two(text, 14);
  const int hour = two(text, 17), minute = two(text, 20), second = two(text, 23);
  if (day < 1 || century < 0 || year < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
      second < 0 || second > 60) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(century * 100 + year), std::chrono::month(month),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return (days * 86'400 + hour * 3600 + minute * 60 + second) * 1'000'000;
}

}  // namespace bowerbird
