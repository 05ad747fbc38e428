#include "cmd/command_line.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "crawl/config/option_table.h"
#include "version.h"

namespace bowerbird {
namespace {

std::string& kept() {
  static std::string text = "bowerbird";
  return text;
}

// The word, quoted for a shell.
std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%,+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// Reports are shared, and must not show passwords, cookies or tokens.
bool holds_secret(std::string_view option) {
  if (!option.starts_with("--")) return false;
  const CrawlOptionRow* const row = find_row(crawl_option_table(), option.substr(2));
  return row != nullptr && row->is(kSecret);
}

}  // namespace

void keep_command_line(int argc, const char* const* argv) {
  std::string text = "bowerbird";
  bool secret = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const std::size_t equal = std::min(word.find('='), word.size());
    const bool names_secret = holds_secret(word.substr(0, equal));
    if (secret) {
      text += " " + shell_word(without_secret(word));
    } else if (names_secret && equal < word.size()) {
      text +=
          fmt::format(" {}={}", word.substr(0, equal), shell_word(without_secret(word.substr(equal + 1))));
    } else {
      text += " " + shell_word(word);
    }
    secret = !secret && names_secret && equal == word.size();
  }
  kept() = std::move(text);
}

ReportOrigin report_origin() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return {kept(), BOWERBIRD_VERSION, fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))};
}

}  // namespace bowerbird
