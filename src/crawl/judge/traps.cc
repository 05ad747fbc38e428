#include "crawl/judge/traps.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "base/ascii.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostSegments = 64;

// Splits the path into at most kMostSegments segments.
std::size_t split(std::string_view path, std::array<std::string_view, kMostSegments>& segments) {
  std::size_t count = 0;
  while (!path.empty() && count < kMostSegments) {
    path.remove_prefix(1);  // the slash
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) segments[count++] = path.substr(0, end);
    path.remove_prefix(end);
  }
  return count;
}

// Whether a group of segments occurs `repeats` times in a row.
bool repeats_itself(std::span<const std::string_view> names, std::uint32_t repeats) {
  for (std::size_t period = 1; period * repeats <= names.size(); ++period) {
    std::size_t equal = 0;
    for (std::size_t i = period; i < names.size(); ++i) {
      equal = names[i] == names[i - period] ? equal + 1 : 0;
      if (equal >= period * (repeats - 1)) return true;
    }
  }
  return false;
}

// Whether one segment occurs too often, like in /left/right/right/left/right: such paths need not repeat
// a group. Short segments do not count: archives spread their files over folders such as /1/0/1.
bool comes_too_often(std::span<const std::string_view> names, std::uint32_t most) {
  constexpr std::size_t kShort = 2;
  for (std::size_t i = 0; i + most <= names.size(); ++i) {
    if (names[i].size() <= kShort) continue;
    if (static_cast<std::uint32_t>(std::count(names.begin(), names.end(), names[i])) >= most) return true;
  }
  return false;
}

bool is_number(std::string_view text, std::size_t least, std::size_t most, int& value) {
  if (text.size() < least || text.size() > most) return false;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() && end == text.data() + text.size();
}

bool holds_word(std::string_view text, std::string_view word) {
  for (std::size_t i = 0; i + word.size() <= text.size(); ++i) {
    if (equals_ignoring_case(text.substr(i, word.size()), word)) return true;
  }
  return false;
}

// Whether no page is likely to have been written in this year.
bool far_away(int y, int year) {
  constexpr int kAhead = 2;
  return y > year + kAhead || (y < 1970 && y > 0);
}

// "2043-11" or "2043-11-05", also with _ or a dot.
bool month_far_away(std::string_view name, int year) {
  int y = 0, m = 0;
  if (name.size() < 7 || (name.size() > 7 && is_ascii_digit(name[7]))) return false;
  if (name[4] != '-' && name[4] != '_' && name[4] != '.') return false;
  return is_number(name.substr(0, 4), 4, 4, y) && is_number(name.substr(5, 2), 2, 2, m) && m >= 1 &&
         m <= 12 && far_away(y, year);
}

// /2043/11/05 or /2043-11-05. A year alone does not count.
bool dates_far_away(std::span<const std::string_view> names, int year) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    int y = 0, m = 0;
    if (month_far_away(names[i], year)) return true;
    if (i + 1 < names.size() && is_number(names[i], 4, 4, y) && is_number(names[i + 1], 1, 2, m) && m >= 1 &&
        m <= 12 && far_away(y, year)) {
      return true;
    }
  }
  return false;
}

// Whether one of the words of a parameter name is `word`: "date" is in date, start-date and startDate,
// not in update.
bool has_word(std::string_view name, std::string_view word) {
  for (std::size_t i = 0; i + word.size() <= name.size(); ++i) {
    if (!equals_ignoring_case(name.substr(i, word.size()), word)) continue;
    const std::size_t end = i + word.size();
    const bool begins = i == 0 || !is_ascii_alpha(name[i - 1]) || (i >= 3 && name[i - 3] == '%') ||
                        (is_ascii_upper(name[i]) && !is_ascii_upper(name[i - 1]));
    const bool ends = end == name.size() || !is_ascii_alpha(name[end]) ||
                      (is_ascii_upper(name[end]) && !is_ascii_upper(name[end - 1]));
    if (begins && ends) return true;
  }
  return false;
}

bool year_far_away(std::string_view value, int year) {
  for (std::size_t i = 0; i + 4 <= value.size(); ++i) {
    int y = 0;
    const bool begins = i == 0 || !is_ascii_digit(value[i - 1]);
    const bool ends = i + 4 == value.size() || !is_ascii_digit(value[i + 4]);
    if (begins && ends && is_number(value.substr(i, 4), 4, 4, y) && y > 1000 && far_away(y, year)) {
      return true;
    }
  }
  return false;
}

// A calendar with a year far away in its parameters: ?year=2043&month=5, ?date=2043-05-01.
bool calendar_query(std::string_view query, int year) {
  constexpr std::string_view kWords[] = {"year", "date", "month", "day"};
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find_first_of("&;"));
    query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    if (!year_far_away(parameter.substr(equals), year)) continue;
    const std::string_view name = parameter.substr(0, equals);
    if (std::ranges::any_of(kWords, [name](std::string_view word) { return has_word(name, word); }))
      return true;
  }
  return false;
}

// ;jsessionid=..., ;sid=..., /(S(abc...))/.
bool holds_session(std::string_view path) {
  if (path.find(';') == path.npos && path.find('(') == path.npos) return false;  // most paths have neither
  return holds_word(path, ";jsessionid=") || holds_word(path, ";sid=") || path.find("/(S(") != path.npos;
}

}  // namespace

std::string_view trap_sign_text(TrapSign sign) {
  switch (sign) {
    case TrapSign::kNone:
      return "none";
    case TrapSign::kRepeatedSegments:
      return "the path repeats itself";
    case TrapSign::kCalendar:
      return "a calendar far from today";
    case TrapSign::kSession:
      return "a session number in the path";
    case TrapSign::kTooDeep:
      return "the path is too deep";
    case TrapSign::kTooLong:
      return "the path is too long";
    case TrapSign::kTooManyParameters:
      return "too many parameters";
  }
  return "";
}

TrapSign trap_sign(const Url& url, const TrapOptions& options) {
  if (!options.on) return TrapSign::kNone;
  if (url.target().size() > options.max_length) return TrapSign::kTooLong;
  if (url.depth() > options.max_depth) return TrapSign::kTooDeep;
  if (url.has_query()) {
    const std::string_view query = url.query();
    if (static_cast<std::uint32_t>(std::count(query.begin(), query.end(), '&')) >= options.max_parameters) {
      return TrapSign::kTooManyParameters;
    }
    if (calendar_query(query, options.year)) return TrapSign::kCalendar;
  }
  std::array<std::string_view, kMostSegments> segments;
  const std::size_t count = split(url.path(), segments);
  const std::span<const std::string_view> names(segments.data(), count);
  if (count >= options.repeats && repeats_itself(names, options.repeats)) return TrapSign::kRepeatedSegments;
  if (comes_too_often(names, options.appearances)) return TrapSign::kRepeatedSegments;
  if (dates_far_away(names, options.year)) return TrapSign::kCalendar;
  if (holds_session(url.path())) return TrapSign::kSession;
  return TrapSign::kNone;
}

}  // namespace bowerbird
