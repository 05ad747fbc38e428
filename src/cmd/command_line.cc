#include "cmd/command_line.h"

#include <string_view>

namespace bowerbird {
namespace {

std::string& kept() {
  static std::string text = "bowerbird";
  return text;
}

// The word as a shell takes it.
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

}  // namespace

void keep_command_line(int argc, const char* const* argv) {
  std::string text = "bowerbird";
  for (int i = 1; i < argc; ++i) text += " " + shell_word(argv[i]);
  kept() = std::move(text);
}

const std::string& command_line() {
  return kept();
}

}  // namespace bowerbird
