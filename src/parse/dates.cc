#include "parse/dates.h"

#include <fmt/format.h>

#include <array>

#include "base/ascii.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kDay = 86400;

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Thu", "Fri", "Sat", "Sun",
                                                       "Mon", "Tue", "Wed"};  // 1970 began with a Thursday

// Reads a text from the left; each step returns whether it matched, and consumes nothing if it did not.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(trimmed(text)) {}

  bool done() const { return rest_.empty(); }

  char peek() const { return done() ? '\0' : rest_.front(); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // At least one blank.
  bool blanks() {
    const std::size_t before = rest_.size();
    while (take(' ') || take('\t')) {
    }
    return rest_.size() < before;
  }
  bool number(std::size_t least, std::size_t most, int& value) {
    std::size_t digits = 0;
    int sum = 0;
    while (digits < most && digits < rest_.size() && is_ascii_digit(rest_[digits])) {
      sum = sum * 10 + (rest_[digits++] - '0');
    }
    if (digits < least) return false;
    value = sum;
    rest_.remove_prefix(digits);
    return true;
  }
  std::string_view letters() {
    std::size_t n = 0;
    while (n < rest_.size() && is_ascii_alpha(rest_[n])) ++n;
    const std::string_view word = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return word;
  }
  bool month(int& value) {
    const std::string_view word = letters();
    for (std::size_t i = 0; i < kMonths.size(); ++i) {
      if (starts_ignoring_case(word, kMonths[i])) {
        value = static_cast<int>(i) + 1;
        return true;
      }
    }
    return false;
  }
  // "08:49:37"; the seconds may be missing if `seconds_optional`.
  bool clock(bool seconds_optional, int& hour, int& minute, int& second) {
    second = 0;
    if (!number(1, 2, hour) || !take(':') || !number(2, 2, minute)) return false;
    if (!take(':')) return seconds_optional;
    return number(2, 2, second);
  }

 private:
  std::string_view rest_;
};

bool is_leap(int year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

unsigned days_in(int year, int month) {
  static constexpr std::array<unsigned, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap(year));
}

std::optional<UnixTime> moment(int year, int month, int day, int hour, int minute, int second) {
  if (month < 1 || month > 12 || day < 1 || static_cast<unsigned>(day) > days_in(year, month))
    return std::nullopt;
  if (hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return days_from_civil(year, static_cast<unsigned>(month), static_cast<unsigned>(day)) * kDay +
         hour * 3600 + minute * 60 + second;
}

std::optional<UnixTime> imf_date(std::string_view text) {
  Scanner s(text);
  int day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0;
  const bool fits = !s.letters().empty() && s.take(',') && s.blanks() && s.number(1, 2, day) && s.blanks() &&
                    s.month(month) && s.blanks() && s.number(4, 4, year) && s.blanks() &&
                    s.clock(false, hour, minute, second) && s.blanks() &&
                    equals_ignoring_case(s.letters(), "gmt") && s.done();
  return fits ? moment(year, month, day, hour, minute, second) : std::nullopt;
}

std::optional<UnixTime> rfc850_date(std::string_view text, UnixTime now) {
  Scanner s(text);
  int day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0;
  const bool fits = !s.letters().empty() && s.take(',') && s.blanks() && s.number(1, 2, day) && s.take('-') &&
                    s.month(month) && s.take('-') && s.number(2, 2, year) && s.blanks() &&
                    s.clock(false, hour, minute, second) && s.blanks() &&
                    equals_ignoring_case(s.letters(), "gmt") && s.done();
  if (!fits) return std::nullopt;
  // The century that puts it within 50 years of now.
  const std::int64_t now_year = 1970 + now / (kDay * 365 + kDay / 4);
  std::int64_t full = now_year - now_year % 100 + year;
  if (full > now_year + 50) full -= 100;
  if (full <= now_year - 50) full += 100;
  return moment(static_cast<int>(full), month, day, hour, minute, second);
}

std::optional<UnixTime> asctime_date(std::string_view text) {
  Scanner s(text);
  int day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0;
  const bool fits = !s.letters().empty() && s.blanks() && s.month(month) && s.blanks() &&
                    s.number(1, 2, day) && s.blanks() && s.clock(false, hour, minute, second) && s.blanks() &&
                    s.number(4, 4, year) && s.done();
  return fits ? moment(year, month, day, hour, minute, second) : std::nullopt;
}

// "+0200", "-05:30": seconds east of Greenwich.
bool numeric_zone(Scanner& s, int& seconds) {
  int hours = 0, minutes = 0;
  const bool east = s.take('+');
  if (!east && !s.take('-')) return false;
  if (!s.number(2, 2, hours)) return false;
  const bool colon = s.take(':');
  if (!s.number(2, 2, minutes) && colon) return false;
  if (hours > 24 || minutes > 59) return false;
  seconds = (hours * 3600 + minutes * 60) * (east ? 1 : -1);
  return true;
}

// RFC 5322, section 4.3.
int named_zone(std::string_view name) {
  struct Zone {
    std::string_view name;
    int hours;
  };
  static constexpr std::array<Zone, 8> kZones = {{{"est", -5},
                                                  {"edt", -4},
                                                  {"cst", -6},
                                                  {"cdt", -5},
                                                  {"mst", -7},
                                                  {"mdt", -6},
                                                  {"pst", -8},
                                                  {"pdt", -7}}};
  for (const Zone& zone : kZones) {
    if (equals_ignoring_case(name, zone.name)) return zone.hours * 3600;
  }
  return 0;
}

bool zone_of_w3c(Scanner& s, int& seconds) {
  seconds = 0;
  if (s.take('Z') || s.take('z') || s.done()) return true;
  return numeric_zone(s, seconds);
}

}  // namespace

