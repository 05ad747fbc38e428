#include "web/site/traps.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/html_escape.h"
#include "web/site/faults.h"

namespace bowerbird {

namespace {

constexpr std::array<TrapInfo, kTraps> kTrapInfos = {{
    {"calendar", "months without end"},
    {"session", "a new session id on every link"},
    {"deep", "relative links that make paths ever longer"},
    {"facets", "filters in every order and combination"},
}};

constexpr std::string_view kCalendar = "/-/calendar/";
constexpr std::string_view kDeep = "/-/deep/";
constexpr std::string_view kFacets = "/-/facets";
constexpr int kLastYear = 9999;

void append_anchor(const PageUrl& from, const LinkStyle& style, std::string_view target,
                   std::string_view label, std::string& out) {
  std::string href;
  style.append_link(from, from.https(), from.authority(), target, href);
  out += "<a href=\"";
  append_html_escaped(out, href);
  out += "\">";
  append_html_escaped(out, label);
  out += "</a>\n";
}

int digits(std::string_view text) {
  int number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    number = number * 10 + (c - '0');
  }
  return text.empty() ? -1 : number;
}

// "2024-05" or "2024-05-17".
bool append_calendar(std::string_view date, const PageUrl& from, const LinkStyle& style, std::string& out) {
  if ((date.size() != 7 && date.size() != 10) || date[4] != '-') return false;
  const int year = digits(date.substr(0, 4));
  const int month = digits(date.substr(5, 2));
  if (year < 0 || month < 1 || month > 12) return false;
  const auto anchor = [&](int y, int m, std::string_view label) {
    append_anchor(from, style, fmt::format("{}{:04}-{:02}", kCalendar, y, m), label, out);
  };
  if (date.size() == 10) {
    const int day = digits(date.substr(8));
    if (date[7] != '-' || day < 1 || day > 28) return false;
    anchor(year, month, "month");
    return true;
  }
  if (year > 0 || month > 1) anchor(month == 1 ? year - 1 : year, month == 1 ? 12 : month - 1, "earlier");
  if (year < kLastYear) anchor(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, "later");
  for (int day = 1; day <= 28; ++day) {
    append_anchor(from, style, fmt::format("{}{:04}-{:02}-{:02}", kCalendar, year, month, day),
                  fmt::format("{}", day), out);
  }
  return true;
}

void append_facets(std::string_view query, const PageUrl& from, const LinkStyle& style, std::string& out) {
  constexpr std::array<std::string_view, 4> kNames = {"colour", "size", "price", "sort"};
  for (const std::string_view name : kNames) {
    if (query.find(fmt::format("{}=", name)) != query.npos) continue;
    for (int value = 1; value <= 3; ++value) {
      append_anchor(from, style,
                    fmt::format("{}?{}{}{}={}", kFacets, query, query.empty() ? "" : "&", name, value),
                    fmt::format("{} {}", name, value), out);
    }
  }
}

}  // namespace

std::span<const TrapInfo> all_traps() {
  return kTrapInfos;
}

Result<TrapShares> parse_traps(std::string_view text) {
  std::vector<std::string> names;
  for (const TrapInfo& info : kTrapInfos) names.emplace_back(info.name);
  BB_TRY(const auto items, parse_named_shares(text, "trap", names));
  TrapShares shares{};
  for (const NamedShare& item : items) {
    if (item.has_times) return error("'{}': a trap has no number of times", names[item.name]);
    shares[item.name] = item.share;
  }
  return shares;
}

bool Traps::has(Trap trap, std::uint64_t host_key) const {
  const auto i = static_cast<std::size_t>(trap);
  return shares_[i] > 0 && to_unit(draw(seed_ + i, host_key)) < shares_[i];
}

void Traps::append_entrances(std::uint64_t host_key, const PageUrl& from, const LinkStyle& style,
                             std::string& out) const {
  if (has(Trap::kCalendar, host_key)) {
    append_anchor(from, style, fmt::format("{}2024-01", kCalendar), "calendar", out);
  }
  if (has(Trap::kDeep, host_key)) append_anchor(from, style, kDeep, "more", out);
  if (has(Trap::kFacets, host_key)) append_anchor(from, style, kFacets, "search", out);
}

bool Traps::append_page(std::uint64_t host_key, const PageUrl& from, const LinkStyle& style,
                        const PageText& text, std::string& out) const {
  const std::string_view target = from.target();
  const std::size_t start = out.size();
  // All pages of a trap, under "/-/" and its name, have the same text.
  const std::uint64_t key = hash64(target.substr(0, target.find_first_of("/?", 3)), host_key);
  const int topic = PageText::topic_of(host_key);
  out += "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>";
  text.append_title(key, topic, out);
  out += "</title></head>\n<body>\n";
  text.append_paragraphs(key, topic, 40, out);
  bool found = false;
  if (target.starts_with(kCalendar) && has(Trap::kCalendar, host_key)) {
    found = append_calendar(target.substr(kCalendar.size()), from, style, out);
  } else if (target.starts_with(kDeep) && target.ends_with('/') && has(Trap::kDeep, host_key)) {
    out += "<a href=\"left/\">left</a>\n<a href=\"right/\">right</a>\n";
    found = true;
  } else if ((target == kFacets || target.starts_with("/-/facets?")) && has(Trap::kFacets, host_key)) {
    append_facets(target.substr(std::min(target.size(), kFacets.size() + 1)), from, style, out);
    found = true;
  }
  if (!found) {
    out.resize(start);
    return false;
  }
  append_anchor(from, style, "/", "home", out);
  out += "</body></html>\n";
  return true;
}

std::string Traps::next_session(std::uint64_t page_key, std::string_view before) const {
  return fmt::format("{:016x}", hash64(before, seed_ ^ page_key));
}

bool Traps::strip_session(std::string_view target, std::string& without, std::string_view& session) {
  const std::size_t at = target.rfind("sid=");
  if (at == target.npos || at == 0 || (target[at - 1] != '?' && target[at - 1] != '&')) return false;
  session = target.substr(at + 4);
  if (session.find('&') != session.npos) return false;
  without = target.substr(0, at - 1);
  return true;
}

}  // namespace bowerbird
