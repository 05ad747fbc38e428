#include "base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace bowerbird {

namespace {

// Removes the number at the front of `text`; underscores and spaces between digits are allowed.
Result<double> take_number(std::string_view& text) {
  std::string digits;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= '0' && c <= '9') || c == '.') {
      digits.push_back(c);
    } else if (c != '_' || digits.empty()) {
      break;
    }
  }
  double value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc() || end != digits.data() + digits.size()) {
    return error("'{}' is not a number", text);
  }
  text.remove_prefix(i);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return value;
}

template <std::size_t N>
Result<std::uint64_t> parse_scaled(std::string_view text,
                                   const std::array<std::pair<std::string_view, double>, N>& suffixes,
                                   std::string_view example) {
  std::string_view rest = text;
  BB_TRY(const double number, take_number(rest));
  for (const auto& [suffix, factor] : suffixes) {
    if (rest != suffix) continue;
    const double value = std::round(number * factor);
    if (factor == 1 && value != number) return error("'{}' is not a whole number", text);
    if (value >= 0x1.0p63) return error("'{}' is too large", text);
    return static_cast<std::uint64_t>(value);
  }
  return error("'{}' is not understood; write for example {}", text, example);
}

}  // namespace

Result<std::uint64_t> parse_count(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> kSuffixes = {
      {{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"B", 1e9}}};
  return parse_scaled(text, kSuffixes, "160, 10k, 1.5M or 1G");
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 15> kSuffixes = {{{"", 1},
                                                                                     {"k", 1e3},
                                                                                     {"M", 1e6},
                                                                                     {"G", 1e9},
                                                                                     {"B", 1},
                                                                                     {"kB", 1e3},
                                                                                     {"KB", 1e3},
                                                                                     {"MB", 1e6},
                                                                                     {"GB", 1e9},
                                                                                     {"TB", 1e12},
                                                                                     {"KiB", 0x1.0p10},
                                                                                     {"kiB", 0x1.0p10},
                                                                                     {"MiB", 0x1.0p20},
                                                                                     {"GiB", 0x1.0p30},
                                                                                     {"TiB", 0x1.0p40}}};
  return parse_scaled(text, kSuffixes, "500MB or 2GiB");
}

Result<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return error("'{}' is not a number", text);
  }
  return value;
}

Result<double> parse_share(std::string_view text) {
  const bool percent = !text.empty() && text.back() == '%';
  BB_TRY(double value, parse_number(percent ? text.substr(0, text.size() - 1) : text));
  if (percent) value /= 100;
  if (!(value >= 0 && value <= 1))
    return error("'{}' is not a share from 0 to 1: write for example 0.05 or 5%", text);
  return value;
}

Result<Seconds> parse_seconds(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> kUnits = {
      {{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"", 1}}};
  for (const auto& [unit, seconds] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const auto value = parse_number(text.substr(0, text.size() - unit.size()));
    if (value.ok() && *value >= 0 && *value <= 1e9) return Seconds(*value * seconds);
    break;
  }
  return error("'{}' is not a time such as 90, 0.5s, 10m, 2h or 1d", text);
}

std::string exact_bytes(std::uint64_t n) {
  static constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; n > 0 && n % 1024 == 0 && unit + 1 < kUnits.size(); n /= 1024) ++unit;
  return n == 0 ? "0" : fmt::format("{}{}", n, kUnits[unit]);
}

std::string exact_seconds(Seconds time) {
  const double seconds = time.count();
  for (const auto& [unit, length] : {std::pair{'d', 86400.0}, std::pair{'h', 3600.0}}) {
    if (seconds > 0 && std::fmod(seconds, length) == 0) return fmt::format("{}{}", seconds / length, unit);
  }
  return fmt::format("{}s", seconds);
}

std::string format_count(std::uint64_t n) {
  std::string digits = fmt::format("{}", n);
  for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3) {
    digits.insert(static_cast<std::size_t>(i), 1, ',');
  }
  return digits;
}

std::string format_bytes(std::uint64_t n) {
  static constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(n);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", n) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string plural(std::uint64_t n, std::string_view one, std::string_view many) {
  const std::string count = format_count(n) + " ";
  if (n == 1) return count + std::string(one);
  return count + (many.empty() ? std::string(one) + "s" : std::string(many));
}

}  // namespace bowerbird