// By eras of 400 years that begin in March, so that the leap day is the last of its year.
std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day) {
  year -= month <= 2;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const auto year_of_era = static_cast<unsigned>(year - era * 400);
  const unsigned day_of_year = (153 * (month + (month > 2 ? -3u : 9u)) + 2) / 5 + day - 1;
  const unsigned day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + static_cast<std::int64_t>(day_of_era) - 719468;
}

namespace {

struct CivilTime {
  std::int64_t days;  // since 1970-01-01
  std::int64_t year;
  unsigned month;
  std::int64_t day;
  std::int64_t second;  // of the day
};

CivilTime civil_time(UnixTime time) {
  CivilTime t{};
  t.days = (time >= 0 ? time : time - (kDay - 1)) / kDay;
  t.second = time - t.days * kDay;
  // The last year and month that begin on that day or before it.
  t.year = 1970 + (t.days >= 0 ? t.days / 366 : t.days / 365 - 1);
  while (days_from_civil(t.year + 1, 1, 1) <= t.days) ++t.year;
  t.month = 12;
  while (days_from_civil(t.year, t.month, 1) > t.days) --t.month;
  t.day = t.days - days_from_civil(t.year, t.month, 1) + 1;
  return t;
}

}  // namespace

std::optional<UnixTime> parse_http_date(std::string_view text, UnixTime now) {
  if (const auto time = imf_date(text)) return time;
  if (const auto time = rfc850_date(text, now)) return time;
  return asctime_date(text);
}

std::string format_http_date(UnixTime time) {
  const CivilTime t = civil_time(time);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kWeekdays[static_cast<std::size_t>((t.days % 7 + 7) % 7)], t.day, kMonths[t.month - 1],
                     t.year, t.second / 3600, t.second / 60 % 60, t.second % 60);
}

std::string format_iso_date(UnixTime time) {
  const CivilTime t = civil_time(time);
  return fmt::format("{:04}-{:02}-{:02}", t.year, t.month, t.day);
}

std::optional<UnixTime> parse_mail_date(std::string_view text) {
  Scanner s(text);
  int day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0;
  if (!s.letters().empty()) {
    s.take(',');
    s.blanks();
  }
  if (!s.number(1, 2, day) || !s.blanks() || !s.month(month) || !s.blanks()) return std::nullopt;
  if (!s.number(4, 4, year)) {
    if (!s.number(2, 2, year)) return std::nullopt;
    year += year < 50 ? 2000 : 1900;
  }
  int east = 0;
  if (!s.done()) {
    if (!s.blanks() || !s.clock(true, hour, minute, second)) return std::nullopt;
    s.blanks();
    const bool numeric = s.peek() == '+' || s.peek() == '-';
    if (numeric && !numeric_zone(s, east)) return std::nullopt;
    if (!numeric) east = named_zone(s.letters());
    if (!s.done()) return std::nullopt;
  }
  const auto time = moment(year, month, day, hour, minute, second);
  return time ? std::optional(*time - east) : std::nullopt;
}

std::optional<UnixTime> parse_w3c_date(std::string_view text) {
  Scanner s(text);
  int day = 1, month = 1, year = 0, hour = 0, minute = 0, second = 0, east = 0;
  if (!s.number(4, 4, year)) return std::nullopt;
  if (s.take('-') && !s.number(2, 2, month)) return std::nullopt;
  if (s.take('-') && !s.number(2, 2, day)) return std::nullopt;
  if (!s.done()) {
    if (!s.take('T') && !s.take('t') && !s.blanks()) return std::nullopt;
    if (!s.clock(true, hour, minute, second)) return std::nullopt;
    int fraction = 0;
    if (s.take('.') && !s.number(1, 9, fraction)) return std::nullopt;
    s.blanks();
    if (!zone_of_w3c(s, east) || !s.done()) return std::nullopt;
  }
  const auto time = moment(year, month, day, hour, minute, second);
  return time ? std::optional(*time - east) : std::nullopt;
}

std::optional<UnixTime> parse_any_date(std::string_view text, UnixTime now) {
  if (const auto time = parse_http_date(text, now)) return time;
  if (const auto time = parse_w3c_date(text)) return time;
  return parse_mail_date(text);
}

}  // namespace bowerbird
